import { randomUUID } from "node:crypto";
import type { Reservations, Take } from "../../../core/contracts/store/reservations.ts";
import { checkTakes, freeIn, hasRoom, KEPT_MS, sumOf, type Taken } from "../room.ts";
import type { Using } from "../usage.ts";

type Row = Taken & { token: string };

/** `total` counts all that was ever taken; `rows` are kept as long as a window may ask for them, oldest first. */
type Account = { total: number; widest: number; rows: Row[] };

const within = (rows: readonly Row[], window: number, now: number): Row[] => rows.filter(({ at }) => at > now - window);

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
    account.rows = [...within(account.rows, account.widest, now), { token, amount, at: now }];
    account.total += amount;
  };

  const giveBack = (token: string): void => {
    for (const account of accounts.values()) {
      const given = account.rows.filter((row) => row.token === token);
      if (given.length === 0) continue;
      account.rows = account.rows.filter((row) => row.token !== token);
      account.total -= sumOf(given);
    }
  };

  const countedOf = ({ key, window }: Pick<Take, "key" | "window">, now: number) => {
    const account = accounts.get(key);
    const taken = window === undefined ? [] : within(account?.rows ?? [], window, now);
    return { taken, used: window === undefined ? (account?.total ?? 0) : sumOf(taken) };
  };

  return {
    reserve: (takes) =>
      using(() => {
        checkTakes(takes);
        const now = Date.now();
        const token = randomUUID();
        for (const take of takes) {
          const { taken, used } = countedOf(take, now);
          if (!hasRoom(take, used)) {
            giveBack(token);
            const free = freeIn(take, taken, now);
            return { full: { ...take }, used, ...(free !== undefined && { freeIn: free }) };
          }
          enter(take, token, now);
        }
        return { token };
      }),
    giveBack: (token) => using(() => giveBack(token)),
    reserved: (key, window) =>
      using(() => countedOf({ key, ...(window !== undefined && { window }) }, Date.now()).used),
  };
}
