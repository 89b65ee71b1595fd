import { describe, expect, test } from "vitest";
import { globTest } from "./glob.ts";
import { isStarry, isTooComplicated, wildcardMatcher } from "./wildcards.ts";

describe("stars and question marks", () => {
  test.each<[glob: string, fitting: string[], others: string[]]>([
    ["", [""], ["a"]],
    ["a", ["a"], ["", "b", "aa", "a/"]],
    ["*", ["", "a", "a.b", ".a"], ["/", "a/b"]],
    ["?", ["a", "."], ["", "/", "ab"]],
    ["a?c", ["abc"], ["a/c", "ac", "abbc"]],
    ["a*c", ["ac", "abc", "abbc"], ["a/c", "ab/c", "acd", "bac"]],
    ["*a*b*c*", ["abc", "xaybzc.", "aabbcc"], ["acb", "a/b/c", "ab"]],
    ["*.*.*", ["a.b.c", ".."], ["a.b", "a/b.c.d"]],
    ["a**b", ["ab", "axb"], ["a/b"]],
    ["**", ["", "a", "a/b", "a/b/c.d"], []],
    ["**/a", ["a", "b/a", "b/c/a"], ["ba", "a/b", "b/ca", ""]],
    ["a/**", ["a/", "a/b", "a/b/c"], ["a", "ab", "b/a/c"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb", "a/b/c", "xa/b"]],
    ["**/a/**/b/**/c", ["a/b/c", "x/a/y/b/z/c", "a/b/b/c"], ["a/c", "b/a/c", "a/b/c/d"]],
    ["**/**/**/x", ["x", "a/b/c/d/x"], ["a/x/b", "ax"]],
    ["a/*/b", ["a/x/b", "a//b"], ["a/b", "a/x/y/b"]],
    ["**a", ["a", "xa"], ["x/a"]],
    ["a/**b", ["a/b", "a/xb"], ["a/x/b"]],
    ["*/*", ["a/b", "/"], ["a", "a/b/c"]],
    ["***", ["a"], ["a/b"]],
  ])("%s", (glob, fitting, others) => {
    const fits = wildcardMatcher(glob, false);
    expect(fitting.filter((path) => !fits(path))).toEqual([]);
    expect(others.filter((path) => fits(path))).toEqual([]);
  });

  test("case counts only where it is asked for", () => {
    expect(wildcardMatcher("*A*b*", false)("xAyb")).toBe(true);
    expect(wildcardMatcher("*A*b*", false)("xayB")).toBe(false);
    expect(wildcardMatcher("*A*b*", true)("xayB")).toBe(true);
  });

  test("a matcher may be asked again", () => {
    const fits = wildcardMatcher("*a*b*c*", false);
    expect([fits("abc"), fits("x"), fits("abc")]).toEqual([true, false, true]);
  });
});

describe("how many stars are too many for a regular expression", () => {
  test.each<[glob: string, starry: boolean, tooComplicated: boolean]>([
    ["a", false, false],
    ["*a*", false, false],
    ["*a*b*", true, false],
    ["*a**b", false, false],
    ["a*/b*/c*/d*", false, false],
    ["a/*b*c*/d", true, false],
    ["**/a/**", false, false],
    ["**/a/**/b/**", true, false],
    ["**/**/**/**", true, false],
    ["*a*b*{c,d}", true, true],
    ["*a*b*[cd]", true, true],
    ["*a*b*\\c", true, true],
    ["*a*b*!(c)", true, true],
    ["*a*b*+", true, true],
    ["*a*b*@", true, true],
    ["{a,b}*", false, false],
  ])("%s", (glob, starry, tooComplicated) => {
    expect([isStarry(glob), isTooComplicated(glob)]).toEqual([starry, tooComplicated]);
  });

  test("one glob by either way means the same", () => {
    for (const [glob, path, fits] of [
      ["*a*b*c", "xaybzc", true],
      ["*a*b*c", "xaybz", false],
      ["*a*b*{c,d}", "xaybzc", true],
      ["*a*b", "xayb", true],
      ["[!a]b", "cb", true],
      ["[!a]b", "ab", false],
      [".*", ".a", true],
      ["*", ".a", true],
    ] as const)
      expect([glob, path, globTest(glob, { nocase: false })(path)]).toEqual([glob, path, fits]);
  });

  test("a name that was made to take a regular expression forever is told at once", () => {
    const glob = `${"*a".repeat(30)}*b`;
    expect(globTest(glob, { nocase: true })("a".repeat(200))).toBe(false);
    expect(globTest(glob, { nocase: true })(`${"A".repeat(200)}b`)).toBe(true);
  });
});
