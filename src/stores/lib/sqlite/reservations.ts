import { randomUUID } from "node:crypto";
import type { Reservations, Take } from "../../../core/contracts/store/reservations.ts";
import type { Connection } from "../connection.ts";
import { type Counted, checkTakes, firstFull, KEPT_MS, type Taken, unfolded } from "../room.ts";
import type { Using } from "../usage.ts";

/** How many rows are cleared at once, so that nobody waits long for it. */
const CLEARED = 256;

/** A total is a counter; amounts within windows are rows, which are kept as long as a window may need them. */
export function sqliteReservations(using: Using, { sql, transaction }: Connection): Reservations {
  const countedOf = ({ key, window }: Pick<Take, "key" | "window">, now: number): Counted => {
    const row =
      window === undefined
        ? sql("SELECT used FROM totals WHERE key = ?").get(key)
        : sql("SELECT sum(amount) AS used FROM taken WHERE key = ? AND at > ?").get(key, now - window);
    const taken = (): Taken[] =>
      sql("SELECT amount, at FROM taken WHERE key = ? AND at > ? ORDER BY at")
        .all(key, now - (window ?? 0))
        .map(({ amount, at }) => ({ amount: Number(amount), at: Number(at) }));
    return { used: Number(row?.used ?? 0), taken };
  };

  const enter = ({ key, amount, window = 0 }: Take, token: string, place: number, now: number): void => {
    const raised = sql(
      `INSERT INTO totals (key, used, widest) VALUES (?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET used = used + excluded.used, widest = max(widest, excluded.widest)
       RETURNING widest`,
    ).get(key, amount, Math.max(window, KEPT_MS));
    sql("INSERT INTO taken VALUES (?, ?, ?, ?, ?, ?)").run(
      ...[token, place, key, amount, now, now + Number(raised?.widest)],
    );
  };

  const clear = (now: number): void => {
    sql(
      `DELETE FROM taken WHERE (token, place) IN (SELECT token, place FROM taken WHERE until <= ? LIMIT ${CLEARED})`,
    ).run(now);
  };

  return {
    reserve: (takes) =>
      using(() => {
        checkTakes(takes);
        const token = randomUUID();
        return transaction(() => {
          const now = Date.now();
          const all = unfolded(takes, (key) => countedOf({ key }, now).used);
          const full = firstFull(all, (take) => countedOf(take, now), now);
          if (full) return full;
          for (const [place, take] of all.entries()) if (take.amount > 0) enter(take, token, place, now);
          clear(now);
          return { token };
        });
      }),
    giveBack: (token) =>
      using(() =>
        transaction(() => {
          for (const { key, amount } of sql("SELECT key, amount FROM taken WHERE token = ?").all(token))
            sql("UPDATE totals SET used = used - ? WHERE key = ?").run(amount ?? 0, key ?? null);
          sql("DELETE FROM taken WHERE token = ?").run(token);
        }),
      ),
    reserved: (key, window) =>
      using(() => countedOf({ key, ...(window !== undefined && { window }) }, Date.now()).used),
  };
}
