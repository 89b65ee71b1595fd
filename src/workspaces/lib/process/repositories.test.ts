import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import { commonFolderOf, gitFolders, textOf } from "./git-folders.ts";
import { helperNamedIn } from "./git-helpers.ts";
import { disarm } from "./new-repository.ts";

/** A repository, and a worktree of it elsewhere that both sides know of. */
const withWorktree = () => {
  const site = useSite();
  site.put({
    "main/.git/HEAD": "ref: refs/heads/main",
    "main/.git/config": "",
    "main/.git/worktrees/tree/commondir": "../..\n",
    "main/.git/worktrees/tree/gitdir": `${site.at("tree/.git")}\n`,
    "tree/.git": `gitdir: ${site.at("main/.git/worktrees/tree")}\n`,
  });
  return site;
};

describe("where git looks for what it obeys", () => {
  test("a folder is itself, what is missing or a link is nothing", () => {
    const site = withWorktree();
    site.put({ "linked/.git": "-> ../main/.git" });
    expect(gitFolders(site.at("main/.git"))).toEqual([site.at("main/.git")]);
    expect(gitFolders(site.at("root/.git"))).toEqual([]);
    expect(gitFolders(site.at("linked/.git"))).toEqual([]);
  });

  test("of a linked worktree its own folder and the one it shares", () => {
    const site = withWorktree();
    expect(gitFolders(site.at("tree/.git"))).toEqual([site.at("main/.git/worktrees/tree"), site.at("main/.git")]);
  });

  test.each<[what: string, text: string, folders: string[]]>([
    ["a submodule", "gitdir: ../main/.git\n", ["main/.git"]],
    ["an absolute path", "gitdir: <base>/main/.git", ["main/.git"]],
    ["a later line", "# x\ngitdir: ../main/.git\n", ["main/.git"]],
    ["nothing", "", ["sub"]],
    ["a file", "gitdir: ../main/.git/HEAD", []],
    ["what is missing", "gitdir: ../nowhere", []],
  ])("a file that names %s", (_, text, folders) => {
    const site = withWorktree();
    site.put({ "sub/.git": text.replace("<base>", site.base) });
    expect(gitFolders(site.at("sub/.git"))).toEqual(folders.map((name) => site.at(name)));
  });

  test("a common folder that is missing leaves the worktree's own", () => {
    const site = withWorktree();
    fs.writeFileSync(site.at("main/.git/worktrees/tree/commondir"), "../../nowhere");
    expect(gitFolders(site.at("tree/.git"))).toEqual([site.at("main/.git/worktrees/tree")]);
  });

  test("text is that of a file alone", () => {
    const site = withWorktree();
    expect(textOf(site.at("main/.git/HEAD"))).toBe("ref: refs/heads/main");
    expect(textOf(site.at("main/.git"))).toBe("");
    expect(textOf(site.at("main/nothing"))).toBe("");
  });
});

describe("the repository of a worktree is shown only if both sides say so", () => {
  test("they do", () => {
    const site = withWorktree();
    expect(commonFolderOf(site.at("tree/.git"))).toBe(site.at("main/.git"));
  });

  test.each<[what: string, change: (at: (name: string) => string) => void]>([
    [
      "the repository names another place",
      (at) => fs.writeFileSync(at("main/.git/worktrees/tree/gitdir"), at("main/.git/HEAD")),
    ],
    ["the repository names nothing", (at) => fs.rmSync(at("main/.git/worktrees/tree/gitdir"))],
    ["it has no HEAD", (at) => fs.rmSync(at("main/.git/HEAD"))],
    [
      "its HEAD is a folder",
      (at) => {
        fs.rmSync(at("main/.git/HEAD"));
        fs.mkdirSync(at("main/.git/HEAD"));
      },
    ],
    [
      "it does not lie among worktrees",
      (at) => {
        fs.renameSync(at("main/.git/worktrees"), at("main/.git/others"));
        fs.writeFileSync(at("tree/.git"), `gitdir: ${at("main/.git/others/tree")}`);
      },
    ],
    ["the worktree names nothing", (at) => fs.writeFileSync(at("tree/.git"), "")],
  ])("not where %s", (_, change) => {
    const site = withWorktree();
    change(site.at);
    expect(commonFolderOf(site.at("tree/.git"))).toBeUndefined();
  });
});

