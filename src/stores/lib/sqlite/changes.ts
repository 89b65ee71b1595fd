import type { Changes, Outcome } from "../../../core/contracts/store/changes.ts";
import type { Connection } from "../connection.ts";
import type { Contents } from "../contents.ts";
import type { Usage } from "../usage.ts";
import { changeQuestion, changeRow, changeValues, INSERT_CHANGE, TELL_OUTCOME } from "./change-rows.ts";
import type { NoteBegun } from "./under-way.ts";

/** Concludes rows. Call it inside a transaction. */
export type NoteEnd = (ids: readonly number[], state: "done" | "void", outcomes?: readonly Outcome[]) => void;

/** `tidyOthers` does the other tidying that is due at the same time; `noteBegun` notes that a call is under way. */
export function sqliteChanges(
  { using, isOpen }: Usage,
  { sql, transaction, durably, checkpoint }: Connection,
  contents: Contents,
  noteBegun: NoteBegun,
  tidyOthers: () => void,
): Changes & { noteEnd: NoteEnd } {
  const noteEnd: NoteEnd = (ids, state, outcomes) => {
    for (const [index, id] of ids.entries()) {
      const outcome = outcomes?.[index];
      if (outcome) sql(TELL_OUTCOME).run(outcome.after, outcome.modeAfter ?? null, id);
      sql("UPDATE changes SET state = ? WHERE id = ? AND state = 'intended'").run(state, id);
    }
  };

  return {
    noteEnd,
    intend: (changes, begun) =>
      using(() => {
        if (changes.length === 0 && !begun) return [];
        return durably(() => {
          if (begun) noteBegun(begun);
          return changes.map((change) => {
            const { before, content, at } = change;
            if (before !== null && content) contents.keep(before, content, at, change);
            return Number(sql(INSERT_CHANGE).run(...changeValues(change)).lastInsertRowid);
          });
        });
      }),
    conclude: (...end) => using(() => transaction(() => noteEnd(...end))),
    changes: (query) =>
      using(() => {
        const { text, values } = changeQuestion(query);
        return sql(text)
          .all(...values)
          .map(changeRow);
      }),
    content: (hash) => using(() => contents.read(hash)),
    tidy: (bounds) =>
      using(async () => {
        const tooOld = contents.prune({ ...bounds, maxBytes: Number.POSITIVE_INFINITY });
        const compressed = await contents.compress(bounds.now, isOpen);
        if (!isOpen()) return { compressed, pruned: tooOld };
        const tooMuch = contents.prune(bounds);
        contents.sweep();
        tidyOthers();
        contents.giveBackSpace();
        checkpoint("PASSIVE");
        return { compressed, pruned: tooOld + tooMuch };
      }),
  };
}
