import type { ApprovalRow, Approvals } from "../../../core/contracts/store/approvals.ts";
import type { Connection } from "../connection.ts";
import type { Row } from "../driver.ts";
import { duplicateFailure } from "../failure.ts";
import { fromJson, toJson } from "../json.ts";
import { OWNER_COLUMNS, type Owners } from "../owners.ts";
import { isSealed, type Seal, sealOf } from "../seal.ts";
import type { Using } from "../usage.ts";

type Said = { answer: string; message: string | null; args: string | null; who: string | null };

const SELECT = `SELECT approvals.*, ${OWNER_COLUMNS} FROM approvals
  LEFT JOIN owners ON owners.handle = approvals.owner`;
const OPEN = "answer IS NULL AND over IS NULL";

/** Bound to exactly what was asked. */
const sealOfAnswer = (seal: Seal, { id, fingerprint }: ApprovalRow, { answer, message, args, who }: Said): string =>
  sealOf(seal, "answer", [id, fingerprint, answer, message, args, ...(who === null ? [] : [who])]);

const question = (row: Row): ApprovalRow => fromJson<ApprovalRow>(String(row.body));

/** An answer without a valid seal was not given by a person and does not count. */
function approvalRow(row: Row, seal: Seal): ApprovalRow {
  const asked = question(row);
  if (typeof row.answer !== "string") return asked;
  const { answer } = row;
  const [message = null, args = null, who = null] = [row.message, row.args, row.who].map((text) =>
    typeof text === "string" ? text : null,
  );
  const said: Said = { answer, message, args, who };
  if (!isSealed(row.seal, sealOfAnswer(seal, asked, said))) return asked;
  return {
    ...asked,
    answer,
    ...(said.message !== null && { message: said.message }),
    ...(said.args !== null && { args: fromJson(said.args) }),
    ...(row.answered_at !== null && { answeredAt: Number(row.answered_at) }),
    ...(who !== null && { who }),
  };
}

export function sqliteApprovals(
  using: Using,
  { sql, transaction }: Connection,
  owners: Owners,
  seal: Seal,
): Approvals & { tidyApprovals(): void } {
  const isAwaited = (row: Row): boolean =>
    !owners.ownerIsGone(row) && (row.until === null || Date.now() < Number(row.until));

  const open = (): Row[] => sql(`${SELECT} WHERE ${OPEN} ORDER BY approvals.seq`).all();

  return {
    ask: (approval) =>
      using(() => {
        const { answer, message, args, answeredAt, who, ...body } = approval;
        const said = answer === undefined ? undefined : saidOf(answer, message, args, who);
        const until = body.patience === undefined ? null : Date.now() + body.patience;
        transaction(() => {
          const { changes } = sql(
            `INSERT OR IGNORE INTO approvals (id, body, answer, message, args, who, answered_at, seal, owner, until)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          ).run(
            ...[body.id, toJson(body), said?.answer ?? null, said?.message ?? null, said?.args ?? null],
            ...[
              said?.who ?? null,
              answeredAt ?? null,
              said ? sealOfAnswer(seal, body, said) : null,
              owners.register(),
              until,
            ],
          );
          if (Number(changes) === 0) throw duplicateFailure("an approval", body.id);
        });
      }),
    answer: (id, answer, message, args, who) =>
      using(() =>
        transaction(() => {
          const row = sql(`${SELECT} WHERE id = ? AND ${OPEN}`).get(id);
          if (!row || !isAwaited(row)) return false;
          const said = saidOf(answer, message, args, who);
          sql(
            "UPDATE approvals SET answer = ?, message = ?, args = ?, who = ?, answered_at = ?, seal = ? WHERE id = ?",
          ).run(
            ...[answer, said.message, said.args, said.who, Date.now(), sealOfAnswer(seal, question(row), said), id],
          );
          return true;
        }),
      ),
    approval: (id) =>
      using(() => {
        const row = sql("SELECT * FROM approvals WHERE id = ?").get(id);
        return row && approvalRow(row, seal);
      }),
    pending: () => using(() => open().filter(isAwaited).map(question)),
    withdraw: (ids) =>
      using(() =>
        transaction(() => {
          for (const id of ids) sql(`UPDATE approvals SET over = 1 WHERE id = ? AND ${OPEN}`).run(id);
        }),
      ),

    /** Closes questions that nobody waits for, so that they are not checked forever. */
    tidyApprovals(): void {
      transaction(() => {
        for (const row of open())
          if (!isAwaited(row)) sql("UPDATE approvals SET over = 1 WHERE id = ?").run(row.id ?? null);
      });
    },
  };
}

const saidOf = (answer: string, message?: string, args?: unknown, who?: string): Said => ({
  ...{ answer, message: message ?? null, args: textOf(args), who: who ?? null },
});

const textOf = (args: unknown): string | null => (args === undefined ? null : toJson(args));
