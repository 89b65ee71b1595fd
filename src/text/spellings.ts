/** Shorter ones occur in every text and say little. */
const LEAST_ENCODED = 8;

/**
 * How a server may write a text that it was sent: verbatim, and in the encodings of headers, links, JSON, pages and hex
 * dumps. Non-ASCII letters appear as letters, and as their UTF-8 bytes.
 */
export function spellingsOf(text: string): readonly string[] {
  const utf8 = bytesIn(new TextEncoder().encode(text));
  const encoded = [
    ...[text, utf8].flatMap((plain) => [inJson(plain), inJson(plain).replaceAll("/", "\\/"), inHtml(plain)]),
    [...text].map((letter) => (letter > "~" ? escaped(letter) : inJson(letter))).join(""),
    [...text].map(escaped).join(""),
    ...bothCases(percented(utf8, /[^\w.!~*'()-]/g)),
    ...bothCases(percented(utf8, /[^\w.*-]/g)).map((each) => each.replaceAll("%20", "+")),
    ...bothCases(percented(utf8, /[\s\S]/g)),
    ...bothCases(percented(utf8, /[\s\S]/g)).map((each) => each.replaceAll("%", "")),
    ...inBase64(utf8),
    ...inUtf16(text),
  ];
  const long = encoded.filter((each) => each.length >= LEAST_ENCODED);
  return [...new Set([text, utf8, ...long])];
}

const bytesIn = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
const hex = (code: number, length: number): string => code.toString(16).padStart(length, "0");

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const escaped = (letter: string): string =>
  Array.from({ length: letter.length }, (_, at) => `\\u${hex(letter.charCodeAt(at), 4)}`).join("");

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};
const inHtml = (text: string): string => text.replace(/[&<>"']/g, (odd) => ENTITIES[odd] ?? odd);

const percented = (bytes: string, which: RegExp): string =>
  bytes.replace(which, (byte) => `%${hex(byte.charCodeAt(0), 2)}`);
const bothCases = (text: string): string[] => [text, text.replace(/%[\da-f]{2}/g, (byte) => byte.toUpperCase())];

/**
 * It may be anywhere inside a longer text, so its first byte has one of three positions in a group. Characters that
 * depend on neighbouring bytes are left out.
 */
function inBase64(bytes: string): string[] {
  const wholes = [0, 1, 2].map((before) => {
    const padded = "\0".repeat(before) + bytes;
    return btoa(padded).slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6));
  });
  return wholes.flatMap((each) => [each, each.replaceAll("+", "-").replaceAll("/", "_")]);
}

function inUtf16(text: string): string[] {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const pairs = units.map((unit) => [String.fromCharCode(unit & 0xff), String.fromCharCode(unit >> 8)] as const);
  return [pairs.map(([low, high]) => low + high).join(""), pairs.map(([low, high]) => high + low).join("")];
}
