import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { asked } from "../../../../test/contracts/store-driver.ts";
import { storeFile } from "../../../../test/contracts/store-file.ts";
import { holderOf } from "../../../../test/contracts/store-samples.ts";
import type { Store } from "../../../core/contracts/store/store.ts";

vi.mock("../driver.ts", async (original) => {
  const { loadDriver } = await original<typeof import("../driver.ts")>();
  const { watched } = await import("../../../../test/contracts/store-driver.ts");
  return { loadDriver: async () => watched(await loadDriver()) };
});

const MINUTE = 60_000;
const { opened, raw } = storeFile();
let store: Store;
beforeEach(async () => {
  asked.clear();
  store = await opened();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Makes the owner of a call's locks another one. */
const owned = (call: string, change: string) =>
  raw(`UPDATE owners SET ${change} WHERE handle IN (SELECT owner FROM locks WHERE call = '${call}') RETURNING handle`);
const die = (call: string) => owned(call, "boot = 'earlier'");

const paths = async (): Promise<string[]> => (await store.locks()).map(({ path }) => path);

describe("a lock that is held for long", () => {
  const renewals = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await raw("SELECT path, renewals FROM locks JOIN owners ON handle = owner")).map((row) => [
        row.path,
        Number(row.renewals),
      ]),
    );

  beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date", "performance"] }));

  test("is renewed as long as it is held, so that another container never takes it", async () => {
    await store.lock(["/a"], holderOf("c"));
    const other = await opened();
    for (let minute = 0; minute < 60; minute++) {
      await owned("c", "host = 'another container'");
      vi.advanceTimersByTime(MINUTE);
      expect(await other.lock(["/a"], holderOf("other")), `after ${minute + 1} minutes`).toMatchObject({ call: "c" });
    }
    expect((await renewals())["/a"]).toBe(30);
  });

  test("of another machine is free when ten minutes went by without a renewal, by this process's own clock", async () => {
    const other = await opened();
    await other.lock(["/a"], holderOf("far"));
    await owned("far", "host = 'far'");
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 1e9);
    expect(await paths(), "whatever the other clocks say").toEqual(["/a"]);
    const unrenewed = (milliseconds: number) => {
      const before = performance.now();
      vi.spyOn(performance, "now").mockReturnValue(before + milliseconds);
    };
    unrenewed(10 * MINUTE);
    expect(await paths()).toEqual(["/a"]);
    await owned("far", "renewals = renewals + 1");
    unrenewed(MINUTE);
    expect(await paths(), "counts from anew").toEqual(["/a"]);
    unrenewed(10 * MINUTE);
    expect(await paths()).toEqual(["/a"]);
    unrenewed(1);
    expect(await paths()).toEqual([]);
    expect(await store.lock(["/a"], holderOf("c"))).toBeUndefined();
  });

  test("each handle renews its own alone, with one timer", async () => {
    const other = await opened();
    await store.lock(["/mine"], holderOf("c"));
    await store.lock(["/mine too"], holderOf("c"));
    await other.lock(["/theirs"], holderOf("d"));
    expect(vi.getTimerCount()).toBe(2);
    await other.close();
    expect(vi.getTimerCount()).toBe(1);
    const third = await opened();
    await third.lock(["/third"], holderOf("e"));
    vi.advanceTimersByTime(3 * MINUTE);
    expect(await renewals()).toEqual({ "/mine": 1, "/mine too": 1, "/third": 1 });
    await store.close();
    vi.advanceTimersByTime(2 * MINUTE);
    expect(await renewals()).toEqual({ "/third": 2 });
    await third.close();
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
    asked.fail = (text) => (text.startsWith("UPDATE owners") ? new Error("database is locked") : undefined);
    vi.advanceTimersByTime(3 * MINUTE);
    asked.clear();
    expect((await renewals())["/a"]).toBe(0);
    vi.advanceTimersByTime(3 * MINUTE);
    expect((await renewals())["/a"]).toBe(2);
  });
});

