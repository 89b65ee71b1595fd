import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Disk, disk } from "../../../test/contracts/disk.ts";
import { EVERY_FILE, OBEYED } from "../../core/words/code.ts";

let one: Disk;
beforeEach(() => {
  one = disk();
  fs.mkdirSync(path.join(one.top, "home"));
  vi.stubEnv("HOME", path.join(one.top, "home"));
});
afterEach(() => void vi.restoreAllMocks());

/** Paths from the root, those of which every file counts with a star. */
const obeyed = (folder = ".") => {
  const { files, open } = one.workspace.behind?.({ target: folder, part: OBEYED }) ?? { files: [] };
  const shown = files.map(({ target, part }) => `${path.relative(one.root, target)}${part === EVERY_FILE ? "/*" : ""}`);
  return { files: shown.sort(), ...(open && { open }) };
};

const OWN = [".git", ".git/commondir", ".git/config", ".git/config.worktree", ".git/hooks/*"];
const repository = (config = "") => {
  one.put(".git/HEAD", "ref: refs/heads/main\n");
  one.put(".git/config", config);
};

describe("where git finds its repository", () => {
  test("there is none, or none that is whole", () => {
    one.put("bare/HEAD", "ref: refs/heads/main\n");
    fs.mkdirSync(one.on("kept/objects"), { recursive: true });
    one.put("d/.git", "gitdir: ../nowhere\n");
    for (const folder of [".", "bare", "kept", "d"]) expect([folder, obeyed(folder)]).toEqual([folder, { files: [] }]);
  });

  test.each([".", "d", "d/not/there"])("at or above %s", (folder) => {
    repository();
    fs.mkdirSync(one.on("d"));
    expect(obeyed(folder)).toEqual({ files: OWN });
  });

  test("in the folder itself, which is bare", () => {
    one.put("b/HEAD", "ref: refs/heads/main\n");
    one.put("b/config", "[core]\n hooksPath = own\n");
    fs.mkdirSync(one.on("b/objects"));
    expect(obeyed("b/refs").files).toEqual(
      ["b/.git", "b/commondir", "b/config", "b/config.worktree", "b/hooks/*", "b/own/*"].sort(),
    );
  });

  test("no higher than the working tree, even if what lies above looks like a bare one", () => {
    one.put("HEAD", "ref: refs/heads/main\n");
    fs.mkdirSync(one.on("objects"));
    for (const folder of ["objects", "refs"]) fs.mkdirSync(one.on(`d/.git/${folder}`), { recursive: true });
    one.put("d/.git/HEAD", "ref: refs/heads/main\n");
    expect(obeyed("d/deep").files).toEqual(OWN.map((name) => `d/${name}`));
    expect(obeyed("e").files).toContain("hooks/*");
  });

  test("elsewhere, where a file says so, and in the modules", () => {
    for (const folder of ["far", "far/worktrees/w", "far/modules/m"]) one.put(`${folder}/HEAD`, "x");
    one.put("far/worktrees/w/commondir", "../..\n");
    one.put("w/.git", "gitdir: ../far/worktrees/w\n");
    const from = (folder: string, ...names: string[]) => names.map((name) => `${folder}/${name}`);
    expect(obeyed("w").files).toEqual(
      [
        "w/.git",
        ...["far", "far/worktrees/w"].flatMap((each) =>
          from(each, "commondir", "config", "config.worktree", "hooks/*"),
        ),
        ...from("far/modules/m", "config", "config.worktree", "hooks/*"),
      ].sort(),
    );
  });

  test("with modules that cannot be told, whatever may be meant", () => {
    repository();
    for (let n = 0; n < 300; n += 1) one.put(`.git/modules/m${n}/HEAD`, "x");
    expect(obeyed()).toEqual({ files: OWN, open: true });
  });
});

describe("what git is led to by its settings", () => {
  test.each<[what: string, config: string, files: string[]]>([
    ["another folder of hooks", "[core]\n hooksPath = tools/hooks\n", ["tools/hooks/*"]],
    ["one at home", "[core]\n HOOKSPATH = ~/hooks\n", ["../home/hooks/*"]],
    ["one in quotes", '[core]\n hooksPath = "to"ols\n', ["tools/*"]],
    ["a script of an alias", '[alias]\n x = "!sh tools/x.sh; (y)"\n', ["sh", "tools/x.sh", "y"]],
    ["a program at home", "[core]\n pager = ~/bin/p\n", ["../home/bin/p"]],
    ["a file by its whole name", "[core]\n pager = <root>/bin/p\n", ["bin/p"]],
    ["a program at the other end", '[remote "o"]\n receivepack = tools/r\n', ["tools/r"]],
    ["no addresses", '[remote "o"]\n url = there\n fetch = +a:b\n pushurl = x\n', []],
    ["no branches and modules", '[branch "b"]\n remote = o\n[submodule "s"]\n url = u\n', []],
    ["an empty value", "[core]\n pager =\n", []],
    ["a file that is included", "[include]\n path = more\n", [".git/more"]],
    ["one at home that is included", "[include]\n path = ~/more\n", ["../home/more"]],
    ["one that may be included", '[includeIf "gitdir:~/x/"]\n path = ../more\n', ["more"]],
    ["itself", "[include]\n path = config\n", []],
  ])("%s", (_, config, files) => {
    repository(config.replace("<root>", one.root));
    expect(obeyed()).toEqual({ files: [...OWN, ...files].sort() });
  });

  test("what an included file names counts as well, and one of the working tree's own", () => {
    repository("[include]\n path = more\n");
    one.put(".git/more", "[core]\n hooksPath = deep\n pager = p\n[include]\n path = config\n");
    one.put(".git/config.worktree", "[core]\n editor = e\n");
    expect(obeyed()).toEqual({ files: [...OWN, ".git/more", "deep/*", "e", "p"].sort() });
  });

  test.each([".gitconfig", ".config/git/config", "/etc/gitconfig"])("of a person's %s only hooks are meant", (name) => {
    repository();
    const file = path.join(one.top, "home", name.startsWith("/") ? "system" : name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, "[core]\n hooksPath = theirs\n pager = less\n");
    const led = (given: unknown) => (given === "/etc/gitconfig" ? (name === given ? file : `${file}.none`) : given);
    for (const method of ["statSync", "readFileSync"] as const) {
      const real = fs[method] as (...given: unknown[]) => unknown;
      vi.spyOn(fs, method).mockImplementation(((given: unknown, ...more: unknown[]) =>
        real(led(given), ...more)) as never);
    }
    expect(obeyed()).toEqual({ files: [...OWN, "theirs/*"].sort() });
  });
});

