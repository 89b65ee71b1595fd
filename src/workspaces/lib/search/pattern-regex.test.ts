import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { TextQuery } from "../../../core/contracts/search.ts";
import { isWide, matchingOf } from "./line-matching.ts";
import { closesTooMuch, compilePattern } from "./pattern-regex.ts";

/** Texts are apart by blanks; `_` in them is a blank. */
const texts = (given: string) =>
  given
    .split(" ")
    .filter(Boolean)
    .map((text) => text.replaceAll("_", " "));

describe("patterns as ripgrep reads them", () => {
  test.each<[pattern: string, hits: string, misses: string]>([
    ["a.c", "abc aüc", "ac"],
    ["\\bfoo\\b", "foo a-foo-b", "foot xfoo fooü"],
    ["\\Bo", "foo éo", "o x-o"],
    ["\\<fo", "fo x_fo", "xfo"],
    ["fo\\>", "fo xfo", "foo"],
    ["\\b{start}fo", "fo", "xfo"],
    ["fo\\b{end}", "xfo", "foo"],
    ["\\b{start-half}-x", "-x", "a-x"],
    ["x-\\b{end-half}", "x- x-_", "x-a"],
    ["\\Aab", "abc", "cab"],
    ["ab\\z", "cab", "abc"],
    ["ab\\Z", "cab", "abc"],
    ["^a", "ab", "ba"],
    ["a$", "ba", "ab"],
    ["^*ab", "ab xab", "b"],
    ["$?-", "-", "x"],
    ["\\d", "1 ٣", "a"],
    ["^\\D$", "a", "1 ٣"],
    ["^\\w$", "a ü ٣", "- ."],
    ["^\\W$", "-", "a ü"],
    ["x\\sy", "x_y x\u00a0y", "xy"],
    ["^\\S$", "a", "_"],
    ["x\\hy", "x_y x\ty", "xy"],
    ["\\x41\\u0042\\u{43}\\x{44}\\U00000045", "ABCDE", "abcde"],
    ["\\a\\e", "\x07\x1b", "ae"],
    ["\\p{Lu}", "A Ü", "a 1"],
    ["\\pL", "a Ü", "1"],
    ["^\\PL$", "1", "a"],
    ["^\\P{Lu}$", "a", "A"],
    ["^\\p{^Lu}$", "a", "A"],
    ["^\\P{^Lu}$", "A", "a"],
    ["\\p{greek}", "α", "a"],
    ["\\p{Script=greek}", "α", "a"],
    ["\\p{lowercase_letter}", "a", "A"],
    ["\\-\\/\\ü", "-/ü", "x"],
    ["^[abc]$", "a b c", "d"],
    ["^[^abc]$", "d", "a"],
    ["^[]a]$", "] a", "b"],
    ["^[^]a]$", "b", "] a"],
    ["^[a-c]$", "b", "d -"],
    ["^[a-]$", "a -", "b"],
    ["^[-a]$", "a -", "b"],
    ["^[\\]a]$", "] a", "\\"],
    ["^[\\d-]$", "1 -", "a"],
    ["^[\\w.]$", "a .", "-"],
    ["^[[:digit:]x]$", "1 x", "a :"],
    ["^[[:^digit:]]$", "a", "1"],
    ["^[[:alpha:]]$", "a Z", "1"],
    ["^[[:punct:]]$", "! ~", "a"],
    ["^[[:nothing:]]$", "", "z u"],
    ["^[a-z&&[^b]]$", "a z", "b A"],
    ["^[a-z--b]$", "a z", "b A"],
    ["^[a-c~~b-d]$", "a d", "b c"],
    ["^[a[bc]]$", "a b c", "d ["],
    ["^[.*+?(){}|/]$", ". * ( } /", "a"],
    ["^[\"'#&]$", "\" ' # &", "a"],
    ["[ab", "", "a b"],
    ["^[a&&[b]$", "a & [ b", "c"],
    ["^[x[]$", "x [", "] a"],
    ["^[ab--b]$", "a", "b -"],
    ["^[&&a]$", "", "a &"],
    ["^[~~a]$", "a", "~"],
    ["^[--a]$", "a -", "b"],
    ["^[+--[]$", "+ , - [", "a"],
    ["^[a\\-z]$", "a - z", "b"],
    ["a{2}", "aa", "a"],
    ["^a{1,2}$", "a aa", "aaa"],
    ["^a{,2}$", "a aa", "aaa"],
    ["^a{2,}$", "aa aaa", "a"],
    ["^a{ 1 , 2 }$", "a aa", "aaa"],
    ["a{x}", "a{x}", "ax"],
    ["a{}", "a{}", "a"],
    ["a{,}", "a{,}", "a"],
    ["}]", "}]", "x"],
    ["(?P<n>a)b", "ab", "b"],
    ["(?<n>a)b", "ab", "b"],
    ["(?i)AB", "ab AB", "b"],
    ["a|b", "a b", "c"],
    ["(?i:aB)c", "abc ABc", "abC"],
    ["^(?i:[a-c]k|\\x53)$", "AK Ck s ſ b\u212a", "dk A"],
    ["^x(?i:[^a])$", "xb x1", "xa xA Xb"],
    ["^(?i:a(?-i:b))$", "Ab ab", "AB aB"],
    ["^(?i:é)$", "é É", "e"],
    ["(?i:^\\w\\b-)", "a-", "ab-"],
    ["(?i)(?i:ab)c", "ABC abc", "b"],
    ["a(?s:.)b.", "a\rbx", "a\rb\r"],
    ["(?P<q>ab)(?P=q)", "abab", "ab abba"],
    ["(?#c)ab(?#d)+", "ab abb", "a"],
    ["^\\Qa.b+\\E+$", "a.b+ a.b++", "axb+ a.b"],
    ["\\Q(x", "(x", "x"],
    ["^a++b$", "ab aab", "b"],
    ["^a++ab$", "aab", "ab"],
    ["^a**$", "a aa", "b"],
    ["^a{2}{2}$", "aaaa", "aa aaa"],
    ["^a+?*b$", "b ab aab", "a"],
    ["(?>aa)a", "aaa", "aa"],
    ["^(?>a+)ab", "", "aab"],
    ["^(?>a|ab)+c$", "aac", "abc"],
    ["(?=a)a++a", "", "aa aaa"],
    ["(?=a)(?:ab)*+c", "abc", "c"],
    ["(?=a)(?:ab)*+c|x", "x", "c"],
    ["^(?=a)(a|b)++c$", "abac", "c"],
    ["^xa?+$", "x xa xaa", "a"],
    ["^a{1,2}{2}a$", "aaa aaaaa", "aa"],
    ["^(?=a)a{2}+$", "aa", "aaaa"],
    ["^xa{2}*$", "x xaa xaaaa", "xa"],
    ["^xa+{2}$", "xaa xaaa", "x xa"],
    ["^xa{2}?$", "xaa", "x xa"],
    ["^(?i:a(b))$", "ab AB", "aC"],
    ["^(?s:a(.)b)$", "axb a\rb", "ab"],
    ["(?s)^a(?-s:.)b$", "axb", "a\rb"],
    ["^a(.)b$", "axb", "a\rb"],
    ["\\Qx(", "x(", "x"],
    ["\\Qx\\E(y)", "xy", "x(y) x"],
    ["a/b", "a/b", "ab"],
  ])("%s", (pattern, hits, misses) => {
    const regex = compilePattern(pattern, {});
    for (const text of texts(hits)) expect([text, regex?.test(text)]).toEqual([text, true]);
    for (const text of texts(misses)) expect([text, regex?.test(text) ?? false]).toEqual([text, false]);
  });

  test.each([
    "[ab",
    "\\",
    "[\\",
    "(",
    "a)",
    "*a",
    "a**b(",
    "(?<n",
    "[z-a]",
    "\\p{Nothing}",
    "(?#x",
    "(?P=x)",
    "(?P=",
    "(?>a)(b)\\1",
    "(?i)(?-i:a)",
  ])("%s is none", (pattern) => expect(compilePattern(pattern, {})).toBeUndefined());

  test.each<[pattern: string, found: string]>([
    ["a+", "aaa"],
    ["a+?", "a"],
    ["a+?+?", "a"],
    ["a+?+", "aaa"],
    ["a++?", "aaa"],
    ["a{2}?", "aa"],
    ["a{1,3}?", "a"],
  ])("%s takes as much of a text as in Rust", (pattern, found) =>
    expect(compilePattern(pattern, {})?.exec("aaa")?.[0]).toBe(found),
  );

  test("an underline may be escaped", () => expect(compilePattern("^\\_$", {})?.test("_")).toBe(true));

  test("literal text means itself, with or without its case", () => {
    for (const text of ["a.b", "$()*+./?[\\]^{|}", "\\d"]) {
      expect(compilePattern(text, { literal: true })?.test(`x${text}y`)).toBe(true);
      expect(compilePattern(text, { literal: true })?.test("axb1")).toBe(false);
    }
    expect(compilePattern("Ab", { literal: true, ignoreCase: true })?.test("aB")).toBe(true);
    expect(compilePattern("Ab", { literal: true })?.test("aB")).toBe(false);
    expect(compilePattern("Ab", { ignoreCase: true })?.test("aB")).toBe(true);
    expect(compilePattern("Ab", {})?.test("aB")).toBe(false);
  });

  test("a dot goes over lines where that is asked for", () => {
    expect(compilePattern("a.b", {})?.test("a\nb")).toBe(false);
    expect(compilePattern("a.b", {})?.test("a\rb")).toBe(false);
    expect(compilePattern("(?s)a.b", {})?.test("a\nb")).toBe(true);
    expect(compilePattern("a.b", { multiline: true })?.test("a\nb")).toBe(true);
    expect(compilePattern("^b", { multiline: true })?.test("a\nb")).toBe(true);
    expect(compilePattern("b", { literal: true, multiline: true })?.global).toBe(true);
    expect(compilePattern("b", {})?.global).toBe(false);
  });

  test.each([
    ["a)", true],
    ["(a))", true],
    ["(a)", false],
    ["\\)", false],
    ["[)]", false],
    ["[^])]", false],
    ["[)", false],
    ["(a)(b)", false],
    [")(", true],
  ])("%s closes too much: %s", (pattern, isTooMuch) => expect(closesTooMuch(pattern)).toBe(isTooMuch));
});

