import { diffLines, type LineChange } from "../diff.ts";
import { type Ending, type Line, splitLines } from "../lines.ts";
import { bodyOf, type Content } from "./file-content.ts";
import { hasIndentsOf, type IndentMap, indentOf, withoutTail } from "./indentation.ts";
import type { Reading } from "./text-readings.ts";
import type { Place, WholeLines } from "./tolerance.ts";
import { keepOwnCharacters } from "./typography.ts";

/**
 * Writes the new text for a place in the file's own style: lines that the request keeps stay as the file has them,
 * others get its indents, line endings and the characters of unchanged beginnings and ends.
 */
export function transplanter(content: Content, reading: Reading): (place: Place) => string {
  const oldLines = splitLines(reading.old);
  const newLines = splitLines(reading.new);
  const changesOf = changeFinder();
  return (place) => {
    const usual = content.endingNear(place.end);
    if (place.lines === undefined) {
      const own = splitLines(content.text.slice(place.start, place.end));
      const changes = changesOf(oldLines, newLines);
      const written = rewrite(own, oldLines, newLines, changes, undefined, usual);
      return joined(written, newLines.at(-1)?.ending ? undefined : "", usual);
    }
    const { first, skippedAbove, skippedBelow, indent } = place.lines;
    const copied = oldLines.slice(skippedAbove, oldLines.length - skippedBelow);
    const own = content.lines().slice(first, first + copied.length);
    const wanted = withoutBlankEnds(newLines, place.lines);
    const written =
      indent && hasIndentsOf(wanted, { own, copied, ownUnit: content.unit })
        ? rewriteAsFile(own, copied, wanted, usual)
        : rewrite(own, copied, wanted, changesOf(copied, wanted), indent, usual);
    const isClosed = skippedBelow > 0 || copied.at(-1)!.ending !== "";
    if (!isClosed) return joined(written, wanted.at(-1)?.ending ? undefined : "", usual);
    // whole lines replace whole lines, and a file without a final newline stays so
    return joined(written, own.at(-1)!.ending === "" ? "" : undefined, usual);
  };
}

function withoutBlankEnds(lines: Line[], { skippedAbove, skippedBelow }: WholeLines): Line[] {
  let start = 0;
  let end = lines.length;
  while (start < end && start < skippedAbove && bodyOf(lines[start]!.text) === "") start++;
  while (end > start && lines.length - end < skippedBelow && bodyOf(lines[end - 1]!.text) === "") end--;
  return lines.slice(start, end);
}

/** Cached, because most places of a reading have the same lines. */
function changeFinder() {
  const known = new Map<string, LineChange[]>();
  const texts = (lines: Line[]) => lines.map((line) => line.text);
  return (copied: Line[], wanted: Line[]): LineChange[] => {
    const key = `${copied[0]?.start} ${copied.length} ${wanted[0]?.start} ${wanted.length}`;
    const changes = known.get(key) ?? diffLines(texts(copied), texts(wanted));
    known.set(key, changes);
    return changes;
  };
}

/** For a new text that has the file's indents while the old one does not: the old one is given them first. */
function rewriteAsFile(own: Line[], copied: Line[], wanted: Line[], usual: Ending): Written[] {
  const moved = copied.map((line, index) => {
    const indent = indentOf(line.text);
    if (indent.length === line.text.length) return line;
    return { ...line, text: indentOf(own[index]!.text) + line.text.slice(indent.length) };
  });
  const texts = (lines: Line[]) => lines.map((line) => line.text);
  return rewrite(own, moved, wanted, diffLines(texts(moved), texts(wanted)), undefined, usual);
}

type Written = { text: string; ending: Ending };

function rewrite(
  own: Line[],
  copied: Line[],
  wanted: Line[],
  changes: LineChange[],
  indent: IndentMap | undefined,
  usual: Ending,
): Written[] {
  const written: Written[] = [];
  let at = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at++) written.push(own[at]!);
  };
  for (const change of changes) {
    keepUntil(change.beforeStart);
    for (let index = change.afterStart; index < change.afterEnd; index++) {
      const partner = change.beforeStart + index - change.afterStart;
      const isPaired = partner < change.beforeEnd;
      const line = wanted[index]!;
      const text = isPaired
        ? adapted(line.text, copied[partner]!.text, own[partner]!.text, indent)
        : reindented(line.text, indent);
      const neighbour = own[Math.min(partner, change.beforeEnd - 1)] ?? own[0];
      const ending = neighbour?.ending || usual;
      // a lone carriage return is part of the text, unless it ends the file's lines
      written.push({ text, ending: line.ending === "\r" ? "\r" : ending });
    }
    at = change.beforeEnd;
  }
  keepUntil(own.length);
  return written;
}

function adapted(wanted: string, copied: string, own: string, indent: IndentMap | undefined): string {
  const wantedIndent = indentOf(wanted);
  const body = wanted.slice(wantedIndent.length);
  if (body === "") return reindented(wanted, indent);
  const copiedIndent = indentOf(copied);
  const ownIndent = indentOf(own);
  const newIndent = wantedIndent === copiedIndent ? ownIndent : (indent?.(wantedIndent) ?? wantedIndent);
  const copiedBody = withoutTail(copied).slice(copiedIndent.length);
  const ownBody = withoutTail(own).slice(ownIndent.length);
  return newIndent + (copiedBody === ownBody ? body : keepOwnCharacters(ownBody, copiedBody, body));
}

function reindented(line: string, indent: IndentMap | undefined): string {
  if (indent === undefined || line === "") return line;
  const before = indentOf(line);
  return indent(before) + line.slice(before.length);
}

/** `lastEnding` undefined keeps the last line's own ending. */
function joined(lines: Written[], lastEnding: "" | undefined, usual: Ending): string {
  const parts = lines.map(({ text, ending }, index) => {
    const isLast = index === lines.length - 1;
    return text + (isLast && lastEnding !== undefined ? lastEnding : ending || usual);
  });
  return parts.join("");
}
