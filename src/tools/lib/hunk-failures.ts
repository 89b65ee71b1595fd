import { type Code, ToolFailure } from "../../core/words/result.ts";
import type { HunkProblem } from "../../text/patch/apply.ts";
import type { PatchProblem } from "../../text/patch/patch-lines.ts";

const mostProblems = 10;

const hints: Record<HunkProblem["kind"], string> = {
  absent: "Copy the unchanged and the removed lines from the file as shown here, without the line numbers.",
  ambiguous: "Give more unchanged lines around the change, or its true line numbers.",
  unanchored: "Use a whole line of the file after @@, or leave it out.",
  unplaceable: "Give the unchanged lines above and below the new ones.",
  overlapping: "Join these hunks into one.",
  applied: "There is nothing left to do there. To apply it again, give more unchanged lines around it.",
};

const codes: Record<HunkProblem["kind"], Code> = {
  absent: "NOT_FOUND",
  ambiguous: "VALIDATION_ERROR",
  unanchored: "NOT_FOUND",
  unplaceable: "VALIDATION_ERROR",
  overlapping: "VALIDATION_ERROR",
  applied: "CONFLICT",
};

/** Why hunks cannot be applied to a file: which ones, where the nearest text is, and what differs. */
export function hunksFailure(path: string, problems: readonly HunkProblem[], changed: boolean): ToolFailure {
  const told = problems.slice(0, mostProblems);
  const allApplied = problems.every(({ kind }) => kind === "applied");
  const { kind } = problems.find((problem) => problem.kind !== "applied") ?? problems[0]!;
  const what = allApplied ? `The patch is already applied to ${path}` : `The patch does not fit ${path}`;
  const more = problems.length > told.length ? `; and ${problems.length - told.length} more` : "";
  const stale = changed ? " The file has changed since it was read in this session." : "";
  const details = told.flatMap(({ hunk, detail }) => (detail ? [`${path}, nearest to hunk ${hunk}:\n${detail}`] : []));
  return new ToolFailure(
    codes[kind],
    `${what}: ${told.map(({ message }) => message).join("; ")}${more}.${stale}`,
    hints[kind],
    {
      output: details.join("\n\n"),
      metadata: { path, hunks: problems.map(({ hunk, kind: each }) => ({ hunk, kind: each })), changed },
    },
  );
}

/** Why a patch cannot be parsed at all. */
export function unreadable(problems: readonly PatchProblem[]): ToolFailure {
  const told = problems.slice(0, mostProblems).map(({ line, message }) => `line ${line}: ${message}`);
  const more = problems.length > told.length ? `; and ${problems.length - told.length} more` : "";
  return new ToolFailure(
    "VALIDATION_ERROR",
    `The patch cannot be read: ${told.join("; ")}${more}.`,
    'Send a unified diff ("--- a/file", "+++ b/file", "@@ -1,3 +1,3 @@", then lines that begin with a blank, "-" or "+") ' +
      'or "*** Begin Patch", "*** Update File: file", "@@", the lines, "*** End Patch".',
    { metadata: { problems: problems.slice(0, mostProblems) } },
  );
}
