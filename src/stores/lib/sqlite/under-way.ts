import type { Records, UnderWay } from "../../../core/contracts/store/records.ts";
import type { Connection } from "../connection.ts";
import { fromJson, toJson } from "../json.ts";
import { OWNER_COLUMNS, type Owners } from "../owners.ts";
import type { Using } from "../usage.ts";

/** Call it inside a transaction. */
export type NoteBegun = (call: UnderWay) => void;

/** Calls that have begun and not ended. Their rows belong to the process that makes them. */
export function sqliteUnderWay(
  using: Using,
  { sql, transaction, durably }: Connection,
  owners: Owners,
): Pick<Records, "begin" | "finish" | "underWay" | "interrupted"> & { noteBegun: NoteBegun } {
  const begun = () =>
    sql(`SELECT id, body, ${OWNER_COLUMNS} FROM under_way
    LEFT JOIN owners ON owners.handle = under_way.owner ORDER BY under_way.seq`).all();

  const noteBegun: NoteBegun = (call) => {
    const body = toJson(call);
    sql("DELETE FROM under_way WHERE id = ?").run(call.id);
    sql("INSERT INTO under_way (id, owner, body) VALUES (?, ?, ?)").run(call.id, owners.register(), body);
  };

  return {
    noteBegun,
    begin: (calls, durable) =>
      using(() => {
        if (calls.length > 0) (durable ? durably : transaction)(() => calls.forEach(noteBegun));
      }),
    finish: (ids) =>
      using(() => {
        if (ids.length === 0) return;
        transaction(() => {
          for (const id of ids) sql("DELETE FROM under_way WHERE id = ?").run(id);
        });
      }),
    underWay: () =>
      using(() =>
        begun()
          .filter((row) => !owners.ownerIsGone(row))
          .map(({ body }) => fromJson<UnderWay>(String(body))),
      ),
    interrupted: () =>
      using(() => {
        const isOver = begun().some(owners.ownerIsGone);
        if (!isOver) return [];
        return transaction(() => {
          const rows = begun().filter(owners.ownerIsGone);
          for (const { id } of rows) sql("DELETE FROM under_way WHERE id = ?").run(id ?? null);
          return rows.map(({ body }) => fromJson<UnderWay>(String(body)));
        });
      }),
  };
}
