import type { Steps } from "../turns.ts";
import { plainName } from "./file-names.ts";
import { isBody, readHeader, readLooseHunk } from "./hunks.ts";
import { type FileOperation, type Hunk, isFence, type PatchProblem, type RawLine } from "./patch-lines.ts";

type Read = { operations: FileOperation[]; problems: PatchProblem[] };

const fileHeader = /^\*\*\* (Add|Delete|Update) File:(.*)$/;
const beginning = "*** Begin Patch";
const end = "*** End Patch";
const endOfFile = "*** End of File";

export function isBeginFormat(lines: readonly RawLine[]): boolean {
  const first = lines.find(({ text }) => /^(?:@@|--- |diff --git |\s*\*\*\* )/.test(text))?.text ?? "";
  const isOpened = first.trim() === beginning || fileHeader.test(first.trim());
  // some models put a unified diff into the envelope
  const hasHeader = lines.some(({ text }) => fileHeader.test(text.trim()));
  return isOpened && (hasHeader || !lines.some(({ text }) => text.startsWith("--- ")));
}

export function* readBegin(given: readonly RawLine[]): Steps<Read> {
  const read: Read = { operations: [], problems: [] };
  const lines = withoutPadding(given);
  yield;
  const bodies = enveloped(lines, read.problems);
  for (const body of bodies) yield* readFiles(body, read);
  return read;
}

const isMarker = (text: string): boolean => text === beginning || text === end || fileHeader.test(text);

/**
 * Strips blanks before markers. Within an update, a marker after a blank is a line of the file, unless it is the end of
 * the patch and comes last.
 */
function withoutPadding(given: readonly RawLine[]): RawLine[] {
  const lines = withoutIndent(given);
  const last = lines.findLastIndex(({ text }) => text.trim().startsWith("*** "));
  let isUpdate = false;
  return lines.map((line, index) => {
    const text = line.text.trim();
    const isPadded = isMarker(text) && (!isUpdate || (index === last && text === end));
    const plain = isPadded ? text : line.text;
    if (isMarker(plain.trimEnd())) isUpdate = plain.startsWith("*** Update");
    return isPadded ? { ...line, text } : line;
  });
}

/** Removes a common indent of the whole patch. */
function withoutIndent(lines: readonly RawLine[]): readonly RawLine[] {
  const first = lines.findIndex(({ text }) => isMarker(text.trim()));
  const last = lines.findLastIndex(({ text }) => isMarker(text.trim()));
  const indent = /^\s*/.exec(lines[first]?.text ?? "")![0];
  const isInside = (index: number) => index >= first && index <= last;
  const isIndented = lines.every(({ text }, index) => !isInside(index) || text === "" || text.startsWith(indent));
  if (!isIndented) return lines;
  return lines.map((line, index) => (isInside(index) ? { ...line, text: line.text.slice(indent.length) } : line));
}

/** The lines of each envelope; all lines if there is none. */
function enveloped(lines: readonly RawLine[], problems: PatchProblem[]): RawLine[][] {
  const bodies: RawLine[][] = [];
  let open: RawLine[] | undefined;
  let openedAt = 0;
  for (const line of lines) {
    const text = line.text.trimEnd();
    if (text === beginning && !open) {
      open = [];
      openedAt = line.number;
    } else if (text === end && open) {
      bodies.push(open);
      open = undefined;
    } else open?.push(line);
  }
  if (open) problems.push({ line: openedAt, message: `"${end}" is missing: the patch may have been cut off` });
  return bodies.length > 0 || open ? bodies : [lines.filter(({ text }) => text.trimEnd() !== end)];
}

