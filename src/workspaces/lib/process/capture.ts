import fs from "node:fs";
import path from "node:path";
import type { Captured } from "../../../core/contracts/process.ts";
import { openOrMakeFolder } from "../opened.ts";
import { ByteWindow } from "./byte-window.ts";
import { cleanText } from "./terminal-text.ts";

/** How much of a stream stays in memory at each end, and how much of it a file may hold. */
export type Keep = { headBytes: number; tailBytes: number; fileBytes: number };

/** The file for the whole stream: new or open (`fd`), its name for people and models, and its room (`grant`). */
export type Target = { file: string; shown: string; fd?: number; grant?(bytes: number): number; done?(): void };

const NEWLINE = 10;

const countBreaks = (bytes: Uint8Array): number => {
  let count = 0;
  for (let index = 0; index < bytes.length; index++) if (bytes[index] === NEWLINE) count++;
  return count;
};

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Cuts back to whole lines, or to a whole character if the lines are too long for that. */
function wholeHead(head: Buffer): Buffer {
  const lastBreak = head.lastIndexOf(NEWLINE);
  if (lastBreak >= head.length / 2) return head.subarray(0, lastBreak + 1);
  let end = head.length;
  for (let steps = 0; steps < 4 && end > 0; steps++) {
    const byte = head[end - 1] as number;
    if (byte < 0x80) break;
    end--;
    if (byte >= 0xc0) {
      const due = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return head.subarray(0, head.length - end >= due ? head.length : end);
    }
  }
  return head;
}

function wholeTail(tail: Buffer, beginsLine: boolean): { bytes: Buffer; partial: boolean } {
  if (beginsLine) return { bytes: tail, partial: false };
  const firstBreak = tail.indexOf(NEWLINE);
  if (firstBreak !== -1 && firstBreak < tail.length / 2)
    return { bytes: tail.subarray(firstBreak + 1), partial: false };
  let start = 0;
  while (start < 4 && isContinuation(tail[start])) start++;
  return { bytes: start < 4 ? tail.subarray(start) : tail, partial: true };
}

/** Captures one stream: exact counts, head and tail in constant memory, and a file once those do not suffice. */
export class Capture {
  readonly #keep: Keep;
  readonly #target: () => Target;
  readonly #head = new ByteWindow();
  readonly #tail = new ByteWindow();
  #bytes = 0;
  #breaks = 0;
  #lastByte = NEWLINE;
  /** The byte before the tail, which tells whether the tail begins a line. */
  #beforeTail = NEWLINE;
  #file: fs.WriteStream | undefined;
  #opened: Target | undefined;
  #path: string | undefined;
  #written = 0;
  #isFull = false;
  #frozen: Captured | undefined;

  constructor(keep: Keep, target: () => Target) {
    this.#keep = keep;
    this.#target = target;
  }

