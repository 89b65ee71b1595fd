import { describe, expect, test } from "vitest";
import { compileRegex, patternProblem } from "./regex.ts";

const matches = (pattern: string, text: string): boolean => compileRegex(pattern).test(text);

describe("where a word ends", () => {
  const word = "09AZ_az";
  const others = "/:@[`{^ é-";
  test.each([...word])("%s belongs to a word", (letter) => {
    expect([matches(`q\\b`, `q${letter}`), matches(`\\bx`, `${letter}x`), matches(`q\\B`, `q${letter}`)]).toEqual([
      false,
      false,
      true,
    ]);
  });
  test.each([...others])("%s does not", (letter) => {
    expect([matches(`q\\b`, `q${letter}`), matches(`\\bx`, `${letter}x`), matches(`q\\B`, `q${letter}`)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("where a line ends", () => {
  test.each(["\n", "\r", "\u2028", "\u2029"])("%j", (ending) => {
    expect(matches("a$", `a${ending}b`)).toBe(true);
    expect(matches("^b", `a${ending}b`)).toBe(true);
  });
  test.each([" ", "\t", "\v", "\u0085"])("%j ends none", (other) => {
    expect(matches("a$", `a${other}b`)).toBe(false);
    expect(matches("^b", `a${other}b`)).toBe(false);
  });
  test("the ends of the text are edges, too", () => {
    expect([matches("^$", ""), matches("a$", "a"), matches("^a", "a"), matches("$", "ab")]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([matches("\\A$", "a\n"), matches("a\\Z", "a\n")]).toEqual([false, false]);
  });
});

describe("pieces of a pattern", () => {
  test.each<[pattern: string, texts: string[], others: string[]]>([
    ["]", ["]"], ["["]],
    ["a}", ["a}"], ["a"]],
    ["{", ["{"], ["x"]],
    [".", ["a", "."], ["\n", ""]],
    ["[^a]", ["b"], ["a", ""]],
    ["é", ["é"], ["e", ""]],
    ["[é-ü]x", ["öx"], ["ax", "éy"]],
    ["ab?c", ["ac", "abc"], ["abbc"]],
    ["ab{2,}c", ["abbc", "abbbbc"], ["abc"]],
    ["ab{1,2}c", ["abc", "abbc"], ["ac", "abbbc"]],
    ["^a{0,2}$", ["", "a", "aa"], ["aaa"]],
    ["^(?:ab){3}$", ["ababab"], ["abab", "abababab"]],
    ["x(?:)y", ["xy"], ["x"]],
    ["a||b", [""], []],
    ["(a)(b)", ["ab"], ["ba"]],
    ["\\x00b", ["\0b"], ["b"]],
    ["\\x80", ["\u0080"], ["\u0081"]],
    ["\\x7f", ["\u007f"], ["\u0080"]],
  ])("%s", (pattern, texts, others) => {
    expect(texts.filter((text) => !matches(pattern, text))).toEqual([]);
    expect(others.filter((text) => matches(pattern, text))).toEqual([]);
  });

  test("the longest repetition, the deepest nesting and the largest pattern that are accepted", () => {
    expect(patternProblem("a{1000}")).toBeUndefined();
    expect(patternProblem("a{1001}")).toContain("more than 1000 times");
    expect(patternProblem("a{1,1001}")).toContain("more than 1000 times");
    expect(patternProblem("a{1001,}")).toContain("more than 1000 times");
    expect(patternProblem(`${"(".repeat(199)}a${")".repeat(199)}`)).toBeUndefined();
    expect(patternProblem(`${"(".repeat(200)}a${")".repeat(200)}`)).toContain("nested");
    expect(patternProblem("a".repeat(1_999))).toBeUndefined();
    expect(patternProblem("a".repeat(2_000))).toBe("it is too large");
  });

  test.each<[pattern: string, problem: string]>([
    ["(?#x)", "(?#x is not supported"],
    ["(?P=x)", "(?P= is not supported"],
    ["(?", "(? is not supported"],
    ["a{2,1}", "{2,1} is the wrong way round"],
    ["(?:?a)", "? repeats nothing"],
    ["a**", "what is repeated is repeated again"],
    ["^*", "a place in the text is repeated"],
  ])("%s: %s", (pattern, problem) => expect(patternProblem(pattern)).toBe(problem));
});

describe("only what is new counts", () => {
  const test1 = (pattern: string, text: string, marks: string): boolean =>
    compileRegex(pattern).test(text, Uint8Array.from(marks, Number));
  test.each<[pattern: string, text: string, marks: string, found: boolean]>([
    ["ab", "xabx", "0000", false],
    ["ab", "xabx", "0010", true],
    ["ab", "xabx", "1001", false],
    ["a*", "aa", "00", false],
    ["a+b", "aab", "100", true],
    ["^", "a", "1", false],
    ["a.*c", "abc", "010", true],
    ["ab|b", "ab", "10", true],
    ["b|ab", "ab", "10", true],
  ])("%s in %s, marked %s: %s", (pattern, text, marks, found) => expect(test1(pattern, text, marks)).toBe(found));
});