describe("settings that make git start a program", () => {
  const named = (config: string) => {
    const site = useSite();
    site.put({ "root/.git/config": config, "root/src/a": "" });
    return helperNamedIn([site.at("root/src")]);
  };

  test.each<[config: string, key: string]>([
    ["[diff]\n\texternal = evil", "diff.external"],
    ["[DIFF]\n  External=evil", "DIFF.External"],
    ["[diff] external = evil", "diff.external"],
    ['[diff "x"]\n\tcommand = evil', "diff.x.command"],
    ['[diff "x"]\n\ttextconv = evil', "diff.x.textconv"],
    ['[filter "x"]\n\tclean = evil', "filter.x.clean"],
    ['[filter "x"]\n\tsmudge = evil', "filter.x.smudge"],
    ['[filter "x"]\n\tprocess = evil', "filter.x.process"],
    ['[filter "a \\" b"]\n\tclean = evil', "filter.a????b.clean"],
    ["[filter.x]\n\tclean = evil", "filter.x.clean"],
    ["[include]\n\tpath = other", "include.path"],
    ['[includeIf "gitdir:/x"]\n\tpath = other', "includeIf.gitdir??x.path"],
    ["[core]\n\tx = 1\n[diff]\n\texternal = evil", "diff.external"],
    ['[filter "lfs"]\n\tclean = git-lfs clean -- %f && evil', "filter.lfs.clean"],
    ['[filter "lfs"]\n\tclean = evil', "filter.lfs.clean"],
    ['[filter "other"]\n\tclean = git-lfs clean -- %f', "filter.other.clean"],
    ["[diff]\n\texternal", "diff.external"],
    ["[core][diff]external = evil", "diff.external"],
    ["[core] # x\n[diff];x\nexternal=evil", "diff.external"],
    ["[diff]\n# a comment \\\nexternal = evil", "diff.external"],
    ["[core]\nx = a # b \\\n[diff]external = evil", "diff.external"],
    ["[core]\nx = a\\\\\n[diff]external = evil", "diff.external"],
    ["[diff]\nx = a\\\n[core]\nexternal = evil", "diff.external"],
    ["[diff]\nx = a\\\r\n[core]\r\n#c \\\r\nexternal = evil\r\n", "diff.external"],
    ['[diff]\nx = "a # b\\\n[core]"\nexternal = evil', "diff.external"],
    ['[diff]\nx = "a ; b"\nexternal = evil', "diff.external"],
    ['[diff "x]"]command = evil', "diff.x?.command"],
    ["[diff]\rexternal = evil", "diff.external"],
    ["\ufeff[diff]external = evil", "diff.external"],
  ])("%j", (config, key) => expect(named(config)).toBe(key));

  test.each([
    "",
    "[core]\n\tbare = false\n[user]\n\tname = diff.external",
    '[diff "x"]\n\txfuncname = y',
    "[diff]\n\tcommand = x",
    "; [diff]\n",
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge --skip -- %f\n\tprocess = "git-lfs filter-process"\n\trequired = true',
    '[filter "x"]\n\trequired = true',
    "[core]\nx = a\\\n[diff]external = b",
    "[core]\n# [diff]\nexternal = x",
    '[core]\nx = "\\\n[diff]\\\nexternal = y"',
  ])("none in %j", (config) => expect(named(config)).toBeUndefined());

  test.each([
    "[diff",
    "external = x\n]",
    '[diff "a]\nexternal = x',
    "[diff]\n= x",
    '[diff]\nx = "open',
    "[diff]\nx y = z",
    "[di\\\nff]",
    "[diff]\n\u00a0external = x",
  ])("%j is nothing that git reads: a doubt", (config) => expect(named(config)).toContain("cannot be read"));

  test("a long key is told shortly, and nothing in it looks like more than a name", () => {
    const key = named(`[filter "${"x".repeat(200)}\u001b[2J"]\n\tclean = evil`);
    expect(key).toHaveLength(80);
    expect(key).toMatch(/^[\w.?-]+$/);
    expect(named('[filter "\u001b[2J"]\n\tclean = evil')).toBe("filter.??2J.clean");
  });

  test("are looked for in every configuration of the repository that a place belongs to", () => {
    const evil = "[diff]\n\texternal = evil";
    for (const file of [
      "root/.git/config.worktree",
      "root/.git/modules/a/config",
      "root/.git/modules/group/b/config",
      "root/.git/modules/a/modules/c/config",
    ]) {
      const site = useSite();
      site.put({ "root/.git/config": "", "root/.git/modules/a/HEAD": "", "root/.git/modules/group/b/HEAD": "" });
      site.put({ "root/.git/modules/a/modules/c/HEAD": "", "root/deep/er/": "" });
      expect(helperNamedIn([site.at("root/deep/er")]), file).toBeUndefined();
      site.put({ [file]: evil });
      expect(helperNamedIn([site.at("root/deep/er")]), file).toBe("diff.external");
      // not a place of this repository
      expect(helperNamedIn([site.at("home")])).toBeUndefined();
      expect(helperNamedIn([site.at("home"), site.root])).toBe("diff.external");
    }
  });

  test("the nearest repository counts, and that of a worktree", () => {
    const site = withWorktree();
    const whole = { HEAD: "ref: refs/heads/main\n", "objects/": "", "refs/": "", config: "" };
    for (const [name, text] of Object.entries(whole)) site.put({ [`main/inner/.git/${name}`]: text });
    site.put({ "main/inner/x": "" });
    fs.writeFileSync(site.at("main/.git/config"), "[diff]\n\texternal = evil");
    expect(helperNamedIn([site.at("main/inner/x")])).toBeUndefined();
    expect(helperNamedIn([site.at("main")])).toBe("diff.external");
    expect(helperNamedIn([site.at("tree")])).toBe("diff.external");
    site.put({ "linked/.git": "-> ../main/.git", "linked/x": "" });
    expect(helperNamedIn([site.at("linked/x")]), "a repository behind a link").toBe("diff.external");
  });

  test("what cannot be read counts as one", () => {
    for (const put of [
      { "root/.git/config/x": "" },
      { "root/.git/config": "-> nowhere" },
      { "root/.git/config": " ".repeat((1 << 20) + 1) },
    ]) {
      const site = useSite();
      site.put(put);
      expect(helperNamedIn([site.root])).toContain("cannot be read");
    }
    expect(named(" ".repeat(1 << 20))).toBeUndefined();
  });
});

