import { randomUUID } from "node:crypto";
import type { Connection } from "./connection.ts";
import type { Row } from "./driver.ts";
import { isFar, isGone, type Owner, RENEW_MS, thisProcess } from "./owner.ts";

/** Columns to join to rows that have an owner, for `ownerIsGone`. */
export const OWNER_COLUMNS = "owners.handle, owners.pid, owners.started, owners.host, owners.boot, owners.renewals";

const ownerOf = ({ pid, started, host, boot }: Row): Owner => ({
  pid: Number(pid),
  started: String(started),
  host: String(host),
  boot: String(boot),
});

/** The owners of rows that end with their process: this handle, and what other processes say about themselves. */
export function ownerTable({ sql, transaction }: Connection) {
  // created on demand: a process that only reads owns nothing
  let made: string | undefined;
  const handle = (): string => {
    made ??= randomUUID();
    return made;
  };
  /** Owners that we cannot inspect, with when they were first seen in their current state. */
  const sightings = new Map<string, { renewals: number; since: number }>();
  let renewal: NodeJS.Timeout | undefined;

  const renew = (): void => {
    try {
      sql("UPDATE owners SET renewals = renewals + 1 WHERE handle = ?").run(handle());
    } catch {
      // too busy now: the next turn comes long before anyone gives the owner up
    }
  };

  const unrenewedFor = (of: string, renewals: number): number => {
    const now = performance.now();
    const seen = sightings.get(of);
    if (seen?.renewals === renewals) return now - seen.since;
    sightings.set(of, { renewals, since: now });
    return 0;
  };

  const ownerIsGone = (row: Row): boolean => {
    if (row.handle === null) return true;
    if (row.handle === made) return false;
    const owner = ownerOf(row);
    return isGone(owner, isFar(owner) ? unrenewedFor(String(row.handle), Number(row.renewals)) : 0);
  };

  return {
    get handle() {
      return handle();
    },
    ownerIsGone,

    /** Call it inside a transaction that writes rows of this owner. */
    register(): string {
      // another process may have given this one up since; a SELECT costs less than an INSERT of nothing
      if (!sql("SELECT 1 FROM owners WHERE handle = ?").get(handle())) {
        const { pid, started, host, boot } = thisProcess();
        sql("INSERT INTO owners VALUES (?, ?, ?, ?, ?, 0)").run(handle(), pid, started, host, boot);
      }
      renewal ??= setInterval(renew, RENEW_MS).unref();
      return handle();
    },

    /** Removes the locks and holds of dead processes; `interrupted` still reports what they were doing. */
    tidy(): void {
      transaction(() => {
        for (const row of sql("SELECT * FROM owners").all()) {
          if (!ownerIsGone(row)) continue;
          const gone = String(row.handle);
          for (const table of ["locks", "waiters", "holds"]) sql(`DELETE FROM ${table} WHERE owner = ?`).run(gone);
          sql("DELETE FROM owners WHERE handle = ?").run(gone);
        }
      });
    },

    leave(): void {
      if (!renewal) return;
      clearInterval(renewal);
      transaction(() => {
        sql("UPDATE tool_rows SET owner = NULL WHERE owner = ?").run(handle());
        for (const table of ["locks", "waiters", "holds", "under_way"])
          sql(`DELETE FROM ${table} WHERE owner = ?`).run(handle());
        sql("DELETE FROM owners WHERE handle = ?").run(handle());
      });
    },
  };
}

export type Owners = ReturnType<typeof ownerTable>;
