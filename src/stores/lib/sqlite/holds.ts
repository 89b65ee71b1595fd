import { randomUUID } from "node:crypto";
import type { Hold, HoldAnswer, HoldMode, HoldSpace, Holds, Wanted } from "../../../core/contracts/store/holds.ts";
import type { Connection } from "../connection.ts";
import type { Row } from "../driver.ts";
import { checkTime, holdInTheWay, mayLetGo, sameHold } from "../hold-conflicts.ts";
import { fromJson, toJson } from "../json.ts";
import { OWNER_COLUMNS, type Owners } from "../owners.ts";
import type { Using } from "../usage.ts";

// put together once, because every change of a file asks for them
const LIVING = `SELECT holds.*, ${OWNER_COLUMNS} FROM holds LEFT JOIN owners ON owners.handle = holds.owner
  WHERE until > ? ORDER BY seq`;

const holdOf = (row: Row): Hold => ({
  token: String(row.token),
  space: row.space as HoldSpace,
  resources: fromJson<string[]>(String(row.resources)),
  shown: String(row.shown),
  mode: row.mode as HoldMode,
  session: String(row.session),
  agent: String(row.agent),
  since: Number(row.since),
  until: Number(row.until),
});

/** Holds that other processes see, and that end with the process that took them. */
export function sqliteHolds(using: Using, { sql, transaction }: Connection, owners: Owners): Holds {
  const living = (now: number): Hold[] =>
    sql(LIVING)
      .all(now)
      .filter((row) => !owners.ownerIsGone(row))
      .map(holdOf);

  const keep = (hold: Hold): void => {
    const { token, space, resources, shown, mode, session, agent, since, until } = hold;
    const owner = owners.register();
    const held = sql("UPDATE holds SET shown = ?, mode = ?, until = ?, owner = ? WHERE token = ?");
    if (Number(held.run(shown, mode, until, owner, token).changes) > 0) return;
    sql(`INSERT INTO holds (token, space, resources, shown, mode, session, agent, since, until, owner)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
      ...[token, space, toJson(resources), shown, mode, session, agent, since, until, owner],
    );
  };

  return {
    hold: (space, wanted, by, milliseconds) =>
      using(() => {
        checkTime(milliseconds);
        return transaction(() => {
          const now = Date.now();
          sql("DELETE FROM holds WHERE until <= ?").run(now);
          return wanted.map((each: Wanted): HoldAnswer => {
            const existing = living(now);
            const other = holdInTheWay(space, each, by, existing);
            if (other) return { wanted: each, by: other };
            const before = sameHold(space, each, by, existing);
            const { token, since } = before ?? { token: randomUUID(), since: now };
            const { session, agent } = by;
            const hold: Hold = { ...each, space, session, agent, token, since, until: now + milliseconds };
            keep(hold);
            return { hold };
          });
        });
      }),
    letGo: (tokens, keeper) =>
      using(() =>
        transaction(() => {
          const gone = living(Date.now()).filter((hold) => tokens.includes(hold.token) && mayLetGo(hold, keeper));
          for (const { token } of gone) sql("DELETE FROM holds WHERE token = ?").run(token);
          return gone.map(({ token }) => token);
        }),
      ),
    letGoOf: (session) =>
      using(() => {
        const own = [session, owners.handle];
        // a SELECT costs less than a DELETE of nothing
        if (sql("SELECT 1 FROM holds WHERE session = ? AND owner = ? LIMIT 1").get(...own))
          sql("DELETE FROM holds WHERE session = ? AND owner = ?").run(...own);
      }),
    holds: (space) => using(() => living(Date.now()).filter((hold) => space === undefined || hold.space === space)),
    holdOver: (space, wanted, by) => using(() => holdInTheWay(space, wanted, by, living(Date.now()))),
  };
}
