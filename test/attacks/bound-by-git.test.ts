import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder } from "../journeys/harness.ts";
import { stage } from "./bound-stage.ts";

const git = (cwd: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...words], {
    cwd,
    stdio: "pipe",
  });

/** A repository with one commit, whose configuration says this. */
function repository(settings: Record<string, string> = {}, files: Record<string, string> = {}): string {
  const dir = folder({ a: "a\n", "sub/b": "b\n", ...files });
  git(dir, "init", "-q", "-b", "main");
  git(dir, "add", ".");
  git(dir, "commit", "-q", "-m", "x");
  for (const [key, value] of Object.entries(settings)) git(dir, "config", key, value);
  return dir;
}

const at = (dir: string) => stage({}, "none", { dir, store: memoryStore() });

type Scene = { root: string; line: string; file: string };

/** Where the file lies that decides what git runs. */
const SCENES: Record<string, () => Scene> = {
  "a hook where core.hooksPath leads": () => ({
    root: repository({ "core.hooksPath": "tools/checks" }, { "tools/checks/pre-commit": "one\n" }),
    line: "git commit -m x",
    file: "tools/checks/pre-commit",
  }),
  "a hook that is put there": () => ({
    root: repository({ "core.hooksPath": "tools/checks" }, { "tools/checks/kept": "" }),
    line: "git commit -m x",
    file: "tools/checks/pre-push",
  }),
  "a hook where a quoted core.hooksPath leads": () => {
    const root = repository({}, { "tools/checks/pre-commit": "one\n" });
    writeFileSync(path.join(root, ".git/config"), '[core]\n  hooksPath = to"ols"/ch\\\nec"ks" ; x\n');
    return { root, line: "git commit -m x", file: "tools/checks/pre-commit" };
  },
  "a hook where an included file says": () => ({
    root: repository(
      { "include.path": "../shared.cfg" },
      { "shared.cfg": "[core]\nhooksPath = my\n", "my/pre-push": "one\n" },
    ),
    line: "git push",
    file: "my/pre-push",
  }),
  "what the configuration includes": () => ({
    root: repository({ "include.path": "../shared.cfg" }, { "shared.cfg": "[a]\nb = c\n" }),
    line: "git push",
    file: "shared.cfg",
  }),
  "what it includes under a condition": () => ({
    root: repository({ "includeIf.gitdir:~/x/.path": "../shared.cfg" }),
    line: "git push",
    file: "shared.cfg",
  }),
  "a script that an alias runs": () => ({
    root: repository({ "alias.deploy": "!sh tools/deploy.sh" }, { "tools/deploy.sh": "one\n" }),
    line: "git deploy",
    file: "tools/deploy.sh",
  }),
  "a filter": () => ({
    root: repository({ "filter.x.clean": "tools/clean %f" }, { "tools/clean": "one\n" }),
    line: "git commit -am x",
    file: "tools/clean",
  }),
  "another repository by -C": () => {
    const root = repository();
    cpSync(repository(), path.join(root, "other"), { recursive: true });
    return { root, line: "git -C other commit -m x", file: "other/.git/hooks/pre-commit" };
  },
  "another repository by --git-dir": () => {
    const root = repository();
    git(root, "clone", "-q", "--bare", root, "bare.git");
    return { root, line: "git --git-dir=bare.git push", file: "bare.git/hooks/pre-push" };
  },
  "a repository above the workspace": () => ({
    root: path.join(repository(), "sub"),
    line: "git commit -m x",
    file: "../.git/hooks/pre-commit",
  }),
  "its configuration": () => ({
    root: path.join(repository(), "sub"),
    line: "git push",
    file: "../.git/config",
  }),
  "its own folder of hooks": () => ({
    root: path.join(repository({ "core.hooksPath": "checks" }, { "checks/x": "" }), "sub"),
    line: "git commit -m x",
    file: "../checks/pre-commit",
  }),
  "the repository of a worktree": () => {
    const main = repository();
    const tree = path.join(folder(), "tree");
    git(main, "worktree", "add", "-q", tree);
    return {
      root: tree,
      line: "git commit -m x",
      file: path.join(main, ".git/hooks/pre-commit"),
    };
  },
  "the configuration of a worktree's repository": () => {
    const main = repository();
    const tree = path.join(folder(), "tree");
    git(main, "worktree", "add", "-q", tree);
    return { root: tree, line: "git push", file: path.join(main, ".git/config") };
  },
  "the configuration of a worktree": () => {
    const main = repository({ "extensions.worktreeConfig": "true" });
    const tree = path.join(folder(), "tree");
    git(main, "worktree", "add", "-q", tree);
    const file = path.join(main, ".git/worktrees/tree/config.worktree");
    return { root: tree, line: "git push", file };
  },
  "the repository of a submodule, from outside": () => {
    const root = repository();
    git(root, "submodule", "add", "-q", repository(), "mod");
    return { root, line: "git submodule foreach 'git commit -m x'", file: ".git/modules/mod/hooks/pre-commit" };
  },
  "the repository of a submodule, from inside": () => {
    const root = repository();
    git(root, "submodule", "add", "-q", repository(), "mod");
    return { root, line: "cd mod && git commit -m x", file: ".git/modules/mod/hooks/pre-commit" };
  },
  "a repository behind a link": () => {
    const root = repository();
    renameSync(path.join(root, ".git"), path.join(root, "real"));
    symlinkSync("real", path.join(root, ".git"));
    return { root, line: "git commit -m x", file: "real/hooks/pre-commit" };
  },
  "a repository that a file names": () => {
    const root = repository();
    renameSync(path.join(root, ".git"), path.join(root, "real"));
    writeFileSync(path.join(root, ".git"), "gitdir: real\n");
    return { root, line: "git commit -m x", file: "real/hooks/pre-commit" };
  },
  "and that file": () => {
    const root = repository();
    renameSync(path.join(root, ".git"), path.join(root, "real"));
    writeFileSync(path.join(root, ".git"), "gitdir: real\n");
    return { root, line: "git commit -m x", file: ".git" };
  },
};

