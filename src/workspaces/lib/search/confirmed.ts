import fs from "node:fs";
import type { FoundLine } from "../../../core/contracts/search.ts";
import type { Place } from "../../../core/words/touch.ts";
import { openRegular } from "../file-reading.ts";
import { withoutReturns } from "./found-lines.ts";
import { isWide } from "./line-matching.ts";
import type { RipgrepLines } from "./ripgrep-output.ts";
import type { Settled } from "./settled.ts";
import { placeBelow } from "./task.ts";

const FEED = 10;
const PIECE = 4 * 1024;
/** A longer line is not verified, but dropped. */
const LONGEST = 32 << 20;

/** Keeps only lines that are really in their files, in case a folder was swapped while ripgrep searched. */
export function confirmed(
  found: FoundLine[],
  { runs, offsets }: Pick<RipgrepLines, "runs" | "offsets">,
  folder: Place,
  settled: Settled,
): FoundLine[] {
  const filled = runs.filter(({ from }, at) => from < (runs[at + 1]?.from ?? found.length));
  const isSettled = settled.among(filled.map(({ below }) => below));
  if (filled.every(({ below }) => isSettled(below))) return found;
  return filled.flatMap(({ below, from }, at) => {
    const lines = found.slice(from, filled[at + 1]?.from);
    return isSettled(below) ? lines : linesReallyIn(placeBelow(folder, below), lines, offsets.slice(from));
  });
}

function linesReallyIn(place: Place, lines: readonly FoundLine[], offsets: readonly number[]): FoundLine[] {
  let fd: number | undefined;
  try {
    const opened = openRegular(place);
    fd = opened.fd;
    const mark = readFrom(fd, 0, 3);
    const lineOf = isWide(mark) ? wideLines(fd, opened.stats.size) : narrowLines(fd, mark);
    return lines.filter((line, at) => isLine(line, lineOf(line, offsets[at] ?? 0)));
  } catch {
    // vanished, or it no longer holds what was found
    return [];
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Of a line that is too long to be shown, `text` is only a part. */
const isLine = ({ text, left }: FoundLine, whole: string): boolean =>
  left === undefined ? withoutReturns(whole) === text : whole.includes(text);

type LineOf = (line: FoundLine, offset: number) => string;

/** ripgrep's byte offsets do not count a UTF-8 byte order mark. */
function narrowLines(fd: number, mark: Uint8Array): LineOf {
  const skipped = mark[0] === 0xef && mark[1] === 0xbb && mark[2] === 0xbf ? 3 : 0;
  return (_, offset) => {
    const pieces: Buffer[] = [];
    for (let length = 0, size = PIECE; length < LONGEST; size = Math.min(size * 4, 1 << 20)) {
      const piece = readFrom(fd, offset + skipped + length, size);
      const feed = piece.indexOf(FEED);
      pieces.push(feed === -1 ? piece : piece.subarray(0, feed));
      length += piece.length;
      if (feed !== -1 || piece.length < size) break;
    }
    return Buffer.concat(pieces).toString("utf8");
  };
}

/** In UTF-16 files ripgrep counts bytes of its own transcoding, so here lines are counted instead. */
function wideLines(fd: number, size: number): LineOf {
  const bytes = readFrom(fd, 0, Math.min(size, LONGEST));
  const lines = new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes).split("\n");
  return ({ line }) => lines[line - 1] ?? "";
}

function readFrom(fd: number, position: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  return bytes.subarray(0, fs.readSync(fd, bytes, 0, size, position));
}
