import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countLines, dominantEnding, lineAt, linesAt, splitLines } from "./lines.ts";

const mixed = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r", "\r\n", "é"), maxLength: 40 });

describe("splitLines", () => {
  test.each([
    ["", []],
    ["a", [["a", ""]]],
    ["a\n", [["a", "\n"]]],
    ["\n", [["", "\n"]]],
    [
      "a\r\nb\rc\nd",
      [
        ["a", "\r\n"],
        ["b", "\r"],
        ["c", "\n"],
        ["d", ""],
      ],
    ],
    [
      "\r\r\n\n\r",
      [
        ["", "\r"],
        ["", "\r\n"],
        ["", "\n"],
        ["", "\r"],
      ],
    ],
  ])("%j", (text, expected) => {
    expect(splitLines(text).map((line) => [line.text, line.ending])).toEqual(expected);
  });

  test("starts where it is told", () => {
    expect(splitLines("\uFEFFa\nb", 1)).toEqual([
      { start: 1, text: "a", ending: "\n" },
      { start: 3, text: "b", ending: "" },
    ]);
  });

  test("loses nothing, and no line holds an ending", () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const lines = splitLines(text);
        expect(lines.map((line) => line.text + line.ending).join("")).toBe(text);
        for (const line of lines) {
          expect(line.text).not.toMatch(/[\r\n]/);
          expect(text.startsWith(line.text + line.ending, line.start)).toBe(true);
        }
      }),
    );
  });
});

test.each([
  ["", "\n"],
  ["abc", "\n"],
  ["a\nb\n", "\n"],
  ["a\r\nb\r\nc\n", "\r\n"],
  ["a\r\nb\nc\n", "\n"],
  ["a\rb\r", "\r"],
  ["a\rb\rc\n", "\r"],
] as const)("the dominant ending of %j", (text, ending) => expect(dominantEnding(text)).toBe(ending));

describe("line numbers", () => {
  test.each([
    ["abc", 2, 1],
    ["a\nb", 1, 1],
    ["a\nb", 2, 2],
    ["a\r\nb", 2, 1],
    ["a\r\nb", 3, 2],
    ["a\rb", 2, 2],
    ["a\n", 2, 2],
  ])("in %j, %i is on line %i", (text, offset, line) => expect(lineAt(text, offset)).toBe(line));

  test("agree with the split", () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const lines = splitLines(text);
        expect(countLines(text)).toBe(lines.length);
        const starts = lines.map((line) => line.start);
        expect(linesAt(text, starts)).toEqual(lines.map((_, index) => index + 1));
      }),
    );
  });
});
