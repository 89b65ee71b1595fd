import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folder } from "../../test/journeys/harness.ts";
import { connect } from "./lib/connection.ts";
import { oldRows } from "./lib/sqlite/old-rows.ts";

const KEPT = { changes: 3, questions: 3, plans: 3, grants: 3 };

test("of what is over the newest are kept, and all that is not", async () => {
  const connection = await connect(join(folder(), "store.db"));
  onTestFinished(() => connection.close());
  const { sql } = connection;
  for (let at = 1; at <= 9; at++) {
    // every third is not over
    const isOpen = at % 3 === 0;
    sql("INSERT INTO changes (state) VALUES (?)").run(isOpen ? "intended" : at % 2 ? "committed" : "undone");
    sql("INSERT INTO approvals (id, answer, over) VALUES (?, ?, ?)").run(
      ...[`q${at}`, !isOpen && at % 2 ? "once" : null, !isOpen && at % 2 === 0 ? 1 : null],
    );
    sql("INSERT INTO plans (id, state) VALUES (?, ?)").run(
      ...[`p${at}`, isOpen ? "interrupted" : at % 2 ? "done" : "dropped"],
    );
    sql("INSERT INTO grants (id, session) VALUES (?, ?)").run(`g${at}`, isOpen ? null : "s");
  }
  const left = (table: string, key: string) =>
    sql(`SELECT ${key} AS at FROM ${table} ORDER BY 1`)
      .all()
      .map(({ at }) => Number(at));
  const { tidyOldRows } = oldRows(connection);
  tidyOldRows();
  for (const table of ["changes", "approvals", "plans", "grants"])
    expect(left(table, table === "changes" ? "id" : "seq"), table).toHaveLength(9);
  tidyOldRows(KEPT);
  for (const table of ["changes", "approvals", "plans", "grants"])
    expect(left(table, table === "changes" ? "id" : "seq"), table).toEqual([3, 6, 7, 8, 9]);
  tidyOldRows({ changes: 0, questions: 0, plans: 0, grants: 0 });
  for (const table of ["changes", "approvals", "plans", "grants"])
    expect(left(table, table === "changes" ? "id" : "seq"), table).toEqual([3, 6, 9]);
});
