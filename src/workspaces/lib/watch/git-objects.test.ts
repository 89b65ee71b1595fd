import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { type Disk, disk } from "../../../../test/contracts/disk.ts";
import type { Watch } from "../../../core/contracts/workspace.ts";
import { localWorkspace } from "../../local.ts";
import { gitIndexOf } from "./git-index.ts";
import { objectsOf } from "./git-objects.ts";
import type { WatchLimits } from "./watch.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  });

type Files = Record<string, string | Uint8Array>;

/** A repository whose index is surely younger than its files. Nothing is kept in memory: git alone can know. */
function repository(
  files: Files,
  settings: readonly [key: string, value: string][] = [],
  limits: Partial<WatchLimits> = {},
): Disk {
  const one = disk({ watch: { keptFiles: 0, ...limits } });
  for (const [file, content] of Object.entries(files)) {
    one.put(file, content);
    fs.utimesSync(one.on(file), 1000, 1000);
  }
  git(one.root, "init", "-q");
  for (const setting of settings) git(one.root, "config", ...setting);
  git(one.root, "add", ".");
  return one;
}

async function beforeOf(one: Disk, file: string, act = () => fs.writeFileSync(one.on(file), "changed")) {
  const watch = (await one.workspace.watch?.([], String)) as Watch;
  act();
  const { found, lost } = await watch.end();
  const own = found.find(({ place }) => place.shown === file);
  return own?.before ? Buffer.from(own.before) : lost.includes(file) ? "lost" : undefined;
}

/** Which of these files were known after all became one byte long. */
async function knownAfter(one: Disk, files: readonly string[]) {
  const watch = (await one.workspace.watch?.([], String)) as Watch;
  for (const file of files) fs.writeFileSync(one.on(file), "x");
  return (await watch.end()).found.map(({ place }) => place.shown);
}

test("what git holds unchanged is known by it", async () => {
  for (const text of ["plain\n", "", "no feed at the end", "a\r\nb\r\n", "\0binary\xff"]) {
    const one = repository({ "f.txt": Buffer.from(text, "latin1"), g: "g" });
    expect(await beforeOf(one, "f.txt"), text).toEqual(Buffer.from(text, "latin1"));
  }
});

describe("what git converts on its way is not taken for what the file was", () => {
  const utf16 = Buffer.from("éé", "utf16le");
  test.each<[what: string, content: string | Uint8Array, attributes: string, settings: [string, string][]]>([
    ["CRLF by core.autocrlf", "a\r\nb\r\n", "", [["core.autocrlf", "true"]]],
    ["CRLF by eol=crlf", "a\r\nb\r\n", "f.txt text eol=crlf", []],
    ["CRLF by text=auto", "a\r\nb\r\n", "* text=auto", []],
    ["another encoding, by chance as long", utf16, "f.txt working-tree-encoding=UTF-16LE", []],
    ["a keyword", "$Id: 1 $\n", "f.txt ident", []],
    ["a filter, as long", "ABC\n", "f.txt filter=turned", [["filter.turned.clean", "tr A-Z N-ZA-M"]]],
  ])("%s", async (_, content, attributes, settings) => {
    const rules: Files = attributes ? { ".gitattributes": `${attributes}\n` } : {};
    const one = repository({ "f.txt": content, plain: "plain", ...rules }, settings);
    expect(git(one.root, "cat-file", "blob", ":f.txt")).not.toBe(Buffer.from(content).toString());
    expect(await beforeOf(one, "f.txt")).toBe("lost");
    expect(await beforeOf(one, "plain")).toEqual(Buffer.from("plain"));
  });

  test("but an attribute that is taken back, or of another file, converts nothing", async () => {
    const one = repository({ "f.txt": "ABC\n", g: "x\n", ".gitattributes": "f.txt -filter -ident\ng filter=turned\n" });
    expect(await beforeOf(one, "f.txt")).toEqual(Buffer.from("ABC\n"));
    expect(await beforeOf(one, "g")).toBe("lost");
  });
});

