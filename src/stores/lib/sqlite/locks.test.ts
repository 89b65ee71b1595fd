import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { asked } from "../../../test/contracts/store-driver.ts";
import { holderOf } from "../../../test/contracts/store-samples.ts";
import { folder } from "../../../test/journeys/harness.ts";
import type { Store } from "../../core/contracts/store/store.ts";
import { sqliteStore } from "../sqlite.ts";
import { loadDriver, type Row } from "./driver.ts";

vi.mock("./driver.ts", async (original) => {
  const { loadDriver } = await original<typeof import("./driver.ts")>();
  const { watched } = await import("../../../test/contracts/store-driver.ts");
  return { loadDriver: async () => watched(await loadDriver()) };
});

const MINUTE = 60_000;
let file: string;
let store: Store;
beforeEach(async () => {
  file = join(folder(), "store.db");
  asked.clear();
  store = await opened();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function opened(): Promise<Store> {
  const made = await sqliteStore(file);
  onTestFinished(() => made.close());
  return made;
}

async function raw(text: string): Promise<Row[]> {
  const database = new (await loadDriver())(file);
  try {
    return database.prepare(text).all();
  } finally {
    database.close();
  }
}

const paths = async (): Promise<string[]> => (await store.locks()).map(({ path }) => path);

describe("a lock that is held for long", () => {
  const ages = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await raw("SELECT path, refreshed FROM locks")).map((row) => [row.path, Date.now() - Number(row.refreshed)]),
    );

  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] }));

  test("is renewed as long as it is held, so that another container never takes it", async () => {
    await store.lock(["/a"], holderOf("c"));
    for (let minute = 0; minute < 60; minute++) {
      vi.advanceTimersByTime(MINUTE);
      expect((await ages())["/a"], `after ${minute + 1} minutes`).toBeLessThan(10 * MINUTE);
    }
    await raw("UPDATE locks SET host = 'another container' RETURNING path");
    expect(await store.lock(["/a"], holderOf("other"))).toMatchObject({ call: "c" });
  });

  test("each handle renews its own alone, with one timer", async () => {
    const other = await opened();
    await store.lock(["/mine"], holderOf("c"));
    await store.lock(["/mine too"], holderOf("c"));
    await other.lock(["/theirs"], holderOf("d"));
    expect(vi.getTimerCount()).toBe(2);
    await other.close();
    expect(vi.getTimerCount()).toBe(1);
    await raw("UPDATE locks SET handle = 'another' WHERE path = '/mine too' RETURNING path");
    vi.advanceTimersByTime(11 * MINUTE);
    const { "/mine": mine, "/mine too": others } = await ages();
    expect(mine).toBeLessThan(10 * MINUTE);
    expect(others).toBe(11 * MINUTE);
    await store.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("that could not be had is not waited for by a timer, and no timer keeps the process", async () => {
    await store.lock(["/a"], holderOf("c"));
    const other = await opened();
    const before = vi.getTimerCount();
    expect(await other.lock(["/a"], holderOf("d"))).toMatchObject({ call: "c" });
    expect(vi.getTimerCount()).toBe(before);
    vi.useRealTimers();
    const timer = vi.spyOn(globalThis, "setInterval");
    await other.lock(["/b"], holderOf("d"));
    expect(timer.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
  });

  test("a renewal that fails ends neither the process nor the renewing", async () => {
    await store.lock(["/a"], holderOf("c"));
    asked.fail = (text) => (text.startsWith("UPDATE locks") ? new Error("database is locked") : undefined);
    vi.advanceTimersByTime(3 * MINUTE);
    asked.clear();
    vi.advanceTimersByTime(3 * MINUTE);
    expect((await ages())["/a"]).toBeLessThan(3 * MINUTE);
  });
});

describe("a dead holder's locks", () => {
  const die = (where: string) => raw(`UPDATE locks SET boot = 'earlier' WHERE ${where} RETURNING path`);

  test("are taken over without those of the living at the same path", async () => {
    await store.lock(["/a"], holderOf("parent"));
    await store.lock(["/a"], holderOf("dead", "parent"));
    await die("call = 'dead'");
    expect(await store.lock(["/a"], holderOf("child", "parent"))).toBeUndefined();
    expect((await store.locks()).map(({ call }) => call).sort()).toEqual(["child", "parent"]);
  });

  test("are taken over without what the same token holds elsewhere by now", async () => {
    await store.lock(["/a", "/b"], holderOf("c"));
    await die("path = '/a'");
    expect(await store.lock(["/a"], holderOf("other"))).toBeUndefined();
    expect(await paths()).toEqual(["/a", "/b"]);
    expect(await store.lock(["/b"], holderOf("other"))).toMatchObject({ call: "c" });
  });

  test("are all taken over by one who takes a folder, and nothing of the living beside it", async () => {
    await store.lock(["/w/a", "/w/b", "/w/**"], holderOf("dead"));
    await die("call = 'dead'");
    await store.lock(["/wide"], holderOf("alive"));
    expect(await store.lock(["/w/**"], holderOf("c"))).toBeUndefined();
    expect((await store.locks()).map(({ path, call }) => [path, call])).toEqual([
      ["/w/**", "c"],
      ["/wide", "alive"],
    ]);
    expect(await raw("SELECT path FROM locks ORDER BY path")).toHaveLength(2);
  });

  test("are kept while another's living lock is in the way: all or none", async () => {
    await store.lock(["/a"], holderOf("dead"));
    await die("call = 'dead'");
    await store.lock(["/b"], holderOf("alive"));
    expect(await store.lock(["/a", "/b"], holderOf("c"))).toMatchObject({ call: "alive" });
    expect(await raw("SELECT call FROM locks ORDER BY path")).toEqual([{ call: "dead" }, { call: "alive" }]);
  });
});

test("a lock whose taking fails half way is not taken", async () => {
  let left = 1;
  asked.fail = (text) => (text.startsWith("INSERT INTO locks") && left-- === 0 ? new Error("no") : undefined);
  await expect(store.lock(["/a", "/b"], holderOf("c"))).rejects.toThrow("no");
  asked.clear();
  expect(await store.locks()).toEqual([]);
});
