import type { FoundLine } from "../../../core/contracts/search.ts";

/** At most this much of one line is returned; a line of a bundled file may not fit into memory. */
export const LONGEST_TEXT = 64 * 1024;
/** From this length on, a result says where in the line the hit is. */
export const LONG = 200;

export function withoutReturns(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === 13) end -= 1;
  return line.slice(0, end);
}

/** A line as it is returned: of a huge one only the part around the hit. */
export function foundLine(path: string, line: number, whole: string, hit: boolean, at = 0): FoundLine {
  const text = withoutReturns(whole);
  if (text.length <= LONG) return { path, line, text, hit };
  if (text.length <= LONGEST_TEXT) return { path, line, text, hit, at: Math.min(at, text.length) };
  const start = Math.max(0, Math.min(at - LONGEST_TEXT / 2, text.length - LONGEST_TEXT));
  const part = text.slice(start, start + LONGEST_TEXT);
  return { path, line, text: part, hit, at: at - start, left: text.length - part.length };
}

/** Turns pieces of whole lines, with their hits, into found lines: each hit and each context line comes out once. */
export class Neighbours {
  readonly #path: string;
  readonly #context: number;
  #line = 1;
  #before: FoundLine[] = [];
  #after = 0;
  constructor(path: string, context: number) {
    this.#path = path;
    this.#context = context;
  }

  /** `hits` are pairs: the index of a line in this piece, and the position in it. */
  add(piece: string, hits: ArrayLike<number>): FoundLine[] {
    const lines = piece.split("\n");
    if (lines.at(-1) === "") lines.pop();
    const found = this.#context === 0 ? this.#alone(lines, hits) : this.#withContext(lines, hits);
    this.#line += lines.length;
    return found;
  }

  #alone(lines: readonly string[], hits: ArrayLike<number>): FoundLine[] {
    const found: FoundLine[] = [];
    for (let at = 0; at < hits.length; at += 2) {
      const index = hits[at] as number;
      found.push(foundLine(this.#path, this.#line + index, lines[index] ?? "", true, hits[at + 1]));
    }
    return found;
  }

  #withContext(lines: readonly string[], hits: ArrayLike<number>): FoundLine[] {
    const found: FoundLine[] = [];
    let next = 0;
    for (const [index, text] of lines.entries()) {
      if (hits[next] === index) {
        found.push(...this.#before, foundLine(this.#path, this.#line + index, text, true, hits[next + 1]));
        this.#before = [];
        this.#after = this.#context;
        next += 2;
        continue;
      }
      const line = foundLine(this.#path, this.#line + index, text, false);
      if (this.#after > 0) {
        this.#after -= 1;
        found.push(line);
        continue;
      }
      this.#before.push(line);
      if (this.#before.length > this.#context) this.#before.shift();
    }
    return found;
  }
}
