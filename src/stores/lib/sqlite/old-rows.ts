import { OPEN_PLANS } from "../../../core/contracts/store/plans.ts";
import type { Connection } from "../connection.ts";

/** How many rows of each are kept, the newest ones. Beyond that, finished ones are removed. */
export type Kept = { changes: number; questions: number; plans: number; grants: number };
const KEPT: Kept = { changes: 500_000, questions: 10_000, plans: 10_000, grants: 10_000 };

const OPEN = OPEN_PLANS.map((state) => `'${state}'`).join(", ");

/**
 * Removes finished rows from tables that would otherwise only grow: changes (except those that may be under way),
 * questions that were answered or given up, plans that were run or dropped, and grants of one session.
 */
export function oldRows({ sql, transaction }: Connection) {
  return {
    tidyOldRows: (kept: Kept = KEPT): void =>
      transaction(() => {
        sql("DELETE FROM changes WHERE id <= (SELECT max(id) FROM changes) - ? AND state <> 'intended'").run(
          kept.changes,
        );
        sql(
          "DELETE FROM approvals WHERE seq <= (SELECT max(seq) FROM approvals) - ? AND (answer IS NOT NULL OR over IS NOT NULL)",
        ).run(kept.questions);
        sql(`DELETE FROM plans WHERE seq <= (SELECT max(seq) FROM plans) - ? AND state NOT IN (${OPEN})`).run(
          kept.plans,
        );
        sql("DELETE FROM grants WHERE seq <= (SELECT max(seq) FROM grants) - ? AND session IS NOT NULL").run(
          kept.grants,
        );
      }),
  };
}
