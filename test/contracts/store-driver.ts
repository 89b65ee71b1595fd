import type { Database, Statement } from "../../src/stores/lib/driver.ts";

type Driver = new (file: string) => Database;

/** What was asked of SQLite, in order: a text that was run, or a commit with the rows' level of safety at that moment. */
export type Asked = string;

/** Everything that went to SQLite since the last `clear`, and what shall fail there. */
export const asked: {
  texts: Asked[];
  compiled: string[];
  opened: number;
  closed: number;
  /** Given each text before it is run: an error that is thrown instead. */
  fail: (text: string) => Error | undefined;
  clear(): void;
} = {
  texts: [],
  compiled: [],
  opened: 0,
  closed: 0,
  fail: () => undefined,
  clear() {
    Object.assign(asked, { texts: [], compiled: [], opened: 0, closed: 0, fail: () => undefined });
  },
};

const CHANGES = /^\s*(INSERT|UPDATE|DELETE)/;
const LEVELS = ["off", "normal", "full"];

/** An error as the driver throws it. */
export const sqliteError = (errcode: number, message: string): Error => Object.assign(new Error(message), { errcode });

/**
 * The same driver with a note of what it is asked. A commit is noted as `COMMIT full` or `COMMIT normal`: SQLite waits
 * for the disk with the first and not with the second. So is a change outside of a transaction, which commits itself.
 */
export function watched(Real: Driver): Driver {
  return class implements Database {
    readonly #database: Database;
    #inside = false;
    #count = 0;
    constructor(file: string) {
      asked.opened++;
      this.#database = new Real(file);
    }
    exec(text: string): void {
      this.#note(text);
      this.#database.exec(text);
    }
    prepare(text: string): Statement {
      asked.compiled.push(text);
      const statement = this.#database.prepare(text);
      return {
        run: (...values) => this.#noted(text, () => statement.run(...values)),
        get: (...values) => this.#noted(text, () => statement.get(...values)),
        all: (...values) => this.#noted(text, () => statement.all(...values)),
      };
    }
    close(): void {
      asked.closed++;
      this.#database.close();
    }
    #noted<T>(text: string, use: () => T): T {
      this.#note(text);
      return use();
    }
    #note(text: string): void {
      const failure = asked.fail(text);
      if (failure) throw failure;
      if (text.startsWith("BEGIN")) this.#inside = true;
      asked.texts.push(text === "COMMIT" ? `COMMIT ${this.#level()}` : text);
      if (CHANGES.test(text) && !this.#inside) asked.texts.push(`COMMIT ${this.#level()}`);
      if (text === "COMMIT" || text === "ROLLBACK") this.#inside = false;
    }
    #level(): string | undefined {
      // a fresh text each time: the answer of this pragma is fixed when it is compiled
      const row = this.#database.prepare(`PRAGMA synchronous -- ${this.#count++}`).get();
      return LEVELS[Number(row?.synchronous)];
    }
  };
}

/** How each commit since the last `clear` was made. */
export const commits = (): string[] => asked.texts.filter((text) => text.startsWith("COMMIT "));
