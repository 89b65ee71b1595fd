import { isBeginFormat, readBegin } from "./patch/begin.ts";
import { type FileOperation, type PatchProblem, rawLines } from "./patch/lines.ts";
import { readBareLines, readUnified } from "./patch/unified.ts";

export type Parsed = { operations: FileOperation[] } | { problems: PatchProblem[] };

/**
 * Reads a unified diff or the `*** Begin Patch` format, whatever stands around it. `path` wins over the name in a patch
 * of one file, and is needed where the patch names none.
 */
export function parsePatch(patch: string, { path }: { path?: string } = {}): Parsed {
  const lines = rawLines(patch);
  if (lines.some(({ text }) => /^\*{15}/.test(text)))
    return { problems: [{ line: 1, message: "this is a context diff: only unified diffs are understood" }] };
  const { operations, problems } = isBeginFormat(lines) ? readBegin(lines) : readUnified(lines, path);
  if (problems.length > 0) return { problems: problems.sort((one, other) => one.line - other.line) };
  const [only] = operations;
  if (only === undefined) return bareLines(lines, path);
  if (operations.length === 1 && path !== undefined && path !== only.newPath)
    return { operations: [{ ...only, path }] };
  return { operations };
}

function bareLines(lines: ReturnType<typeof rawLines>, path: string | undefined): Parsed {
  const read = path === undefined ? undefined : readBareLines(lines);
  if (read && read.problems.length > 0) return { problems: read.problems };
  if (read?.hunk && path !== undefined)
    return { operations: [{ kind: "update", path, hunks: [read.hunk], line: read.hunk.line }] };
  const message = lines.some(({ text }) => text.trim() !== "")
    ? "there is no patch in it, neither a unified diff nor *** Begin Patch"
    : "it is empty";
  return { problems: [{ line: 1, message }] };
}
