import type { Held, Holder, Locks, Patience } from "../../../core/contracts/store/locks.ts";
import type { Connection } from "../connection.ts";
import type { Row } from "../driver.ts";
import { fromJson, toJson } from "../json.ts";
import { aheadOf, type Claim, claimsOf, decide, heldOf, standsInLine } from "../locking.ts";
import { OWNER_COLUMNS, type Owners } from "../owners.ts";
import type { Using } from "../usage.ts";
import type { NoteEnd } from "./changes.ts";
import { lockLine, type Ticketed } from "./lock-line.ts";

// put together once, because every change of a file asks for them
const ALL_LOCKS = `SELECT path, token, call, since, ${OWNER_COLUMNS} FROM locks
  LEFT JOIN owners ON owners.handle = locks.owner ORDER BY path, since`;

type LockRow = Held & { gone: boolean };

/** Locks that other processes see, and that end with the process that holds them. `noteEnd` concludes changes. */
export function sqliteLocks(using: Using, file: string, connection: Connection, owners: Owners, noteEnd: NoteEnd) {
  const { sql, transaction } = connection;

  const all = (): LockRow[] =>
    sql(ALL_LOCKS)
      .all()
      .map((row: Row) => ({
        path: String(row.path),
        token: String(row.token),
        call: String(row.call),
        since: Number(row.since),
        gone: owners.ownerIsGone(row),
      }));

  /** All waiters, in order of arrival. */
  const waiting = (): Ticketed[] =>
    sql(`SELECT ticket, token, call, paths, since, ${OWNER_COLUMNS} FROM waiters
         LEFT JOIN owners ON owners.handle = waiters.owner ORDER BY ticket`)
      .all()
      .filter((row) => !owners.ownerIsGone(row))
      .map(({ ticket, token, call, paths, since }) => ({
        ticket: Number(ticket),
        claims: claimsOf(
          fromJson<string[]>(String(paths)),
          { token: String(token), call: String(call), ancestors: [] },
          Number(since),
        ),
      }));

  const look = (locks: LockRow[], paths: readonly string[], holder: Holder, claims: readonly Claim[]) => {
    const decision = decide(paths, holder, locks, ({ gone }) => gone);
    if ("held" in decision || claims.length === 0) return decision;
    const living = locks.filter(({ gone }) => !gone);
    const ahead = standsInLine(holder, living) ? aheadOf(paths, holder, claims) : undefined;
    return ahead ? { held: ahead } : decision;
  };

  const inTheWay = (...question: Parameters<typeof look>): Held | undefined => {
    const decision = look(...question);
    return "held" in decision ? heldOf(decision.held) : undefined;
  };

  const take = (paths: readonly string[], holder: Holder, claims: readonly Claim[]): Held | undefined => {
    const decision = look(all(), paths, holder, claims);
    if ("held" in decision) return heldOf(decision.held);
    for (const { path, token } of decision.dead) sql("DELETE FROM locks WHERE path = ? AND token = ?").run(path, token);
    const owner = owners.register();
    const since = Date.now();
    for (const path of decision.take)
      sql("INSERT INTO locks VALUES (?, ?, ?, ?, ?)").run(path, holder.token, holder.call, since, owner);
    return undefined;
  };

  const enqueue = (paths: readonly string[], { token, call }: Holder): number =>
    Number(
      sql("INSERT INTO waiters (token, call, paths, since, owner) VALUES (?, ?, ?, ?, ?)").run(
        ...[token, call, toJson(paths), Date.now(), owners.register()],
      ).lastInsertRowid,
    );

  const line = lockLine(file, connection, { locks: all, waiting, inTheWay, take });

  const waitingLock = (paths: readonly string[], holder: Holder, { milliseconds, signal }: Patience) => {
    const ticket = transaction(() => {
      const claims = waiting().flatMap((waiter) => waiter.claims);
      return take(paths, holder, claims) && enqueue(paths, holder);
    });
    return ticket === undefined ? undefined : line.wait({ paths, holder, ticket }, milliseconds, signal);
  };

  const locks: Locks = {
    lock: (paths, holder, patience) =>
      using(() =>
        patience && patience.milliseconds > 0 && !patience.signal?.aborted
          ? waitingLock([...paths], holder, patience)
          : transaction(() => take(paths, holder, [])),
      ),
    unlock: (token, done = []) =>
      using(() => {
        const free = () => sql("DELETE FROM locks WHERE token = ?").run(token);
        if (done.length === 0) free();
        else
          transaction(() => {
            noteEnd(done, "done");
            free();
          });
        line.wakeAll();
      }),
    locks: () =>
      using(() =>
        all()
          .filter(({ gone }) => !gone)
          .map(heldOf),
      ),
  };
  return { ...locks, end: line.end };
}
