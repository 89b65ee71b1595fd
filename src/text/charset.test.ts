import { describe, expect, test } from "vitest";
import { textOf } from "./charset.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...parts: (string | number[] | Uint8Array)[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...part].map((letter) => letter.charCodeAt(0)) : [...part])),
  );
const utf16 = (text: string, isBig = false) => {
  const buffer = Buffer.from(text, "utf16le");
  return Uint8Array.from(isBig ? buffer.swap16() : buffer);
};
const meta = (charset: string) => `<html><head><meta charset="${charset}">`;
const late = (length: number) => `<html><head><script>${"x".repeat(length)}</script>`;

/** 日本 and привет and 中文 as old encodings write them. */
const SHIFT_JIS = [0x93, 0xfa, 0x96, 0x7b];
const EUC_JP = [0xc6, 0xfc, 0xcb, 0xdc];
const GB18030 = [0xd6, 0xd0, 0xce, 0xc4];
const BIG5 = [0xa4, 0xa4, 0xa4, 0xe5];
const EUC_KR = [0xc7, 0xd1, 0xb1, 0xdb];
const KOI8 = [0xd0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4];
const CYRILLIC = [0xef, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];

describe("text by what says how it is written", () => {
  test.each<[string, type: string, Uint8Array, shown: string]>([
    ["nothing, UTF-8", "text/html", utf8("grün €"), "grün €"],
    ["nothing, none of UTF-8", "text/html", bytes("gr", [0xfc], "n ", [0x80, 0x93]), "grün €“"],
    ["the header", "text/html; charset=shift_jis", bytes(SHIFT_JIS), "日本"],
    ["the header in quotes", 'text/html; charset="GB18030"', bytes(GB18030), "中文"],
    ["the header by another name", "text/html;charset=gb2312", bytes(GB18030), "中文"],
    ["the header", "text/plain; charset=big5", bytes(BIG5), "中文"],
    ["the header", "text/plain; charset=euc-kr", bytes(EUC_KR), "한글"],
    ["the header", "text/plain; charset=euc-jp", bytes(EUC_JP), "日本"],
    ["the header", "text/plain; charset=koi8-r", bytes(KOI8), "привет"],
    ["the header", "text/plain; charset=iso-8859-2", bytes([0xb1, 0xe6]), "ąć"],
    ["the page", "text/html", bytes(meta("windows-1251"), CYRILLIC), "привет"],
    ["the page", "text/html", bytes(meta("Shift_JIS"), SHIFT_JIS), "日本"],
    [
      "the page, in the old way",
      "text/html",
      bytes('<meta content="text/html; charset=gbk" http-equiv=Content-Type>', GB18030),
      "中文",
    ],
    ["the page, late", "text/html", bytes(late(3_000), meta("koi8-r"), KOI8), "привет"],
    ["the page, very late", "text/html", bytes(late(40_000), meta("koi8-r"), KOI8), "привет"],
    ["a document in XML", "text/xml", bytes('<?xml version="1.0" encoding="windows-1251"?>', CYRILLIC), "привет"],
    [
      "what stands in a comment",
      "text/html",
      bytes("<!-- <meta charset=koi8-r> -->", meta("windows-1251"), CYRILLIC),
      "привет",
    ],
    [
      "what stands in a script",
      "text/html",
      bytes("<script>'<meta charset=koi8-r>'</script>", meta("windows-1251"), CYRILLIC),
      "привет",
    ],
    ["a mark", "text/html", bytes([0xef, 0xbb, 0xbf], utf8("grün")), "grün"],
    ["a mark against the header", "text/html; charset=windows-1251", bytes([0xef, 0xbb, 0xbf], utf8("grün")), "grün"],
    ["a mark against the page", "text/html", bytes([0xef, 0xbb, 0xbf], meta("koi8-r"), utf8("grün")), "grün"],
    ["a mark of UTF-16", "text/html", bytes([0xff, 0xfe], utf16("grün 日本")), "grün 日本"],
    ["a mark of UTF-16, the other way round", "text/html", bytes([0xfe, 0xff], utf16("grün", true)), "grün"],
    ["a mark of UTF-16 against the header", "text/html; charset=utf-8", bytes([0xff, 0xfe], utf16("grün")), "grün"],
    ["the header says UTF-16", "text/html; charset=utf-16le", utf16("grün"), "grün"],
    ["the header says UTF-16, the other way round", "text/html; charset=UTF-16BE", utf16("grün", true), "grün"],
    ["the page says UTF-16, and cannot be", "text/html", bytes(meta("utf-16"), utf8("grün")), "grün"],
    ["a wrong header for UTF-8", "text/html; charset=iso-8859-1", utf8("grün €"), "grün €"],
    ["a right header for what is not UTF-8", "text/html; charset=iso-8859-1", bytes("gr", [0xfc], "n"), "grün"],
    [
      "a wrong header for a page that knows better",
      "text/html; charset=utf-8",
      bytes(meta("shift_jis"), SHIFT_JIS),
      "日本",
    ],
    ["a wrong header, and nobody knows better", "text/html; charset=utf-8", bytes("gr", [0xfc], "n"), "gr\ufffdn"],
    ["a header that names nothing", "text/html; charset=nonsense", utf8("grün"), "grün"],
    ["a header that names nothing, and a page", "text/html; charset=nonsense", bytes(meta("koi8-r"), KOI8), "привет"],
    ["a page that names nothing", "text/html", bytes(meta("nonsense"), utf8("grün")), "grün"],
    ["an encoding that browsers refuse", "text/html; charset=utf-7", utf8("grün +AGE-"), "grün +AGE-"],
    ["an old one that ends like a new one", "text/html", bytes("caf", [0xe9]), "café"],
    ["an old one that ends like a new one, by the header", "text/html; charset=latin1", bytes("caf", [0xe9]), "café"],
    ["a character that was cut", "text/html", utf8("grün €").slice(0, -1), "grün \ufffd"],
    [
      "a character that was cut, by the header",
      "text/html; charset=latin1",
      utf8("grün €").slice(0, -1),
      "grün \ufffd",
    ],
  ])("%s: %s", (_, type, sent, shown) => {
    expect(textOf(sent, type).text.endsWith(shown)).toBe(true);
    expect(textOf(sent, type).text.startsWith("\ufeff")).toBe(false);
  });
});