test("more submodules than are looked at count as a setting that starts a program", () => {
  const site = useSite();
  const modules = (many: number) =>
    Object.fromEntries(Array.from({ length: many }, (_, n) => [`root/.git/modules/m${n}/HEAD`, ""]));
  site.put({ "root/.git/config": "", ...modules(200) });
  expect(helperNamedIn([site.root])).toBeUndefined();
  site.put(modules(201));
  expect(helperNamedIn([site.root])).toContain("cannot be read");
});

describe("a repository that a command made", () => {
  const disarmed = (files: Record<string, string>) => {
    const site = useSite();
    site.put(Object.fromEntries(Object.entries(files).map(([name, text]) => [`new/${name}`, text])));
    disarm(site.at("new"));
    return site;
  };

  test("has no hook but samples, and nothing else that git obeys", () => {
    const site = disarmed({
      HEAD: "ref",
      config: "[core]\n\tbare = false\n\tfsmonitor = evil\n",
      "hooks/pre-commit": "evil",
      "hooks/x.sample": "sample",
      "hooks/folder.sample/evil": "evil",
      "hooks/link.sample": "-> ../evil",
      "config.worktree": "evil",
      commondir: "evil",
      gitdir: "evil",
    });
    expect(fs.readdirSync(site.at("new")).sort()).toEqual(["HEAD", "config", "hooks"]);
    expect(fs.readdirSync(site.at("new/hooks"))).toEqual(["x.sample"]);
    expect(fs.readFileSync(site.at("new/config"), "utf8")).toBe("[core]\n\tbare = false\n");
  });

  test.each<[what: string, files: Record<string, string>]>([
    ["a link in the hooks' stead", { HEAD: "", "kept/pre-commit": "mine", hooks: "-> kept" }],
    ["a file in the hooks' stead", { HEAD: "", hooks: "evil" }],
    ["an empty folder of hooks", { HEAD: "", "hooks/": "" }],
    ["no hooks", { HEAD: "" }],
  ])("%s leaves no hooks", (_, files) => {
    const site = disarmed(files);
    expect(fs.lstatSync(site.at("new/hooks"), { throwIfNoEntry: false })).toBeUndefined();
    if ("kept/pre-commit" in files) expect(fs.readFileSync(site.at("new/kept/pre-commit"), "utf8")).toBe("mine");
  });

  test("a configuration that is a link is neither read nor written through", () => {
    const site = useSite();
    site.put({ secret: "[user]\n\tname = mine\n", "new/HEAD": "", "new/config": "-> ../secret" });
    disarm(site.at("new"));
    expect(fs.readFileSync(site.at("secret"), "utf8")).toBe("[user]\n\tname = mine\n");
    expect(fs.lstatSync(site.at("new/config")).isFile()).toBe(true);
    expect(fs.readFileSync(site.at("new/config"), "utf8").trim()).toBe("");
  });
});
