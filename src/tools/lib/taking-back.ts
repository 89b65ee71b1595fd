import { type ChangeRow, type Hash, UNTOLD } from "../../core/contracts/store/changes.ts";
import type { Bytes } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Look, Proposal, Proposed } from "../../core/words/tool.ts";
import { changeDiff } from "../../text/change-diff.ts";
import { type History, historyOf, isUnbroken } from "./history.ts";

export type Current = { bytes: Bytes | null; hash: Hash | null };

export async function currentOf(path: string, { files, hash }: Look): Promise<Current> {
  const info = await files.stat(path);
  if (!info) return { bytes: null, hash: null };
  const { bytes } = await files.read(path);
  return { bytes, hash: hash(bytes) };
}

export async function readHistory(real: string, current: Current, { journal }: Look): Promise<History> {
  return historyOf(await journal.changes({ real }), current.hash);
}

/** Restores what these changes of one file, taken together, had replaced. */
export const undoing = async (
  path: string,
  rows: readonly ChangeRow[],
  current: Current,
  look: Look,
): Promise<Proposal> => ({ ...(await reversed(path, rows, current, look)), undoes: rows.map(({ id }) => id) });

/** Restores what these undos of one file had removed: the before-content of the first. */
export const redoing = async (
  path: string,
  undos: readonly ChangeRow[],
  current: Current,
  look: Look,
): Promise<Proposal> => ({ ...(await reversed(path, undos, current, look)), redoes: undos.map(({ id }) => id) });

async function reversed(
  path: string,
  rows: readonly ChangeRow[],
  current: Current,
  look: Look,
): Promise<Pick<Proposal, "path" | "after" | "mode">> {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) throw new Error("nothing to take back");
  if (!isUnbroken(rows)) throw conflict(first.shown, "something else changed it between these changes", "");
  // an interrupted change may have left anything; only if no file is there now is nothing overwritten
  const isGone = last.after === UNTOLD && current.bytes === null;
  if (last.after !== current.hash && !isGone) throw await differs(last, current, look);
  const after = await contentOf(first.shown, first.before, look);
  // a mode that these changes did not set may be somebody's later choice
  const setsMode = current.bytes === null || first.modeBefore !== last.modeAfter;
  return { path, after, ...(after && setsMode && first.modeBefore !== undefined && { mode: first.modeBefore }) };
}

async function contentOf(path: string, hash: Hash | null, look: Look): Promise<Bytes | null> {
  if (hash === null) return null;
  const content = await look.journal.content(hash);
  if (content && look.hash(content) !== hash)
    throw new ToolFailure(
      "IO_ERROR",
      `The saved content of ${path} does not match its hash: somebody changed the store.`,
      "Nothing was undone. Look for it in version control.",
    );
  if (content) return content;
  throw new ToolFailure(
    "NOT_FOUND",
    `The previous content of ${path} is no longer kept.`,
    "It was pruned by age or size (journal.max_age, journal.max_size). Look for it in version control.",
  );
}

/** The failure if the file is not what the call left. Shows what differs, as far as it is known. */
async function differs(row: ChangeRow, { bytes }: Current, { journal }: Look): Promise<ToolFailure> {
  const { shown, tool } = row;
  if (bytes === null) return conflict(shown, `it was removed after ${tool} changed it`, "");
  if (row.after === null) return conflict(shown, `it was created again after ${tool} removed it`, "");
  const why =
    row.after === UNTOLD
      ? `${tool} was cut off, so it is not known whether it left the file like this`
      : `it was changed after ${tool} had changed it`;
  const left = await journal.content(row.after);
  if (left) return conflict(shown, why, `What came after:\n${changeDiff(shown, left, bytes)}`);
  const before = row.before === null ? null : await journal.content(row.before);
  if (before === undefined) return conflict(shown, why, "");
  return conflict(
    shown,
    why,
    `From what it was before ${tool} to what it is now:\n${changeDiff(shown, before, bytes)}`,
  );
}

const conflict = (path: string, why: string, output: string) =>
  new ToolFailure(
    "CONFLICT",
    `${path} was not restored: ${why}.`,
    "Nothing was changed. Look at the file and edit it by hand if the old text is still wanted.",
    { output, metadata: { path } },
  );

/** The result of a tool that undoes changes. */
export function told(changes: readonly Proposed[], redo: boolean) {
  const files = changes.map((change) => change.place.shown);
  const verb = redo ? "Redid" : "Undid";
  const diffs = changes.map((change) => changeDiff(change.place.shown, change.before, change.after, change).trimEnd());
  return {
    title: `${verb} ${files.join(", ")}`,
    output: [`${verb} the change of ${files.join(", ")}.`, ...diffs].join("\n\n"),
    metadata: { files, redo },
  };
}
