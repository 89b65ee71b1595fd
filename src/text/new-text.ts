import { diffLines } from "./diff.ts";

/**
 * Marks the characters of a text that were not there before (1). A line that was only moved or indented is not new; of
 * a changed line, only what differs is. Where something was removed, the characters that now meet are new.
 */
export function newText(before: string, after: string): Uint8Array {
  const isNew = new Uint8Array(after.length);
  if (before === "") return isNew.fill(1);
  const [old, now] = [before.split("\n"), after.split("\n")];
  const starts = startsOf(now);
  const changes = diffLines(old, now);
  const moved = new Map<string, number>();
  for (const { beforeStart, beforeEnd } of changes)
    for (const line of old.slice(beforeStart, beforeEnd)) moved.set(line.trim(), (moved.get(line.trim()) ?? 0) + 1);
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes) {
    const isPaired = beforeEnd - beforeStart === afterEnd - afterStart;
    for (let index = afterStart; index < afterEnd; index++) {
      const line = now[index] as string;
      const left = moved.get(line.trim()) ?? 0;
      if (left > 0) moved.set(line.trim(), left - 1);
      else mark(isNew, starts[index] as number, line, isPaired ? old[beforeStart + index - afterStart] : undefined);
    }
  }
  return isNew;
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

/** Marks a whole line, or only the part between the beginning and end that it shares with the line it replaces. */
function mark(isNew: Uint8Array, start: number, line: string, old: string | undefined): void {
  if (old === undefined) {
    isNew.fill(1, start, start + line.length + 1);
    return;
  }
  const limit = Math.min(line.length, old.length);
  let head = 0;
  while (head < limit && line[head] === old[head]) head++;
  let tail = 0;
  while (tail < limit - head && line[line.length - 1 - tail] === old[old.length - 1 - tail]) tail++;
  const [from, to] = [head, line.length - tail];
  // nothing was inserted here, but what was apart is now adjacent
  if (from === to) isNew.fill(1, start + Math.max(0, from - 1), start + Math.min(line.length, to + 1));
  else isNew.fill(1, start + from, start + to);
}