function* readFiles(lines: readonly RawLine[], read: Read): Steps<void> {
  for (let at = 0; at < lines.length; ) {
    yield;
    const { number, text } = lines[at]!;
    const [, verb, rawPath = ""] = fileHeader.exec(text) ?? [];
    if (verb === undefined) {
      const hasMeaning = text.startsWith("*** ") || (read.operations.length > 0 && isBody(text) && text !== "");
      if (hasMeaning)
        read.problems.push({
          line: number,
          message: `"${text}" is not part of any file: "*** Update File: …" is missing`,
        });
      at++;
      continue;
    }
    const path = plainName(rawPath.trim());
    if (path === "") read.problems.push({ line: number, message: "the file has no name" });
    if (verb === "Delete") {
      read.operations.push({ kind: "delete", path, hunks: [], line: number });
      at++;
    } else at = verb === "Add" ? readAdded(lines, at, path, read) : readUpdated(lines, at, path, read);
  }
}

function readAdded(lines: readonly RawLine[], header: number, path: string, { operations, problems }: Read): number {
  let at = header + 1;
  while (at < lines.length && !lines[at]!.text.startsWith("*** ") && !isFence(lines[at]!.text)) at++;
  let last = at;
  while (lines[last - 1]!.text === "") last--;
  const body = lines.slice(header + 1, last);
  for (const { number, text } of body)
    if (text !== "" && text[0] !== "+")
      problems.push({ line: number, message: `every line of the new file ${path} begins with "+", and this does not` });
  const added = body.map(({ text, ending }) => ({ mark: "+" as const, text: text.slice(1), ending }));
  const { number: line } = lines[header]!;
  const hunk: Hunk = { line: line + 1, lines: added, anchors: [], anchorsBind: false, atEnd: false };
  operations.push({ kind: "add", path, hunks: added.length > 0 ? [hunk] : [], line });
  return lines[at]?.text.trimEnd() === endOfFile ? at + 1 : at;
}

function readUpdated(lines: readonly RawLine[], header: number, path: string, read: Read): number {
  const { number: line } = lines[header]!;
  let at = header + 1;
  const moved = /^\*\*\* Move to:(.*)$/.exec(lines[at]?.text ?? "")?.[1]?.trim();
  if (moved !== undefined) at++;
  if (lines[at]?.text.startsWith("--- ") && lines[at + 1]?.text.startsWith("+++ ")) at += 2;
  const hunks: Hunk[] = [];
  while (at < lines.length && !isFence(lines[at]!.text)) {
    const { text } = lines[at]!;
    if (text.trimEnd() === endOfFile) {
      const last = hunks.at(-1);
      if (last) last.atEnd = true;
      at++;
    } else if (text.startsWith("*** ")) break;
    else at = readChunk(lines, at, hunks, read.problems);
  }
  const newPath = moved === undefined ? undefined : plainName(moved);
  if (newPath !== undefined && newPath !== path) read.operations.push({ kind: "rename", path, newPath, hunks, line });
  else if (hunks.length > 0) read.operations.push({ kind: "update", path, hunks, line });
  else read.problems.push({ line, message: `${path}: there are no changed lines` });
  return at;
}

/** Reads anchors, one below the other, then the lines that they lead to. */
function readChunk(lines: readonly RawLine[], from: number, hunks: Hunk[], problems: PatchProblem[]): number {
  let at = from;
  const anchors: string[] = [];
  let stated: Hunk["stated"];
  let anchorsBind = true;
  // the first one may be padded, like the markers around it
  const isPadded = hunks.length === 0 && /^[ \t]+@@(?:\s|$)/.test(lines[at]!.text);
  for (; lines[at]?.text.startsWith("@@") || (isPadded && at === from); at++) {
    const header = readHeader(lines[at]!.text.trimStart());
    anchors.push(...header.anchors);
    stated = header.stated;
    anchorsBind &&= header.anchorsBind;
  }
  const { number, text } = lines[at] ?? { number: lines[from]!.number, text: "" };
  if (!isBody(text) && !text.startsWith("*** ") && !isFence(text)) {
    problems.push({ line: number, message: `"${text.slice(0, 60)}" begins with neither a blank, "-" nor "+"` });
    return at + 1;
  }
  const read = readLooseHunk(lines, from, at, { anchors, anchorsBind, ...(stated && { stated }) });
  if (read.hunk) hunks.push(read.hunk);
  for (const problem of read.problems) problems.push(problem);
  return Math.max(read.next, at);
}
