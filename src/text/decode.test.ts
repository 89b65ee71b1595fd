import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, type Encoding, encode } from "./decode.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);
const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("what is decoded", () => {
  const cases: [string, Uint8Array, string, Encoding, boolean][] = [
    ["nothing", bytes(), "", "utf-8", false],
    ["ASCII", ascii("one\r\ntwo\n"), "one\r\ntwo\n", "utf-8", false],
    ["UTF-8", bytes(0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80), "é😀", "utf-8", false],
    ["UTF-8 with a mark", bytes(0xef, 0xbb, 0xbf, 0x61), "a", "utf-8", true],
    ["only a mark", bytes(0xef, 0xbb, 0xbf), "", "utf-8", true],
    ["two marks", bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), "\uFEFF", "utf-8", true],
    ["UTF-16 with a mark, little", bytes(0xff, 0xfe, 0x61, 0, 0xe9, 0), "aé", "utf-16le", true],
    ["UTF-16 with a mark, big", bytes(0xfe, 0xff, 0, 0x61, 0x30, 0x42), "aあ", "utf-16be", true],
    ["UTF-16 by its zeros, little", bytes(0x61, 0, 0x62, 0, 0x63, 0, 0x0a, 0), "abc\n", "utf-16le", false],
    ["UTF-16 by its zeros, big", bytes(0, 0x61, 0, 0x62, 0, 0x63, 0, 0x0a), "abc\n", "utf-16be", false],
    ["Latin-1", bytes(0x63, 0x61, 0x66, 0xe9), "café", "latin1", false],
    ["Latin-1, not windows-1252", bytes(0x61, 0x80, 0x93), "a\u0080\u0093", "latin1", false],
    ["a mark before invalid UTF-8", bytes(0xef, 0xbb, 0xbf, 0xe9), "ï»¿é", "latin1", false],
    ["backspaces", ascii("a\b"), "a\b", "utf-8", false],
    ["terminal colours", ascii("\u001b[1mx\u001b[0m"), "\u001b[1mx\u001b[0m", "utf-8", false],
  ];
  test.each(cases)("%s", (_name, input, text, encoding, bom) => {
    expect(decode(input)).toEqual({ text, encoding, bom });
  });
});

describe("what is binary", () => {
  const cases: [string, Uint8Array][] = [
    ["a zero byte", ascii("text\0text")],
    ["zeros in both lanes", bytes(0x61, 0, 0, 0x61, 0x61, 0, 0, 0x61)],
    ["a zero among letters of either lane", bytes(0x61, 0, 0x62, 0, 0x63, 0, 0, 1)],
    ["a zero in a text with a mark", bytes(0xff, 0xfe, 0x61, 0, 0x62, 0, 0x63, 0, 0, 0)],
    ["little-endian numbers", bytes(1, 0, 2, 0, 3, 0, 4, 0, 5, 0)],
    ["too little to be called UTF-16", bytes(0x61, 0)],
    ["UTF-32", bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ["mostly control bytes", bytes(1, 2, 3, 0x61, 0x62)],
    ["an odd number of bytes after a mark", bytes(0xff, 0xfe, 0x61, 0, 0x61)],
    ["the start of a picture", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)],
  ];
  test.each(cases)("%s", (_name, input) => expect(decode(input)).toBeUndefined());

  test("is judged from the beginning only", () => {
    const long = ascii(`${"a".repeat(8192)}\0`);
    expect(decode(long)?.text.length).toBe(8193);
  });
});

describe("what an encoding cannot hold", () => {
  test.each([
    ["latin1", "a€", /Latin-1.*"€" \(U\+20AC\)/],
    ["latin1", "😀", /U\+1F600/],
    ["utf-8", "a\ud800b", /surrogate/],
    ["utf-16le", "\udc00", /surrogate/],
  ] as const)("%s refuses %j", (encoding, text, message) => {
    expect(() => encode(text, { encoding, bom: false })).toThrow(RangeError);
    expect(() => encode(text, { encoding, bom: false })).toThrow(message);
  });
});

describe("there and back", () => {
  const back = (input: Uint8Array) => {
    const decoded = decode(input);
    return decoded === undefined ? input : encode(decoded.text, decoded);
  };
  const textual = fc.array(fc.constantFrom(0x0a, 0x0d, 0x61, 0x20, 0x80, 0xc3, 0xa9, 0xff, 0xfe, 0xef, 0xbb, 0xbf, 0));

  test("arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (input) => {
        expect(back(input)).toEqual(input);
      }),
    );
  });

  test("bytes that look like texts and marks", () => {
    fc.assert(
      fc.property(textual, (values) => {
        const input = Uint8Array.from(values);
        expect(back(input)).toEqual(input);
      }),
    );
  });

  test("texts in every encoding with a mark", () => {
    const encodings = fc.constantFrom<Encoding>("utf-8", "utf-16le", "utf-16be");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), encodings, (text, encoding) => {
        const decoded = decode(encode(`letters ${text}`, { encoding, bom: true }));
        if (decoded !== undefined) expect(decoded).toEqual({ text: `letters ${text}`, encoding, bom: true });
        else expect(text).toContain("\0");
      }),
    );
  });

  test("more than one chunk of Latin-1", () => {
    const input = Uint8Array.from({ length: 50_000 }, (_, index) => 32 + (index % 224));
    expect(decode(input)?.encoding).toBe("latin1");
    expect(back(input)).toEqual(input);
  });
});