describe("a dead holder's locks", () => {
  test.each([
    ["of an earlier boot of this machine", "boot = 'earlier'"],
    ["of an earlier process with its pid", "started = '1'"],
  ])("%s are free", async (_, change) => {
    await (await opened()).lock(["/a"], holderOf("dead"));
    await owned("dead", change);
    expect(await paths()).toEqual([]);
    expect(await store.lock(["/a"], holderOf("next"))).toBeUndefined();
    expect(await paths()).toEqual(["/a"]);
  });

  test("whose owner is not known any more are free", async () => {
    await (await opened()).lock(["/a"], holderOf("dead"));
    await raw("DELETE FROM owners RETURNING handle");
    expect(await store.lock(["/a"], holderOf("next"))).toBeUndefined();
  });

  test("the same token, in a new process, really takes them", async () => {
    await (await opened()).lock(["/a"], holderOf("resumed"));
    await die("resumed");
    expect(await store.lock(["/a"], holderOf("resumed"))).toBeUndefined();
    expect(await paths()).toEqual(["/a"]);
  });

  test("are taken over without those of the living at the same path", async () => {
    await store.lock(["/a"], holderOf("parent"));
    await (await opened()).lock(["/a"], holderOf("dead", "parent"));
    await die("dead");
    expect(await store.lock(["/a"], holderOf("child", "parent"))).toBeUndefined();
    expect((await store.locks()).map(({ call }) => call).sort()).toEqual(["child", "parent"]);
  });

  test("are taken over without what the same token holds elsewhere by now", async () => {
    await (await opened()).lock(["/a"], { ...holderOf("c"), call: "dead" });
    await store.lock(["/b"], holderOf("c"));
    await die("dead");
    expect(await store.lock(["/a"], holderOf("other"))).toBeUndefined();
    expect(await paths()).toEqual(["/a", "/b"]);
    expect(await store.lock(["/b"], holderOf("other"))).toMatchObject({ call: "c" });
  });

  test("are all taken over by one who takes a folder, and nothing of the living beside it", async () => {
    await (await opened()).lock(["/w/a", "/w/b", "/w/**"], holderOf("dead"));
    await die("dead");
    await store.lock(["/wide"], holderOf("alive"));
    expect(await store.lock(["/w/**"], holderOf("c"))).toBeUndefined();
    expect((await store.locks()).map(({ path, call }) => [path, call])).toEqual([
      ["/w/**", "c"],
      ["/wide", "alive"],
    ]);
    expect(await raw("SELECT path FROM locks ORDER BY path")).toHaveLength(2);
  });

  test("are kept while another's living lock is in the way: all or none", async () => {
    await (await opened()).lock(["/a"], holderOf("dead"));
    await die("dead");
    await store.lock(["/b"], holderOf("alive"));
    expect(await store.lock(["/a", "/b"], holderOf("c"))).toMatchObject({ call: "alive" });
    expect(await raw("SELECT call FROM locks ORDER BY path")).toEqual([{ call: "dead" }, { call: "alive" }]);
  });

  test("are waited for no longer than they live", async () => {
    const other = await opened();
    await other.lock(["/a"], holderOf("dead"));
    const waiting = store.lock(["/a"], holderOf("c"), { milliseconds: 60_000 });
    await die("dead");
    expect(await waiting).toBeUndefined();
  });

  test("go when the store is tidied, with their owner and its place in the line", async () => {
    await (await opened()).lock(["/a"], holderOf("dead"));
    await store.lock(["/b"], holderOf("alive"));
    await die("dead");
    await raw(
      "INSERT INTO waiters (token, paths, owner) SELECT 't', '[]', owner FROM locks WHERE call = 'dead' RETURNING 1",
    );
    await store.tidy({ maxAgeMs: 1, maxBytes: 1, now: 1 });
    expect(await raw("SELECT path FROM locks")).toEqual([{ path: "/b" }]);
    expect(await raw("SELECT ticket FROM waiters")).toEqual([]);
    expect(await raw("SELECT handle FROM owners")).toHaveLength(1);
  });
});

test("a lock whose taking fails half way is not taken", async () => {
  let left = 1;
  asked.fail = (text) => (text.startsWith("INSERT INTO locks") && left-- === 0 ? new Error("no") : undefined);
  await expect(store.lock(["/a", "/b"], holderOf("c"))).rejects.toThrow("no");
  asked.clear();
  expect(await store.locks()).toEqual([]);
});
