import { type ForeignDiff, isFence, type PatchLine, type PatchProblem, type RawLine } from "./patch-lines.ts";

/** Skips what programs write above and between diffs, and what a model puts around them. Anything else is an error. */
export function skipAround(lines: readonly RawLine[], from: number): number {
  let at = from;
  while (at < lines.length && isAround(lines[at]!.text)) at++;
  return at;
}

const isAround = (text: string): boolean =>
  text.trim() === "" || isFence(text) || /^(?:diff (?!--git )|Index: |={60,}$)/.test(text);

export function stray(lines: readonly RawLine[], at: number, format: ForeignDiff["format"]): PatchProblem {
  const line = lines[at];
  if (!line) return { line: lines.length, message: `the ${format} diff is cut off` };
  const shown = line.text.length > 60 ? `${line.text.slice(0, 60)}…` : line.text;
  return {
    line: line.number,
    message: `"${shown}" is not what follows here in a ${format} diff: are the counts right?`,
  };
}

/** Whether this line says that the one above is the last of the file, without a newline. */
export const isOpenMark = (line: RawLine | undefined): boolean => line?.text.startsWith("\\ ") ?? false;

const openMark = "\\ No newline at end of file";

/** A line, and the mark for a missing newline, with a sign and a blank in front. */
export function rowsOf(mark: string, { text, ending, open }: PatchLine): ForeignDiff["rows"] {
  const row = { text: `${mark} ${text}`, ending };
  return open ? [row, { text: openMark, ending: "\n" }] : [row];
}

/** The diff as `patch` reads it. If its own endings say nothing, its lines end like those of the file. */
export function foreignText({ format, rows }: ForeignDiff, ofFile: "\n" | "\r\n"): string {
  const isContent = format === "context" ? /^[ !+-] / : /^[<>] /;
  const saysEndings = rows.some(({ ending }) => ending === "\r\n");
  return rows
    .map(({ text, ending }, index) => {
      const endsLikeFile = !saysEndings && isContent.test(text) && rows[index + 1]?.text !== openMark;
      return text + (endsLikeFile ? ofFile : ending);
    })
    .join("");
}
