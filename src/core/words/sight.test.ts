import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Part, partsAfter, united } from "./sight.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
/** The first and the last of so many lines. */
const ends = (of: number): Part[] => [
  { first: 1, last: 1, of },
  { first: of, last: of, of },
];
const rows = (...lines: number[]): [number, number][] => lines.map((line) => [line, line]);
const shown = (parts: readonly Part[] | undefined) => parts?.map(({ first, last }) => [first, last]);

test.each<[what: string, parts: Part[], found: [number, number][] | undefined]>([
  ["all lines", [{ first: 1, last: 3, of: 3 }], undefined],
  ["of a file whose length is not known", [{ first: 1, last: 3 }], [[1, 3]]],
  [
    "the end tells the length",
    [
      { first: 1, last: 3 },
      { first: 4, last: 5, of: 5 },
    ],
    undefined,
  ],
  [
    "of another view of the file",
    [
      { first: 1, last: 3, of: 4 },
      { first: 4, last: 9, of: 9 },
    ],
    [[4, 9]],
  ],
  [
    "the end told the length before",
    [
      { first: 4, last: 5, of: 5 },
      { first: 1, last: 3 },
    ],
    undefined,
  ],
  ["of an empty file", [{ first: 1, last: 0, of: 0 }], undefined],
  ["none of the lines", [{ first: 1, last: 0, of: 1 }], []],
])("%s", (_, parts, found) => {
  expect(shown(united(parts))).toEqual(found);
});

/** Lines are letters; a capital was shown. */
function knownIn(before: string, now: string, options: { of?: number | undefined; open?: boolean } = {}): string {
  const letters = [...before];
  const text = (all: string[]) => all.join("\n").toLowerCase() + (options.open ? "" : "\n");
  const parts = letters.flatMap((letter, index) =>
    letter === letter.toUpperCase()
      ? [{ first: index + 1, last: index + 1, of: "of" in options ? options.of : letters.length }]
      : [],
  );
  const left = united(partsAfter(united(parts) ?? parts, bytes(text(letters)), bytes(text([...now]))));
  const isKnown = (line: number) => !left || left.some(({ first, last }) => first <= line && line <= last);
  return [...now].map((letter, index) => (isKnown(index + 1) ? letter.toUpperCase() : letter)).join("");
}

describe("after a change, what is known of a file", () => {
  test.each<[what: string, before: string, now: string, known: string]>([
    ["lines that were known are taken out", "ABcd", "bcd", "Bcd"],
    ["lines that were not known are taken out", "abCD", "bcd", "bCD"],
    ["a known line is replaced", "ABCd", "axcd", "AXCd"],
    ["a line that was not known is replaced", "AbCd", "axcd", "AxCd"],
    ["a known line becomes several", "ABcD", "axyzcd", "AXYZcD"],
    ["lines are put between others", "abC", "axbc", "aXbC"],
    ["lines are put before all", "aB", "xyab", "XYaB"],
    ["lines are put after all", "Ab", "abx", "AbX"],
    ["two places with unknown lines between them", "ABcDE", "axcye", "AxcyE"],
    ["two places with known lines between them", "ABCDe", "axcye", "AXCYe"],
    ["nothing but the mode", "AbC", "abc", "AbC"],
  ])("%s", (_, before, now, known) => {
    expect(knownIn(before, now)).toBe(known);
    expect(knownIn(before, now, { of: undefined }), "its length was not known").toBe(known);
  });

  test("lines that were counted in another view are not known", () => {
    expect(knownIn("ABcd", "axcd", { of: 9 })).toBe("axcd");
  });

  test("a last line without a line break is a line", () => {
    expect(knownIn("AB", "axy", { open: true })).toBe("AXY");
    expect(knownIn("Ab", "abx", { open: true })).toBe("Abx");
  });

  test.each([
    ["begins with more than before", "a\nb\n", "a\nxb\n"],
    ["begins with less than before", "a\nxb\n", "a\nb\n"],
  ])("a line that was not known, and %s, is not known", (_, before, after) => {
    expect(shown(united(partsAfter([{ first: 1, last: 1, of: 2 }], bytes(before), bytes(after))))).toEqual([[1, 1]]);
  });

  test("a file that was emptied is known", () => {
    expect(united(partsAfter([{ first: 2, last: 2, of: 2 }], bytes("a\nb\n"), bytes("")))).toBeUndefined();
  });

  test("a line that was never shown does not become known, however lines around it move", () => {
    const unseen = "u";
    const line = fc.constantFrom("A", "B", "C", unseen);
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 9 }),
        fc.nat(9),
        fc.nat(3),
        fc.array(
          line.filter((each) => each !== unseen),
          { maxLength: 3 },
        ),
        (lines, at, removed, put) => {
          const now = [...lines.slice(0, at), ...put, ...lines.slice(at + removed)].join("").toLowerCase();
          expect(knownIn(lines.join(""), now)).not.toContain("U");
        },
      ),
    );
  });
});

test.each<[what: string, parts: Part[], before: string, after: string, known: [number, number][] | undefined]>([
  ["an empty line more", [{ first: 1, last: 1, of: 1 }], "\n", "\n\n", undefined],
  ["a line break at the end", [{ first: 2, last: 2, of: 2 }], "x\na", "x\nb\n", [[2, 2]]],
  ["a line that was not known ends as before", ends(3), "1\nxb\n3\n", "1\nb\n3\n", rows(1, 3)],
  ["a line that was not known ends as another", ends(3), "1\nb\n3\n", "1\nxb\n3\n", rows(1, 3)],
  ["a line before an empty one", [{ first: 1, last: 1, of: 3 }], "a\n\nb\n", "a\nx\n\nb\n", [[1, 2]]],
])("known after %s", (_, parts, before, after, known) => {
  expect(shown(united(partsAfter(parts, bytes(before), bytes(after))))).toEqual(known);
});
