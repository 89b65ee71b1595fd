import { statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { storeFile } from "../../test/contracts/store-file.ts";
import { bytes, callRecord, newChange } from "../../test/contracts/store-samples.ts";
import type { Store } from "../core/contracts/store/store.ts";

const { at, opened, raw } = storeFile();
let store: Store;
beforeEach(async () => {
  store = await opened();
});
afterEach(() => void vi.useRealTimers());

describe("records share pages", () => {
  const many = (count: number, of: (index: number) => object = () => ({})) =>
    Array.from({ length: count }, (_, index) => callRecord(`r${index}`, of(index)));
  test.each<[what: string, records: ReturnType<typeof many>, sizes: number[]]>([
    ["a page is full", many(256), [256]],
    ["one more than a page", many(257), [256, 1]],
    ["several pages", many(600), [256, 256, 88]],
    ["another session", many(4, (index) => ({ session: index < 3 ? "s" : "t" })), [3, 1]],
    ["another workspace", many(4, (index) => ({ workspace: index < 1 ? "/v" : "/w" })), [1, 3]],
    ["a session that comes again", many(3, (index) => ({ session: index === 1 ? "s" : "t" })), [1, 1, 1]],
  ])("%s", async (_, records, sizes) => {
    await store.record(records);
    const pages = await raw("SELECT last - first + 1 AS size FROM pages ORDER BY last");
    expect(pages.map(({ size }) => size)).toEqual(sizes);
  });

  test("a page says from when to when its records are", async () => {
    await store.record([5, 3, 9, 4].map((at) => callRecord(`at ${at}`, { at })));
    expect(await raw("SELECT earliest, latest FROM pages")).toEqual([{ earliest: 3, latest: 9 }]);
  });
});

describe("what was reserved", () => {
  const HOUR = 3_600_000;
  const taken = async () => (await raw("SELECT key FROM taken ORDER BY key")).map(({ key }) => key);

  test("is kept by row as long as a window may ask for it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 0 });
    await store.reserve([{ key: "old", limit: 9, amount: 1 }]);
    await store.reserve([{ key: "wide", limit: 9, amount: 1, window: 1000 * HOUR }]);
    vi.setSystemTime(999 * HOUR);
    await store.reserve([{ key: "new", limit: 9, amount: 1 }]);
    expect(await taken()).toEqual(["new", "wide"]);
    expect(await store.reserved("old"), "the total stays").toBe(1);
    vi.setSystemTime(1000 * HOUR);
    await store.reserve([{ key: "new", limit: 9, amount: 1 }]);
    expect(await taken()).toEqual(["new", "new"]);
  });

  test("has no row for nothing", async () => {
    await store.reserve([
      { key: "nothing", limit: 9, amount: 0 },
      { key: "little", limit: 9, amount: 1e-9 },
    ]);
    expect(await taken()).toEqual(["little"]);
  });
});

describe("tidying", () => {
  const now = 3_600_000;
  const content = bytes("again ".repeat(100_000));

  test("moves what the log holds into the file", async () => {
    const noise = Uint8Array.from({ length: 1 << 20 }, () => Math.random() * 256);
    await store.intend([newChange("/a", { before: "h", at: now, content: noise })]);
    expect(statSync(at.file).size).toBeLessThan(1 << 20);
    await store.tidy({ maxAgeMs: now, maxBytes: 1e9, now });
    expect(statSync(at.file).size).toBeGreaterThan(1 << 20);
  });

  test("ends early in a store that is closed meanwhile", async () => {
    await store.conclude(await store.intend([newChange("/a", { before: "h", at: 0, content })]), "done");
    const tidied = store.tidy({ maxAgeMs: 2 * now, maxBytes: 0, now });
    await store.close();
    expect(await tidied).toEqual({ compressed: 0, pruned: 0 });
    expect(await raw("SELECT hash, format FROM contents")).toEqual([{ hash: "h", format: "raw" }]);
  });
});

test("a row of a table has an owner only if it is bound to one", async () => {
  const table = store.table("t");
  await table.put("bound", 1, { bound: true });
  await table.put("free", 1);
  expect(await raw("SELECT key, owner IS NULL AS free FROM tool_rows ORDER BY key")).toEqual([
    { key: "bound", free: 0 },
    { key: "free", free: 1 },
  ]);
});
