import { replaceEach } from "../edit-list.ts";
import { applyPatch } from "../patch/apply.ts";
import { foreignText } from "../patch/foreign-diff.ts";
import type { FileOperation } from "../patch/patch-lines.ts";
import { newContent } from "../patch/splice.ts";
import { parsePatch } from "../patch.ts";

const outcome = (before: string, { kind, hunks, edits, foreign }: FileOperation): string => {
  if (foreign) return `${foreign.format} ${JSON.stringify(foreignText(foreign, "\r\n"))}`;
  if (kind === "add") return JSON.stringify(newContent(hunks));
  if (edits) return JSON.stringify(replaceEach(before, edits));
  const made = applyPatch(before, hunks);
  if ("problems" in made)
    return made.problems
      .map(({ kind: why, message, detail }) => `${why}: ${message}${detail ? ` ${JSON.stringify(detail)}` : ""}`)
      .join("; ");
  const { text, how, places, appended } = made;
  return [JSON.stringify(text), `at ${places}`, ...how, ...(appended.length > 0 ? [`appended ${appended}`] : [])].join(
    ", ",
  );
};

/** All that becomes of a patch and a file, in one line: what it means, and what the file is then, or why not. */
export const toldOfPatch = (before: string, patch: string, path?: string): string => {
  const parsed = parsePatch(patch, path === undefined ? {} : { path });
  if ("problems" in parsed) return parsed.problems.map(({ line, message }) => `line ${line}: ${message}`).join("; ");
  return parsed.operations
    .map((operation) => {
      const { kind, path: name, newPath, mode, note, line } = operation;
      const to = newPath === undefined ? "" : ` -> ${newPath}`;
      const more = [mode?.toString(8), note].filter(Boolean).join(", ");
      return `${kind} ${name}${to}${more && ` (${more})`} from line ${line}: ${outcome(before, operation)}`;
    })
    .join(" | ")
    .replaceAll("\uFEFF", "\\ufeff");
};
