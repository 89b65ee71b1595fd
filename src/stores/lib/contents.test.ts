import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { storeFile } from "../../../test/contracts/store-file.ts";
import { bytes, newChange } from "../../../test/contracts/store-samples.ts";
import { folder } from "../../../test/journeys/harness.ts";
import type { Store } from "../../core/contracts/store/store.ts";
import { connect } from "./connection.ts";
import { contentTable } from "./contents.ts";
import { loadDriver } from "./driver.ts";

const NOW = 3_600_000;
const OLD = NOW - 600_000;
const LONG = bytes("the same again and again ".repeat(400));

const { at, opened, raw } = storeFile();
let store: Store;
beforeEach(async () => {
  store = await opened();
});
afterEach(() => void vi.restoreAllMocks());

const keep = async (hash: string, at: number, content: Uint8Array = LONG): Promise<void> =>
  store.conclude(await store.intend([newChange(`/${hash}`, { before: hash, at, content })]), "done");

const rows = () =>
  raw("SELECT hash, format, stored, length(bytes) AS bytes FROM contents LEFT JOIN blobs USING (id) ORDER BY hash");

const tidy = (more: { maxAgeMs?: number; maxBytes?: number } = {}) =>
  store.tidy({ maxAgeMs: NOW, maxBytes: 1e9, now: NOW, ...more });

describe("compressing", () => {
  test("starts at ten minutes, and the sizes tell what is really stored", async () => {
    await keep("young", OLD + 1);
    await keep("old", OLD);
    await keep("noise", OLD, randomBytes(300));
    expect(await tidy()).toEqual({ compressed: 1, pruned: 0 });
    const found = await rows();
    expect(found).toMatchObject([
      { hash: "noise", format: "kept", stored: 300, bytes: 300 },
      { hash: "old", format: "deflated" },
      { hash: "young", format: "raw", stored: LONG.length, bytes: LONG.length },
    ]);
    expect(found[1]?.bytes).toBeLessThan(LONG.length / 10);
    expect(found[1]?.stored, "what bounds the size").toBe(found[1]?.bytes);
  });

  test("comes before anything is dropped for its size, and after what is too old", async () => {
    await keep("too old", 0);
    await keep("old", OLD);
    expect(await tidy({ maxBytes: 1000, maxAgeMs: NOW - 1 })).toEqual({ compressed: 1, pruned: 1 });
    expect(await store.content("old")).toEqual(LONG);
    expect(await store.content("too old")).toBeUndefined();
    await keep("more", NOW, new Uint8Array(2000));
    expect(await tidy({ maxBytes: 2000 }), "and it counts by its new size").toEqual({ compressed: 0, pruned: 1 });
    expect(await store.content("more")).toBeDefined();
  });

  test("never takes long: so much at once, the rest at the next time, the oldest first", async () => {
    for (const [index, hash] of ["b", "a", "c"].entries()) await keep(hash, index);
    await raw("UPDATE contents SET stored = ? WHERE hash = 'b' RETURNING id", 64 << 20);
    expect(await tidy()).toMatchObject({ compressed: 1 });
    expect((await rows()).map(({ format }) => format)).toEqual(["raw", "deflated", "raw"]);
    expect(await tidy()).toMatchObject({ compressed: 2 });
  });

  test("never takes long: a thousand at once", async () => {
    const content = bytes("again ".repeat(20));
    const many = Array.from({ length: 1001 }, (_, index) =>
      newChange(`/${index}`, { before: `h${index}`, at: 0, content }),
    );
    await store.intend(many);
    expect(await tidy()).toMatchObject({ compressed: 1000 });
    expect(await tidy()).toMatchObject({ compressed: 1 });
  });

  test("what another handle compressed or dropped meanwhile stays as that one left it", async () => {
    const other = await opened();
    await keep("one", OLD);
    const both = await Promise.all([tidy(), other.tidy({ maxAgeMs: NOW, maxBytes: 1e9, now: NOW })]);
    expect(both.map(({ compressed }) => compressed).sort()).toEqual([0, 1]);
    expect(await store.content("one")).toEqual(LONG);
    await keep("two", OLD);
    const work = [tidy(), raw("DELETE FROM contents WHERE hash = 'two' RETURNING id")] as const;
    expect((await Promise.all(work))[0]).toMatchObject({ compressed: 0 });
    expect(await raw("SELECT count(*) AS count FROM blobs")).toEqual([{ count: 1 }]);
  });
});

describe("dropping", () => {
  test("takes the bytes too, and gives the space back while the store is open", async () => {
    for (let at = 0; at < 40; at++) await keep(`h${at}`, at, randomBytes(50_000));
    await keep("last", 50);
    await tidy();
    const full = fs.statSync(at.file).size;
    expect(full, "the log is moved into the file").toBeGreaterThan(40 * 50_000);
    expect(await tidy({ maxAgeMs: NOW - 40 })).toMatchObject({ pruned: 40 });
    expect(await raw("SELECT count(*) AS count FROM blobs")).toEqual([{ count: 1 }]);
    expect(fs.statSync(at.file).size).toBeLessThan(full / 4);
  });

  test("a content that is kept again keeps its bytes once", async () => {
    await keep("h", 0);
    await tidy();
    await keep("h", NOW, bytes("another text under the same name"));
    expect(await rows()).toMatchObject([{ hash: "h", format: "deflated" }]);
    expect(await store.content("h")).toEqual(LONG);
  });
});

