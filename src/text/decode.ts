export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";
export type Decoded = { text: string; encoding: Encoding; bom: boolean };

const sampleSize = 8192;
const chunkSize = 8192;
const fewestUnitsForUtf16 = 4;

/** Replaces the characters from `start` to `end` by `text`. */
export type Edit = { start: number; end: number; text: string };
/** What a content was made from, by consecutive edits. */
type Origin = { bytes: Uint8Array; text: string; edits: readonly Edit[] };

/** Contents are never changed in place, so each is decoded only once. */
const known = new WeakMap<Uint8Array, Decoded>();
const origins = new WeakMap<Uint8Array, Origin>();

/** Returns undefined for binary. Whatever is decoded can be encoded back to the same bytes. */
export function decode(bytes: Uint8Array): Decoded | undefined {
  const decoded = known.get(bytes) ?? read(bytes);
  if (decoded) known.set(bytes, decoded);
  return decoded;
}

function read(bytes: Uint8Array): Decoded | undefined {
  if (startsWith(bytes, [0xff, 0xfe])) {
    const text = utf16Text(bytes.subarray(2), "utf-16le");
    if (text !== undefined) return { text, encoding: "utf-16le", bom: true };
  }
  if (startsWith(bytes, [0xfe, 0xff])) {
    const text = utf16Text(bytes.subarray(2), "utf-16be");
    if (text !== undefined) return { text, encoding: "utf-16be", bom: true };
  }
  const sample = bytes.subarray(0, sampleSize);
  if (sample.includes(0)) return utf16WithoutMark(bytes, sample);
  if (isMostlyControl(sample)) return undefined;
  const bom = startsWith(bytes, [0xef, 0xbb, 0xbf]);
  const text = strictText(bom ? bytes.subarray(3) : bytes, "utf-8");
  if (text !== undefined) return { text, encoding: "utf-8", bom };
  return { text: latin1Text(bytes), encoding: "latin1", bom: false };
}

/** Throws a RangeError if the encoding cannot represent the text. */
export function encode(text: string, { encoding, bom }: { encoding: Encoding; bom: boolean }): Uint8Array {
  const bytes = written(text, encoding, bom);
  if (text.indexOf("\0") === -1) known.set(bytes, { text, encoding, bom });
  return bytes;
}

/** Like `encode`, for an edited content: if every character is one byte, all but the edits is copied. */
export function encodeEdited(bytes: Uint8Array, decoded: Decoded, edited: string, edits: readonly Edit[]): Uint8Array {
  const { text, encoding, bom } = decoded;
  const isPlain = encoding === "utf-8" && !bom && text.length === bytes.length && !text.includes("\0");
  if (!isPlain || edits.some((edit) => edit.text.includes("\0"))) return encode(edited, decoded);
  const after = spliced(bytes, edits);
  known.set(after, { text: edited, encoding, bom });
  origins.set(after, { bytes, text, edits });
  return after;
}

export const originOf = (bytes: Uint8Array): Origin | undefined => origins.get(bytes);

function spliced(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of edits) {
    pieces.push(bytes.subarray(at, start), written(text, "utf-8", false));
    at = end;
  }
  pieces.push(bytes.subarray(at));
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const piece of pieces) {
    whole.set(piece, filled);
    filled += piece.length;
  }
  return whole;
}

function written(text: string, encoding: Encoding, bom: boolean): Uint8Array {
  if (encoding === "latin1") return latin1Bytes(text);
  // half of a surrogate pair would silently become U+FFFD
  if (!(text as string & { isWellFormed(): boolean }).isWellFormed())
    throw new RangeError(`The text has half of a surrogate pair, which ${encoding} cannot hold.`);
  if (encoding === "utf-8") return new TextEncoder().encode(bom ? `\uFEFF${text}` : text);
  return utf16Bytes(bom ? `\uFEFF${text}` : text, encoding);
}

function startsWith(bytes: Uint8Array, mark: number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function strictText(bytes: Uint8Array, encoding: Encoding): string | undefined {
  if (encoding === "utf-8") {
    // the lenient decoder is several times faster, and its replacement character is rare
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
    if (!text.includes("\uFFFD")) return text;
  }
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function utf16Text(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): string | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  const text = strictText(bytes, encoding);
  if (text === undefined) return undefined;
  const sample = text.slice(0, sampleSize);
  const codes = Array.from(sample, (character) => character.charCodeAt(0));
  return codes.includes(0) || isMostlyControl(codes) ? undefined : text;
}

function utf16WithoutMark(bytes: Uint8Array, sample: Uint8Array): Decoded | undefined {
  const units = sample.length >> 1;
  if (units < fewestUnitsForUtf16) return undefined;
  let evenZeros = 0;
  let oddZeros = 0;
  for (let unit = 0; unit < units; unit++) {
    if (sample[2 * unit] === 0) evenZeros++;
    if (sample[2 * unit + 1] === 0) oddZeros++;
  }
  if (Math.min(evenZeros, oddZeros) > 0 || Math.max(evenZeros, oddZeros) < 0.7 * units) return undefined;
  const encoding = oddZeros > 0 ? "utf-16le" : "utf-16be";
  const text = utf16Text(bytes, encoding);
  return text === undefined ? undefined : { text, encoding, bom: false };
}

function isMostlyControl(codes: ArrayLike<number>): boolean {
  let controls = 0;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    const isTextual = (code >= 8 && code <= 13) || code === 27;
    if (code === 127 || (code < 32 && !isTextual)) controls++;
  }
  return controls > 0.3 * codes.length;
}

// TextDecoder's "latin1" is windows-1252, which loses bytes
function latin1Text(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += chunkSize)
    parts.push(Reflect.apply(String.fromCharCode, null, bytes.subarray(start, start + chunkSize)));
  return parts.join("");
}

function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0xff) {
      const character = String.fromCodePoint(text.codePointAt(index)!);
      const name = `U+${text.codePointAt(index)!.toString(16).toUpperCase().padStart(4, "0")}`;
      throw new RangeError(`The file is Latin-1 (ISO-8859-1), which cannot hold "${character}" (${name}).`);
    }
    bytes[index] = code;
  }
  return bytes;
}

function utf16Bytes(text: string, encoding: "utf-16le" | "utf-16be"): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const low = encoding === "utf-16le" ? 0 : 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    bytes[2 * index + low] = code & 0xff;
    bytes[2 * index + 1 - low] = code >> 8;
  }
  return bytes;
}
