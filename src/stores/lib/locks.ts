import { randomUUID } from "node:crypto";
import type { Held, Holder } from "../../core/contracts/store/locks.ts";
import type { Connection } from "./connection.ts";
import type { Row } from "./driver.ts";
import { decide, heldOf } from "./locking.ts";
import { isGone, type Owner, RENEW_MS, thisProcess } from "./owner.ts";

type LockRow = Held & Owner;

const lockRow = (row: Row): LockRow => ({
  path: String(row.path),
  token: String(row.token),
  call: String(row.call),
  since: Number(row.since),
  pid: Number(row.pid),
  started: String(row.started),
  host: String(row.host),
  boot: String(row.boot),
  refreshed: Number(row.refreshed),
});

/** Locks that other processes see, and that end with the process which holds them. */
export function lockTable({ sql, transaction }: Connection) {
  const handle = randomUUID();
  let renewal: NodeJS.Timeout | undefined;

  const all = (): LockRow[] => sql("SELECT * FROM locks ORDER BY path, since").all().map(lockRow);

  const renew = (): void => {
    try {
      sql("UPDATE locks SET refreshed = ? WHERE handle = ?").run(Date.now(), handle);
    } catch {
      // too busy now: the next turn comes long before anyone gives the locks up
    }
  };

  return {
    lock(paths: readonly string[], holder: Holder): Held | undefined {
      const now = Date.now();
      const held = transaction(() => {
        const decision = decide(paths, holder, all(), (lock) => isGone(lock, now));
        if ("held" in decision) return heldOf(decision.held);
        for (const lock of decision.dead)
          sql("DELETE FROM locks WHERE path = ? AND token = ?").run(lock.path, lock.token);
        const { pid, started, host, boot } = thisProcess();
        for (const path of decision.take)
          sql("INSERT INTO locks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
            ...[path, holder.token, holder.call, now, pid, started, host, boot, now, handle],
          );
        return undefined;
      });
      if (!held) renewal ??= setInterval(renew, RENEW_MS).unref();
      return held;
    },
    unlock(token: string): void {
      sql("DELETE FROM locks WHERE token = ?").run(token);
    },
    locks(): Held[] {
      const now = Date.now();
      return all()
        .filter((lock) => !isGone(lock, now))
        .map(heldOf);
    },
    freeOwn(): void {
      clearInterval(renewal);
      sql("DELETE FROM locks WHERE handle = ?").run(handle);
    },
  };
}
