import type { Bytes, FileView } from "../../core/contracts/workspace.ts";
import { type Decoded, decode, type Encoding } from "../../text/decode.ts";

/** A longer output is cut in the middle on its way to the model, at a place that no next call could name. */
const SHOWN_BYTES = 60 * 1024;
const LONGEST_LINE = 2_000;
const SAMPLE = 64 * 1024;
const NEWLINE = 0x0a;

export type Page = {
  lines: string[];
  /** The numbers of lines that are shown only in part. */
  cut: readonly number[];
  first: number;
  /** Known only if the end of the file was reached. */
  total: number | undefined;
  more: boolean;
  encoding: Encoding;
};

export type Wanted = { offset: number; limit: number; maxBytes: number };

export function pageOfText({ text, encoding }: Decoded, wanted: Wanted): Page {
  const taking = new Taking(wanted);
  let at = 0;
  for (let passed = 1; passed < wanted.offset && at < text.length; passed++) {
    const next = text.indexOf("\n", at);
    at = next === -1 ? text.length : next + 1;
  }
  taking.add(text.slice(at));
  taking.finish();
  return { ...taking.page, total: linesOf(text), more: taking.full, encoding };
}

/**
 * The same page of a file that is too large to hold: scans the bytes for line ends and keeps only the page. Returns
 * undefined if the file is binary.
 */
export async function pageOfStream(
  files: FileView,
  path: string,
  wanted: Wanted,
  known?: Encoding,
): Promise<Page | undefined> {
  const taking = new Taking(wanted);
  const due = wanted.offset - 1;
  let encoding = known;
  let reader: Reader | undefined;
  let passed = 0;
  let lastByte = NEWLINE;
  for await (const chunk of files.chunks(path)) {
    encoding ??= encodingOf(chunk);
    if (encoding === undefined) return undefined;
    if (encoding === "utf-16le" || encoding === "utf-16be") return pageOfWhole(files, path, wanted);
    reader ??= readerOf(encoding, wanted.offset === 1);
    let at = 0;
    while (passed < due) {
      const next = chunk.indexOf(NEWLINE, at);
      if (next === -1) break;
      at = next + 1;
      passed += 1;
    }
    lastByte = chunk.at(-1) ?? lastByte;
    if (passed < due) continue;
    const text = reader(chunk.subarray(at));
    if (text === undefined) return pageOfStream(files, path, wanted, "latin1");
    taking.add(text);
    if (taking.full) break;
  }
  if (!taking.full && reader?.() === undefined && reader) return pageOfStream(files, path, wanted, "latin1");
  taking.finish();
  const last = passed < due ? (lastByte === NEWLINE ? 0 : 1) : taking.lines.length;
  const total = taking.full ? undefined : passed + last;
  return { ...taking.page, total, more: taking.full, encoding: encoding ?? "utf-8" };
}

async function pageOfWhole(files: FileView, path: string, wanted: Wanted): Promise<Page | undefined> {
  const decoded = decode((await files.read(path)).bytes);
  return decoded && pageOfText(decoded, wanted);
}

/** Takes text in pieces of any length, starting at the first line of the page, and keeps what is shown. */
class Taking {
  readonly lines: string[] = [];
  readonly #cut: number[] = [];
  /** There is more than fits on the page. */
  full = false;
  readonly #wanted: Wanted;
  #bytes = 0;
  #shownBytes = 0;
  #head = "";
  #length = 0;
  #last = "";
  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  get page(): Pick<Page, "lines" | "cut" | "first"> {
    return { lines: this.lines, cut: this.#cut, first: this.#wanted.offset };
  }

  add(text: string): void {
    for (let at = 0; at < text.length && !this.full; ) {
      if (this.lines.length >= this.#wanted.limit) {
        this.full = true;
        return;
      }
      const end = text.indexOf("\n", at);
      const piece = text.slice(at, end === -1 ? undefined : end);
      this.#head += piece.slice(0, LONGEST_LINE + 1 - this.#head.length);
      this.#length += piece.length;
      this.#last = piece.at(-1) ?? this.#last;
      if (end === -1) return;
      this.#endLine();
      at = end + 1;
    }
  }

  /** A last line without a line break is a line, too. */
  finish(): void {
    if (this.#length > 0 && !this.full) this.#endLine();
  }

  #endLine(): void {
    const length = this.#length - (this.#last === "\r" ? 1 : 0);
    const whole = shorten(this.#head, length, LONGEST_LINE);
    const isTooLong = this.lines.length === 0 && new TextEncoder().encode(whole).length >= this.#wanted.maxBytes;
    // a line that fits on no page is cut, so that every page has at least one line
    const most = isTooLong ? fitting(this.#head, this.#wanted.maxBytes) : LONGEST_LINE;
    const line = isTooLong ? shorten(this.#head, length, most) : whole;
    const number = this.#wanted.offset + this.lines.length;
    const size = new TextEncoder().encode(line).length + 1;
    const numbered = size + String(number).length + 1;
    const fits = this.#bytes + size <= this.#wanted.maxBytes && this.#shownBytes + numbered <= SHOWN_BYTES;
    this.full = !fits && this.lines.length > 0;
    if (!this.full) {
      this.lines.push(line);
      if (length > most) this.#cut.push(number);
    }
    this.#bytes += size;
    this.#shownBytes += numbered;
    this.#head = "";
    this.#length = 0;
    this.#last = "";
  }
}

function shorten(head: string, length: number, most: number): string {
  if (length <= most) return head.slice(0, length);
  const end = /[\uD800-\uDBFF]/.test(head.charAt(most - 1)) ? most - 1 : most;
  return `${head.slice(0, end)}… [${length - end} more characters in this line]`;
}

/** How many characters of a line fit into this many bytes. */
const fitting = (head: string, bytes: number): number =>
  Math.min(LONGEST_LINE, new TextEncoder().encodeInto(head, new Uint8Array(bytes)).read);

/** Judged by the beginning of the file; the sample may end inside a character. */
export function encodingOf(chunk: Bytes): Encoding | undefined {
  const sample = chunk.subarray(0, SAMPLE);
  for (let cut = 0; cut < 4; cut++) {
    const found = decode(sample.subarray(0, sample.length - cut));
    if (found && found.encoding !== "latin1") return found.encoding;
  }
  return decode(sample)?.encoding;
}

/** Decodes pieces in order; called without a piece at the end. Returns undefined if the encoding was guessed wrong. */
type Reader = (bytes?: Bytes) => string | undefined;

function readerOf(encoding: Encoding, mayHaveMark: boolean): Reader {
  if (encoding === "latin1") return (bytes) => (bytes ? latin1Text(bytes) : "");
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let isFirst = mayHaveMark;
  return (bytes) => {
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined });
      const marked = isFirst && text.startsWith("\uFEFF");
      isFirst &&= text === "";
      return marked ? text.slice(1) : text;
    } catch {
      return undefined;
    }
  };
}

function latin1Text(bytes: Bytes): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function linesOf(text: string): number {
  let count = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
