import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileRegex, patternProblem } from "./regex.ts";

const matches = (pattern: string, text: string, ignoreCase = false) => compileRegex(pattern, { ignoreCase }).test(text);

describe("what matches", () => {
  test.each<[pattern: string, texts: string[], others: string[]]>([
    ["rm\\s+-rf", ["rm -rf /", "x; rm  -rf"], ["rm -r", "rm-rf"]],
    ["^sudo\\b", ["sudo ls", "a\nsudo x"], ["pseudo", "a sudo", "sudoku"]],
    ["a|bc|", ["", "x"], []],
    ["console\\.log\\(", ["console.log(1)"], ["consoleXlog(", "console.log"]],
    ["[^a-z]{2,3}x$", ["12x", "a12\nq1x2\n12x"], ["1x", "12x "]],
    ["(?:ab)+c", ["ababc"], ["abab", "c"]],
    ["(?<name>a)(?P<other>b)", ["ab"], ["a"]],
    ["a{0}b", ["b"], ["a"]],
    ["a{2}", ["baab"], ["aba"]],
    ["a{,2}", ["a{,2}"], ["aa"]],
    ["x{a}", ["x{a}"], ["xa"]],
    ["[\\]]", ["]"], ["["]],
    ["[.]", ["."], ["a"]],
    ["\\x41\\u0042\\t", ["AB\t"], ["AB"]],
    ["a.c", ["abc"], ["a\nc"]],
    ["(?s)a.c", ["a\nc"], ["ac"]],
    ["(?i)todo", ["ToDo"], ["to do"]],
    ["\\Aa\\z", ["a"], ["\na", "a\n"]],
    ["é+", ["café"], ["cafe"]],
    ['\\/\\-\\#\\ \\"', ['/-# "'], ["/-#"]],
    ["(a*)*b", ["b", "aab"], ["aa"]],
    ["(a|b|ab)*?c", ["ababc"], ["abab"]],
  ])("%s", (pattern, texts, others) => {
    for (const text of texts) expect([text, matches(pattern, text)]).toEqual([text, true]);
    for (const text of others) expect([text, matches(pattern, text)]).toEqual([text, false]);
  });

  test("without regard to case where that is asked for", () => {
    expect(matches("DROP table", "drop TABLE x", true)).toBe(true);
    expect(matches("DROP table", "drop TABLE x")).toBe(false);
    expect(matches("[a-z]É", "Xé", true)).toBe(true);
  });

  const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\s", "\\b", "^", "$", "\\d", "\\n");
  const pattern: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      atom,
      fc.tuple(tie("node"), tie("node")).map(([a, b]) => `${a}${b}`),
      fc.tuple(tie("node"), tie("node")).map(([a, b]) => `(?:${a}|${b})`),
      fc
        .tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "*?"))
        .map(([part, times]) => `(?:${part})${times}`),
    ),
  })).node;
  test("what JavaScript says, for any pattern and text", () => {
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom("a", "b", "A", " ", "\n", "1"), maxLength: 8 }),
        (one, text) => {
          expect(matches(one, text)).toBe(new RegExp(one, "m").test(text));
          expect(matches(one, text, true)).toBe(new RegExp(one, "im").test(text));
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe("only a match that takes something new counts", () => {
  const marked = (text: string): [string, Uint8Array] => {
    const isNew = [...text.matchAll(/<[^>]*>|[\s\S]/g)].flatMap(([piece]) =>
      piece.length > 1 ? Array.from(piece.slice(1, -1), () => 1) : [0],
    );
    return [text.replace(/[<>]/g, ""), Uint8Array.from(isNew)];
  };
  test.each<[pattern: string, text: string, counts: boolean]>([
    ["foo", "foo <bar>", false],
    ["foo", "<foo> bar", true],
    ["foo", "fo<o> bar", true],
    ["foo", "foo<> bar", false],
    ["foo.*r", "foo <ba>r", true],
    ["foo|b", "foo <b>", true],
    ["foo", "foo <foo>", true],
    ["^$", "<a>", false],
    ["o+", "o<x>o", false],
  ])("%s in %s: %s", (pattern, text, counts) => {
    expect(compileRegex(pattern).test(...marked(text))).toBe(counts);
  });
});

describe("what is not accepted", () => {
  test.each([
    ["(?=a)b", "looks ahead"],
    ["(?!a)b", "looks ahead"],
    ["(?<=a)b", "looks ahead or behind"],
    ["(a)\\1", "refers back"],
    ["(?<n>a)\\k<n>", "refers back"],
    ["(a", "not closed"],
    ["a)", "closes nothing"],
    ["[a", "not closed"],
    ["[z-a]", "not understood"],
    ["*a", "repeats nothing"],
    ["a**", "repeated again"],
    ["a{2}{3}", "repeated again"],
    ["^*", "a place in the text is repeated"],
    ["a{3,2}", "wrong way round"],
    ["a{9999}", "more than 1000 times"],
    ["(?:a{1000}){1000}", "too large"],
    ["(?:(?:a{99}){99}){99}", "too large"],
    ["a\\", "at the end"],
    ["\\p{L}", "not supported"],
    ["(?x)a", "flag x"],
    ["(?>a)", "not supported"],
    ["(".repeat(300) + ")".repeat(300), "nested too deeply"],
  ])("%s: %s", (pattern, problem) => expect(patternProblem(pattern)).toContain(problem));

  test("everything else is", () => expect(patternProblem("(a+)+$|x{2,}")).toBeUndefined());
});

test("patterns that would never come to an end elsewhere are done in one pass", () => {
  const long = "a".repeat(20_000);
  for (const pattern of ["(a+)+$", "(a|a)*b", "a.*a.*a.*b", "(?:.*,){5}x"]) matches(pattern, `${long}!`);
  expect(matches("(a+)+!", `${long}!`)).toBe(true);
});
