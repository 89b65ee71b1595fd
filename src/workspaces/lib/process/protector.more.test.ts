import fs from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { useSite, viewOf } from "../../../../test/contracts/sandbox-view.ts";
import { type Mount, readOnly, writable } from "./mounts.ts";
import { Protector } from "./protector.ts";

/** A protector of the workspace, and what it mounts, by name below it. */
const stage = (files: Record<string, string> = {}) => {
  const site = useSite();
  site.put(files);
  const protector = new Protector([site.root], site.state, "p");
  onTestFinished(() => protector.close());
  const below = (mounts: readonly Mount[]) =>
    mounts.map(({ path: at, args }) => `${args[0] === "--bind" ? "write" : args[0]} ${path.relative(site.root, at)}`);
  return { ...site, protector, below };
};

describe("records of workspaces inside of this one", () => {
  const rows: [file: string, view: string][] = [
    ["sub/.toolgate/store.db", "empty"],
    ["a/b/c/d/.toolgate/store.db", "empty"],
    ["a/b/c/d/e/.toolgate/store.db", "write"],
    ["node_modules/p/.toolgate/store.db", "write"],
    ["bare/.toolgate/notes", "write"],
    ["sub/other", "write"],
  ];
  const files = Object.fromEntries(rows.map(([file]) => [`root/${file}`, ""]));

  test("are hidden from commands, down to some depth, but not among packages", () => {
    const site = useSite();
    site.put(files);
    const args = site.args();
    expect(rows.map(([file]) => [file, viewOf(args, site.at(`root/${file}`))])).toEqual(rows);
  });

  test("and from those that only look", () => {
    const { protector, at } = stage(files);
    const hidden = protector.view().map((mount) => mount.path);
    for (const [file, view] of rows)
      if (file.endsWith("store.db"))
        expect([file, hidden.includes(at(`root/${path.dirname(file)}`))]).toEqual([file, view === "empty"]);
  });

  test("one that is gone is not looked for any more", () => {
    const { protector, at } = stage(files);
    protector.view();
    fs.rmSync(at("root/sub"), { recursive: true });
    expect(protector.view().map((mount) => mount.path)).not.toContain(at("root/sub/.toolgate"));
  });
});

describe("what is kept besides", () => {
  test("is mounted, with the folders above it, but for the workspace itself", () => {
    const { protector, below, at, root } = stage({ "root/src/deep/f": "" });
    const { mounts, release } = protector.protect([readOnly(at("root/src/deep/f"))]);
    const told = below(mounts);
    expect(told).toEqual(expect.arrayContaining(["--ro-bind src/deep/f", "write src", "write src/deep"]));
    expect(mounts.filter((mount) => mount.path === root)).toEqual([]);
    release();
  });

  test("a folder in what can only be read, or is hidden, is not opened again for what lies below", () => {
    const { protector, below, at } = stage({ "root/src/deep/f": "", "root/open/f": "" });
    const more = [readOnly(at("root/src")), readOnly(at("root/src/deep/f")), writable(at("root/open/f"))];
    const { mounts, release } = protector.protect(more);
    const told = below(mounts).filter((each) => each.startsWith("write"));
    expect([told.includes("write src"), told.includes("write src/deep"), told.includes("write open")]).toEqual([
      ...[false, false, true],
    ]);
    release();
  });
});

describe("a repository", () => {
  test("is a mount of its own, so that nobody moves it aside", () => {
    const { protector, below } = stage({ "root/.git/HEAD": "", "root/.git/worktrees/README": "" });
    const { mounts, release } = protector.protect();
    expect(below(mounts)).toContain("write .git");
    expect(below(mounts).filter((each) => each.endsWith("README"))).toEqual([]);
    release();
  });

  test("elsewhere gets nothing put into it", () => {
    const { protector, at } = stage({ "home/git/HEAD": "", "root/.git": "-> ../home/git" });
    const { release } = protector.protect();
    expect(fs.readdirSync(at("home/git"))).toEqual(["HEAD"]);
    release();
  });
});

describe("where a repository may be made", () => {
  const unborn = (mounts: readonly Mount[], root: string): string =>
    mounts.find((mount) => mount.path === path.join(root, ".git"))?.args[1] ?? "";

  test("is the same folder for the next command, and gone at the end", () => {
    const { protector, root, state } = stage();
    const one = protector.protect();
    const folder = unborn(one.mounts, root);
    one.release();
    const two = protector.protect();
    expect(unborn(two.mounts, root)).toBe(folder);
    two.release();
    expect(fs.existsSync(folder)).toBe(true);
    protector.close();
    expect(fs.existsSync(folder)).toBe(false);
    expect(fs.readdirSync(path.join(state, "sandbox")).filter((name) => name.includes("-git-"))).toEqual([]);
  });

  test("is another one if somebody left something in it after the command had ended", () => {
    const { protector, root } = stage();
    const one = protector.protect();
    const folder = unborn(one.mounts, root);
    one.release();
    fs.mkdirSync(path.join(folder, "hooks"));
    const two = protector.protect();
    expect(unborn(two.mounts, root)).not.toBe(folder);
    expect(fs.readdirSync(unborn(two.mounts, root))).toEqual([]);
    two.release();
  });
});
