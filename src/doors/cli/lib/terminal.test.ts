import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { colouredDiff, colours, visible, visibleJson, visibleOnTerminal } from "./terminal.ts";

/** Inclusive ranges of what could steer a terminal, turn its writing round, or hide. */
const DECEIVING: readonly [what: string, from: number, to: number][] = [
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
];
const isDeceiving = (code: number): boolean => DECEIVING.some(([, from, to]) => from <= code && code <= to);

describe("what a person reads", () => {
  test.each(DECEIVING)("%s are shown by their number", (_, from, to) => {
    for (let code = from; code <= to; code++) {
      const character = String.fromCharCode(code);
      expect(visible(`a${character}b`)).toBe(`a\\u{${code.toString(16)}}b`);
      expect(visibleJson(JSON.stringify(character))).toMatch(/^"[ -~]+"$/);
    }
  });

  test("everything else stays as it is", () => {
    const others = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => !isDeceiving(code));
    const text = String.fromCharCode(...others.filter((code) => code < 0xd800));
    expect(visible(text)).toBe(text);
    expect(visible("😀 ﷺ \u0301")).toBe("😀 ﷺ \u0301");
  });

  test("JSON that is made visible says the same", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text);
      }),
    );
  });

  test("a program gets every byte, a terminal gets none that steers it", () => {
    const text = "one\r\ntwo\rthree\x1b[2J";
    expect(visibleOnTerminal(text, {})).toBe(text);
    expect(visibleOnTerminal(text, { isTTY: true })).toBe("one\ntwo\\u{d}three\\u{1b}[2J");
  });

  test("a diff cannot paint itself", () => {
    expect(colouredDiff("+\x1b[8mhidden\x1b[0m\n-old\n context", colours())).toBe(
      "+\\u{1b}[8mhidden\\u{1b}[0m\n-old\n context",
    );
  });
});
