import type { ChangeRow } from "../../core/contracts/store/changes.ts";

/** What can be taken back of one file, oldest first, and what was taken back and could come again. */
export type History = { done: ChangeRow[]; undone: ChangeRow[] };

/** `current`: the file's hash now; it decides whether a change that a crash cut off has happened. */
export function historyOf(rows: readonly ChangeRow[], current: string | null): History {
  const happened = rows.filter(
    (row, index) => row.state === "done" || (row.state === "intended" && didHappen(row, rows[index + 1], current)),
  );
  const byID = new Map(happened.map((row) => [row.id, row]));
  let done: ChangeRow[] = [];
  let undone: ChangeRow[] = [];
  for (const row of happened) {
    if (row.undoes) {
      const taken = new Set(row.undoes);
      done = done.filter(({ id }) => !taken.has(id));
      undone.push(row);
    } else if (row.redoes) {
      const brought = new Set(row.redoes);
      for (const undo of undone.filter(({ id }) => brought.has(id)))
        done.push(...(undo.undoes ?? []).flatMap((id) => byID.get(id) ?? []));
      done.sort((a, b) => a.id - b.id);
      undone = undone.filter(({ id }) => !brought.has(id));
    } else {
      done.push(row);
      // a new change: what was taken back before it cannot come again
      undone = [];
    }
  }
  return { done, undone };
}

/** A change happened if the next one started from its result, or the file still has it. In doubt, it happened. */
function didHappen(row: ChangeRow, next: ChangeRow | undefined, current: string | null): boolean {
  const seen = next ? next.before : current;
  return seen === row.after || seen !== row.before;
}

/** Whether each change began with what the one before it had left. */
export const isUnbroken = (rows: readonly ChangeRow[]): boolean =>
  rows.every((row, index) => index === 0 || rows[index - 1]?.after === row.before);
