import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trimOutput } from "./trim.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");
const NOTICE = /\[left out here: .*\]\n/;

describe("text within the budget is returned as it is", () => {
  test.each([
    ["", { bytes: 0, lines: 0 }],
    ["a", { bytes: 1, lines: 1 }],
    ["one\ntwo\n", { bytes: 8, lines: 2 }],
    ["é€😀", { bytes: 9, lines: 1 }],
    ["\n\n\n", { bytes: 3, lines: 3 }],
  ])("%j", (text, budget) => {
    expect(trimOutput(text, budget)).toEqual({ text });
  });
});

test("whole lines: two thirds of them from the head, one third from the tail", () => {
  expect(trimOutput(numbered(20), { bytes: 10_000, lines: 6 })).toEqual({
    text: "line 1\nline 2\nline 3\nline 4\n[left out here: 14 lines, 107 bytes]\nline 19\nline 20\n",
    truncated: { shownBytes: 44, totalBytes: 151, totalLines: 20, omittedLines: 14 },
  });
});

test("bytes limit whole lines too", () => {
  const { text, truncated } = trimOutput(numbered(9), { bytes: 30, lines: 100 });
  expect(text).toBe("line 1\nline 2\n[left out here: 6 lines, 42 bytes]\nline 9\n");
  expect(truncated).toEqual({ shownBytes: 21, totalBytes: 63, totalLines: 9, omittedLines: 6 });
});

test("one giant line is cut inside", () => {
  expect(trimOutput("x".repeat(1000), { bytes: 30, lines: 10 })).toEqual({
    text: `${"x".repeat(20)}\n[left out here: 970 bytes of line 1]\n${"x".repeat(10)}`,
    truncated: { shownBytes: 30, totalBytes: 1000, totalLines: 1, omittedLines: 0 },
  });
});

test("a giant line among short ones", () => {
  const { text, truncated } = trimOutput(`a\n${"x".repeat(1000)}\nb\nc\n`, { bytes: 60, lines: 10 });
  expect(text).toBe(`a\n${"x".repeat(38)}\n[left out here: 947 bytes of line 2]\n${"x".repeat(15)}\nb\nc\n`);
  expect(truncated?.omittedLines).toBe(0);
});

test("cut lines at both ends of what was left out", () => {
  const giant = "y".repeat(500);
  const { text } = trimOutput(`${giant}\nm\n${giant}`, { bytes: 30, lines: 10 });
  expect(text).toContain("[left out here: 1 whole line and a part of line 1 and 3, 973 bytes in all]");
});

test("pairs of surrogates stay whole", () => {
  const { text } = trimOutput("😀".repeat(100), { bytes: 30, lines: 2 });
  expect(text).toBe(`${"😀".repeat(5)}\n[left out here: 372 bytes of line 1]\n${"😀".repeat(2)}`);
});

test("a budget of nothing leaves the notice", () => {
  expect(trimOutput("a\nb\n", { bytes: 0, lines: 0 }).text).toBe("[left out here: 2 lines, 4 bytes]\n");
});

test("what is shown is the head and the tail of the text, within the budget, and the counts are exact", () => {
  const text = fc.array(fc.constantFrom("a", "é", "€", "😀", "\n", "\r\n", "some words"), { maxLength: 200 });
  const budget = fc.record({ bytes: fc.nat(300), lines: fc.nat(30) });
  fc.assert(
    fc.property(text, budget, (parts, limits) => {
      const whole = parts.join("");
      const { text: shown, truncated } = trimOutput(whole, limits);
      if (!truncated) {
        expect(shown).toBe(whole);
        return;
      }
      const [before = "", after = ""] = shown.split(NOTICE);
      const head = bytesOf(before + after) === truncated.shownBytes ? before : before.slice(0, -1);
      expect(whole.startsWith(head)).toBe(true);
      expect(whole.endsWith(after)).toBe(true);
      expect(shown).not.toMatch(/\p{Surrogate}/u);
      expect(truncated.totalBytes).toBe(bytesOf(whole));
      expect(truncated.shownBytes).toBe(bytesOf(head) + bytesOf(after));
      expect(truncated.shownBytes).toBeLessThanOrEqual(limits.bytes);
      expect(truncated.totalLines - truncated.omittedLines).toBeLessThanOrEqual(limits.lines);
      const omitted = truncated.totalBytes - truncated.shownBytes;
      expect(shown).toMatch(new RegExp(`\\D${omitted} bytes?\\b`));
    }),
    { numRuns: 500 },
  );
});
