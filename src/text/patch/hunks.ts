import { type Hunk, isFence, isNew, isOld, type PatchLine, type PatchProblem, type RawLine } from "./patch-lines.ts";

/** `hunk` is absent if nothing would change. */
export type ReadHunk = { hunk?: Hunk; next: number; problems: PatchProblem[] };
type Header = Pick<Hunk, "stated" | "anchors" | "anchorsBind"> & { newCount?: number };

const numbered = /^@@\s*-(\d+)(?:,(\d+))?\s+\+(\d+)(?:,(\d+))?\s*(?:@@)?(.*)$/;
const placeholder = /^@@\s*(?:[-.…][^@]*)?@@(.*)$/;

/** Parses a line that begins with "@@": with numbers, with an anchor, or bare. */
export function readHeader(text: string): Header {
  const found = numbered.exec(text);
  if (found) {
    const [, old = "0", oldCount = "1", start = "0", newCount = "1", heading = ""] = found;
    const stated = { old: Number(old), oldCount: Number(oldCount), new: Number(start) };
    return { stated, newCount: Number(newCount), anchors: anchorOf(heading), anchorsBind: false };
  }
  const heading = placeholder.exec(text)?.[1] ?? text.slice(2).replace(/\s@@\s*$/, "");
  return { anchors: anchorOf(heading), anchorsBind: true };
}

function anchorOf(heading: string): string[] {
  return heading.trim() === "" ? [] : [heading.trim()];
}

/** Reads a unified hunk whose header is at `at`. Its counts decide where it ends if they are right, else its lines. */
export function readUnifiedHunk(lines: readonly RawLine[], at: number): ReadHunk {
  const { newCount, ...header } = readHeader(lines[at]!.text);
  const counted = header.stated && endByCounts(lines, at + 1, header.stated.oldCount, newCount ?? 0);
  if (counted === undefined) return readUncounted(lines, at, at + 1, header);
  return withStray({ ...toHunk(lines, at, at + 1, counted, header), next: counted }, lines);
}

/** Reads a unified hunk whose counts are missing or wrong. */
export function readUncounted(lines: readonly RawLine[], at: number, bodyAt: number, header: Header): ReadHunk {
  const ends = (end: number) => isFileHeader(lines, end) || isSignature(lines, end);
  return withStray(readLooseHunk(lines, at, bodyAt, header, ends), lines);
}

/** Reads on as long as lines look like those of a hunk, or until `ends` returns true. */
export function readLooseHunk(
  lines: readonly RawLine[],
  at: number,
  bodyAt: number,
  header: Header,
  ends: (at: number) => boolean = () => false,
): ReadHunk {
  let end = bodyAt;
  while (end < lines.length && isBody(lines[end]!.text) && !ends(end)) end++;
  let last = end;
  // a blank line at the end may separate two parts of the patch
  while (last > bodyAt && lines[last - 1]!.text === "") last--;
  return { ...toHunk(lines, at, bodyAt, last, header), next: end };
}

export function isBody(text: string): boolean {
  return text === "" || text[0] === " " || text[0] === "+" || text[0] === "-" || text.startsWith("\\ ");
}

/** Lines that look like a file header may be content: they are a header only if a hunk follows. */
function isFileHeader(lines: readonly RawLine[], at: number): boolean {
  return (
    lines[at]!.text.startsWith("--- ") &&
    (lines[at + 1]?.text.startsWith("+++ ") ?? false) &&
    (lines[at + 2]?.text.startsWith("@@") ?? false)
  );
}

function endByCounts(lines: readonly RawLine[], from: number, oldCount: number, newCount: number): number | undefined {
  let old = oldCount;
  let fresh = newCount;
  let at = from;
  for (; old > 0 || fresh > 0; at++) {
    const text = lines[at]?.text;
    if (text === undefined || !isBody(text)) return undefined;
    if (text.startsWith("\\ ")) continue;
    if (text[0] !== "+") old--;
    if (text[0] !== "-") fresh--;
    if (old < 0 || fresh < 0) return undefined;
  }
  while (lines[at]?.text.startsWith("\\ ")) at++;
  return goesOn(lines, at) ? undefined : at;
}

function goesOn(lines: readonly RawLine[], from: number): boolean {
  let at = from;
  while (lines[at]?.text.trim() === "") at++;
  const next = lines[at];
  return next !== undefined && isBody(next.text) && !isNextHeader(lines, at) && !isSignature(lines, at);
}

// after a hunk that is complete by its counts, two header lines suffice: the next file may have no hunks
function isNextHeader(lines: readonly RawLine[], at: number): boolean {
  return lines[at]!.text.startsWith("--- ") && (lines[at + 1]?.text.startsWith("+++ ") ?? false);
}

/** The last two lines of a patch sent by mail. */
function isSignature(lines: readonly RawLine[], at: number): boolean {
  if (lines[at]!.text.trimEnd() !== "--" || lines.length - at > 8) return false;
  const rest = lines.slice(at + 1).filter(({ text }) => text !== "" && !isFence(text));
  return rest.length === 1 && /^\d+\.\d+/.test(rest[0]!.text);
}

function withStray(read: ReadHunk, lines: readonly RawLine[]): ReadHunk {
  const stray = strayLine(lines, read.next);
  return stray ? { ...read, problems: [...read.problems, stray] } : read;
}

/** A line that does not belong to a hunk, although more of the hunk follows. */
function strayLine(lines: readonly RawLine[], at: number): PatchProblem | undefined {
  const first = lines[at];
  if (!first || isBody(first.text) || isBoundary(first.text)) return undefined;
  for (let later = at + 1; later < lines.length; later++) {
    const { text } = lines[later]!;
    if (isBoundary(text) || isFileHeader(lines, later)) return undefined;
    if (text[0] === "+" || text[0] === "-")
      return { line: first.number, message: `"${start(first.text)}" begins with neither a blank, "-" nor "+"` };
  }
  return undefined;
}

function isBoundary(text: string): boolean {
  return isFence(text) || /^(?:@@|diff |Index: |\*\*\* )/.test(text);
}

const start = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function toHunk(
  raw: readonly RawLine[],
  at: number,
  from: number,
  end: number,
  { stated, anchors, anchorsBind }: Header,
): Omit<ReadHunk, "next"> {
  const { lines, problems } = patchLines(raw.slice(from, end));
  if (lines.every(({ mark }) => mark === " ")) return { problems };
  const atEnd = lines.some(({ open }) => open);
  return {
    hunk: { line: raw[at]!.number, lines, anchors, anchorsBind, atEnd, ...(stated && { stated }) },
    problems,
  };
}

function patchLines(raw: readonly RawLine[]): { lines: PatchLine[]; problems: PatchProblem[] } {
  const lines: PatchLine[] = [];
  const problems: PatchProblem[] = [];
  const openAt: { index: number; number: number }[] = [];
  for (const { number, text, ending } of raw) {
    const last = lines.at(-1);
    if (!text.startsWith("\\ ")) {
      const mark = text[0] === "+" || text[0] === "-" ? text[0] : " ";
      lines.push({ mark, text: text.slice(1), ending });
    } else if (last) {
      last.open = true;
      openAt.push({ index: lines.length - 1, number });
    }
  }
  const [lastOld, lastNew] = [lines.findLastIndex(isOld), lines.findLastIndex(isNew)];
  for (const { index, number } of openAt) {
    const line = lines[index]!;
    if ((isOld(line) && index < lastOld) || (isNew(line) && index < lastNew))
      problems.push({ line: number, message: "it says that the file ends here, but more lines follow" });
  }
  return { lines, problems };
}
