import { ToolFailure } from "../../core/result.ts";
import type { ChangeRow, Hash } from "../../core/store.ts";
import type { Look, Proposal, Proposed } from "../../core/tool.ts";
import type { Bytes } from "../../core/workspace.ts";
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

/** Gives back what these changes of one file, taken together, had replaced. */
export async function undoing(
  path: string,
  rows: readonly ChangeRow[],
  current: Current,
  look: Look,
): Promise<Proposal> {
  const [first] = rows;
  const last = rows.at(-1);
  if (!first || !last) throw new Error("nothing to take back");
  if (!isUnbroken(rows)) throw conflict(path, "it was changed from outside between these changes", "");
  if (last.after !== current.hash) throw await differs(path, last, current, look);
  const after = await contentOf(path, first.before, look);
  return {
    path,
    after,
    undoes: rows.map(({ id }) => id),
    ...(after !== null && first.modeBefore !== undefined && { mode: first.modeBefore }),
  };
}

/** Brings back what an undo took away: its own before-content. */
export async function redoing(path: string, undo: ChangeRow, current: Current, look: Look): Promise<Proposal> {
  if (undo.after !== current.hash) throw await differs(path, undo, current, look);
  const after = await contentOf(path, undo.before, look);
  return {
    path,
    after,
    redoes: [undo.id],
    ...(after !== null && undo.modeBefore !== undefined && { mode: undo.modeBefore }),
  };
}

async function contentOf(path: string, hash: Hash | null, { journal }: Look): Promise<Bytes | null> {
  if (hash === null) return null;
  const content = await journal.content(hash);
  if (content) return content;
  throw new ToolFailure(
    "NOT_FOUND",
    `What ${path} was before is not kept any more.`,
    "It was pruned by age or size (journal.max_age, journal.max_size). Look for it in version control.",
  );
}

/** The file is not what the call left: nothing is changed, and what differs is shown as far as it is known. */
async function differs(path: string, row: ChangeRow, current: Current, look: Look): Promise<ToolFailure> {
  if (current.bytes === null) return conflict(path, `it was removed after ${row.tool} changed it`, "");
  if (row.after === null) return conflict(path, `it was made again after ${row.tool} removed it`, "");
  const left = await look.journal.content(row.after);
  return conflict(
    path,
    `it was changed after ${row.tool} had changed it`,
    left ? changeDiff(path, left, current.bytes) : "",
  );
}

const conflict = (path: string, why: string, diff: string) =>
  new ToolFailure(
    "CONFLICT",
    `${path} was not restored: ${why}.`,
    "Nothing was changed. Look at the file and edit it by hand if the old text is still wanted.",
    { output: diff && `What came after:\n${diff}`, metadata: { path } },
  );

/** What a tool that takes changes back says when it is done. */
export function told(changes: readonly Proposed[], redo: boolean) {
  const files = changes.map((change) => change.place.shown);
  const verb = redo ? "Redid" : "Undid";
  const diffs = changes.map((change) => changeDiff(change.place.shown, change.before, change.after).trimEnd());
  return {
    title: `${verb} ${files.join(", ")}`,
    output: [`${verb} the change of ${files.join(", ")}.`, ...diffs].join("\n\n"),
    metadata: { files, redo },
  };
}
