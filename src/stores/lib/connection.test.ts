import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { asked, sqliteError } from "../../../test/contracts/store-driver.ts";
import { folder } from "../../../test/journeys/harness.ts";
import { type Connection, connect } from "./connection.ts";
import { loadDriver } from "./driver.ts";

vi.mock("./driver.ts", async (original) => {
  const { loadDriver } = await original<typeof import("./driver.ts")>();
  const { watched } = await import("../../../test/contracts/store-driver.ts");
  return { loadDriver: async () => watched(await loadDriver()) };
});

let file: string;
beforeEach(() => {
  file = join(folder(), "state/store.db");
  asked.clear();
});
afterEach(() => void vi.restoreAllMocks());

async function connected(): Promise<Connection> {
  const connection = await connect(file);
  onTestFinished(() => connection.close());
  asked.clear();
  return connection;
}

async function stranger() {
  const database = new (await loadDriver())(file);
  onTestFinished(() => database.close());
  return database;
}

const INSERT = "INSERT INTO grants (tool) VALUES ('t')";
const count = ({ sql }: Connection): number => Number(sql("SELECT count(*) AS count FROM grants").get()?.count);

describe("opening", () => {
  test("makes a file that nobody else may read", async () => {
    await connected();
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test.each<[string, number | string]>([
    ["busy_timeout", 5000],
    ["page_size", 4_096],
    ["auto_vacuum", 2],
    ["journal_mode", "wal"],
    ["foreign_keys", 1],
    ["synchronous", 1],
    ["wal_autocheckpoint", 768],
    ["journal_size_limit", 64 << 20],
    ["cache_size", -8192],
  ])("%s is %s, in a new file and in one that is there", async (name, value) => {
    for (const connection of [await connected(), await connected()])
      expect(Object.values(connection.sql(`PRAGMA ${name}`).get() ?? {})).toEqual([value]);
  });

  test("a log is moved into the file at the same size where pages are larger", async () => {
    mkdirSync(dirname(file), { recursive: true });
    const database = await stranger();
    database.exec("PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL; VACUUM");
    const { sql } = await connected();
    expect(sql("PRAGMA page_size").get()).toEqual({ page_size: 16_384 });
    expect(sql("PRAGMA wal_autocheckpoint").get()).toEqual({ wal_autocheckpoint: 192 });
  });

  test.each([
    ["busy", 5],
    ["busy recovering the log", 5 | (1 << 8)],
    ["locked", 6],
    ["a lock that changed too often", 15],
  ])("waits while the file is %s, each time with a new handle", async (_, code) => {
    let left = 3;
    asked.fail = (text) => (text.includes("journal_mode") && left-- > 0 ? sqliteError(code, "later") : undefined);
    const connection = await connect(file);
    expect([asked.opened, asked.closed]).toEqual([4, 3]);
    expect(count(connection)).toBe(0);
    connection.close();
  });

  test("lets others of this process go on while it waits, who may hold the file", async () => {
    let isHeld = true;
    asked.fail = (text) => {
      if (!isHeld || !text.includes("journal_mode")) return undefined;
      setImmediate(() => {
        isHeld = false;
      });
      return sqliteError(5, "database is locked");
    };
    expect(count(await connected())).toBe(0);
  });

  test("gives up a file that stays busy after ten seconds, not before", async () => {
    const start = Date.now();
    const moments = [0, 9_999, 10_000, 10_001].map((after) => start + after);
    vi.spyOn(Date, "now").mockImplementation(() => moments.shift() ?? start + 60_000);
    asked.fail = (text) => (text.includes("journal_mode") ? sqliteError(5, "database is locked") : undefined);
    await expect(connect(file)).rejects.toThrow("database is locked");
    expect([asked.opened, asked.closed]).toEqual([3, 3]);
  });

  test.each([
    ["damaged", sqliteError(11, "database disk image is malformed")],
    ["full", sqliteError(13, "database or disk is full")],
    ["something else", new Error("no")],
  ])("does not try again what will not change: %s", async (_, error) => {
    asked.fail = (text) => (text.includes("journal_mode") ? error : undefined);
    await expect(connect(file)).rejects.toBe(error);
    expect([asked.opened, asked.closed]).toEqual([1, 1]);
  });

  test("a folder that cannot be made is told as what it is", async () => {
    await expect(connect(join(folder({ file: "" }), "file/store.db"))).rejects.toThrow(/ENOTDIR|EEXIST/);
    expect(asked.opened).toBe(0);
  });

  test("a file that cannot be made is told as what it is", async ({ skip }) => {
    skip(!existsSync("/sys/kernel"), "only Linux has a folder where even root makes no files");
    await expect(connect("/sys/kernel/toolgate.db")).rejects.toMatchObject({ code: /EACCES|EPERM|EROFS/ });
    expect(asked.opened).toBe(0);
  });
});

describe("a transaction", () => {
  test("is the only writer from its start, before it wrote anything", async () => {
    const { transaction } = await connected();
    const other = await stranger();
    other.exec("PRAGMA busy_timeout = 0");
    transaction(() => expect(() => other.exec(INSERT)).toThrow(/locked/));
    other.exec(INSERT);
  });

  test("that fails leaves nothing, says why, and the next one works", async () => {
    const connection = await connected();
    const failed = () =>
      connection.transaction(() => {
        connection.sql(INSERT).run();
        throw new Error("why");
      });
    expect(failed).toThrow("why");
    expect(count(connection)).toBe(0);
    expect(connection.transaction(() => "answer")).toBe("answer");
  });

  test("that SQLite took back itself is told by its own error", async () => {
    const connection = await connected();
    const failed = () =>
      connection.transaction(() => {
        connection.sql("ROLLBACK").run();
        throw new Error("why");
      });
    expect(failed).toThrow("why");
  });

  test("whose commit fails is taken back", async () => {
    const connection = await connected();
    asked.fail = (text) => (text === "COMMIT" ? new Error("why") : undefined);
    expect(() => connection.transaction(() => connection.sql(INSERT).run())).toThrow("why");
    asked.clear();
    expect(count(connection)).toBe(0);
  });
});

describe("a snapshot", () => {
  test("reads one moment, whatever others write, and no longer than it lasts", async () => {
    const [reader, writer] = [await connected(), await connected()];
    const seen = reader.snapshot(() => {
      const before = count(reader);
      writer.transaction(() => writer.sql(INSERT).run());
      return [before, count(reader)];
    });
    expect(seen).toEqual([0, 0]);
    expect(count(reader)).toBe(1);
  });

  test("that fails is over, and keeps nothing that was written in it", async () => {
    const connection = await connected();
    const failing = () =>
      connection.snapshot(() => {
        connection.sql(INSERT).run();
        throw new Error("why");
      });
    expect(failing).toThrow("why");
    expect(count(connection)).toBe(0);
    connection.transaction(() => connection.sql(INSERT).run());
    expect(count(connection)).toBe(1);
  });
});

describe("a connection", () => {
  test("compiles a text once", async () => {
    const { sql, transaction } = await connected();
    for (const _ of [1, 2, 3]) transaction(() => sql(INSERT).run());
    expect(asked.compiled).toEqual(["BEGIN IMMEDIATE", INSERT, "COMMIT"]);
  });

  test("waits for nobody while it moves its log into the file, and waits again afterwards", async () => {
    const { checkpoint, sql } = await connected();
    checkpoint("TRUNCATE");
    expect(asked.texts).toEqual([
      "PRAGMA busy_timeout = 0",
      "PRAGMA wal_checkpoint(TRUNCATE)",
      "PRAGMA busy_timeout = 5000",
    ]);
    asked.fail = (text) => (text.includes("wal_checkpoint") ? sqliteError(6, "database table is locked") : undefined);
    checkpoint("PASSIVE");
    expect(sql("PRAGMA busy_timeout").get()).toEqual({ timeout: 5000 });
  });
});
