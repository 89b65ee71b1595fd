import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Site, useSite } from "../../../../test/contracts/sandbox-view.ts";
import { helperNamedIn } from "./git-helpers.ts";
import { kindOf } from "./mounts.ts";
import { personalConfigurations } from "./personal-git.ts";

const EVIL = "[diff]\n\texternal = evil\n";
const OUT = "`.git`, which leads out of the workspace,";
const DOUBT = "a configuration or index that cannot be read";

let site: Site;
beforeEach(() => {
  site = useSite();
  vi.stubEnv("HOME", site.home);
});

const git = (folder: string, words: readonly string[], input?: string): string =>
  execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@example.com", ...words], {
    cwd: site.at(folder),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
    ...(input !== undefined && { input }),
  });

/** A repository with one commit. */
function commit(folder: string, file = "a"): void {
  site.put({ [`${folder}/${file}`]: "text" });
  git(folder, ["init", "-q", "."]);
  git(folder, ["add", "."]);
  git(folder, ["commit", "-q", "-m", "m"]);
}

/** Tells the index of submodules without making them. */
function track(folder: string, names: readonly string[], stages = [0]): void {
  const id = "1".repeat(40);
  const lines = names.flatMap((name) => stages.map((stage) => `160000 ${id} ${stage}\t${name}\n`));
  git(folder, ["update-index", "--index-info"], lines.join(""));
}

/** What a repository needs so that git goes no further up. */
const repository = (folder: string, config = ""): Record<string, string> => ({
  [`${folder}/.git/HEAD`]: "ref: refs/heads/main\n",
  [`${folder}/.git/objects/`]: "",
  [`${folder}/.git/refs/`]: "",
  [`${folder}/.git/config`]: config,
});

/** A repository that borrows objects, and those from whom the first lender borrows in turn. */
const lent = (...names: readonly string[]): Record<string, string> => ({
  "root/x/.git/objects/info/alternates": "../../../lender",
  "root/lender/info/alternates": names.join("\n"),
});

const named = (...folders: string[]) =>
  helperNamedIn(
    folders.map((folder) => site.at(folder)),
    [site.root],
  );

describe("submodules", () => {
  test("are looked into, also while two sides differ about them", () => {
    for (const stages of [[0], [2, 3]]) {
      commit("root/x");
      track("root/x", ["sub"], stages);
      expect(named("root/x"), "without a repository").toBeUndefined();
      site.put(repository("root/x/sub"));
      expect(named("root/x")).toBeUndefined();
      site.put(repository("root/x/sub", EVIL));
      expect(named("root/x")).toBe("diff.external");
      fs.rmSync(site.at("root/x"), { recursive: true });
    }
  });

  test("are what the index says, not every folder with a repository", () => {
    commit("root");
    track("root", ["sub"]);
    fs.rmSync(site.at("root/a"));
    site.put({ ...repository("root/sub"), ...repository("root/a", EVIL), ...repository("root/other", EVIL) });
    expect(named("root")).toBeUndefined();
  });

  test("may be as many as 199 beside the repository itself", () => {
    commit("root");
    const names = Array.from({ length: 200 }, (_, number) => `sub${number}`);
    track("root", names);
    for (const name of names.slice(1)) site.put(repository(`root/${name}`));
    expect(named("root")).toBeUndefined();
    site.put(repository("root/sub0"));
    expect(named("root")).toBe(DOUBT);
  });

  test("that are the repository itself end the search", () => {
    commit("root");
    track("root", ["x"]);
    const index = site.at("root/.git/index");
    const bytes = fs.readFileSync(index);
    bytes.write(".", bytes.indexOf("\x01x\0") + 1);
    fs.writeFileSync(index, bytes);
    expect(named("root")).toBeUndefined();
  });

  test("are a doubt in an index that cannot be read; without any, it does not matter", () => {
    commit("root");
    git("root", ["update-index", "--split-index"]);
    site.put({ "root/b": "" });
    git("root", ["config", "splitIndex.maxPercentChange", "100"]);
    git("root", ["add", "b"]);
    expect(named("root")).toBeUndefined();
    track("root", ["sub"]);
    expect(named("root")).toBe(DOUBT);
  });
});

