import { closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Database, loadDriver, type Statement } from "./driver.ts";
import { irregularFailure, isBusy } from "./failure.ts";
import { migrate, rollBack, versionOf } from "./schema.ts";
import type { Seal } from "./seal.ts";

const PATIENCE_MS = 10_000;
const MEGABYTE = 1 << 20;
/** Small, because whole pages are written, and an edit changes a dozen of them before its file is replaced. */
const PAGE = 4_096;
/** Small, because the log is overwritten in place once it has this size, and waiting for one that grows takes longer. */
const LOG = 3 * MEGABYTE;

/** A database with prepared statements. Everything is synchronous, so transactions never interleave. */
export type Connection = {
  /** Prepared once and cached by its text, so only for a bounded number of texts. */
  sql(text: string): Statement;
  /** All or nothing, as the only writer. */
  transaction<T>(work: () => T): T;
  /** Reads one consistent state; others may go on writing. */
  snapshot<T>(work: () => T): T;
  /** Like `transaction`, and on disk when it returns: one fsync. */
  durably<T>(work: () => T): T;
  /** Moves the log into the file. "TRUNCATE" also empties the log, unless someone is using it. */
  checkpoint(how: "PASSIVE" | "TRUNCATE"): void;
  close(): void;
};

/** `seal` signs what a migration notes about the records. */
export async function connect(file: string, seal: Seal = () => ""): Promise<Connection> {
  const Driver = await loadDriver();
  createPrivately(file);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const database = new Driver(file);
    try {
      prepare(database, file, seal);
      return connection(database);
    } catch (error) {
      database.close();
      // switching to WAL and recovering a log do not wait for others by themselves
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await wait(5 + Math.random() * 45);
    }
  }
}

/** Private: it holds people's files. Opened only if new, because closing a file that SQLite uses drops its locks. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // a link would lead to somebody else's file, and opening a pipe would block
    if (!lstatSync(file).isFile()) throw irregularFailure(file);
  }
}

function prepare(database: Database, file: string, seal: Seal): void {
  database.exec("PRAGMA busy_timeout = 5000");
  if (versionOf(database, file) === 0) database.exec(`PRAGMA page_size = ${PAGE}; PRAGMA auto_vacuum = INCREMENTAL`);
  // older stores have larger pages
  const page = Number(database.prepare("PRAGMA page_size").get()?.page_size ?? PAGE);
  database.exec(
    `PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL;
     PRAGMA wal_autocheckpoint = ${LOG / page}; PRAGMA journal_size_limit = ${64 * MEGABYTE};
     PRAGMA cache_size = -8192`,
  );
  migrate(database, file, seal);
}

function connection(database: Database): Connection {
  const statements = new Map<string, Statement>();
  const sql = (text: string): Statement => {
    let statement = statements.get(text);
    if (!statement) {
      statement = database.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };
  const transaction = <T>(work: () => T): T => {
    sql("BEGIN IMMEDIATE").run();
    try {
      const value = work();
      sql("COMMIT").run();
      return value;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  };
  return {
    sql,
    transaction,
    snapshot(work) {
      sql("BEGIN").run();
      try {
        return work();
      } finally {
        rollBack(database);
      }
    },
    durably(work) {
      // takes effect when it is compiled, so it cannot be prepared; inside a transaction it would throw
      database.exec("PRAGMA synchronous = FULL");
      try {
        return transaction(work);
      } finally {
        database.exec("PRAGMA synchronous = NORMAL");
      }
    },
    checkpoint(how) {
      database.exec("PRAGMA busy_timeout = 0");
      try {
        database.exec(`PRAGMA wal_checkpoint(${how})`);
      } catch {
        // the log stays as it is; whoever closes the store next tries again
      } finally {
        database.exec("PRAGMA busy_timeout = 5000");
      }
    },
    close: () => database.close(),
  };
}
