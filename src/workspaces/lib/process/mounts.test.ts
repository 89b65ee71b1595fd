import { describe, expect, test } from "vitest";
import { useSite } from "../../../../test/contracts/sandbox-view.ts";
import {
  bare,
  blank,
  closed,
  empty,
  inOrder,
  isFixed,
  isVisible,
  kindOf,
  type Mount,
  readOnly,
  realPath,
  writable,
} from "./mounts.ts";
import { harmlessConfig } from "./new-repository.ts";

describe("mounts", () => {
  const mounts = [
    writable("/home/u/ws"),
    empty("/home"),
    readOnly("/home/u/ws/.git"),
    empty("/home/u"),
    writable("/home-2"),
  ];

  test("parents come first, whatever order they were named in", () => {
    const paths = inOrder(mounts).filter((each, index, all) => each.startsWith("/") && all[index + 1] !== each);
    expect(paths).toEqual(["/home-2", "/home", "/home/u", "/home/u/ws", "/home/u/ws/.git"]);
  });

  test("of two at one path the later one counts", () =>
    expect(inOrder([empty("/a"), writable("/a")])).toEqual(["--bind", "/a", "/a"]));

  test.each([
    ["/etc/passwd", true],
    ["/home/other", false],
    ["/home/u/.ssh", false],
    ["/home/u/ws/file", true],
    ["/home/u/ws-2", false],
    ["/home-2/x", true],
  ])("%s is visible: %s", (path, visible) => expect(isVisible(path, mounts)).toBe(visible));
});

describe("one mount", () => {
  test.each<[what: string, mount: Mount, args: string, kind: Mount["kind"], fixed: boolean]>([
    ["empty", empty("/a"), "--tmpfs /a", "hidden", false],
    ["bare", bare("/a"), "--perms 0555 --tmpfs /a", "hidden", false],
    ["closed", closed("/a"), "--perms 0444 --tmpfs /a", "hidden", false],
    ["blank", blank("/a"), "--ro-bind /dev/null /a", "hidden", true],
    ["read-only", readOnly("/a"), "--ro-bind /a /a", "shown", true],
    ["read-only, of another source", readOnly("/a", "/b"), "--ro-bind /b /a", "shown", true],
    ["writable", writable("/a"), "--bind /a /a", "shown", false],
    ["writable, of another source", writable("/a", "/b"), "--bind /b /a", "shown", false],
  ])("%s", (_, mount, args, kind, fixed) => {
    expect({ path: mount.path, kind: mount.kind, args: mount.args.join(" ") }).toEqual({ path: "/a", kind, args });
    expect(isFixed(mount)).toBe(fixed);
  });

  test("of two at one path the later one decides what is visible", () => {
    expect(isVisible("/a/x", [empty("/a"), writable("/a")])).toBe(true);
    expect(isVisible("/a/x", [writable("/a"), empty("/a")])).toBe(false);
    expect(isVisible("/a/b/x", [writable("/a/b"), empty("/a")])).toBe(true);
  });
});

test("what is at a path, without following it", () => {
  const site = useSite();
  site.put({ "root/file": "", "root/link": "-> file", "root/dangling": "-> nowhere" });
  const kinds = ["root", "root/file", "root/link", "root/dangling", "root/missing", "root/file/below"].map((name) =>
    kindOf(site.at(name)),
  );
  expect(kinds).toEqual(["folder", "file", "link", "link", undefined, undefined]);
  expect(kindOf("/dev/null")).toBe("other");
  expect(realPath(site.at("root/link"))).toBe(site.at("root/file"));
  expect(realPath(site.at("root/dangling"))).toBeUndefined();
});

describe("the configuration of a repository that a command made", () => {
  test("keeps what starts nothing", () => {
    const text = `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n[remote "origin"]\n\turl = https://example.org/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tmerge = refs/heads/main\n[user]\n\tname = A\n`;
    expect(harmlessConfig(text).trim()).toBe(text.trim());
  });

  test.each([
    "[core]\n\tfsmonitor = evil",
    "[core]\n\thooksPath = evil",
    "[core] fsmonitor = evil",
    "[core]\n\tpager = evil",
    "[core]\n\tsshCommand = evil",
    "[alias]\n\tx = !evil",
    "[include]\n\tpath = evil",
    '[includeIf "gitdir:."]\n\tpath = evil',
    "[credential]\n\thelper = !evil",
    '[filter "x"]\n\tclean = evil',
    '[remote "origin"]\n\turl = ext::evil',
    '[remote "origin"]\n\turl = "ext::evil"',
    '[remote "origin"]\n\tuploadpack = evil',
    "[core]\n\tfilemode = true\\\n[core]\n\tfsmonitor = evil",
    '[core "x"]\n\tfsmonitor = evil',
    "[CORE]\n\tFSMonitor = evil",
    "\uFEFF[core]\n\tfsmonitor = evil",
    "[constructor]\n\tname = evil",
  ])("drops %j", (text) => expect(harmlessConfig(text)).not.toContain("evil"));

  test("drops what would swallow the next line", () =>
    expect(harmlessConfig("[core]\n\tbare = false\\\n\tfilemode = true\n")).toBe("[core]\n\tfilemode = true\n"));
});