describe("a linked worktree", () => {
  test("obeys the repositories of submodules that all worktrees share", () => {
    commit("root/main");
    git("root/main", ["worktree", "add", "-q", "../linked"]);
    expect(named("root/linked")).toBeUndefined();
    site.put({ "root/main/.git/modules/sub/HEAD": "", "root/main/.git/modules/sub/config": EVIL });
    expect(named("root/linked")).toBe("diff.external");
  });

  test("takes its working tree from its own settings, and from shared ones only if worktrees may differ", () => {
    commit("root/main");
    git("root/main", ["worktree", "add", "-q", "../linked"]);
    git("root/main", ["config", "core.worktree", site.at("other")]);
    expect([named("root/linked"), named("root/main")]).toEqual([undefined, "core.worktree"]);
    git("root/main", ["config", "extensions.worktreeConfig", "true"]);
    expect(named("root/linked")).toBe("core.worktree");
    git("root/main", ["config", "--unset", "core.worktree"]);
    git("root/main", ["config", "--worktree", "core.worktree", site.at("other")]);
    expect([named("root/linked"), named("root/main")]).toEqual([undefined, "core.worktree"]);
    site.put({ "root/main/.git/worktrees/linked/config.worktree": `[core]\n\tworktree = ${site.at("other")}` });
    expect(named("root/linked")).toBe("core.worktree");
  });

  test("takes a relative path of a shared setting from its own folder", () => {
    commit("root/main");
    git("root/main", ["worktree", "add", "-q", "../linked"]);
    site.put({ "root/main/.git/worktrees/linked/link": "-> ../../../../../other", "other/": "" });
    git("root/main", ["config", "extensions.worktreeConfig", "true"]);
    git("root/main", ["config", "core.worktree", "link"]);
    expect(named("root/linked")).toBe("core.worktree");
  });

  test("obeys a shared setting that names a file to read", () => {
    commit("root/main");
    git("root/main", ["worktree", "add", "-q", "../linked"]);
    git("root/main", ["config", "mailmap.file", "names"]);
    expect(named("root/linked")).toBeUndefined();
    git("root/main", ["config", "mailmap.file", "../../names"]);
    expect(named("root/linked")).toBe("mailmap.file");
  });
});

test("a working tree may lie anywhere in the roots", () => {
  site.put({ ...repository("root"), "root/.git/modules/sub/HEAD": "" });
  site.put({ "root/.git/modules/sub/config": "[core]\n\tworktree = ../../../sub" });
  expect(named("root")).toBeUndefined();
  site.put(repository("root/a", "[core]\n\tworktree = ../../b"));
  expect(named("root/a")).toBeUndefined();
  expect(helperNamedIn([site.at("root/a")], [site.at("root/a")])).toBe("core.worktree");
});

