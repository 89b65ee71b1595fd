import fs from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { mountsIn, useSite, viewOf } from "../../../../test/contracts/sandbox-view.ts";

/** By name below the folder that holds workspace and home: what a command finds there. */
type Row = [what: string, files: Record<string, string>, views: Record<string, string>];

const HEAD = { "root/.git/HEAD": "ref: refs/heads/main\n" };
const table: Row[] = [
  [
    "what decides over this program",
    { "root/toolgate.yaml": "", "root/.mcp.json": "", "root/toolgate.yml": "", "root/.toolgate/store.db": "" },
    {
      "root/toolgate.yaml": "read",
      "root/toolgate.yml": "read",
      "root/.mcp.json": "read",
      "root/.toolgate/store.db": "empty",
      "root/toolgate.json": "write",
    },
  ],
  [
    "the same where it is missing",
    {},
    { "root/toolgate.yaml": "read", "root/.mcp.json": "read", "root/.toolgate": "empty", "root/toolgate.yml": "write" },
  ],
  [
    "a repository",
    {
      ...HEAD,
      "root/.git/config": "",
      "root/.git/hooks/x": "",
      "root/.git/modules/m/config": "",
      "root/.git/commondir": "..",
      "root/.git/config.worktree": "",
      "root/.git/gitdir": "",
    },
    {
      "root/.git": "write",
      "root/.git/index": "write",
      "root/.git/config": "read",
      "root/.git/hooks/x": "read",
      "root/.git/modules/m/config": "read",
      "root/.git/commondir": "read",
      "root/.git/config.worktree": "read",
      "root/.git/gitdir": "read",
    },
  ],
  [
    "a repository without hooks and configuration",
    HEAD,
    { "root/.git/hooks": "read", "root/.git/config": "read", "root/.git/objects": "write" },
  ],
  [
    "a repository that a file names, inside",
    { "root/.git": "gitdir: bare\n", "root/bare/HEAD": "", "root/bare/config": "" },
    { "root/.git": "read", "root/bare/config": "read", "root/bare/hooks": "read", "root/bare/objects": "write" },
  ],
  [
    "a linked worktree, by word of both",
    {
      "root/.git": "gitdir: ../main/.git/worktrees/root\n",
      "main/.git/HEAD": "",
      "main/.git/config": "",
      "main/.git/worktrees/root/gitdir": "BASE/root/.git\n",
      "main/.git/worktrees/root/commondir": "../..\n",
    },
    { "root/.git": "read", "main/.git/config": "read", "main/.git/worktrees/root/gitdir": "read", "main/a": "empty" },
  ],
  [
    "a folder that a file names alone",
    { "root/.git": "gitdir: ../main/.git/worktrees/root\n", "main/.git/HEAD": "", "main/.git/worktrees/root/": "" },
    { "root/.git": "read", "main/.git/HEAD": "empty" },
  ],
  [
    "a worktree of somebody else",
    {
      "root/.git": "gitdir: ../main/.git/worktrees/root\n",
      "main/.git/HEAD": "",
      "other/.git": "",
      "main/.git/worktrees/root/gitdir": "BASE/other/.git\n",
    },
    { "main/.git/HEAD": "empty", "main/.git/worktrees/root/gitdir": "empty" },
  ],
  [
    "what is no repository, though it names the file",
    { "root/.git": "gitdir: ../main/.git/worktrees/root\n", "main/.git/worktrees/root/gitdir": "BASE/root/.git\n" },
    { "main/.git/worktrees/root/gitdir": "empty" },
  ],
  [
    "what is no worktree, though it names the file",
    { "root/.git": "gitdir: ../home/keys/root\n", "home/HEAD": "", "home/keys/root/gitdir": "BASE/root/.git\n" },
    { "home/HEAD": "empty", "home/keys/root/gitdir": "empty" },
  ],
  ["a file that names nothing", { "root/.git": "hello\n" }, { "root/.git": "read", "main/x": "empty" }],
  [
    "links that stay inside",
    {
      "root/toolgate.yaml": "-> conf/gate.yaml",
      "root/conf/gate.yaml": "",
      "root/.git": "-> deep/git",
      "root/deep/git/HEAD": "",
      "root/deep/git/config": "",
    },
    {
      "root/conf/gate.yaml": "read",
      "root/conf/other": "write",
      "root/deep/git/config": "read",
      "root/deep/git/index": "write",
    },
  ],
  [
    "a link that leads outside opens nothing",
    {
      "root/toolgate.yaml": "-> ../home/gate.yaml",
      "home/gate.yaml": "",
      "root/.git": "-> ../home/git",
      "home/git/HEAD": "",
    },
    { "home/gate.yaml": "empty", "home/git/HEAD": "empty" },
  ],
  [
    "a link into what is kept as a whole",
    { "root/toolgate.yaml": "-> .toolgate/conf/gate.yaml", "root/.toolgate/conf/gate.yaml": "" },
    { "root/.toolgate/conf/gate.yaml": "read", "root/.toolgate/conf/other": "empty" },
  ],
  [
    "links in a circle",
    { "root/toolgate.yaml": "-> .mcp.json", "root/.mcp.json": "-> toolgate.yaml" },
    { "root/a": "write" },
  ],
  [
    "worktrees elsewhere",
    {
      ...HEAD,
      "root/.git/worktrees/far/gitdir": "BASE/far/.git\n",
      "root/.git/worktrees/near/gitdir": "BASE/root/near/.git\n",
      "root/.git/worktrees/note": "",
      "far/.git": "",
      "root/near/.git": "",
    },
    {
      "root/.git/worktrees/far/gitdir": "read",
      "root/.git/worktrees/near/gitdir": "write",
      "root/.git/worktrees/new": "write",
    },
  ],
];

