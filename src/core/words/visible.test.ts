import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describe as describeQuestion } from "./question.ts";
import type { Touch } from "./touch.ts";
import { harmless, listed, visibleJson, visibleLine, visibleLines, wrapped } from "./visible.ts";

/** Inclusive ranges of what could steer a terminal, turn its writing round, or hide. */
const STEERING: readonly [what: string, from: number, to: number][] = [
  ["controls before the tab", 0x00, 0x08],
  ["controls after the line feed, with carriage return and escape", 0x0b, 0x1f],
  ["delete and the controls of eight bits", 0x7f, 0x9f],
  ["a soft hyphen", 0xad, 0xad],
  ["the mark of Arabic letters", 0x61c, 0x61c],
  ["the separator of Mongolian vowels", 0x180e, 0x180e],
  ["a space without width", 0x200b, 0x200b],
  ["marks of direction", 0x200e, 0x200f],
  ["separators of lines, and turns of direction", 0x2028, 0x202e],
  ["invisible operators, and isolated directions", 0x2060, 0x206f],
  ["a byte order mark", 0xfeff, 0xfeff],
  ["marks between lines", 0xfff9, 0xfffb],
  ["tags and selectors", 0xe0000, 0xe0fff],
];
const isSteering = (code: number): boolean => STEERING.some(([, from, to]) => from <= code && code <= to);

describe("what a person reads", () => {
  test.each(STEERING)("%s are shown by their number", (_, from, to) => {
    for (let code = from; code <= to; code++) {
      const character = String.fromCodePoint(code);
      expect(harmless(`a${character}b`)).toBe(`a\\u{${code.toString(16)}}b`);
      expect(visibleJson(JSON.stringify(character))).toMatch(/^"[ -~]+"$/);
      expect(visibleLine(`a${character}b`)).toBe(`a\\u{${code.toString(16)}}b`);
    }
  });

  test("everything else stays as it is", () => {
    const others = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => !isSteering(code));
    const text = String.fromCharCode(...others.filter((code) => code < 0xd800));
    expect(harmless(text)).toBe(text);
    expect(harmless("😀 ﷺ \u0301")).toBe("😀 ﷺ \u0301");
  });

  test("JSON that is made visible says the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text);
      }),
    );
  });

  test("one line shows every character of it, and stays one line", () => {
    const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2800\u3164]|\ufe0f/u;
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(visibleLine(text)).not.toMatch(hidden);
      }),
    );
    expect(visibleLine("a\u{1d159}b\ufffcc\u{1d15e}")).toBe("a\\u{1d159}b\\u{fffc}c\u{1d15e}");
    expect(visibleLine("a\u00a0b\u200dc\u3164d\ufe0fe")).toBe("a\\u{a0}b\\u{200d}c\\u{3164}d\\u{fe0f}e");
  });

  test("nothing is pushed out of sight by blanks or empty lines", () => {
    expect(visibleLine(`a${" ".repeat(8)}b`)).toBe(`a${" ".repeat(8)}b`);
    expect(visibleLine(`a${" ".repeat(9)}b`)).toBe("a ⟨9 blanks⟩ b");
    expect(visibleLine("a\t\t\tb")).toBe("a ⟨12 blanks⟩ b");
    expect(visibleLine(`a${" ".repeat(40)}b`, 40)).toBe(`a${" ".repeat(40)}b`);
    expect(visibleLine(`a${" ".repeat(41)}b`, 40)).toBe("a ⟨41 blanks⟩ b");
    expect(visibleLine("a\nb")).toBe("a⏎b");
    expect(visibleLines("a\n\n")).toEqual(["a", "", ""]);
    expect(visibleLines(`a${"\n".repeat(4)}b`)).toEqual(["a", "", "", "", "b"]);
    expect(visibleLines(`a${"\r\n \t".repeat(4)}\nb`)).toEqual(["a\\u{d}", "⟨4 empty lines⟩", "b"]);
  });

  test.each(["plain ascii ~!@#", "Grüße aus Zürich", "Привет", "日本語", "e\u0301te\u0301", "a\u0323\u0302", "→ … ✓"])(
    "%s stays as it is",
    (text) => expect(visibleLine(text)).toBe(text),
  );

  test("marks that pile up over their neighbours do not", () => {
    expect(visibleLine(`a${"\u0301".repeat(5)}`)).toBe("a\u0301\u0301\\u{301}\\u{301}\\u{301}");
  });

  test("long rows of blanks and of empty lines are counted", () => {
    expect(visibleLine(`ls${" ".repeat(500)}; rm x`)).toBe("ls ⟨500 blanks⟩ ; rm x");
    expect(visibleLine("a        b")).toBe("a        b");
    expect(visibleLines(`ls${"\n".repeat(60)}rm x`)).toEqual(["ls", "⟨59 empty lines⟩", "rm x"]);
    expect(visibleLines("a\n\n\nb")).toEqual(["a", "", "", "b"]);
  });

  test("an output for people keeps its tabs and lines, and steers nothing", () => {
    expect(harmless("a\tb\n\x1b[2Jc\u202ed\u{e0041}e\u200df")).toBe("a\tb\n\\u{1b}[2Jc\\u{202e}d\\u{e0041}e\u200df");
  });
});