describe("what git does not hold", () => {
  test("changed since, new, ignored, or in conflict", async () => {
    const one = repository({ a: "a", b: "b", ".gitignore": "c\n" });
    one.put("c", "c");
    one.put("d", "d");
    one.put("a", "A");
    for (const file of ["a", "c", "d"]) expect(await beforeOf(one, file), file).toBe("lost");
    expect(await beforeOf(one, "b")).toEqual(Buffer.from("b"));
  });

  test("an object that is gone from the repository, and only that", async () => {
    const one = repository({ a: "a", b: "b" });
    const id = git(one.root, "hash-object", "a").trim();
    fs.rmSync(one.on(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`));
    const both = () => {
      for (const file of ["a", "b"]) fs.writeFileSync(one.on(file), "changed");
    };
    const watch = (await one.workspace.watch?.([], String)) as Watch;
    both();
    const { found, lost } = await watch.end();
    expect([found.map(({ place }) => place.shown), lost]).toEqual([["b"], ["a"]]);
  });

  test("a replaced object is not what the file was", async () => {
    const one = repository({ a: "a" });
    one.put("other", "X");
    const [id, other] = [git(one.root, "hash-object", "a"), git(one.root, "hash-object", "-w", "other")];
    git(one.root, "replace", id.trim(), other.trim());
    expect(await beforeOf(one, "a")).toEqual(Buffer.from("a"));
  });
});

describe("how much git is asked for", () => {
  test.each<[limits: Partial<WatchLimits>, kept: string[]]>([
    [{ changedBytes: 6 }, ["a", "b"]],
    [{ changedBytes: 5 }, ["a"]],
    [{ changedBytes: 2 }, []],
    [{ knownEach: 3 }, ["a", "b"]],
    [{ knownEach: 2 }, []],
  ])("within %j, of two files of three bytes %j come back", async (limits, known) => {
    const one = repository({ a: "one", b: "two" }, [], limits);
    expect(await knownAfter(one, ["a", "b"])).toEqual(known);
  });

  test("what is kept in memory takes no room, and what git does not hold is kept", async () => {
    const one = repository({ b: "two" }, [], { changedBytes: 3, keptFiles: 9 });
    one.put("a", "one");
    expect(await knownAfter(one, ["a", "b"])).toEqual(["a", "b"]);
  });
});

describe("what git cannot answer stays unknown", () => {
  test("where it could not say what it converts", async () => {
    const attributes = { ".gitattributes": "f.txt filter=turned\n" };
    const one = repository({ "f.txt": "ABC\n", ...attributes }, [["filter.turned.clean", "tr A-Z N-ZA-M"]]);
    const spoil = () => {
      fs.writeFileSync(one.on("f.txt"), "changed");
      fs.writeFileSync(one.on(".git/index"), "nonsense");
    };
    expect(await beforeOf(one, "f.txt", spoil)).toBe("lost");
  });

  test("in a tree that is gone, and of more names than it reads before it fails", async () => {
    const one = repository({ a: "a" });
    const id = git(one.root, "hash-object", "a").trim();
    const [gone, folder] = [one.on("gone"), one.on(".git")];
    expect(await objectsOf({ tree: one.root, folder }, new Map([[one.on("a"), id]]))).toHaveProperty("size", 1);
    expect(await objectsOf({ tree: gone, folder }, new Map([[`${gone}/a`, id]]))).toEqual(new Map());
    const many = Array.from({ length: 5_000 }, (_, n): [string, string] => [one.on(`${"n".repeat(200)}${n}`), id]);
    expect(await objectsOf({ tree: one.root, folder: one.on("a") }, new Map(many))).toEqual(new Map());
  });
});

describe("nothing of the repository is run", () => {
  test("by a look at what git holds", async () => {
    const one = repository({ a: "a" });
    const trap = one.on("trap.sh");
    fs.writeFileSync(trap, `#!/bin/sh\ntouch ${one.top}/sprung\n`, { mode: 0o755 });
    for (const key of ["core.fsmonitor", "core.sshCommand", "core.pager", "diff.external"])
      git(one.root, "config", key, trap);
    git(one.root, "config", "core.hooksPath", one.root);
    expect(await beforeOf(one, "a")).toEqual(Buffer.from("a"));
    expect(fs.existsSync(`${one.top}/sprung`)).toBe(false);
  });
});

describe("more than one repository", () => {
  test("each root asks its own, wherever the other lies", async () => {
    const [one, two] = [repository({ a: "one" }), repository({ a: "two" })];
    const both = localWorkspace({ root: one.root, roots: [two.root], watch: { keptFiles: 0 } });
    const watch = (await both.watch?.([], String)) as Watch;
    for (const each of [one, two]) fs.writeFileSync(each.on("a"), "changed");
    const { found, lost } = await watch.end();
    expect(found.map(({ before }) => String(before && Buffer.from(before)))).toEqual(["one", "two"]);
    expect(lost).toEqual([]);
  });

  test("a folder below one asks that one", async () => {
    const one = repository({ "d/a": "one" });
    const below = localWorkspace({ root: one.on("d"), watch: { keptFiles: 0 } });
    const watch = (await below.watch?.([], String)) as Watch;
    fs.writeFileSync(one.on("d/a"), "changed");
    const { found } = await watch.end();
    expect(found.map(({ place, before }) => [place.shown, before && Buffer.from(before).toString()])).toEqual([
      ["a", "one"],
    ]);
  });
});

describe("that a repository went somewhere else", () => {
  test.each<[file: string, lost: string[]]>([
    [".git/HEAD", [".git"]],
    [".git/logs/HEAD", [".git"]],
    [".git/logs/refs/stash", [".git"]],
    [".git/config", []],
    [".git/objects/ff", []],
    ["d/.git/HEAD", ["d/.git"]],
    ["node_modules/p/index.js", ["node_modules"]],
  ])("is told after a change of %s: %j", async (file, lost) => {
    const one = repository({ a: "a", "node_modules/q": "q" });
    one.put("d/.git/HEAD", "ref: refs/heads/main\n");
    const watch = (await one.workspace.watch?.([], String)) as Watch;
    one.put(file, "changed by a command");
    expect(await watch.end()).toEqual({ found: [], lost, whole: true });
  });
});

describe("the index", () => {
  test("with a file that is only meant to be added, or in conflict, is read past it", async () => {
    const one = repository({ a: "a", b: "b", c: "c" });
    one.put("bb", "later");
    git(one.root, "add", "-N", "bb");
    const id = git(one.root, "hash-object", "a").trim();
    const staged = [1, 2, 3].map((stage) => `100644 ${id} ${stage}\tb\n`).join("");
    git(one.root, "update-index", "--force-remove", "b");
    execFileSync("git", ["update-index", "--index-info"], { cwd: one.root, input: staged });
    for (const [file, due] of [
      ["bb", "lost"],
      ["b", "lost"],
      ["c", Buffer.from("c")],
      ["a", Buffer.from("a")],
    ] as const)
      expect(await beforeOf(one, file), file).toEqual(due);
  });

  test("is read again when it was written again", async () => {
    const one = repository({ a: "a", b: "b" });
    const state = () => ({ ...fs.lstatSync(one.on("b")), mode: 0o644 });
    const first = await gitIndexOf(one.root);
    expect(first?.cleanID(one.on("b"), state())).toMatch(/^[0-9a-f]{40}$/);
    git(one.root, "rm", "-q", "--cached", "b");
    expect((await gitIndexOf(one.root))?.cleanID(one.on("b"), state())).toBeUndefined();
  });

  test("of one repository is not taken for another's", async () => {
    const [one, two] = [repository({ a: "one" }), repository({ a: "two" })];
    expect([await beforeOf(one, "a"), await beforeOf(two, "a")].map(String)).toEqual(["one", "two"]);
  });

  test.each<[what: string, replace: (file: string) => void]>([
    [
      "a file that leads elsewhere",
      (folder) => {
        fs.renameSync(folder, `${folder}-moved`);
        fs.writeFileSync(folder, `gitdir: ${folder}-moved\n`);
      },
    ],
    [
      "a link",
      (folder) => {
        fs.renameSync(folder, `${folder}-moved`);
        fs.symlinkSync(`${folder}-moved`, folder);
      },
    ],
    [
      "a folder whose index is a link",
      (folder) => {
        fs.renameSync(`${folder}/index`, `${folder}-index`);
        fs.symlinkSync(`${folder}-index`, `${folder}/index`);
      },
    ],
    ["a folder without an index", (folder) => fs.rmSync(`${folder}/index`)],
  ])("of %s is not believed", async (_, replace) => {
    const one = repository({ a: "a" });
    replace(one.on(".git"));
    expect(await gitIndexOf(one.root)).toBeUndefined();
  });

  test("split in two is not understood", async () => {
    const one = repository({ a: "a" });
    git(one.root, "update-index", "--split-index");
    expect(await gitIndexOf(one.root)).toBeUndefined();
  });
});
