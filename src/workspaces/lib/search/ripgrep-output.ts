import type { FoundLine } from "../../../core/contracts/search.ts";
import { foundLine, LONG, LONGEST_TEXT } from "./found-lines.ts";

const NUL = 0;
const FEED = 10;
const DOT = 46;
const STOPPED = ": WARNING: stopped searching binary file";

/** A line that is too long to hold: only the part around its hit is kept. */
type Long = { line: number; hit: boolean; column: number; at: number; start: number; seen: number; kept: Buffer[] };

/**
 * Parses ripgrep's output with headings: `./path NUL`, then `line NUL column NUL offset NUL text` for a hit and `line
 * SOH offset SOH text` for context. A path begins with a dot, a line with its number: no content can pass for either.
 */
export class RipgrepLines {
  readonly #show: (below: string) => string | undefined;
  #below = "";
  #shown: string | undefined;
  #rest: Buffer[] = [];
  #restLength = 0;
  #open = "";
  #long: Long | undefined;
  /** For the last result of `parse`: its files, each with the index of its first line, and the offset of each line. */
  runs: { below: string; from: number }[] = [];
  offsets: number[] = [];
  /** `show` returns the path to show, or undefined for a file whose lines are dropped. */
  constructor(show: (below: string) => string | undefined) {
    this.#show = show;
  }

  /** Pass undefined at the end of the output. */
  readonly parse = (piece: Buffer | undefined): FoundLine[] => {
    const found: FoundLine[] = [];
    this.runs = [{ below: this.#below, from: 0 }];
    this.offsets = [];
    if (piece) this.#take(piece, found);
    else if (this.#long || this.#restLength > 0) this.#take(Buffer.from("\n"), found);
    return found;
  };

  #take(given: Buffer, found: FoundLine[]): void {
    const piece = this.#long ? this.#continueLong(given, found) : given;
    const end = piece.lastIndexOf(FEED) + 1;
    if (end > 0) {
      const whole =
        this.#restLength > 0 ? Buffer.concat([...this.#rest, piece.subarray(0, end)]) : piece.subarray(0, end);
      this.#rest = [];
      this.#restLength = 0;
      this.#records(this.#open + whole.toString("utf8"), found);
    }
    if (end === piece.length) return;
    this.#rest.push(piece.subarray(end));
    this.#restLength += piece.length - end;
    if (this.#restLength > 2 * LONGEST_TEXT && this.#open === "") this.#beginLong(found);
  }

  #records(text: string, found: FoundLine[]): void {
    this.#open = "";
    for (let at = 0; at < text.length; ) {
      const first = text.charCodeAt(at);
      if (first === DOT && text.startsWith(`./${this.#below}${STOPPED}`, at)) at = text.indexOf("\n", at) + 1;
      else if (first === DOT) {
        const end = text.indexOf("\0", at);
        // a path that contains a line break, and whose end has not arrived yet
        if (end === -1) {
          this.#open = text.slice(at);
          return;
        }
        this.#enter(text.slice(at + 2, end), found.length);
        at = end + 1;
      } else at = this.#line(text, at, found);
    }
  }

  #enter(below: string, from: number): void {
    this.#below = below;
    this.runs.push({ below, from });
    this.#shown = this.#show(below);
  }

  #line(text: string, start: number, found: FoundLine[]): number {
    const end = text.indexOf("\n", start);
    if (this.#shown === undefined) return end + 1;
    const [line, afterLine] = numberAt(text, start);
    // a blank line, or what stands between hits
    if (afterLine === start) return end + 1;
    const isHit = text.charCodeAt(afterLine) === NUL;
    const [first, afterFirst] = numberAt(text, afterLine + 1);
    const [second, afterSecond] = isHit ? numberAt(text, afterFirst + 1) : [0, afterFirst + 1];
    // ripgrep may report no column for a hit at the very end
    const hasColumn = afterSecond > afterFirst + 1 && text.charCodeAt(afterSecond) === NUL;
    const content = text.slice((hasColumn ? afterSecond : afterFirst) + 1, end);
    this.offsets.push(hasColumn ? second : first);
    if (!isHit) found.push(foundLine(this.#shown, line, content, false));
    else if (content.length <= LONG && content.charCodeAt(content.length - 1) !== 13)
      found.push({ path: this.#shown, line, text: content, hit: true });
    else
      found.push(foundLine(this.#shown, line, content, true, hasColumn ? characterAt(content, first) : content.length));
    return end + 1;
  }

  /** The beginning of a huge line has arrived: notes its kind and where its hit will be. */
  #beginLong(found: FoundLine[]): void {
    const head = Buffer.concat(this.#rest);
    let at = 0;
    if (head[0] === DOT) {
      const end = head.indexOf(NUL);
      this.#enter(head.toString("utf8", 2, end), found.length);
      at = end + 1;
    }
    const prefix = /^(\d+)(?:\0(?:(\d+)\0)?(\d+)\0|\x01(\d+)(\x01))/.exec(head.toString("latin1", at, at + 96));
    this.#rest = [];
    this.#restLength = 0;
    const column = Number(prefix?.[2] ?? 1) - 1;
    this.#long = {
      line: Number(prefix?.[1]),
      hit: prefix?.[5] === undefined,
      column,
      at: Number(prefix?.[3] ?? prefix?.[4]),
      start: Math.max(0, column - LONGEST_TEXT / 2),
      seen: 0,
      kept: [],
    };
    this.#continueLong(head.subarray(at + (prefix?.[0].length ?? 0)), found);
  }

  /** Consumes what belongs to the huge line and returns what comes after it. */
  #continueLong(piece: Buffer, found: FoundLine[]): Buffer {
    const long = this.#long as Long;
    const feed = piece.indexOf(FEED);
    const own = feed === -1 ? piece : piece.subarray(0, feed);
    const from = Math.max(0, long.start - long.seen);
    const part = own.subarray(from, Math.max(from, long.start + LONGEST_TEXT - long.seen));
    if (part.length > 0) long.kept.push(Buffer.from(part));
    long.seen += own.length;
    if (feed === -1) return piece.subarray(piece.length);
    const bytes = Buffer.concat(long.kept);
    if (this.#shown !== undefined) {
      this.offsets.push(long.at);
      found.push({
        path: this.#shown,
        line: long.line,
        text: bytes.toString("utf8"),
        hit: long.hit,
        at: bytes.toString("utf8", 0, Math.max(0, long.column - long.start)).length,
        left: long.seen - bytes.length,
      });
    }
    this.#long = undefined;
    return piece.subarray(feed + 1);
  }
}

/** The number at this position, and the index where it ends. */
function numberAt(text: string, start: number): [number, number] {
  let at = start;
  let number = 0;
  for (let code = text.charCodeAt(at); code >= 48 && code <= 57; code = text.charCodeAt(++at))
    number = number * 10 + code - 48;
  return [number, at];
}

/** Columns are counted in bytes, from 1. */
const characterAt = (text: string, column: number): number => Buffer.from(text).toString("utf8", 0, column - 1).length;
