import type { Truncated } from "../core/words/result.ts";
import { counted } from "./counted.ts";

type Piece = { text: string; bytes: number; lines: number; partial: boolean };
type Budget = { bytes: number; lines: number };

/** UTF-8 bytes of the character at an index; a surrogate pair is one character of four bytes. */
function widthAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return startsPair(text, index) ? 4 : 3;
}

const startsPair = (text: string, index: number): boolean =>
  (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;

function byteLength(text: string, from = 0, to = text.length): number {
  let bytes = 0;
  for (let index = from; index < to; index++) {
    const width = widthAt(text, index);
    bytes += width;
    if (width === 4) index++;
  }
  return bytes;
}

/** A final line break ends a line and begins none. */
function countLines(text: string): number {
  let lines = text === "" || text.endsWith("\n") ? 0 : 1;
  for (let index = text.indexOf("\n"); index !== -1; index = text.indexOf("\n", index + 1)) lines++;
  return lines;
}

/** Index after the last whole character that fits, going forward. */
function fitForward(text: string, from: number, bytes: number): number {
  let index = from;
  for (let left = bytes; index < text.length; ) {
    const width = widthAt(text, index);
    if (width > left) break;
    left -= width;
    index += width === 4 ? 2 : 1;
  }
  return index;
}

/** Index of the first whole character that fits, going backward from the end. */
function fitBackward(text: string, to: number, bytes: number): number {
  let index = to;
  for (let left = bytes; index > 0; ) {
    const start = index > 1 && startsPair(text, index - 2) ? index - 2 : index - 1;
    const width = widthAt(text, start);
    if (width > left) break;
    left -= width;
    index = start;
  }
  return index;
}

// whole lines read better, but if they would leave most of the budget unused, a part of a line is shown
const isMostlyUnused = (used: number, budget: Budget): boolean => used * 2 < budget.bytes;

function takeHead(text: string, budget: Budget): Piece {
  let end = 0;
  let bytes = 0;
  let lines = 0;
  while (lines < budget.lines && end < text.length) {
    const next = text.indexOf("\n", end) + 1 || text.length;
    const width = next - end > budget.bytes - bytes ? Infinity : byteLength(text, end, next);
    if (bytes + width > budget.bytes) {
      const cut = isMostlyUnused(bytes, budget) ? fitForward(text, end, budget.bytes - bytes) : end;
      if (cut > end)
        return { text: text.slice(0, cut), bytes: bytes + byteLength(text, end, cut), lines, partial: true };
      break;
    }
    end = next;
    bytes += width;
    lines++;
  }
  return { text: text.slice(0, end), bytes, lines, partial: false };
}

function takeTail(text: string, budget: Budget): Piece {
  let start = text.length;
  let bytes = 0;
  let lines = 0;
  while (lines < budget.lines && start > 0) {
    const next = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
    const width = start - next > budget.bytes - bytes ? Infinity : byteLength(text, next, start);
    if (bytes + width > budget.bytes) {
      const cut = isMostlyUnused(bytes, budget) ? fitBackward(text, start, budget.bytes - bytes) : start;
      if (cut < start)
        return { text: text.slice(cut), bytes: bytes + byteLength(text, cut, start), lines, partial: true };
      break;
    }
    start = next;
    bytes += width;
    lines++;
  }
  return { text: text.slice(start), bytes, lines, partial: false };
}

function notice(head: Piece, tail: Piece, totalLines: number, omittedLines: number, omittedBytes: number): string {
  const bytes = counted(omittedBytes, "byte");
  if (!head.partial && !tail.partial) return `[left out here: ${counted(omittedLines, "line")}, ${bytes}]`;
  const first = head.lines + 1;
  const last = totalLines - tail.lines;
  if (first === last) return `[left out here: ${bytes} of line ${first}]`;
  const cut = [head.partial ? first : 0, tail.partial ? last : 0].filter(Boolean).join(" and ");
  return `[left out here: ${counted(omittedLines, "whole line")} and a part of line ${cut}, ${bytes} in all]`;
}

/**
 * Keeps the head and the tail of a text that exceeds its budget; the notice between them is not counted. `whole` has
 * the counts of the text before its middle was dropped; without it, the text itself is counted.
 */
export function trimOutput(text: string, budget: Budget, whole?: Budget): { text: string; truncated?: Truncated } {
  // a UTF-16 unit is at most three bytes and at most one line, so a short text needs no counting
  const fewBytes = text.length * 3 <= budget.bytes;
  if (fewBytes && text.length <= budget.lines) return { text };
  const lines = countLines(text);
  if (fewBytes && lines <= budget.lines) return { text };
  const bytes = byteLength(text);
  if (bytes <= budget.bytes && lines <= budget.lines) return { text };
  const totalLines = whole?.lines ?? lines;
  const totalBytes = whole?.bytes ?? bytes;

  const headBudget = { bytes: Math.round((budget.bytes * 2) / 3), lines: Math.round((budget.lines * 2) / 3) };
  const head = takeHead(text, headBudget);
  const tail = takeTail(text, { bytes: budget.bytes - headBudget.bytes, lines: budget.lines - headBudget.lines });
  const shownBytes = head.bytes + tail.bytes;
  const touched = (piece: Piece): number => piece.lines + (piece.partial ? 1 : 0);
  const omittedLines = Math.max(0, totalLines - touched(head) - touched(tail));
  const between = notice(head, tail, totalLines, omittedLines, totalBytes - shownBytes);
  const lineBreak = head.partial ? "\n" : "";
  return {
    text: `${head.text}${lineBreak}${between}\n${tail.text}`,
    truncated: { shownBytes, totalBytes, totalLines, omittedLines },
  };
}
