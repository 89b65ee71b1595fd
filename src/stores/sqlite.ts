import { dirname, join, resolve } from "node:path";
import type { ApprovalRow } from "../core/contracts/store/approvals.ts";
import type { Store } from "../core/contracts/store/store.ts";
import { connect } from "./lib/connection.ts";
import { contentTable } from "./lib/contents.ts";
import type { Row } from "./lib/driver.ts";
import { closedFailure, duplicateFailure, explained } from "./lib/failure.ts";
import { toJson } from "./lib/json.ts";
import { keptFiles } from "./lib/kept-files.ts";
import { lockTable } from "./lib/locks.ts";
import { recordTable } from "./lib/records.ts";
import {
  approvalRow,
  changeQuestion,
  changeRow,
  changeValues,
  grantRow,
  INSERT_CHANGE,
  TELL_OUTCOME,
} from "./lib/rows.ts";
import { isSealed, type Seal, sealOfAnswer, sealOfGrant } from "./lib/seal.ts";

/**
 * One file that many processes may use at once; it is created, with its folder, if it isn't there. Without a `seal`
 * whoever can write the file can also give grants and answers.
 */
export async function sqliteStore(file: string, seal: Seal = () => ""): Promise<Store> {
  const path = resolve(file);
  const connection = await connect(path).catch((error) => {
    throw explained(error, path);
  });
  const { sql, transaction, durably } = connection;
  const records = recordTable(connection);
  const contents = contentTable(connection, keptFiles(join(dirname(path), "contents")));
  const locks = lockTable(connection);
  let open = true;

  const using = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (!open) throw closedFailure();
    try {
      return await work();
    } catch (error) {
      throw explained(error, path);
    }
  };

  return {
    record: (group) => using(() => records.record(group)),
    records: (query) => using(() => records.records(query)),

    intend: (changes) =>
      using(() => {
        if (changes.length === 0) return [];
        return durably(() =>
          changes.map((change) => {
            if (change.before !== null && change.content) contents.keep(change.before, change.content, change);
            return Number(sql(INSERT_CHANGE).run(...changeValues(change)).lastInsertRowid);
          }),
        );
      }),
    conclude: (ids, state, outcomes) =>
      using(() =>
        transaction(() => {
          for (const [index, id] of ids.entries()) {
            const outcome = outcomes?.[index];
            if (outcome) sql(TELL_OUTCOME).run(outcome.after, outcome.modeAfter ?? null, id);
            sql("UPDATE changes SET state = ? WHERE id = ? AND state = 'intended'").run(state, id);
          }
        }),
      ),
    changes: (query) =>
      using(() => {
        const { text, values } = changeQuestion(query);
        return sql(text)
          .all(...values)
          .map(changeRow);
      }),
    content: (hash) => using(() => contents.read(hash)),

    lock: (paths, holder) => using(() => locks.lock(paths, holder)),
    unlock: (token) => using(() => locks.unlock(token)),
    locks: () => using(() => locks.locks()),

    grant: (grants) =>
      using(() =>
        transaction(() => {
          for (const grant of grants) {
            const { tool, action, target, session, at } = grant;
            sql("DELETE FROM grants WHERE tool = ? AND action = ? AND target = ? AND session IS ?").run(
              ...[tool, action, target, session],
            );
            sql("INSERT INTO grants (tool, action, target, session, at, seal) VALUES (?, ?, ?, ?, ?, ?)").run(
              ...[tool, action, target, session, at, sealOfGrant(seal, grant)],
            );
          }
        }),
      ),
    grants: (tool, session) =>
      using(() =>
        sql("SELECT * FROM grants WHERE tool = ? AND (session = ? OR session IS NULL) ORDER BY rowid")
          .all(tool, session)
          .flatMap((row) => {
            const grant = grantRow(row);
            return isSealed(row.seal, sealOfGrant(seal, grant)) ? [grant] : [];
          }),
      ),

    ask: (approval) =>
      using(() => {
        const { answer, message, answeredAt, ...body } = approval;
        const insert = sql(
          "INSERT OR IGNORE INTO approvals (id, body, answer, message, answered_at, seal) VALUES (?, ?, ?, ?, ?, ?)",
        );
        const mark = answer === undefined ? null : sealOfAnswer(seal, body.id, answer, message ?? null);
        const values = [body.id, toJson(body), answer ?? null, message ?? null, answeredAt ?? null, mark];
        if (Number(insert.run(...values).changes) === 0) throw duplicateFailure(body.id);
      }),
    answer: (id, answer, message) =>
      using(() => {
        const said = message ?? null;
        const update = `UPDATE approvals SET answer = ?, message = ?, answered_at = ?, seal = ?
          WHERE id = ? AND answer IS NULL`;
        const values = [answer, said, Date.now(), sealOfAnswer(seal, id, answer, said), id];
        return Number(sql(update).run(...values).changes) === 1;
      }),
    approval: (id) =>
      using(() => {
        const row = sql("SELECT * FROM approvals WHERE id = ?").get(id);
        return row && sealedApproval(row, seal);
      }),
    pending: () => using(() => sql("SELECT * FROM approvals WHERE answer IS NULL ORDER BY seq").all().map(approvalRow)),

    tidy: (bounds) =>
      using(async () => {
        const tooOld = contents.prune({ ...bounds, maxBytes: Number.POSITIVE_INFINITY });
        const compressed = await contents.compress(bounds.now, () => open);
        if (!open) return { compressed, pruned: tooOld };
        const tooMuch = contents.prune(bounds);
        contents.sweep();
        contents.giveBackSpace();
        connection.checkpoint("PASSIVE");
        return { compressed, pruned: tooOld + tooMuch };
      }),
    close: async () => {
      if (!open) return;
      await using(() => {
        open = false;
        try {
          locks.freeOwn();
          connection.checkpoint("TRUNCATE");
        } finally {
          connection.close();
        }
      });
    },
  };
}

/** An answer that nobody of ours gave is none. */
function sealedApproval(row: Row, seal: Seal): ApprovalRow {
  const whole = approvalRow(row);
  const { answer, message, answeredAt, ...unanswered } = whole;
  if (answer === undefined) return whole;
  return isSealed(row.seal, sealOfAnswer(seal, whole.id, answer, message ?? null)) ? whole : unanswered;
}
