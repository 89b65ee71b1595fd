import type { Ending, Line } from "../lines.ts";
import { carriagesOf, type Hunk, isNew, isOld, type PatchLine } from "./patch-lines.ts";

/** The old side begins at line `at`; lines `from` to `to` are those between its first and last change (0-based). */
export type PlacedHunk = { hunk: Hunk; at: number; from: number; to: number };
type File = { hasMark: boolean; ending: Ending };
type Made = { text: string; ending: Ending };

const mark = "\uFEFF";

/** The file with the hunks applied. They must be in order and must not overlap. */
export function splice(
  lines: readonly Line[],
  placed: readonly PlacedHunk[],
  file: File,
): { text: string; how: string[] } {
  const made: Made[] = [];
  const how = new Set<string>();
  let cursor = 0;
  let dropsMark = false;
  for (const each of placed) {
    for (; cursor < each.from; cursor++) made.push(lines[cursor]!);
    const trust = endingsOf(lines, each);
    if (trust === "contradicted") how.add("line endings");
    const isDoubled = doublesCarriages(lines, each);
    for (const line of changedLines(each)) {
      if (line.mark === "+") {
        made.push(addedLine(line, endingFor(line, trust, lines, cursor) || file.ending, isDoubled));
        continue;
      }
      if (line.mark === " ") made.push(lines[cursor]!);
      else if (cursor === 0 && line.text.startsWith(mark)) dropsMark = true;
      cursor++;
    }
  }
  for (; cursor < lines.length; cursor++) made.push(lines[cursor]!);
  const isOpen = endsOpen(lines, placed, how);
  const text = joined(made, isOpen, file.ending);
  if (text.startsWith(mark)) return { text, how: [...how] };
  return { text: file.hasMark && !dropsMark ? mark + text : text, how: [...how] };
}

function changedLines({ hunk: { lines }, at, from, to }: PlacedHunk): PatchLine[] {
  const below = lines.filter(isOld).length - (to - at);
  return lines.slice(from - at, lines.length - below);
}

/** Whether the patch knows the file's line endings; if so, those of its own lines count. */
type Trust = "confirmed" | "contradicted" | "unknown";

function endingsOf(lines: readonly Line[], { hunk, at }: PlacedHunk): Trust {
  let trust: Trust = "unknown";
  for (const [index, line] of hunk.lines.filter(isOld).entries()) {
    const { ending } = lines[at + index]!;
    if (ending === "" || line.open) trust = ending === "" && line.open ? "confirmed" : trust;
    else if (ending !== line.ending) return "contradicted";
    else trust = "confirmed";
  }
  return trust;
}

function endingFor(line: PatchLine, trust: Trust, lines: readonly Line[], cursor: number): Ending | undefined {
  if (trust === "confirmed" || (trust === "unknown" && line.ending === "\r\n")) return line.ending;
  return lines[cursor - 1]?.ending || lines[cursor]?.ending;
}

/** Whether the patch has carriage returns before the ends of its lines that the file does not have. */
const doublesCarriages = (lines: readonly Line[], { hunk, at }: PlacedHunk): boolean =>
  hunk.lines.filter(isOld).some(({ text }, index) => carriagesOf(text) > carriagesOf(lines[at + index]!.text));

/** Neither these nor what stood before an ending that is not the file's come into it. */
function addedLine({ text }: PatchLine, ending: Ending, isDoubled: boolean): Made {
  const isBare = isDoubled || ending === "\n";
  return { text: isBare ? text.slice(0, text.length - carriagesOf(text)) : text, ending };
}

/** The file keeps its final newline, or the lack of it, unless the patch changes that. */
function endsOpen(lines: readonly Line[], placed: readonly PlacedHunk[], how: Set<string>): boolean {
  const wasOpen = lines.at(-1)?.ending === "";
  const open = placed.flatMap(({ hunk }) => hunk.lines.filter((line) => line.open));
  if (open.length === 0) return wasOpen;
  const [oldOpen, newOpen] = [open.some(isOld), open.some(isNew)];
  if (oldOpen !== wasOpen) how.add("the newline at the end of the file");
  return oldOpen === newOpen ? wasOpen : newOpen;
}

function joined(made: readonly Made[], isOpen: boolean, usual: Ending): string {
  let before: Ending = usual;
  const parts = made.map(({ text, ending }, index) => {
    const isLast = index === made.length - 1;
    before = ending || before;
    return text + (isLast && isOpen ? "" : before);
  });
  return parts.join("");
}

/** The content of a file that consists only of added lines. */
export function newContent(hunks: readonly Hunk[]): string {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return lines.map(({ text, ending, open }) => text + (open ? "" : ending)).join("");
}