describe("what a command may not change", () => {
  test.each(table)("%s", (_, files, views) => {
    const site = useSite();
    site.put(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace("BASE", site.base)])));
    const args = site.args();
    expect(Object.fromEntries(Object.keys(views).map((name) => [name, viewOf(args, site.at(name))]))).toEqual(views);
  });

  test("folders above what is kept cannot be moved away with it", () => {
    const site = useSite();
    site.put({ "root/toolgate.yaml": "-> a/b/gate.yaml", "root/a/b/gate.yaml": "" });
    const targets = mountsIn(site.args()).map(({ target }) => target);
    expect(targets).toEqual(
      expect.arrayContaining([site.at("root/a"), site.at("root/a/b"), site.at("root/a/b/gate.yaml")]),
    );
    expect(targets.filter((target) => target === site.root)).toHaveLength(1);
  });

  test("worktrees elsewhere are held by the folder they are in", () => {
    const site = useSite();
    site.put({ ...HEAD, "root/.git/worktrees/far/gitdir": `${site.base}/far/.git\n`, "far/.git": "" });
    expect(mountsIn(site.args())).toContainEqual({
      name: "--bind",
      source: site.at("root/.git/worktrees"),
      target: site.at("root/.git/worktrees"),
    });
  });

  test("folders between a repository and what is kept in it are held as well", () => {
    const site = useSite();
    site.put({ ...HEAD, "root/.git/hooks": "-> sub/hooks", "root/.git/sub/hooks/x": "" });
    const args = site.args();
    expect(mountsIn(args).map(({ target }) => target)).toContain(site.at("root/.git/sub"));
    expect(viewOf(args, site.at("root/.git/sub/hooks/x"))).toBe("read");
  });

  test("a worktree beside its repository, both of them roots: git goes on working there", () => {
    const site = useSite();
    site.put({
      "root/.git": "gitdir: ../main/.git/worktrees/root\n",
      "main/.git/HEAD": "",
      "main/.git/config": "",
      "main/.git/worktrees/root/gitdir": `${site.root}/.git\n`,
      "main/.git/worktrees/root/commondir": "../..\n",
    });
    const args = site.args({ roots: [site.root, site.at("main")] });
    const names = ["main/.git/objects", "main/.git/config", "main/.git/worktrees/root/HEAD"];
    expect(names.map((name) => viewOf(args, site.at(name)))).toEqual(["write", "read", "write"]);
  });

  test("a person's folder that nobody can make is nothing to hide", () => {
    const site = useSite();
    const { mkdirSync } = fs;
    vi.spyOn(fs, "mkdirSync").mockImplementation(((folder: string, ...more: never[]) => {
      if (folder === site.at("root/own")) throw Object.assign(new Error("EACCES"), { code: "EACCES" });
      return mkdirSync(folder, ...more);
    }) as typeof fs.mkdirSync);
    expect(viewOf(site.args({ personal: [site.at("root/own")] }), site.at("root/own"))).toBe("write");
  });

  test("nothing of a repository that is made meanwhile lies in its place", () => {
    const site = useSite();
    const view = viewOf(site.args(), site.at("root/.git"));
    expect(view).toMatch(/^write .*\/\.toolgate\/sandbox\/site\d+-git-0$/);
  });

  test("a person's own folder is hidden inside the roots, and so is the state", () => {
    const site = useSite();
    site.put({
      "root/home/.config/toolgate/trusted.json": "",
      "root/state/x": "",
      "root/link": "-> home",
      "root/to/": "",
    });
    const personal = [site.at("root/home/.config/toolgate"), site.at("root/missing"), site.root, site.at("home/own")];
    const args = site.args({ personal, state: site.at("root/state") });
    const views = ["home/.config/toolgate/trusted.json", "missing/x", "state/x", "a"].map((name) =>
      viewOf(args, site.at(`root/${name}`)),
    );
    expect(views).toEqual(["empty", "empty", "empty", "write"]);
    expect(fs.statSync(site.at("root/missing")).mode & 0o777).toBe(0o700);
    expect(fs.existsSync(site.at("home/own"))).toBe(false);
    const linked = useSite();
    linked.put({ "root/real/x": "", "root/own": "-> real" });
    expect(viewOf(linked.args({ personal: [linked.at("root/own")] }), linked.at("root/real/x"))).toBe("empty");
  });

  test("a state that lies elsewhere is not shown for that", () => {
    const site = useSite();
    site.put({ "home/state/": "" });
    const args = site.args({ state: site.at("home/state") });
    expect(viewOf(args, site.at("home/state"))).toBe("empty");
    expect(viewOf(args, site.at("root/.toolgate"))).toBe("empty");
  });
});