  /** Returns false if the caller should wait for `drained` before it sends more. */
  push(chunk: Buffer): boolean {
    if (chunk.length === 0 || this.#frozen) return true;
    if (!this.#file && this.#bytes + chunk.length > this.#keep.headBytes + this.#keep.tailBytes) this.#openFile();
    const goOn = this.#write(chunk);
    this.#bytes += chunk.length;
    this.#breaks += countBreaks(chunk);
    this.#lastByte = chunk[chunk.length - 1] as number;
    const room = this.#keep.headBytes - this.#head.bytes;
    if (room > 0) this.#head.push(chunk.subarray(0, room));
    if (room < chunk.length) this.#pushTail(chunk.subarray(room));
    return goOn;
  }

  #pushTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    let excess = this.#tail.bytes - this.#keep.tailBytes;
    if (excess <= 0) return;
    for (const piece of this.#tail.chunks()) {
      this.#beforeTail = piece[Math.min(excess, piece.length) - 1] as number;
      excess -= piece.length;
      if (excess <= 0) break;
    }
    this.#tail.drop(this.#tail.bytes - this.#keep.tailBytes);
  }

  #openFile(): void {
    if (this.#keep.fileBytes === 0) return;
    try {
      this.#opened = this.#target();
      const { file, shown, fd } = this.#opened;
      // never through a link that was put in place of the folder
      if (fd === undefined) openOrMakeFolder(path.dirname(file), "/", shown, [], 0o700).close();
    } catch {
      this.#opened?.done?.();
      return;
    }
    const { file, shown, fd, done } = this.#opened;
    this.#path = shown;
    const how = { flags: "wx", mode: 0o600, highWaterMark: 1 << 20 };
    this.#file = fs.createWriteStream(file, fd === undefined ? how : { ...how, fd });
    this.#file.once("close", () => done?.());
    // a full disk loses the file, never the command
    this.#file.on("error", () => this.#forgetFile());
    for (const piece of [...this.#head.chunks(), ...this.#tail.chunks()]) this.#write(piece);
  }

  #forgetFile(): void {
    this.#file?.emit("drain");
    this.#path = undefined;
  }

  #write(chunk: Buffer): boolean {
    const room = this.#keep.fileBytes - this.#written;
    if (!this.#file || !this.#path || this.#isFull || room <= 0) return true;
    const wanted = Math.min(chunk.length, room);
    const granted = this.#opened?.grant?.(wanted) ?? wanted;
    // once something was cut, nothing later is written, or the file would have a gap
    this.#isFull = granted < chunk.length;
    this.#written += granted;
    return this.#file.write(chunk.subarray(0, granted));
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#path && this.#file?.writableNeedDrain) this.#file.once("drain", resolve);
      else resolve();
    });
  }

  /** Freezes the capture and completes the file. */
  async end(): Promise<void> {
    this.#frozen ??= this.captured();
    const file = this.#file;
    if (file && this.#path && !file.destroyed)
      await new Promise<void>((resolve) => {
        file.once("error", () => resolve());
        file.end(() => resolve());
      });
    if (!this.#opened || !file) return;
    if (this.#path && this.#written === 0) fs.rmSync(this.#opened.file, { force: true });
    // do not name a file that was removed
    if (!this.#path || !fs.existsSync(this.#opened.file)) delete this.#frozen.path;
  }

  captured(): Captured {
    if (this.#frozen) return this.#frozen;
    const lines = this.#breaks + (this.#lastByte === NEWLINE ? 0 : 1);
    const all = [...this.#head.chunks(), ...this.#tail.chunks()];
    const kept = this.#head.bytes + this.#tail.bytes;
    if (kept === this.#bytes) {
      const text = cleanText(Buffer.concat(all).toString("utf8"));
      return { text, bytes: this.#bytes, lines, omittedBytes: 0, omittedLines: 0 };
    }
    return this.#cut(lines);
  }

  #cut(lines: number): Captured {
    const head = wholeHead(Buffer.concat(this.#head.chunks()));
    const tail = wholeTail(Buffer.concat(this.#tail.chunks()), this.#beforeTail === NEWLINE);
    const headPartial = head.length > 0 && head[head.length - 1] !== NEWLINE;
    const headLines = countBreaks(head) + (headPartial ? 1 : 0);
    const tailLines = countBreaks(tail.bytes) + (this.#lastByte === NEWLINE ? 0 : 1);
    const omittedBytes = this.#bytes - head.length - tail.bytes.length;
    const omittedLines = Math.max(0, lines - headLines - tailLines);
    const notice = `[left out here: ${omittedLines} lines, ${omittedBytes} bytes]`;
    const text = [
      cleanText(head.toString("utf8")),
      headPartial ? "\n" : "",
      notice,
      "\n",
      cleanText(tail.bytes.toString("utf8")),
    ];
    const kept = this.#path === undefined ? {} : { path: this.#path };
    const part = this.#path !== undefined && this.#written < this.#bytes ? { keptBytes: this.#written } : {};
    return { text: text.join(""), bytes: this.#bytes, lines, omittedBytes, omittedLines, ...kept, ...part };
  }
}
