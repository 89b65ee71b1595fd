import { describe, expect, test } from "vitest";
import { type Decoded, decode, type Edit, encode, encodeEdited, originOf } from "./decode.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const edited = (text: string, edits: readonly Edit[]): string =>
  [...edits]
    .reverse()
    .reduce((now, { start, end, text: wanted }) => now.slice(0, start) + wanted + now.slice(end), text);

const MANY: Edit[] = [
  { start: 0, end: 1, text: "X" },
  { start: 3, end: 3, text: "yy" },
  { start: 4, end: 6, text: "" },
];

describe("an edited content is encoded as its whole text is", () => {
  test.each<[name: string, bytes: Uint8Array, edits: Edit[], isCopied: boolean]>([
    ["plain", bytesOf("abcdefgh"), MANY, true],
    [
      "plain, with letters put in that take several bytes",
      bytesOf("abcdefgh"),
      [{ start: 2, end: 3, text: "é😀" }],
      true,
    ],
    ["letters of several bytes", bytesOf("äbcdéfgh"), MANY, false],
    ["a byte order mark", bytesOf("\uFEFFabcdefgh"), MANY, false],
    ["Latin-1", Uint8Array.from([97, 0xe9, 99, 100, 101, 102, 103]), MANY, false],
    ["UTF-16", encode("abcdefgh", { encoding: "utf-16le", bom: true }), MANY, false],
    ["a NUL put in", bytesOf("abcdefgh"), [{ start: 1, end: 2, text: "\0" }], false],
    [
      "a NUL put in beside others",
      bytesOf("abcdefgh"),
      [
        { start: 0, end: 1, text: "x" },
        { start: 1, end: 2, text: "\0" },
      ],
      false,
    ],
    ["nothing", bytesOf("abcdefgh"), [], true],
    ["all of it", bytesOf("abcdefgh"), [{ start: 0, end: 8, text: "z" }], true],
  ])("%s", (_, bytes, edits, isCopied) => {
    const decoded = decode(bytes) as Decoded;
    const text = edited(decoded.text, edits);
    const after = encodeEdited(bytes, decoded, text, edits);
    expect([...after]).toEqual([...encode(text, decoded)]);
    expect(originOf(after)).toEqual(isCopied ? { bytes, text: decoded.text, edits } : undefined);
    if (isCopied) expect(decode(after)).toEqual({ text, encoding: "utf-8", bom: false });
    if (isCopied) expect(decode(after)).toEqual(decode(Uint8Array.from(after)));
  });

  test("what was written as a text is read as one, whatever was put in", () => {
    const bytes = bytesOf("ab");
    const edits = [{ start: 1, end: 1, text: "\x01\x02\x03" }];
    const after = encodeEdited(bytes, decode(bytes) as Decoded, "a\x01\x02\x03b", edits);
    expect(decode(after)?.text).toBe("a\x01\x02\x03b");
  });

  test("a text with a NUL after the part that is looked at is not copied", () => {
    const bytes = bytesOf(`${"a".repeat(9_000)}\0b`);
    const decoded = decode(bytes) as Decoded;
    const edits = [{ start: 0, end: 1, text: "x" }];
    expect(originOf(encodeEdited(bytes, decoded, edited(decoded.text, edits), edits))).toBeUndefined();
  });
});

describe("what bytes read as", () => {
  const utf16 = (text: string, big: boolean): number[] =>
    [...text].flatMap((letter) =>
      big
        ? [letter.charCodeAt(0) >> 8, letter.charCodeAt(0) & 255]
        : [letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8],
    );
  test.each<[name: string, bytes: number[], expected: Decoded | undefined]>([
    ["UTF-16 with its mark", [0xff, 0xfe, ...utf16("ab", false)], { text: "ab", encoding: "utf-16le", bom: true }],
    ["UTF-16 with the other mark", [0xfe, 0xff, ...utf16("ab", true)], { text: "ab", encoding: "utf-16be", bom: true }],
    ["its mark and nothing", [0xff, 0xfe], { text: "", encoding: "utf-16le", bom: true }],
    ["a mark and half a letter", [0xff, 0xfe, 0x61], { text: "ÿþa", encoding: "latin1", bom: false }],
    ["the other mark and half a letter", [0xfe, 0xff, 0x61], { text: "þÿa", encoding: "latin1", bom: false }],
    ["UTF-16 without a mark", utf16("abcd", false), { text: "abcd", encoding: "utf-16le", bom: false }],
    ["the other without a mark", utf16("abcd", true), { text: "abcd", encoding: "utf-16be", bom: false }],
    ["too short to tell", utf16("abc", false), undefined],
    ["NULs on both sides", [0, 1, 2, 0, 3, 4, 5, 6, 7, 8], undefined],
    ["too few NULs", [97, 0, 98, 0, 99, 99, 100, 100, 101, 101], undefined],
    [
      "seven of ten",
      [...utf16("abcdefg", false), 0x61, 0x62, 0x63, 0x64, 0x65, 0x66],
      { text: "abcdefg扡摣晥", encoding: "utf-16le", bom: false },
    ],
    ["UTF-8 with its mark", [0xef, 0xbb, 0xbf, 97], { text: "a", encoding: "utf-8", bom: true }],
    ["the mark of what cannot be read", [0xef, 0xbf, 0xbd], { text: "\uFFFD", encoding: "utf-8", bom: false }],
    ["not UTF-8", [97, 0xe9], { text: "aé", encoding: "latin1", bom: false }],
    ["nothing", [], { text: "", encoding: "utf-8", bom: false }],
    ["half of a pair behind a mark", [0xff, 0xfe, 0x00, 0xd8], undefined],
    ["line ends alone", [10, 10, 13], { text: "\n\n\r", encoding: "utf-8", bom: false }],
    ["tabs and form feeds", [8, 9, 11, 12], { text: "\b\t\v\f", encoding: "utf-8", bom: false }],
    ["colours of a terminal", [27, 27], { text: "\u001b\u001b", encoding: "utf-8", bom: false }],
    ["blanks", [32, 32], { text: "  ", encoding: "utf-8", bom: false }],
    ["bells", [7, 7], undefined],
    ["shifts", [14, 14], undefined],
    ["separators", [31, 31], undefined],
    ["deletions", [127, 127], undefined],
    ["controls", [1, 2, 3, 97], undefined],
    ["a few controls", [1, 97, 97, 97], { text: "\u0001aaa", encoding: "utf-8", bom: false }],
  ])("%s", (_, bytes, expected) => {
    const content = Uint8Array.from(bytes);
    const decoded = decode(content);
    expect(decoded).toEqual(expected);
    if (decoded) expect([...encode(decoded.text, decoded)]).toEqual(bytes);
    expect(decode(content)).toBe(decoded);
  });

  test.each<[text: string, about: Omit<Decoded, "text">]>([
    ["a\0b", { encoding: "utf-8", bom: false }],
    ["ab", { encoding: "utf-16be", bom: true }],
    ["ab", { encoding: "utf-8", bom: true }],
  ])("what is written is known as it would be read", (text, about) => {
    const bytes = encode(text, about);
    expect(decode(bytes)).toEqual(decode(Uint8Array.from(bytes)));
  });

  test("what was written keeps the encoding that it was written in", () => {
    const about = { encoding: "latin1", bom: false } as const;
    expect(decode(encode("plain", about))).toEqual({ text: "plain", ...about });
  });

  test("a long Latin-1 text is whole", () => {
    const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => (index % 100) + 150);
    expect([...encode(decode(bytes)?.text ?? "", { encoding: "latin1", bom: false })]).toEqual([...bytes]);
  });
});
