import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { asked, sqliteError } from "../../../test/contracts/store-driver.ts";
import { bytes, callRecord, newChange } from "../../../test/contracts/store-samples.ts";
import { folder } from "../../../test/journeys/harness.ts";
import { sqliteStore } from "../sqlite.ts";
import { type Database, loadDriver, type Row } from "./driver.ts";

vi.mock("./driver.ts", async (original) => {
  const { loadDriver } = await original<typeof import("./driver.ts")>();
  const { watched } = await import("../../../test/contracts/store-driver.ts");
  return { loadDriver: async () => watched(await loadDriver()) };
});

let file: string;
beforeEach(() => {
  file = join(folder(), "store.db");
  asked.clear();
});

async function raw<T>(use: (database: Database) => T): Promise<T> {
  const database = new (await loadDriver())(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** The format that this version writes: one more with every migration. */
const CURRENT = 10;

/** The format as it was first released, with something in it. */
const FIRST = `
  CREATE TABLE records (seq INTEGER PRIMARY KEY, session TEXT, page TEXT);
  CREATE INDEX records_session ON records (session);
  CREATE TABLE changes (
    id INTEGER PRIMARY KEY, record TEXT, call TEXT, session TEXT, message TEXT, tool TEXT, at INTEGER,
    real TEXT, shown TEXT, before TEXT, after TEXT, mode_before INTEGER, mode_after INTEGER,
    state TEXT NOT NULL, undoes TEXT, redoes TEXT
  );
  CREATE INDEX changes_real ON changes (real);
  CREATE INDEX changes_turn ON changes (session, message);
  CREATE INDEX changes_record ON changes (record);
  CREATE INDEX changes_intended ON changes (before) WHERE state = 'intended';
  CREATE TABLE contents (
    id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, at INTEGER, stored INTEGER, format TEXT NOT NULL
  );
  CREATE TABLE blobs (id INTEGER PRIMARY KEY REFERENCES contents (id) ON DELETE CASCADE, bytes BLOB);
  CREATE TABLE locks (
    path TEXT, token TEXT, call TEXT, since INTEGER,
    pid INTEGER, started TEXT, host TEXT, boot TEXT, refreshed INTEGER, handle TEXT,
    PRIMARY KEY (path, token)
  ) WITHOUT ROWID;
  CREATE TABLE grants (tool TEXT, action TEXT, target TEXT, session TEXT, at INTEGER);
  CREATE INDEX grants_tool ON grants (tool);
  CREATE TABLE approvals (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT, answer TEXT, message TEXT, answered_at INTEGER
  );
  CREATE INDEX approvals_pending ON approvals (seq) WHERE answer IS NULL;
  PRAGMA application_id = 0x74676174;
  PRAGMA user_version = 1;
  INSERT INTO changes (id, record, call, session, message, tool, at, real, shown, before, after, state)
    VALUES (7, 'r1', 'c1', 's1', 'm1', 'edit_file', 1000, '/a', 'a', 'before /a', 'after /a', 'done');
  INSERT INTO contents VALUES (1, 'before /a', 1000, 13, 'raw');
  INSERT INTO blobs VALUES (1, CAST('content of /a' AS BLOB));
  INSERT INTO grants VALUES ('t', 'write', '/a', NULL, 1);
  INSERT INTO approvals (id, body, answer) VALUES ('p', '{"id":"p"}', 'once');
`;

const layout = (database: Database): Row[] =>
  database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").all();
const plain = (rows: Row[]): Row[] => rows.map((row) => ({ ...row, sql: String(row.sql).replace(/\s+/g, " ") }));

describe("a file of an older format", () => {
  test("is brought to the same format as a new one", async () => {
    await raw((database) => database.exec(FIRST));
    await (await sqliteStore(file)).close();
    const older = await raw(layout);
    file = `${file}.new`;
    await (await sqliteStore(file)).close();
    expect(plain(older)).toEqual(plain(await raw(layout)));
  });

  test("keeps what was in it; a yes from before there were seals was said by nobody", async () => {
    await raw((database) => database.exec(FIRST));
    const store = await sqliteStore(file, (text) => `sealed ${text}`);
    const { content: _, ...row } = newChange("/a");
    expect(await store.changes({})).toEqual([{ ...row, id: 7, state: "done" }]);
    expect(await store.content("before /a")).toEqual(bytes("content of /a"));
    expect(await store.grants({})).toEqual([]);
    expect(await store.approval("p")).toEqual({ id: "p" });
    await store.close();
  });

  test("stays whole in that format if a later step fails, and the error says what failed", async () => {
    await raw((database) => database.exec(FIRST));
    const before = await raw(layout);
    asked.fail = (text) => (text.includes("contents_linked") ? sqliteError(13, "database or disk is full") : undefined);
    await expect(sqliteStore(file)).rejects.toMatchObject({ message: /disk is full/, hint: /Free some space/ });
    asked.clear();
    expect(await raw(layout)).toEqual(before);
    expect(await raw((database) => database.prepare("PRAGMA user_version").get())).toEqual({ user_version: 1 });
    await (await sqliteStore(file)).close();
  });

  test("with half of a step done by somebody else is refused, and not half migrated", async () => {
    await raw((database) => database.exec(`${FIRST}; ALTER TABLE approvals ADD COLUMN seal TEXT`));
    const before = await raw(layout);
    await expect(sqliteStore(file)).rejects.toThrow(/duplicate column/);
    expect(await raw(layout)).toEqual(before);
  });
});

describe("a new file", () => {
  test("whose making fails at any moment is new again, and nothing stays open", async () => {
    await (await sqliteStore(`${file}.whole`)).close();
    const begun = asked.texts.indexOf("BEGIN IMMEDIATE");
    const steps = asked.texts.slice(begun, asked.texts.findIndex((text) => text.startsWith("COMMIT")) + 1);
    expect(steps.length).toBeGreaterThan(5);
    for (let step = 0; step < steps.length; step++) {
      asked.clear();
      let left: number | undefined;
      asked.fail = (text) => {
        if (text === "BEGIN IMMEDIATE") left = step;
        return left !== undefined && left-- === 0 ? new Error(`failed at ${step}`) : undefined;
      };
      await expect(sqliteStore(file)).rejects.toThrow(`failed at ${step}`);
      expect(asked.closed, `step ${step}`).toBe(asked.opened);
      asked.clear();
      expect(await raw(layout), `step ${step}`).toEqual([]);
    }
    const store = await sqliteStore(file);
    await store.record([callRecord("1")]);
    await store.close();
  });

  test("is written once: opening it again begins nothing", async () => {
    await (await sqliteStore(file)).close();
    asked.clear();
    await (await sqliteStore(file)).close();
    expect(asked.texts.filter((text) => text.startsWith("BEGIN"))).toEqual([]);
  });

  test("that another process fills between two looks is not filled twice", async () => {
    let filled = false;
    const { watched: _, ...real } = await vi.importActual<Record<string, unknown> & typeof import("./driver.ts")>(
      "./driver.ts",
    );
    const Driver = await real.loadDriver();
    const other = join(folder(), "other.db");
    await (await sqliteStore(other)).close();
    const texts = new Driver(other);
    const tables = plain(layout(texts)).map(({ sql }) => `${sql};`);
    texts.close();
    asked.fail = (text) => {
      if (text !== "BEGIN IMMEDIATE" || filled) return undefined;
      filled = true;
      const quicker = new Driver(file);
      quicker.exec(`${tables.filter((sql) => sql.startsWith("CREATE TABLE")).join("")}
        ${tables.filter((sql) => sql.startsWith("CREATE INDEX")).join("")}
        PRAGMA application_id = 0x74676174; PRAGMA user_version = ${CURRENT}`);
      quicker.close();
      return undefined;
    };
    const store = await sqliteStore(file);
    expect(filled).toBe(true);
    await store.record([callRecord("1")]);
    expect(await store.records({})).toHaveLength(1);
    await store.close();
  });
});

describe("a file that is not ours", () => {
  test.each([
    ["tables, and no mark", "CREATE TABLE notes (text)", /another program/],
    ["a version, and neither tables nor our mark", "PRAGMA user_version = 1", /another program/],
    ["another's mark and tables", "CREATE TABLE notes (text); PRAGMA application_id = 7", /another program/],
    ["another's mark and a version", "PRAGMA application_id = 7; PRAGMA user_version = 3", /another program/],
    [
      "our mark, of a format one newer",
      `PRAGMA application_id = 0x74676174; PRAGMA user_version = ${CURRENT + 1}`,
      new RegExp(`newer.*format ${CURRENT + 1}.*up to ${CURRENT}`),
    ],
  ])("%s: refused, at once, and left as it is", async (_, sql, message) => {
    await raw((database) => database.exec(`${sql}; CREATE TABLE IF NOT EXISTS x (y); DROP TABLE x`));
    const before = readFileSync(file);
    asked.clear();
    await expect(sqliteStore(file)).rejects.toThrow(message);
    expect([asked.opened, asked.closed]).toEqual([1, 1]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("a pipe is refused, and not waited for", async ({ skip }) => {
    skip(process.platform === "win32", "Windows has no pipes among its files");
    execFileSync("mkfifo", [file]);
    await expect(sqliteStore(file)).rejects.toThrow(/not a regular file/);
    expect(asked.opened).toBe(0);
  });
});
