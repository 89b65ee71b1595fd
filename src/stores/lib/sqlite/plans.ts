import { setImmediate } from "node:timers/promises";
import {
  OPEN_PLANS,
  type PlanMove,
  type PlannedCall,
  type PlanQuery,
  type Plans,
} from "../../../core/contracts/store/plans.ts";
import type { Connection } from "../connection.ts";
import type { Contents } from "../contents.ts";
import type { Row } from "../driver.ts";
import { duplicateFailure } from "../failure.ts";
import { fromJson, toJson } from "../json.ts";
import { movedPlan } from "../moved-plan.ts";
import { isSealed, type Seal, sealOf } from "../seal.ts";
import type { Using } from "../usage.ts";

type State = PlannedCall["state"];

const OPEN_NAMES = OPEN_PLANS.map((state) => `'${state}'`).join(", ");
/** At most this many rows per transaction; more would block this process's event loop. */
const MOST_AT_ONCE = 500;
const FIELDS = ["id", "session", "workspace"] as const;

/** Sealed like an answer, because a person will trust that the call was planned and approved. */
const sealOfPlan = (seal: Seal, id: string, state: string, body: string): string =>
  sealOf(seal, "plan", [id, state, body]);

const planRow = (row: Row): PlannedCall => ({
  ...fromJson<PlannedCall>(String(row.body)),
  seq: Number(row.seq),
  state: row.state as State,
});

export function sqlitePlans(
  using: Using,
  { sql, transaction, durably }: Connection,
  contents: Contents,
  seal: Seal,
): Plans {
  const isOurs = ({ id, state, body, seal: mark }: Row): boolean =>
    isSealed(mark, sealOfPlan(seal, String(id), String(state), String(body)));

  const move = (id: string, from: readonly State[], to: State, learnt?: PlanMove): boolean => {
    const row = sql("SELECT * FROM plans WHERE id = ?").get(id);
    if (!row || !isOurs(row) || !from.includes(row.state as State)) return false;
    const { seq: _, state: __, ...call } = movedPlan(planRow(row), to, learnt);
    const body = toJson(call);
    sql("UPDATE plans SET state = ?, body = ?, seal = ? WHERE id = ?").run(
      to,
      body,
      sealOfPlan(seal, id, to, body),
      id,
    );
    if (!OPEN_PLANS.includes(to)) sql("DELETE FROM planned_contents WHERE plan = ?").run(id);
    return true;
  };

  return {
    async plan(call, added) {
      const { seq: _, state, ...rest } = call;
      const { id, session, workspace, at } = rest;
      const isOpen = OPEN_PLANS.includes(state);
      const all = [...added];
      const keep = (some: readonly [string, Uint8Array][]): void => {
        for (const [hash, content] of some) {
          contents.keep(hash, content, at, { real: "", before: hash, after: null, content });
          if (isOpen) sql("INSERT OR IGNORE INTO planned_contents (hash, plan) VALUES (?, ?)").run(hash, id);
        }
      };
      const count = (): number =>
        Number(sql("SELECT count(*) AS count FROM planned_contents WHERE plan = ?").get(id)?.count);
      // many contents are stored in batches first; until the plan exists, only their age protects them
      let start = 0;
      for (; all.length - start > MOST_AT_ONCE; start += MOST_AT_ONCE) {
        const some = all.slice(start, start + MOST_AT_ONCE);
        await using(() => {
          if (sql("SELECT id FROM plans WHERE id = ?").get(id)) throw duplicateFailure("a planned call", id);
          transaction(() => keep(some));
        });
        await setImmediate();
      }
      await using(() => {
        const body = toJson(rest);
        durably(() => {
          const { changes } = sql(
            "INSERT OR IGNORE INTO plans (id, session, workspace, state, body, seal) VALUES (?, ?, ?, ?, ?, ?)",
          ).run(id, session, workspace, state, body, sealOfPlan(seal, id, state, body));
          if (Number(changes) === 0) throw duplicateFailure("a planned call", id);
          keep(all.slice(start));
          if (isOpen && count() !== all.length) keep(all);
        });
      });
    },
    planned: (query: PlanQuery) =>
      using(() => {
        const asked = FIELDS.filter((field) => query[field] !== undefined);
        const where = asked.map((field) => `AND ${field} = ?`).join(" ");
        return sql(`SELECT * FROM plans WHERE seq > ? ${where} ORDER BY seq`)
          .all(query.after ?? 0, ...asked.map((field) => query[field] ?? null))
          .filter((row) => isOurs(row) && (query.states?.includes(row.state as State) ?? true))
          .map(planRow);
      }),
    planMark: (workspace) =>
      using(() => {
        const { last, count } =
          sql(`SELECT max(seq) AS last, total(state IN (${OPEN_NAMES})) AS count FROM plans WHERE workspace = ?`).get(
            workspace,
          ) ?? {};
        return { last: Number(last ?? 0), open: Number(count ?? 0) };
      }),
    plannedContent: (hash) => using(() => contents.read(hash)),
    movePlan: (ids, from, to, learnt) =>
      using(() => (ids.length === 0 ? [] : durably(() => ids.filter((id) => move(id, from, to, learnt))))),
  };
}
