import { commonName, fileName, nowhere } from "./file-names.ts";
import { isOpenMark, rowsOf, skipAround, stray } from "./foreign-diff.ts";
import type { FileOperation, ForeignDiff, Hunk, PatchLine, PatchProblem, RawLine } from "./patch-lines.ts";

type Read = { operations: FileOperation[]; problems: PatchProblem[] };
type Rows = ForeignDiff["rows"];
type Mark = " " | "!" | "+" | "-";
type SideLine = Omit<PatchLine, "mark"> & { mark: Mark };
/** One side of a hunk; `lines` is undefined if it was left out because nothing changes on it. */
type Side = { first: number; count: number; lines: SideLine[] | undefined; next: number };

const separator = /^\*{15}(?: .*)?$/;
const ranges = { old: /^\*\*\* (\d{1,9})(?:,(\d{1,9}))? \*{4}\s*$/, new: /^--- (\d{1,9})(?:,(\d{1,9}))? -{4}\s*$/ };
/** The names for `patch`: it needs two, and uses neither. */
const names: Rows = ["*** content", "--- content"].map((text) => ({ text, ending: "\n" }));

export const isContextDiff = (lines: readonly RawLine[]): boolean => lines.some(({ text }) => /^\*{15}/.test(text));

/** Parses a context diff of one or more files, every line of it. `path` overrides the name of a single file. */
export function readContext(lines: readonly RawLine[], path: string | undefined): Read {
  const operations: FileOperation[] = [];
  for (let at = skipAround(lines, 0); at < lines.length; ) {
    const opened = openedAt(lines, at, path);
    if ("message" in opened) return { operations: [], problems: [opened] };
    const read = readHunks(lines, opened.next);
    if ("message" in read) return { operations: [], problems: [read] };
    const foreign: ForeignDiff = { format: "context", rows: [...names, ...read.rows] };
    operations.push({ kind: "update", path: opened.path, hunks: read.hunks, foreign, line: lines[at]!.number });
    at = skipAround(lines, read.next);
  }
  // a path cannot say which of several files is meant
  return operations.length > 1 && path !== undefined ? readContext(lines, undefined) : { operations, problems: [] };
}

function openedAt(
  lines: readonly RawLine[],
  at: number,
  path: string | undefined,
): { path: string; next: number } | PatchProblem {
  const { number: line, text } = lines[at]!;
  if (separator.test(text) && path !== undefined) return { path, next: at };
  const next = lines[at + 1]?.text ?? "";
  if (!text.startsWith("*** ") || !next.startsWith("--- ")) return stray(lines, at, "context");
  const [old, fresh] = [fileName(text.slice(4)), fileName(next.slice(4))];
  if (old === nowhere || fresh === nowhere)
    return { line, message: "a context diff that adds or deletes a file is not understood" };
  const name = commonName(old, fresh) ?? path;
  if (name) return { path: name, next: at + 2 };
  return { line, message: `the context diff names two different files, ${old} and ${fresh}` };
}

function readHunks(
  lines: readonly RawLine[],
  from: number,
): { hunks: Hunk[]; rows: Rows; next: number } | PatchProblem {
  const hunks: Hunk[] = [];
  const rows: Rows = [];
  let at = from;
  do {
    if (!separator.test(lines[at]?.text ?? "")) return stray(lines, at, "context");
    const old = readSide(lines, at + 1, "old");
    if ("message" in old) return old;
    const fresh = readSide(lines, old.next, "new");
    if ("message" in fresh) return fresh;
    const both = bothSides(old, fresh);
    const { number: line } = lines[at]!;
    if (!both) return { line, message: "the two sides of this hunk of the context diff contradict each other" };
    const stated = { old: old.first, oldCount: old.count, new: fresh.first };
    const atEnd = both.some(({ open }) => open);
    hunks.push({ line, lines: both, stated, anchors: [], anchorsBind: false, atEnd });
    rows.push({ text: "*".repeat(15), ending: "\n" });
    for (const row of [...sideRows(old, "*"), ...sideRows(fresh, "-")]) rows.push(row);
    at = fresh.next;
  } while (separator.test(lines[at]?.text ?? ""));
  return { hunks, rows, next: at };
}

function readSide(lines: readonly RawLine[], at: number, side: "old" | "new"): Side | PatchProblem {
  const [range, from = "", to = from] = ranges[side].exec(lines[at]?.text ?? "") ?? [];
  if (range === undefined) return stray(lines, at, "context");
  const [first, count] = [Number(from), Number(to) - Number(from) + 1];
  // a 0 means that the file was empty or missing, or will be
  if (first === 0 || count < 1)
    return { line: lines[at]!.number, message: `"${range}" of the context diff is not a range of lines` };
  let end = at + 1;
  while (lines[end]?.text === "") end++;
  if (!isRow(lines[end]?.text)) return { first, count, lines: undefined, next: end };
  const found: SideLine[] = [];
  let next = at + 1;
  while (found.length < count) {
    const row = lines[next];
    const mark = (row?.text[0] ?? " ") as Mark;
    if (!row || !isRow(row.text) || mark === (side === "old" ? "+" : "-")) return stray(lines, next, "context");
    next++;
    const isOpen = found.length === count - 1 && isOpenMark(lines[next]);
    if (isOpen) next++;
    found.push({ mark, text: row.text.slice(2), ending: row.ending, ...(isOpen && { open: true }) });
  }
  return { first, count, lines: found, next };
}

/** Trailing blanks may have been lost on the way. */
const isRow = (text: string | undefined): boolean => text !== undefined && /^(?:[ !+-] |[ !+-]?$)/.test(text);

function sideRows({ first, count, lines = [] }: Side, sign: "*" | "-"): Rows {
  const range = count === 1 ? `${first}` : `${first},${first + count - 1}`;
  const header = `${sign.repeat(3)} ${range} ${sign.repeat(4)}`;
  return [{ text: header, ending: "\n" }, ...lines.flatMap((line) => rowsOf(line.mark, line as PatchLine))];
}

const isKept = ({ mark }: SideLine): boolean => mark === " ";

/** The hunk as in a unified diff; undefined if the two sides do not agree. */
function bothSides(old: Side, fresh: Side): PatchLine[] | undefined {
  const oldLines = old.lines ?? fresh.lines?.filter(isKept) ?? [];
  const newLines = fresh.lines ?? oldLines.filter(isKept);
  const [oldKept, newKept] = [oldLines.filter(isKept), newLines.filter(isKept)];
  const agree =
    oldLines.length === old.count &&
    newLines.length === fresh.count &&
    oldKept.length === newKept.length &&
    oldKept.every(({ text, open }, index) => text === newKept[index]?.text && open === newKept[index]?.open);
  const isPaired = (old.lines && fresh.lines) || ![...oldLines, ...newLines].some(({ mark }) => mark === "!");
  if (!agree || !isPaired || oldKept.length + newKept.length === oldLines.length + newLines.length) return undefined;
  const lines: PatchLine[] = [];
  let at = 0;
  const addUntilKept = () => {
    for (; at < newLines.length && !isKept(newLines[at]!); at++) lines.push({ ...newLines[at]!, mark: "+" });
  };
  for (const line of oldLines) {
    if (!isKept(line)) {
      lines.push({ ...line, mark: "-" });
      continue;
    }
    addUntilKept();
    lines.push({ ...line, mark: " " });
    at++;
  }
  addUntilKept();
  return lines;
}