describe("a content in a file of its own", () => {
  const HASH = "5e".repeat(32);
  const linked = async (): Promise<void> => {
    await raw("INSERT INTO contents (hash, at, stored, format) VALUES (?, ?, 4, 'linked') RETURNING id", HASH, OLD);
  };

  test("that moved into the database while it was looked for is found there", async () => {
    await linked();
    const database = new (await loadDriver())(at.file);
    onTestFinished(() => database.close());
    vi.spyOn(fs, "openSync").mockImplementationOnce(() => {
      database.exec(
        "INSERT INTO blobs SELECT id, CAST('text' AS BLOB) FROM contents; UPDATE contents SET format = 'kept'",
      );
      throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    });
    expect(await store.content(HASH)).toEqual(bytes("text"));
  });

  test("that is gone is forgotten by tidying, and before that it is not given as empty", async () => {
    await linked();
    expect(await store.content(HASH)).toBeUndefined();
    expect(await tidy()).toEqual({ compressed: 0, pruned: 0 });
    expect(await rows()).toEqual([]);
  });

  test("that is gone and came again meanwhile is not forgotten", async () => {
    await linked();
    const { openSync } = fs;
    const database = new (await loadDriver())(at.file);
    onTestFinished(() => database.close());
    vi.spyOn(fs, "openSync").mockImplementationOnce((...given) => {
      database.exec(
        "INSERT INTO blobs SELECT id, CAST('text' AS BLOB) FROM contents; UPDATE contents SET format = 'raw'",
      );
      return openSync(...given);
    });
    await tidy();
    expect(await store.content(HASH)).toEqual(bytes("text"));
  });

  test("whose reading fails for want of something is neither forgotten nor given as gone", async () => {
    await linked();
    for (const code of ["EACCES", "EIO", "EMFILE"]) {
      vi.spyOn(fs, "openSync").mockImplementation(() => {
        throw Object.assign(new Error(code), { code });
      });
      await expect(store.content(HASH), code).rejects.toThrow(code);
      expect(await tidy()).toEqual({ compressed: 0, pruned: 0 });
      vi.restoreAllMocks();
      expect(await rows(), code).toHaveLength(1);
    }
  });
});

describe("files that come and go while they are looked at", () => {
  const HASH = "a".repeat(64);
  /** What each look at the file finds, the last one for ever. */
  async function tableWith(...found: (Uint8Array | undefined)[]) {
    const connection = await connect(join(folder(), "store.db"));
    onTestFinished(() => connection.close());
    const files = {
      take: () => true,
      keeps: () => true,
      read: vi.fn(() => (found.length > 1 ? found.shift() : found[0])),
      dropAllBut: () => {},
    };
    const table = contentTable(connection, files);
    const change = { real: "/a", before: HASH, after: null, content: LONG };
    table.keep(HASH, LONG, OLD, change);
    const formats = () =>
      connection
        .sql("SELECT format FROM contents")
        .all()
        .map(({ format }) => format);
    return { table, change, formats, files, sql: connection.sql };
  }

  test("one that is gone is forgotten, unless it is back by then", async () => {
    const gone = await tableWith(undefined);
    expect(await gone.table.compress(NOW, () => true)).toBe(0);
    expect(gone.formats()).toEqual([]);
    const back = await tableWith(undefined, LONG);
    expect(await back.table.compress(NOW, () => true)).toBe(0);
    expect(back.formats()).toEqual(["linked"]);
    expect(await back.table.read(HASH)).toEqual(LONG);
  });

  test("one that is relied on again stays a file, and is kept for longer", async () => {
    const { table, change, formats, sql } = await tableWith(LONG);
    table.keep(HASH, LONG, NOW, change);
    expect(formats()).toEqual(["linked"]);
    expect(sql("SELECT at FROM contents").get()).toEqual({ at: NOW });
    expect(sql("SELECT id FROM blobs").all()).toEqual([]);
    expect(await table.compress(NOW, () => true), "not old enough any more").toBe(0);
  });

  test("none is looked at any more when it is time to stop", async () => {
    const { table, files } = await tableWith(LONG);
    expect(await table.compress(NOW, () => false)).toBe(0);
    expect(files.read).not.toHaveBeenCalled();
  });

  test("what was kept for a plan that was never finished goes with its age", async () => {
    const { table, formats, sql } = await tableWith(LONG);
    sql("INSERT INTO planned_contents (hash, plan) VALUES (?, ?)").run(HASH, "never finished");
    expect(table.prune({ maxAgeMs: 1, maxBytes: 1e9, now: NOW })).toBe(1);
    expect(formats()).toEqual([]);
  });
});
