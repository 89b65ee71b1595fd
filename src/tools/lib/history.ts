import type { ChangeRow } from "../../core/contracts/store/changes.ts";

/** The changes of one file that can be undone, oldest first, and the undos that can be redone. */
export type History = { done: ChangeRow[]; undone: ChangeRow[] };

/** `current` is the file's hash now. It decides whether a change that a crash interrupted has happened. */
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
      // a new change: what was undone before it can no longer be redone
      undone = [];
    }
  }
  return { done, undone };
}

/** A change happened if the next one started from its result, or the file still has it. If in doubt, it happened. */
function didHappen(row: ChangeRow, next: ChangeRow | undefined, current: string | null): boolean {
  const seen = next ? next.before : current;
  return seen === row.after || seen !== row.before;
}

/** Whether each change started from the result of the one before. */
export const isUnbroken = (rows: readonly ChangeRow[]): boolean =>
  rows.every((row, index) => index === 0 || rows[index - 1]?.after === row.before);
