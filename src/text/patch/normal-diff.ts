import { isOpenMark, rowsOf, skipAround, stray } from "./foreign-diff.ts";
import type { FileOperation, ForeignDiff, Hunk, PatchLine, PatchProblem, RawLine } from "./patch-lines.ts";

const command = /^(\d{1,9})(?:,(\d{1,9}))?([acd])(\d{1,9})(?:,(\d{1,9}))?$/;

type Read = { operations: FileOperation[]; problems: PatchProblem[] };
type ReadLines = { lines: PatchLine[]; next: number };
type ReadChange = { hunk: Hunk; rows: ForeignDiff["rows"]; next: number } | PatchProblem;

/** Parses a normal diff, every line of it; undefined if it does not begin like one. An ed script does not. */
export function readNormal(lines: readonly RawLine[], path: string | undefined): Read | undefined {
  const first = skipAround(lines, 0);
  const begins = command.test(lines[first]?.text ?? "") && /^[<>](?: |$)/.test(lines[first + 1]?.text ?? "");
  if (!begins) return undefined;
  const { number: line } = lines[first]!;
  if (path === undefined) return failed({ line, message: "a normal diff names no file: say which one by path" });
  const operation: FileOperation = { kind: "update", path, hunks: [], line };
  const foreign: ForeignDiff = { format: "normal", rows: [] };
  for (let at = first; at < lines.length; ) {
    const read = readChange(lines, at);
    if ("message" in read) return failed(read);
    operation.hunks.push(read.hunk);
    for (const row of read.rows) foreign.rows.push(row);
    at = isEnd(lines, read.next) ? lines.length : read.next;
  }
  return { operations: [{ ...operation, foreign }], problems: [] };
}

const failed = (problem: PatchProblem): Read => ({ operations: [], problems: [problem] });

const isEnd = (lines: readonly RawLine[], at: number): boolean => skipAround(lines, at) === lines.length;

function readChange(lines: readonly RawLine[], at: number): ReadChange {
  const { number, text } = lines[at]!;
  const found = command.exec(text);
  if (!found) return stray(lines, at, "normal");
  const [, from = "", to = from, letter, start = "", end = start] = found;
  const [old, fresh] = [Number(from), Number(start)];
  const oldCount = letter === "a" ? 0 : Number(to) - old + 1;
  const newCount = letter === "d" ? 0 : Number(end) - fresh + 1;
  const isTwisted =
    (letter === "a" ? to !== from : old === 0 || oldCount < 1) ||
    (letter === "d" ? end !== start : fresh === 0 || newCount < 1);
  if (isTwisted) return { line: number, message: `"${text}" is not a range of lines of a normal diff` };

  const removed = readLines(lines, at + 1, "<", oldCount);
  if (!removed) return strayIn(lines, at + 1, "<");
  const hasRule = letter === "c";
  if (hasRule && lines[removed.next]?.text !== "---") return stray(lines, removed.next, "normal");
  const addedAt = removed.next + (hasRule ? 1 : 0);
  const added = readLines(lines, addedAt, ">", newCount);
  if (!added) return strayIn(lines, addedAt, ">");
  const both = [...removed.lines, ...added.lines];
  const rows = [
    { text, ending: "\n" as const },
    ...removed.lines.flatMap((line) => rowsOf("<", line)),
    ...(hasRule ? [{ text: "---", ending: "\n" as const }] : []),
    ...added.lines.flatMap((line) => rowsOf(">", line)),
  ];
  const hunk: Hunk = {
    line: number,
    lines: both,
    stated: { old, oldCount, new: fresh },
    anchors: [],
    anchorsBind: false,
    atEnd: both.some(({ open }) => open),
  };
  return { hunk, rows, next: added.next };
}

/** Reads `count` lines with this sign; only the last of them may end the file. */
function readLines(lines: readonly RawLine[], from: number, sign: "<" | ">", count: number): ReadLines | undefined {
  const read: ReadLines = { lines: [], next: from };
  for (let left = count; left > 0; left--) {
    const row = lines[read.next];
    if (!row || !isSigned(row.text, sign)) return undefined;
    read.next++;
    const line: PatchLine = { mark: sign === "<" ? "-" : "+", text: row.text.slice(2), ending: row.ending };
    const isOpen = left === 1 && isOpenMark(lines[read.next]);
    if (isOpen) read.next++;
    read.lines.push(isOpen ? { ...line, open: true } : line);
  }
  return read;
}

const isSigned = (text: string, sign: "<" | ">"): boolean => text === sign || text.startsWith(`${sign} `);

function strayIn(lines: readonly RawLine[], from: number, sign: "<" | ">"): PatchProblem {
  let at = from;
  while (at < lines.length && isSigned(lines[at]!.text, sign)) at++;
  return stray(lines, at, "normal");
}
