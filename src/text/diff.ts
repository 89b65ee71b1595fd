import { alignLines } from "./align.ts";
import type { Edit } from "./decode.ts";

/** Lines `before[beforeStart, beforeEnd)` became `after[afterStart, afterEnd)`; lines between two changes are equal. */
export type LineChange = { beforeStart: number; beforeEnd: number; afterStart: number; afterEnd: number };

/** The changes, in order, that turn `before` into `after`. */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const { removed, added } = alignLines(before, after);
  const changes: LineChange[] = [];
  let beforeAt = 0;
  let afterAt = 0;
  while (beforeAt < before.length || afterAt < after.length) {
    const change = { beforeStart: beforeAt, beforeEnd: beforeAt, afterStart: afterAt, afterEnd: afterAt };
    while (removed[change.beforeEnd] === 1) change.beforeEnd++;
    while (added[change.afterEnd] === 1) change.afterEnd++;
    const isKept = change.beforeEnd === beforeAt && change.afterEnd === afterAt;
    if (!isKept) changes.push(change);
    beforeAt = isKept ? beforeAt + 1 : change.beforeEnd;
    afterAt = isKept ? afterAt + 1 : change.afterEnd;
  }
  return changes;
}

export type DiffNames = { from: string; to: string; context?: number };

/** A diff in the style of `diff -u`; "" for equal texts. Only "\n" ends a line. */
export function unifiedDiff(before: string, after: string, { from, to, context = 3 }: DiffNames, above = 0): string {
  if (before === after) return "";
  const core = differingCore(before, after, context);
  core.linesAbove += above;
  const changes = diffLines(core.before, core.after);
  const hunks: string[] = [];
  for (let first = 0; first < changes.length; ) {
    let last = first;
    while (last + 1 < changes.length && changes[last + 1]!.beforeStart - changes[last]!.beforeEnd <= 2 * context)
      last++;
    hunks.push(renderHunk(core, changes.slice(first, last + 1), context));
    first = last + 1;
  }
  return `--- ${from}\n+++ ${to}\n${hunks.join("")}`;
}

/** The diff of a text and its edits. Only the lines around the edits are processed, not the whole text. */
export function diffOfEdits(before: string, edits: readonly Edit[], names: DiffNames): string {
  const lines = (names.context ?? 3) + 1;
  const start = linesBefore(before, edits[0]?.start ?? 0, lines);
  const end = linesAfter(before, edits.at(-1)?.end ?? 0, lines);
  let after = "";
  let at = start;
  for (const edit of edits) {
    after += before.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return unifiedDiff(before.slice(start, end), after + before.slice(at, end), names, countFeeds(before, start));
}

function linesBefore(text: string, offset: number, lines: number): number {
  let start = offset;
  for (let line = 0; line <= lines && start > 0; line++)
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

function linesAfter(text: string, offset: number, lines: number): number {
  let end = offset;
  for (let line = 0; line <= lines && end < text.length; line++) end = text.indexOf("\n", end) + 1 || text.length;
  return end;
}

export function countChanges(before: string, after: string): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 };
  if (before === after) return counts;
  const core = differingCore(before, after, 0);
  for (const change of diffLines(core.before, core.after)) {
    counts.added += change.afterEnd - change.afterStart;
    counts.removed += change.beforeEnd - change.beforeStart;
  }
  return counts;
}

type Core = { before: string[]; after: string[]; linesAbove: number };