describe("a yes to git is a yes to what the repository has it run", () => {
  test.each(Object.keys(SCENES))("%s", async (name) => {
    const { root, line, file } = (SCENES[name] as () => Scene)();
    const it = await at(root);
    const real = path.resolve(root, file);
    const put = (text: string) => {
      mkdirSync(path.dirname(real), { recursive: true });
      writeFileSync(real, text, { flag: /config|\.cfg$/.test(real) ? "a" : "w" });
    };
    const [one, two] = file === ".git" ? ["gitdir: ./real\n", "gitdir: real/.\n"] : ["\n[one]\n", "\n[two]\n"];
    it.next.meanwhile = () => put(one);
    expect(await it.run(line), "while the person thinks").toMatchObject({ error: { code: "CONFLICT" } });
    expect(it.ran).toEqual([]);
    it.next.meanwhile = undefined;
    it.next.answer = "always";
    await it.run(line);
    await it.run(line);
    expect(it.asked.length, "unchanged it is not asked about again, where a standing yes is offered").toBe(
      it.asked[1]?.always ? 2 : 3,
    );
    const before = it.asked.length;
    put(two);
    await it.run(line);
    expect(it.asked, "afterwards").toHaveLength(before + 1);
  });

  describe("and what a person's own configuration leads to", () => {
    const HOOKS = "[core]\nhooksPath = checks\n";
    test.each<[what: string, home: Record<string, string>, file?: string]>([
      ["by itself", { ".gitconfig": HOOKS }],
      ["by the other file", { ".config/git/config": HOOKS }],
      ["by an include", { ".gitconfig": "[include]\npath = more.cfg\n", "more.cfg": HOOKS }],
      ["by an include of the home folder", { ".gitconfig": "[include]\npath = ~/more.cfg\n", "more.cfg": HOOKS }],
      [
        "by a condition",
        { ".gitconfig": '[includeIf "gitdir:~/nowhere/"]\npath = deep/more.cfg\n', "deep/more.cfg": HOOKS },
      ],
      [
        "by an include of an include",
        { ".gitconfig": "[include]\npath = a.cfg\n", "a.cfg": "[include]\npath = b.cfg\n", "b.cfg": HOOKS },
      ],
      ["by an include of the workspace", { ".gitconfig": "[include]\npath = WORKSPACE/shared.cfg\n" }, "shared.cfg"],
    ])("%s", async (_, home, file = "checks/pre-commit") => {
      const root = repository({}, { "checks/pre-commit": "one\n", "shared.cfg": HOOKS });
      const files = Object.entries(home).map(([name, text]) => [name, text.replace("WORKSPACE", root)]);
      vi.stubEnv("HOME", folder(Object.fromEntries(files)));
      const it = await at(root);
      it.next.answer = "always";
      await it.run("git commit -m x");
      await it.run("git commit -m x");
      expect(it.asked).toEqual([{ always: true }]);
      it.put(file, file.endsWith(".cfg") ? `${HOOKS}[x]\n` : "two\n");
      await it.run("git commit -m x");
      expect(it.asked).toHaveLength(2);
      it.put("kept", "x");
      await it.run("git commit -m x");
      expect(it.asked, "what is beside it counts for nothing").toHaveLength(2);
    });

    test("no standing yes where it includes very many, itself among them", async () => {
      const root = repository();
      const many = Array.from({ length: 60 }, (_, index) => `path = x${index}\n`);
      vi.stubEnv("HOME", folder({ ".gitconfig": `[include]\npath = .gitconfig\n${many.join("")}` }));
      const it = await at(root);
      await it.run("git commit -m x");
      expect(it.asked).toEqual([{ always: false }]);
    });
  });

  test("a hook that becomes one by its mode", async () => {
    const root = repository({ "core.hooksPath": "checks" }, { "checks/pre-commit": "one\n" });
    const it = await at(root);
    it.next.meanwhile = () => it.chmod("checks/pre-commit", 0o755);
    expect((await it.run("git commit -m x")).error?.code).toBe("CONFLICT");
  });

  test.each<[what: string, change: (root: string) => void]>([
    ["a commit", (root) => git(root, "commit", "-q", "--allow-empty", "-m", "y")],
    ["a file", (root) => writeFileSync(path.join(root, "a"), "b\n")],
    ["a branch", (root) => git(root, "branch", "other")],
    ["a hook of nobody", (root) => writeFileSync(path.join(root, "pre-commit"), "x\n")],
  ])("%s changes nothing of that", async (_, change) => {
    const root = repository({ "core.hooksPath": "checks" }, { "checks/pre-commit": "one\n" });
    const it = await at(root);
    it.next.answer = "always";
    await it.run("git commit -m x");
    change(root);
    await it.run("git commit -m x");
    expect(it.asked).toEqual([{ always: true }]);
  });

  test.each<[what: string, spoil: (root: string) => void]>([
    ["a configuration that is none", (root) => writeFileSync(path.join(root, ".git/config"), "[core\n")],
    ["one that is too large", (root) => writeFileSync(path.join(root, ".git/config"), `#${"x".repeat(1 << 20)}\n`)],
    [
      "one that includes very many",
      (root) => {
        const many = Array.from({ length: 51 }, (_, index) => `path = x${index}\n`);
        writeFileSync(path.join(root, ".git/config"), `[include]\n${many.join("")}`);
      },
    ],
    [
      "one that names very much",
      (root) => {
        const many = Array.from({ length: 201 }, (_, index) => `x${index} = !y${index}\n`);
        writeFileSync(path.join(root, ".git/config"), `[alias]\n${many.join("")}`);
      },
    ],
  ])("no standing yes with %s", async (_, spoil) => {
    const root = repository();
    spoil(root);
    const it = await at(root);
    await it.run("git commit -m x");
    expect(it.asked).toEqual([{ always: false }]);
  });

  test("very many branches and remotes are no programs", async () => {
    const root = repository();
    const many = Array.from(
      { length: 300 },
      (_, index) => `[branch "b${index}"]\nremote = r${index}\nmerge = m${index}\n`,
    );
    writeFileSync(path.join(root, ".git/config"), many.join(""));
    const it = await at(root);
    await it.run("git commit -m x");
    expect(it.asked).toEqual([{ always: true }]);
  });

  test("an include that includes itself", async () => {
    const root = repository({ "include.path": "config" });
    const it = await at(root);
    await it.run("git commit -m x");
    expect(it.asked).toEqual([{ always: true }]);
    rmSync(path.join(root, ".git"), { recursive: true });
    await it.run("git commit -m x");
    expect(it.asked).toEqual([{ always: true }, { always: true }]);
  });
});
