import type { FileQuery, SearchReport, TextQuery } from "../../../core/contracts/search.ts";
import type { Files } from "../../../core/contracts/workspace.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import type { Place } from "../../../core/words/touch.ts";
import { notFound, notRegular } from "../failures.ts";
import { fileFilter, segmentsBelow } from "./globs.ts";
import { compilePattern } from "./pattern-regex.ts";
import { cancelled, NEVER, type Task } from "./task.ts";

const LONGEST_PATTERN = 32 * 1024;

// an escaped line break outside of brackets, where it is mostly negated
const ESCAPED_BREAK = /^(?:\\[^n]|\[\^?(?:\](?:\\.|[^\\\]])*|(?:\\.|[^\\\]])+)\]|[^\\[])*\\n/s;

function refusePattern({ pattern, literal, multiline }: TextQuery): void {
  const isBreak =
    pattern.includes("\0") ||
    (!multiline &&
      (pattern.includes("\n") || (!literal && ESCAPED_BREAK.test(pattern) && compilePattern(pattern, {}))));
  if (pattern.length <= LONGEST_PATTERN && !isBreak) return;
  const what =
    pattern.length > LONGEST_PATTERN ? `is longer than ${LONGEST_PATTERN} characters` : "contains a line break";
  throw new ToolFailure(
    "VALIDATION_ERROR",
    `The pattern ${what}; text is searched line by line.`,
    "Search for a part of one line, or set multiline: true to match over several lines.",
  );
}

/** Checks the place and the query. Refuses what no engine could do. */
export async function prepare<Q extends FileQuery>(
  files: Files,
  place: Place,
  query: Q,
  report: SearchReport,
  signal: AbortSignal | undefined,
): Promise<Task<Q>> {
  if (signal?.aborted) throw cancelled();
  if ("pattern" in query) refusePattern(query as Q & TextQuery);
  const info = await files.stat(place);
  if (!info) throw notFound(place.shown);
  if (info.kind === "other") throw notRegular(place.shown);
  const never = segmentsBelow(place.root, place.real).find((name) => NEVER.includes(name));
  if (never !== undefined)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${place.shown} is never searched: ${never} does not contain files of the project.`,
      "Search another folder.",
    );
  const slash = place.real.lastIndexOf("/");
  const folder: Place =
    info.kind === "folder"
      ? place
      : { ...place, real: place.real.slice(0, slash) || "/", shown: folderOf(place.shown) };
  const only = info.kind === "folder" ? undefined : place.real.slice(slash + 1);
  return { folder, only, query, filter: fileFilter(query, folder), files, report, signal };
}

const folderOf = (shown: string): string => {
  const slash = shown.lastIndexOf("/");
  return slash === -1 ? "." : shown.slice(0, slash) || "/";
};

/** Whether a single file may be shown. If not, it is not even passed to an engine. */
export function isShown({ filter, report }: Task, below: string): boolean {
  if (!filter.accepts(below)) return false;
  if (!filter.isExcluded(below)) return true;
  report.excluded += 1;
  return false;
}
