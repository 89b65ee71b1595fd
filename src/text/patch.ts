import { isBeginFormat, readBegin } from "./patch/begin-patch.ts";
import { isContextDiff, readContext } from "./patch/context-diff.ts";
import { readNormal } from "./patch/normal-diff.ts";
import { type FileOperation, type PatchProblem, rawLines } from "./patch/patch-lines.ts";
import { isSearchReplace, readSearchReplace } from "./patch/search-replace.ts";
import { readBareLines, readUnified } from "./patch/unified-diff.ts";
import { atOnce, type Steps } from "./turns.ts";

export type Parsed = { operations: FileOperation[] } | { problems: PatchProblem[] };

/**
 * Parses a unified diff, the `*** Begin Patch` format or SEARCH/REPLACE blocks, ignoring text around it; context and
 * normal diffs only strictly, as `foreign`. `path` overrides the name in a patch of one file, or supplies it.
 */
export const parsePatch = (patch: string, options: { path?: string } = {}): Parsed =>
  atOnce(parsingPatch(patch, options));

/** The same, file by file. */
export function* parsingPatch(patch: string, { path }: { path?: string } = {}): Steps<Parsed> {
  const lines = rawLines(patch);
  yield;
  const { operations, problems } = yield* read(lines, path);
  if (problems.length > 0) return { problems: problems.sort((one, other) => one.line - other.line) };
  const [only] = operations;
  if (only === undefined) return bareLines(lines, path);
  if (operations.length === 1 && path !== undefined && path !== only.newPath)
    return { operations: [{ ...only, path }] };
  return { operations };
}

type Read = { operations: FileOperation[]; problems: PatchProblem[] };

function* read(lines: ReturnType<typeof rawLines>, path: string | undefined): Steps<Read> {
  if (isContextDiff(lines)) return readContext(lines, path);
  yield;
  if (isBeginFormat(lines)) return yield* readBegin(lines);
  yield;
  return yield* isSearchReplace(lines) ? readSearchReplace(lines, path) : readUnified(lines, path);
}

/** Handles what is in none of our formats: lines for a file that is named elsewhere, or a normal diff of it. */
function bareLines(lines: ReturnType<typeof rawLines>, path: string | undefined): Parsed {
  if (path !== undefined) {
    const { hunk, problems = [] } = readBareLines(lines) ?? {};
    if (problems.length > 0) return { problems };
    if (hunk) return { operations: [{ kind: "update", path, hunks: [hunk], line: hunk.line }] };
  }
  const normal = readNormal(lines, path);
  if (normal) return normal.problems.length > 0 ? { problems: normal.problems } : { operations: normal.operations };
  const message = lines.some(({ text }) => text.trim() !== "")
    ? "there is no patch in it, neither a unified diff, *** Begin Patch nor a SEARCH/REPLACE block"
    : "it is empty";
  return { problems: [{ line: 1, message }] };
}