describe("a repository outside the roots", () => {
  /** A working tree here whose repository lies elsewhere and has this configuration. */
  const led = (config: string, more: Record<string, string> = {}) => {
    site.put({ ...repository("other", config), ...more, "root/x/.git": `gitdir: ${site.at("other/.git")}` });
    return named("root/x");
  };

  test("is not one that anybody in the roots may look into", () => expect(led("")).toBe(OUT));

  test("is theirs if it knows of this linked worktree", () => {
    commit("other");
    git("other", ["worktree", "add", "-q", "../root/x"]);
    expect(named("root/x")).toBeUndefined();
    fs.rmSync(site.at("other/.git/worktrees/x/gitdir"));
    expect(named("root/x")).toBe(OUT);
  });

  test("is theirs if it says so itself, in any of its configurations", () => {
    expect(led("[core]\n\tworktree = ../../root/x")).toBeUndefined();
    expect(led("[core]\n\tworktree = ../../root/x", { "other/.git/config.worktree": "[core]\n\tbare = false" })).toBe(
      undefined,
    );
  });

  test.each(["[core]\n\tworktree = ../../root/y", "[user]\n\tname =", "[mailmap]\n\tfile = ."])(
    "is not theirs because of %j",
    (config) => expect(led(config)).toBe(OUT),
  );

  test("is not theirs because a repository in the roots says so", () => {
    site.put({ ...repository("other"), ...repository("root/x", "[core]\n\tworktree = ..") });
    expect(named("root/x")).toBeUndefined();
    site.put({ "root/x/.git/commondir": site.at("other/.git") });
    expect(named("root/x")).toBe(OUT);
  });

  test.each(["objects", "refs"])("does not become theirs through a link to its %s", (name) => {
    site.put({ ...repository("other"), ...repository("root/x", "[core]\n\tworktree = ..") });
    fs.rmdirSync(site.at(`root/x/.git/${name}`));
    fs.symlinkSync(site.at(`other/.git/${name}`), site.at(`root/x/.git/${name}`));
    expect(named("root/x")).toBe(OUT);
  });

  test.each<[what: string, more: Record<string, string>, helper: string | undefined]>([
    ["no folder for objects", {}, undefined],
    ["links that stay here", { "root/x/.git/objects/ab": "-> ../../../lender", "root/lender/": "" }, undefined],
    ["a link that leads there", { "root/x/.git/objects/ab": "-> ../../../../other/.git/objects" }, OUT],
    [
      "lenders here",
      { "root/x/.git/objects/info/alternates": "#/../../../../../other\n\n../../../lender\n." },
      undefined,
    ],
    ["a lender there", { "root/x/.git/objects/info/alternates": "../../../lender\n../../../../other\n" }, OUT],
    ["a name in quotes", { "root/x/.git/objects/info/alternates": '"../../../lender"\n../../../lender' }, DOUBT],
    ["a lender here that has one there", lent("../../other"), OUT],
    ["a lender here with a link that leads there", { ...lent(), "root/lender/ab": "-> ../../other" }, OUT],
    ["50 places for objects", lent(...Array.from({ length: 48 }, (_, number) => `l${number}`)), undefined],
    ["51 places for objects", lent(...Array.from({ length: 49 }, (_, number) => `l${number}`)), DOUBT],
  ])("is not one that lends objects: %s", (_, more, helper) => {
    site.put({ ...repository("other"), "root/x/.git/HEAD": "", ...more });
    expect(named("root/x")).toBe(helper);
  });

  test("is nobody's concern for a place that lies outside as well", () => {
    site.put({ ...repository("other"), "else/.git": `gitdir: ${site.at("other/.git")}` });
    expect(named("else")).toBeUndefined();
  });
});

describe("a person's own configuration", () => {
  const own = (text: string) => {
    site.put({ "home/.gitconfig": text });
    return named("root");
  };

  test.each<[what: string, text: string, helper: string | undefined]>([
    ["starts a program of the workspace", "[diff]\n\texternal = sh ./x.sh", "diff.external"],
    ["starts another program", "[diff]\n\texternal = sh ~/x.sh", undefined],
    ["names a file of the workspace that is not started", "[core]\n\texcludesFile = ./ignored", undefined],
    ["includes another file of the person", "[include]\n\tpath = more", undefined],
    ["includes a file of the workspace, which may not exist yet", "[include]\n\tpath = ../root/more", "include.path"],
    ["includes one for some folders", '[includeIf "gitdir:/"]\n\tpath = ~/../root/more', "includeIf.gitdir??.path"],
  ])("%s", (_, text, helper) => expect(own(text)).toBe(helper));

  test("starts programs relative to the working tree", () => {
    site.put(repository("root/deep/er"));
    expect(own("[diff]\n\texternal = sh ../x.sh")).toBeUndefined();
    expect(named("root/deep/er")).toBe("diff.external");
  });

  test("that lies in the workspace starts nothing", () => {
    site.put({ "root/own": "[diff]\n\ttextconv = less\n", "home/.gitconfig": "-> ../root/own" });
    expect(named("root")).toBeUndefined();
    site.put({ "root/own": EVIL });
    expect(named("root")).toBe("diff.external");
  });

  test("may consist of 51 files", () => {
    const files = personalConfigurations().filter((file) => kindOf(file) !== undefined).length;
    const include = (many: number) => {
      for (let number = 0; number < many; number++) site.put({ [`home/more${number}`]: "" });
      return own(Array.from({ length: many }, (_, number) => `[include]\n\tpath = more${number}\n`).join(""));
    };
    expect(include(50 - files)).toBeUndefined();
    expect(include(51 - files)).toBe("include.path");
  });
});
