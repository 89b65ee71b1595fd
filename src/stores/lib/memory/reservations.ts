import { randomUUID } from "node:crypto";
import type { Reservations, Take } from "../../../core/contracts/store/reservations.ts";
import { type Counted, checkTakes, firstFull, KEPT_MS, sumOf, type Taken, unfolded } from "../room.ts";
import type { Using } from "../usage.ts";

type Row = Taken & { token: string };

/** `total` counts everything ever taken. `rows` are kept as long as a window may need them, oldest first. */
type Account = { total: number; widest: number; rows: Row[] };

/** Scans from the end: windows are short compared to what is kept. */
function within(rows: readonly Row[], window: number, now: number): Row[] {
  let start = rows.length;
  while (start > 0 && (rows[start - 1]?.at ?? 0) > now - window) start--;
  return rows.slice(start);
}

export function memoryReservations(using: Using): Reservations {
  const accounts = new Map<string, Account>();

  const accountOf = (key: string): Account => {
    const known = accounts.get(key);
    if (known) return known;
    const made: Account = { total: 0, widest: KEPT_MS, rows: [] };
    accounts.set(key, made);
    return made;
  };

  const enter = ({ key, amount, window = 0 }: Take, token: string, now: number): void => {
    const account = accountOf(key);
    account.widest = Math.max(account.widest, window);
    if ((account.rows[0]?.at ?? now) <= now - account.widest) account.rows = within(account.rows, account.widest, now);
    account.rows.push({ token, amount, at: now });
    account.total += amount;
  };

  const countedOf = ({ key, window }: Pick<Take, "key" | "window">, now: number): Counted => {
    const account = accounts.get(key);
    const taken = within(account?.rows ?? [], window ?? 0, now);
    return { taken: () => taken, used: window === undefined ? (account?.total ?? 0) : sumOf(taken) };
  };

  return {
    reserve: (takes) =>
      using(() => {
        checkTakes(takes);
        const now = Date.now();
        const token = randomUUID();
        const all = unfolded(takes, (key) => countedOf({ key }, now).used);
        const full = firstFull(all, (take) => countedOf(take, now), now);
        if (full) return full;
        for (const take of all) if (take.amount > 0) enter(take, token, now);
        return { token };
      }),
    giveBack: (token) =>
      using(() => {
        for (const account of accounts.values()) {
          const given = account.rows.filter((row) => row.token === token);
          account.rows = account.rows.filter((row) => row.token !== token);
          account.total -= sumOf(given);
        }
      }),
    reserved: (key, window) =>
      using(() => countedOf({ key, ...(window !== undefined && { window }) }, Date.now()).used),
  };
}
