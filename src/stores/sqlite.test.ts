import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { storeContract } from "../../test/contracts/store.ts";
import { bytes, callRecord, newChange } from "../../test/contracts/store-samples.ts";
import { connect } from "./lib/connection.ts";
import { loadDriver } from "./lib/driver.ts";
import { sqliteStore } from "./sqlite.ts";

let folder: string;
let file: string;
const enter = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), "toolgate-store-"));
  file = join(folder, "state", "toolgate.db");
};
const leave = (): Promise<void> => rm(folder, { recursive: true, force: true });

const make = async () => {
  await enter();
  const mine = folder;
  const store = await sqliteStore(file);
  return {
    store,
    again: () => sqliteStore(join(mine, "state", "toolgate.db")),
    done: () => rm(mine, { recursive: true }),
  };
};

storeContract("sqlite", make);

describe("the file of the SQLite store", () => {
  beforeEach(enter);
  afterEach(leave);

  const other = async (path: string, sql: string): Promise<void> => {
    const database = new (await loadDriver())(path);
    database.exec(sql);
    database.close();
  };

  test("is created with its folder, for its owner alone", async () => {
    await (await sqliteStore(file)).close();
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o077).toBe(0);
  });
  test("of a newer format is refused, with what to do, and stays as it is", async () => {
    await (await sqliteStore(file)).close();
    await other(file, "PRAGMA user_version = 99");
    const before = await readFile(file);
    await expect(sqliteStore(file)).rejects.toMatchObject({ message: /newer.*99/, hint: /[Uu]pdate/ });
    expect((await readFile(file)).equals(before)).toBe(true);
  });
  test.each([
    ["no database at all", "this is text, not a database, whatever its name says\n".repeat(100), /not a SQLite/],
    ["a header and nothing good after it", `SQLite format 3\u0000${"x".repeat(8000)}`, /not a SQLite|damaged/],
  ])("%s: refused by name and left as it is", async (_, text, message) => {
    const path = join(folder, "odd.db");
    await writeFile(path, text);
    await expect(sqliteStore(path)).rejects.toMatchObject({ message, hint: /left as it is/ });
    expect(await readFile(path, "utf8")).toBe(text);
  });
  test("of another program is refused and left as it is", async () => {
    const path = join(folder, "theirs.db");
    await other(path, "CREATE TABLE notes (text); INSERT INTO notes VALUES ('mine')");
    const before = await readFile(path);
    await expect(sqliteStore(path)).rejects.toThrow(/another program/);
    expect((await readFile(path)).equals(before)).toBe(true);
  });
  test("that is a folder is refused by name", async () => {
    await expect(sqliteStore(folder)).rejects.toThrow(folder);
  });
  test("an empty file is a new store", async () => {
    const path = join(folder, "empty.db");
    await writeFile(path, "");
    const store = await sqliteStore(path);
    await store.record([callRecord("1")]);
    await store.close();
  });
  test("damage found later says which file, and close still works", async () => {
    const store = await sqliteStore(file);
    for (let at = 0; at < 120; at++)
      await store.intend([newChange("/a", { before: `h${at}`, content: new Uint8Array(20_000).fill(at + 1) })]);
    await store.close();
    const good = await readFile(file);
    // what comes first are the tables' definitions
    await writeFile(file, good.fill(0xff, 256 << 10));
    const broken = await sqliteStore(file);
    await expect(broken.changes({})).rejects.toMatchObject({ message: expect.stringContaining(file), hint: /backup/ });
    const named = { message: expect.stringContaining(file), hint: /backup/ };
    await expect(broken.content("h100"), "also where it has to wait").rejects.toMatchObject(named);
    await expect(broken.tidy({ maxAgeMs: 1, maxBytes: 1, now: 1 })).rejects.toMatchObject(named);
    await broken.close().catch(() => {});
    await expect(broken.changes({})).rejects.toThrow(/closed/);
  });
  test("shrinks again when contents are dropped", async () => {
    const store = await sqliteStore(file);
    const content = Uint8Array.from({ length: 1 << 20 }, () => Math.random() * 256);
    for (let at = 0; at < 8; at++) {
      content[0] = at;
      await store.conclude(await store.intend([newChange("/a", { before: `h${at}`, at, content })]), "done");
    }
    const again = await sqliteStore(file);
    await again.close();
    expect((await stat(file)).size).toBeGreaterThan(8 << 20);
    expect(await store.tidy({ maxAgeMs: 1, maxBytes: 0, now: 100 })).toEqual({ compressed: 0, pruned: 8 });
    await store.close();
    expect((await stat(file)).size).toBeLessThan(1 << 20);
  });
});

describe("the SQLite store", () => {
  beforeEach(enter);
  afterEach(leave);

  test("compresses what is older than ten minutes, once, and only if that makes it smaller", async () => {
    const store = await sqliteStore(file);
    const now = 3_600_000;
    const noise = Uint8Array.from({ length: 500 }, () => Math.random() * 256);
    const keep = (hash: string, at: number, content: Uint8Array) =>
      store.intend([newChange(`/${hash}`, { before: hash, at, content })]);
    await keep("old", now - 601_000, bytes("again ".repeat(1000)));
    await keep("noise", now - 601_000, noise);
    await keep("new", now - 599_000, bytes("again ".repeat(1000)));
    const bounds = { maxAgeMs: now, maxBytes: 1e9, now };
    expect(await store.tidy(bounds)).toEqual({ compressed: 1, pruned: 0 });
    expect(await store.tidy(bounds)).toEqual({ compressed: 0, pruned: 0 });
    expect(await store.content("old")).toEqual(bytes("again ".repeat(1000)));
    expect(await store.content("noise")).toEqual(noise);
    await store.close();
  });
  test("compressing never lays its bytes over a content that took a dropped one's place", async () => {
    const [store, other] = [await sqliteStore(file), await sqliteStore(file)];
    const now = 3_600_000;
    const old = newChange("/a", { before: "dropped", at: 0, content: new Uint8Array(1 << 20) });
    await store.conclude(await store.intend([old]), "done");
    const work = [
      store.tidy({ maxAgeMs: now, maxBytes: 1e9, now }),
      other.tidy({ maxAgeMs: 1, maxBytes: 1e9, now }),
      other.intend([newChange("/b", { before: "new", at: now, content: bytes("new") })]),
    ];
    expect((await Promise.all(work)).slice(0, 2)).toEqual([
      { compressed: 0, pruned: 0 },
      { compressed: 0, pruned: 1 },
    ]);
    expect(await store.content("new")).toEqual(bytes("new"));
    await Promise.all([store.close(), other.close()]);
  });
  test("an intent is written with an fsync, anything else without", async () => {
    const { sql, durably, transaction, close } = await connect(file);
    // a fresh text each time: the answer of this pragma is fixed when it is compiled
    let count = 0;
    const level = (): unknown => sql(`PRAGMA synchronous -- ${count++}`).get()?.synchronous;
    const [full, normal] = [2, 1];
    expect(transaction(level)).toBe(normal);
    expect(durably(level)).toBe(full);
    expect(level()).toBe(normal);
    expect(() =>
      durably(() => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(level()).toBe(normal);
    expect(sql("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
    expect(sql("PRAGMA auto_vacuum").get()).toMatchObject({ auto_vacuum: 2 });
    expect(sql("PRAGMA foreign_keys").get()).toMatchObject({ foreign_keys: 1 });
    close();
  });
});
