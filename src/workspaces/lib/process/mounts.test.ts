import { describe, expect, test } from "vitest";
import { empty, inOrder, isVisible, readOnly, writable } from "./mounts.ts";
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
  ])("drops %j", (text) => expect(harmlessConfig(text)).not.toContain("evil"));
});
