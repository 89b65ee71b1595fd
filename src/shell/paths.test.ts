import { describe, expect, test } from "vitest";
import { changed, fits, hasPattern, isAbsolute, joined, nameOf, normalised, splitAtGlob } from "./paths.ts";
import { UNKNOWN } from "./walk.ts";

test.each([
  ["a", "a"],
  ["a/b", "a/b"],
  ["./a", "a"],
  ["a/.", "a"],
  ["a/./b", "a/b"],
  ["a//b", "a/b"],
  ["a/", "a"],
  ["a/b/..", "a"],
  ["a/..", "."],
  ["..", ".."],
  ["../..", "../.."],
  ["../a/../b", "../b"],
  ["a/../..", ".."],
  [".", "."],
  ["./", "."],
  ["", "."],
  ["...", "..."],
  ["a/.../b", "a/.../b"],
  ["a/..b", "a/..b"],
  ["a/b..", "a/b.."],
  ["a/.b", "a/.b"],
  ["a/..../b", "a/..../b"],
  ["/", "/"],
  ["//", "/"],
  ["/a", "/a"],
  ["/a/", "/a"],
  ["/a/b/../c", "/a/c"],
  ["/..", "/"],
  ["/../a", "/a"],
  ["/./a", "/a"],
  ["~", "~"],
  ["~/a", "~/a"],
  ["~/..", "~/.."],
  ["~/../a", "~/../a"],
  ["~/../..", "~/../.."],
  ["~/a/..", "~"],
  ["~/a/../..", "~/.."],
  ["a/../~", "./~"],
  ["./~/a", "./~/a"],
])("without empty, . and .. parts: %s", (path, expected) => expect(normalised(path)).toBe(expected));

test.each([
  ["", "a", "a"],
  [".", "a", "a"],
  ["d", "a", "d/a"],
  ["d/", "a", "d/a"],
  ["d", "./a", "d/a"],
  ["d", "././a", "d/a"],
  ["d", "./", "d"],
  ["d", ".", "d"],
  ["d", "", "d"],
  ["d", "../a", "d/../a"],
  ["d", "/a", "/a"],
  ["d", "~/a", "~/a"],
  ["/", "a", "/a"],
  ["", "./a", "./a"],
])("from %s, %s is %s", (folder, path, expected) => expect(joined(folder, path)).toBe(expected));

test.each([
  ["", "a", "a"],
  ["a", "..", ""],
  ["a", "b", "a/b"],
  ["a", "../b", "b"],
  ["a", "/b", "/b"],
  [UNKNOWN, "a", UNKNOWN],
  [UNKNOWN, "..", UNKNOWN],
  [UNKNOWN, "/a", "/a"],
  [UNKNOWN, "~", "~"],
])("cd leads from %j by %s to %j", (folder, target, expected) => expect(changed(folder, target)).toBe(expected));

test.each([
  ["a", "a", ""],
  ["a/b", "a/b", ""],
  ["*", ".", "*"],
  ["a*", ".", "a*"],
  ["a/*", "a", "*"],
  ["a/b*/c", "a", "b*/c"],
  ["/*", "/", "*"],
  ["/a/?", "/a", "?"],
  ["a/[b]/c", "a", "[b]/c"],
  ["a/@(b|c)", "a", "@(b|c)"],
  ["a/+(b)", "a", "+(b)"],
  ["a/!(b)", "a", "!(b)"],
])("the fixed part of %s is %s", (path, folder, pattern) => expect(splitAtGlob(path)).toEqual({ folder, pattern }));

describe("what a pattern may fit", () => {
  test.each([
    ["a", "a"],
    ["*", ""],
    ["*", "abc"],
    ["a*", "a"],
    ["a*c", "abbc"],
    ["a**c", "ac"],
    ["?", "a"],
    ["a?c", "abc"],
    ["[ab]", "a"],
    ["[!a]b", "xb"],
    ["[]a]", "]"],
    ["[[:lower:]]b", "ab"],
    ["[[=a=]]b", "ab"],
    ["[[.a.]]b", "ab"],
    ["[a", "[a"],
    ["[a*", "[ab"],
    ["@(a|b)c", "ac"],
    ["@(a|b)c", "xyzc"],
    ["+(a)", "aaa"],
    ["?(a)b", "b"],
    ["*(a)b", "aab"],
    ["!(a)", "b"],
    ["@(a", "anything"],
    ["x@(a@(b)c)d", "xanything"],
    ["a.b*", "a.bc"],
    ["a+b*", "a+bc"],
    [`*${"a".repeat(300)}`, `${"a".repeat(199)}b`],
  ])("%s fits %s", (pattern, name) => expect(fits(pattern, name)).toBe(true));
  test.each([
    ["a", "b"],
    ["a*", "b"],
    ["a*c", "ab"],
    ["?", ""],
    ["?", "ab"],
    ["[ab]", "ab"],
    ["[ab]", ""],
    ["[[:lower:]]b", "b"],
    ["[a*", "ab"],
    ["@(a|b)c", "cd"],
    ["x@(a@(b)c)d", "y"],
    ["a.b*", "axbc"],
    ["a+b*", "aab"],
    ["\\w*", "a"],
    [`*${"a".repeat(300)}`, "b"],
  ])("%s does not fit %s", (pattern, name) => expect(fits(pattern, name)).toBe(false));
  test("one pattern after another", () => {
    expect([fits("a*", "ab"), fits("b*", "ab"), fits("a*", "ab"), fits("b*", "bb")]).toEqual([true, false, true, true]);
  });
});

test.each([
  ["a", false],
  ["a(b)", false],
  ["a{b,c}", false],
  ["*", true],
  ["?", true],
  ["[", true],
  ["@(a)", true],
  ["+(a)", true],
  ["!(a)", true],
])("a pattern: %s %s", (text, expected) => expect(hasPattern(text)).toBe(expected));

test("names and absolute paths", () => {
  expect(["a", "a/b", "/a", "a/", "/"].map(nameOf)).toEqual(["a", "b", "a", "", ""]);
  expect(["a", "/a", "~", "~/a", "./a", ""].map(isAbsolute)).toEqual([false, true, true, true, false, false]);
});