describe("the lines of a text that match", () => {
  const hits = async (query: Partial<TextQuery> & { pattern: string }, text: string) => {
    const matching = matchingOf(query as TextQuery, 10_000);
    try {
      return (await matching.match([text], "a file"))[0];
    } finally {
      matching.close();
    }
  };

  test.each<[query: Partial<TextQuery> & { pattern: string }, text: string, hits: number[]]>([
    [{ pattern: "b" }, "a\nxb\nb", [1, 1, 2, 0]],
    [{ pattern: "b$" }, "b\r\nb\n", [0, 0, 1, 0]],
    [{ pattern: "^$" }, "a\n\nb\n", [1, 0]],
    [{ pattern: "b", literal: true }, "b b\nB", [0, 0]],
    [{ pattern: "b", literal: true }, "nothing", []],
    [{ pattern: "b", literal: true, ignoreCase: true }, "B", [0, 0]],
    [{ pattern: "a+" }, "xaa\naa", [0, 1, 1, 0]],
    [{ pattern: "a\\nb", multiline: true }, "x\nya\nb", [1, 1, 2, 0]],
    [{ pattern: "a", multiline: true }, "a a\nxa", [0, 0, 1, 1]],
    [{ pattern: "a\\n\\nb", multiline: true }, "a\n\nb\na", [0, 0, 1, 0, 2, 0]],
    [{ pattern: "a\\n", multiline: true }, "a\nb", [0, 0]],
    [{ pattern: "$", multiline: true }, "a\n", [0, 1]],
    [{ pattern: "^", multiline: true }, "", []],
    [{ pattern: "$", multiline: true }, "a", [0, 1]],
    [{ pattern: "a\\n?", multiline: true }, "a\n\na\nb", [0, 0, 2, 0]],
    [{ pattern: "^", multiline: true }, "a\n\nb", [0, 0, 1, 0, 2, 0]],
    [{ pattern: "^$" }, "\r\n\n\r\nx", [0, 0, 1, 0, 2, 0]],
    [{ pattern: "(", literal: false }, "x(\n", [0, 1]],
  ])("%j in %j", async (query, text, due) => expect(await hits(query, text)).toEqual(due));

  test("a pattern that is none is taken as text, and told", () => {
    expect(matchingOf({ pattern: "(" } as TextQuery, 1).tookAsText).toBe(true);
    expect(matchingOf({ pattern: "a" } as TextQuery, 1).tookAsText).toBe(false);
    const repeated = matchingOf({ pattern: "a+" } as TextQuery, 1);
    expect(repeated.tookAsText).toBe(false);
    expect(repeated.couldHold(Buffer.from("x"))).toBe(true);
  });

  test("files that cannot hold the text are told by their bytes, but for those of wide characters", () => {
    const could = (bytes: Uint8Array, query: object = { literal: true }) =>
      matchingOf({ pattern: "needle", ...query } as TextQuery, 1).couldHold(bytes);
    expect(could(Buffer.from("a needle"))).toBe(true);
    expect(could(Buffer.from("nothing"))).toBe(false);
    expect(could(Buffer.from("nothing"), { pattern: "a+b?", literal: true })).toBe(false);
    expect(could(Buffer.from("nothing"), {})).toBe(true);
    expect(could(Buffer.from("nothing"), { literal: true, ignoreCase: true })).toBe(true);
    expect(could(Buffer.from([0xff, 0xfe, 65, 0]))).toBe(true);
    expect(
      [
        [0xff, 0xfe],
        [0xfe, 0xff],
        [0xff, 0xff],
        [0xfe, 0xfe],
        [0x41, 0xfe],
      ].map((b) => isWide(Buffer.from(b))),
    ).toEqual([...[true, true, false, false, false]]);
  });

  test("one that is in time is not ended, however long nothing is asked", async () => {
    const ended = vi.spyOn(Worker.prototype, "terminate");
    onTestFinished(() => ended.mockRestore());
    const matching = matchingOf({ pattern: "a+" } as TextQuery, 2_000);
    expect(await matching.match(["xaa"], "x.txt")).toEqual([[0, 1]]);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect(ended).not.toHaveBeenCalled();
    expect(await matching.match(["aa"], "x.txt")).toEqual([[0, 0]]);
    matching.close();
    expect(ended).toHaveBeenCalledOnce();
  });

  test("one that takes too long is ended, and told with what it was at", async () => {
    const matching = matchingOf({ pattern: "(a+)+$" } as TextQuery, 300);
    await expect(matching.match([`${"a".repeat(40)}b`], "x.txt")).rejects.toMatchObject({
      ...{ code: "TIMEOUT", message: expect.stringContaining("x.txt within 300 ms") },
    });
    const patient = matchingOf({ pattern: "(a+)+$" } as TextQuery, 600_000);
    const stopped = patient.match([`${"a".repeat(40)}b`], "x.txt");
    patient.close();
    await expect(stopped).rejects.toMatchObject({ code: "CANCELLED" });
  });
});