test("lines are broken at blanks, and nothing is lost", () => {
  expect(wrapped("one two three", 8)).toEqual(["one two ", "three"]);
  expect(wrapped("a".repeat(10), 4)).toEqual(["aaaa", "aaaa", "aa"]);
  expect(wrapped("漢字漢字", 4)).toEqual(["漢字", "漢字"]);
  // combining marks take no room, letters of other alphabets one column, the rest two
  expect(wrapped(`${"e\u0301".repeat(4)}x`, 4)).toEqual(["e\u0301".repeat(4), "x"]);
  expect(wrapped("Приветы", 4)).toEqual(["Прив", "еты"]);
  expect(wrapped("\u0300\u1100\u10ff", 3)).toEqual(["\u0300\u1100\u10ff"]);
  expect(wrapped("\u1100\u10ff", 2)).toEqual(["\u1100", "\u10ff"]);
  expect(wrapped("a b".padEnd(9, "c"), 8)).toEqual(["a bccccc", "c"]);
  expect(wrapped("abc defgh", 8), "a blank in the very middle is too early").toEqual(["abc defg", "h"]);
  expect(wrapped("abcd abc", 7)).toEqual(["abcd ", "abc"]);
  // marks that stand beside their letter take room
  expect(wrapped("\u0915\u093e\u0915\u093e", 3)).toEqual(["\u0915\u093e\u0915", "\u093e"]);
  expect(wrapped("x\u302e\u302f", 3)).toEqual(["x\u302e", "\u302f"]);
  // where it goes on is further in
  expect(wrapped("one two three", 8, "  ")).toEqual(["one two ", "  three"]);
  expect(wrapped("a".repeat(10), 6, "  ")).toEqual(["aaaaaa", "  aaaa"]);
});

test("a carriage return is shown where it is a part of a word, and not where it ends a line of a file", () => {
  const asked = { tool: "run_command", input: {}, diff: "", touches: [], reason: "so", by: "mode", always: [] };
  const command: Touch = { action: "run", command: "sh ./x\r\necho a", class: "dangerous", inner: [] };
  expect(describeQuestion({ ...asked, touches: [command] })).toContain("sh ./x\\u{d}\n");
  expect(describeQuestion({ ...asked, diff: "-a\r\n+b\r\n" })).not.toContain("u{d}");
});

test.each(["\u00a0", "\u3000", "\u2003 ", "\ufeff", "\u2028", "\f", "\v", " \u1680\t"])(
  "a line of blanks that name a program is not shown as an empty one: %j",
  (name) => {
    const [first, shown = "", last] = visibleLines(`PATH=.\n${name}\nls`);
    expect([first, last]).toEqual(["PATH=.", "ls"]);
    expect(shown).toContain("\\u{");
  },
);

describe("a line of a list", () => {
  const forged = `echo ${"x".repeat(73)}   2  read_file  a.txt  (planned)`;
  test.each([20, 40, 80, 100])("is broken by us, so that no piece starts where a line does: %i columns", (width) => {
    const [, ...rest] = listed(forged, width, "      ").split("\n");
    expect(rest.length).toBeGreaterThan(0);
    for (const piece of rest) expect(piece).toMatch(/^ {6}/);
    for (const piece of rest) expect(piece.length).toBeLessThanOrEqual(width);
  });
  test("is left alone where it fits, and for programs", () => {
    expect(listed("  ls", 80, "    ")).toBe("  ls");
    expect(listed(forged, Number.POSITIVE_INFINITY, "    ")).toBe(forged);
  });
});