describe("what a person's own file includes", () => {
  const atHome = (name: string, text: string) => fs.writeFileSync(path.join(one.top, "home", name), text);

  test.each<[what: string, config: string, files: string[]]>([
    ["a file beside it, of which only hooks are meant", "[include]\n path = more\n", ["../home/more", "theirs/*"]],
    ["one at home", "[include]\n path = ~/more\n", ["../home/more", "theirs/*"]],
    ["one that may be included", '[includeIf "gitdir:~/x/"]\n path = more\n', ["../home/more", "theirs/*"]],
    ["one that includes a further one", "[include]\n path = most\n", ["../home/more", "../home/most", "theirs/*"]],
    ["one that is not there", "[include]\n path = none\n", ["../home/none"]],
    ["one in the workspace, of which all is meant", "[include]\n path = <root>/in\n", ["deep/*", "in", "p"]],
    ["one that the repository has as well", "[include]\n path = <root>/.git/config\n", []],
  ])("%s", (_, config, files) => {
    repository();
    atHome(".gitconfig", config.replace("<root>", one.root));
    atHome("more", "[core]\n hooksPath = theirs\n pager = less\n");
    atHome("most", "[include]\n path = more\n path = most\n");
    one.put("in", "[core]\n hooksPath = deep\n pager = p\n");
    expect(obeyed()).toEqual({ files: [...OWN, ...files].sort() });
  });

  test("is left open after as many files as are looked at", () => {
    repository();
    const included = (count: number) => Array.from({ length: count }, (_, n) => ` path = i${n}\n`).join("");
    for (const [count, open] of [[50], [51, true]] as const) {
      atHome(".gitconfig", `[include]\n${included(count)}`);
      expect(obeyed().open).toBe(open);
    }
  });
});

describe("what nobody can tell leaves it open", () => {
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(" ");
  const included = (count: number) => Array.from({ length: count }, (_, n) => `[include]\n path = i${n}\n`).join("");
  const padded = (length: number) => `#${"x".repeat(length - 1)}`;

  test.each<[what: string, config: string, open: true | undefined]>([
    ["as many words as are looked at", `[alias]\n x = ${words(200)}\n`, undefined],
    ["the same words again", `[alias]\n x = ${words(200)}\n y = ${words(200)}\n`, undefined],
    ["more words", `[alias]\n x = ${words(201)}\n`, true],
    ["as many files as are included", included(50), undefined],
    ["more files", included(51), true],
    ["a file as long as is read", padded(1 << 20), undefined],
    ["a longer one", padded((1 << 20) + 1), true],
    ["what git would refuse", "no setting\n", true],
  ])("%s", (_, config, open) => {
    repository(config);
    expect(obeyed().open).toBe(open);
  });

  test.each<[what: string, make: (file: string) => void]>([
    ["folder", (file) => fs.mkdirSync(file)],
    ["pipe, for which nobody waits", (file) => execFileSync("mkfifo", [file])],
  ])("a %s in place of the settings", (_, make) => {
    repository();
    fs.rmSync(one.on(".git/config"));
    make(one.on(".git/config"));
    expect(obeyed()).toEqual({ files: OWN, open: true });
  });
});

describe("what starts for a package", () => {
  const started = (text: string, name = "p/package.json", part?: string) => {
    one.put(name, text);
    const { files, open } = one.workspace.behind?.({ target: name, ...(part !== undefined && { part }) }) ?? {
      files: [],
    };
    return { files: files.map(({ target }) => path.relative(one.root, target)), ...(open && { open }) };
  };
  const MAIN = ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"].map((end) => `p/lib${end}`);
  const whole = (length: number) => '{"main":"lib"}'.padEnd(length);

  test.each<[what: string, text: string, due: object]>([
    ["its main file, by any ending", '{"main":"./lib"}', { files: MAIN }],
    ["nothing without one", "{}", { files: [] }],
    ["nothing for an empty one", '{"main":""}', { files: [] }],
    ["nothing for what is no name", '{"main":7}', { files: [] }],
    ["nothing where node fails", "no json", { files: [] }],
    ["the same for a file as long as is read", whole(1 << 20), { files: MAIN }],
    ["whatever may be meant for a longer one", whole((1 << 20) + 1), { files: [], open: true }],
  ])("%s", (_, text, due) => {
    expect(started(text)).toEqual(due);
  });

  test("nothing for a part of it, or for another file", () => {
    expect(started('{"main":"lib"}', "p/package.json", "scripts")).toEqual({ files: [] });
    expect(started('{"main":"lib"}', "p/other.json")).toEqual({ files: [] });
  });
});
