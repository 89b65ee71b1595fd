import type { Bytes, FileView } from "../../core/workspace.ts";
import { type Decoded, decode } from "../../text/decode.ts";

export const LONGEST_LINE = 2_000;
const SAMPLE = 64 * 1024;
const NEWLINE = 0x0a;

export type Page = {
  lines: string[];
  first: number;
  /** Known only when the end of the file was reached. */
  total: number | undefined;
  more: boolean;
  cutLines: number;
  encoding: Decoded["encoding"];
  crlf: boolean;
};

export type Wanted = { offset: number; limit: number; maxBytes: number };

/** undefined: the file is binary. */
export function pageOfText(decoded: Decoded, { offset, limit, maxBytes }: Wanted): Page {
  const { text, encoding } = decoded;
  const all = text.split("\n");
  if (all.at(-1) === "") all.pop();
  const page: Page = {
    lines: [],
    first: offset,
    total: all.length,
    more: false,
    cutLines: 0,
    encoding,
    crlf: text.includes("\r\n"),
  };
  let bytes = 0;
  for (let index = offset - 1; index < all.length; index++) {
    if (page.lines.length >= limit || (bytes >= maxBytes && page.lines.length > 0)) {
      page.more = true;
      break;
    }
    const line = shorten(all[index] as string, page);
    bytes += line.length + 1;
    page.lines.push(line);
  }
  return page;
}

function shorten(line: string, page: Page): string {
  const bare = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (bare.length <= LONGEST_LINE) return bare;
  page.cutLines += 1;
  const end = /[\uD800-\uDBFF]/.test(bare.charAt(LONGEST_LINE - 1)) ? LONGEST_LINE - 1 : LONGEST_LINE;
  return `${bare.slice(0, end)}… [${bare.length - end} more characters in this line]`;
}

/** The same page of a file that is too large to hold: bytes are scanned for line ends and only the page is kept. */
export async function pageOfStream(files: FileView, path: string, wanted: Wanted): Promise<Page | undefined> {
  const { offset, limit, maxBytes } = wanted;
  const collected: Bytes[] = [];
  let encoding: Decoded["encoding"] | undefined;
  let line = 1;
  let kept = 0;
  let more = false;
  let lastByte = NEWLINE;
  scan: for await (const chunk of files.chunks(path)) {
    if (encoding === undefined) {
      const sample = decode(wholeCharacters(chunk.subarray(0, SAMPLE)));
      if (!sample || sample.encoding.startsWith("utf-16")) return undefined;
      encoding = sample.encoding;
    }
    let at = 0;
    while (line < offset) {
      const next = chunk.indexOf(NEWLINE, at);
      if (next === -1) break;
      at = next + 1;
      line += 1;
    }
    lastByte = chunk.at(-1) ?? lastByte;
    if (line < offset) continue;
    for (let end = at; end < chunk.length; ) {
      if (line - offset >= limit || (kept >= maxBytes && line > offset)) {
        collected.push(chunk.slice(at, end));
        more = true;
        break scan;
      }
      const next = chunk.indexOf(NEWLINE, end);
      kept += (next === -1 ? chunk.length : next + 1) - end;
      // a line without an end is cut when shown, so that more of it need not be held
      if (next === -1) break;
      end = next + 1;
      line += 1;
    }
    collected.push(chunk.slice(at));
    if (kept > maxBytes + 4 * 1024 * 1024) {
      more = true;
      break;
    }
  }
  const text = decodePiece(concatenate(collected), encoding ?? "utf-8");
  const total = more ? undefined : lastByte === NEWLINE ? line - 1 : line;
  const page = pageOfText({ text, encoding: encoding ?? "utf-8", bom: false }, { offset: 1, limit, maxBytes });
  return { ...page, first: offset, total, more: more || page.more };
}

/** A sample must not end inside a character. */
function wholeCharacters(bytes: Bytes): Bytes {
  let end = bytes.length;
  for (let back = 0; back < 4 && end > 0 && ((bytes[end - 1] as number) & 0xc0) === 0x80; back++) end -= 1;
  return end > 0 && (bytes[end - 1] as number) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

const decodePiece = (bytes: Bytes, encoding: Decoded["encoding"]): string =>
  encoding === "latin1"
    ? Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
    : new TextDecoder().decode(bytes);

function concatenate(pieces: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