/** The lines from the first to the last difference, with `context` equal lines around them. */
function differingCore(before: string, after: string, context: number): Core {
  let start = commonPrefix(before, after);
  start = start === 0 ? 0 : before.lastIndexOf("\n", start - 1) + 1;
  const { beforeEnd, afterEnd } = commonTail(before, after, start);
  let contextStart = start;
  for (let line = 0; line < context && contextStart > 0; line++)
    contextStart = contextStart === 1 ? 0 : before.lastIndexOf("\n", contextStart - 2) + 1;
  const tail = before.length - beforeEnd;
  let contextTail = 0;
  for (let line = 0; line < context && contextTail < tail; line++) {
    const feed = before.indexOf("\n", beforeEnd + contextTail);
    contextTail = feed === -1 ? tail : feed + 1 - beforeEnd;
  }
  return {
    before: feedLines(before.slice(contextStart, beforeEnd + contextTail)),
    after: feedLines(after.slice(contextStart, afterEnd + contextTail)),
    linesAbove: countFeeds(before, contextStart),
  };
}

function commonTail(before: string, after: string, start: number): { beforeEnd: number; afterEnd: number } {
  const suffix = commonSuffix(before, after, Math.min(before.length, after.length) - start);
  const beforeEnd = before.length - suffix;
  const afterEnd = after.length - suffix;
  if (startsLine(before, beforeEnd) && startsLine(after, afterEnd)) return { beforeEnd, afterEnd };
  const feed = before.indexOf("\n", beforeEnd);
  const kept = feed === -1 ? 0 : before.length - feed - 1;
  return { beforeEnd: before.length - kept, afterEnd: after.length - kept };
}

function startsLine(text: string, offset: number): boolean {
  return offset === 0 || text.charCodeAt(offset - 1) === 10;
}

// compares slices, which is much faster than comparing character by character
function commonPrefix(one: string, other: string): number {
  const limit = Math.min(one.length, other.length);
  let length = 0;
  for (let step = 65536; step >= 1; step = step >> 4)
    while (length + step <= limit && one.slice(length, length + step) === other.slice(length, length + step))
      length += step;
  return length;
}

function commonSuffix(one: string, other: string, limit: number): number {
  let length = 0;
  for (let step = 65536; step >= 1; step = step >> 4) {
    while (length + step <= limit) {
      const oneEnd = one.length - length;
      const otherEnd = other.length - length;
      if (one.slice(oneEnd - step, oneEnd) !== other.slice(otherEnd - step, otherEnd)) break;
      length += step;
    }
  }
  return length;
}

function feedLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", start)) {
    lines.push(text.slice(start, feed + 1));
    start = feed + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

function countFeeds(text: string, end: number): number {
  let count = 0;
  for (let feed = text.indexOf("\n"); feed !== -1 && feed < end; feed = text.indexOf("\n", feed + 1)) count++;
  return count;
}

function renderHunk(core: Core, changes: LineChange[], context: number): string {
  const first = changes[0]!;
  const last = changes[changes.length - 1]!;
  const above = Math.min(context, first.beforeStart);
  const below = Math.min(context, core.before.length - last.beforeEnd);
  const beforeStart = first.beforeStart - above;
  const beforeEnd = last.beforeEnd + below;
  const oldRange = range(core.linesAbove + beforeStart, beforeEnd - beforeStart);
  const newRange = range(core.linesAbove + first.afterStart - above, last.afterEnd + below - first.afterStart + above);
  const parts = [`@@ -${oldRange} +${newRange} @@\n`];
  let at = beforeStart;
  for (const change of changes) {
    for (const line of core.before.slice(at, change.beforeStart)) parts.push(renderLine(" ", line));
    for (const line of core.before.slice(change.beforeStart, change.beforeEnd)) parts.push(renderLine("-", line));
    for (const line of core.after.slice(change.afterStart, change.afterEnd)) parts.push(renderLine("+", line));
    at = change.beforeEnd;
  }
  for (const line of core.before.slice(at, beforeEnd)) parts.push(renderLine(" ", line));
  return parts.join("");
}

function renderLine(mark: " " | "-" | "+", line: string): string {
  return line.endsWith("\n") ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;
}

// an empty range names the line before it; a range of one line has no length
function range(linesBefore: number, length: number): string {
  if (length === 0) return `${linesBefore},0`;
  return length === 1 ? `${linesBefore + 1}` : `${linesBefore + 1},${length}`;
}
