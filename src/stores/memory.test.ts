import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { storeContract } from "../../test/contracts/store.ts";
import { callRecord, holderOf } from "../../test/contracts/store-samples.ts";
import { memoryRecords } from "./lib/memory/records.ts";
import { usage } from "./lib/usage.ts";
import { memoryStore } from "./memory.ts";

storeContract("memory", async () => ({ store: memoryStore(), done: async () => {} }));

test("records are dropped beyond so many, the oldest first", async () => {
  let seq = 0;
  const records = memoryRecords(usage().using, () => ++seq, 100);
  for (let at = 0; at < 215; at++) await records.record([callRecord(`c${at}`)]);
  const kept = await records.records({ order: "oldest-first" });
  expect([kept.length, kept[0]?.call, kept.at(-1)?.call]).toEqual([105, "call-c110", "call-c214"]);
  expect(await records.verify()).toMatchObject({ records: 105, pruned: 110 });
});

describe("locks, by a clock that stands still", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("whoever has no time is answered without waiting", async () => {
    const store = memoryStore();
    await store.lock(["/a"], holderOf("holder"));
    expect(await store.lock(["/a"], holderOf("hurried"), { milliseconds: 0 })).toMatchObject({ call: "holder" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the end of the time of one who was served takes nothing more", async () => {
    const store = memoryStore();
    await store.lock(["/a", "/b"], holderOf("holder"));
    const stop = new AbortController();
    const waiting = [
      store.lock(["/a"], holderOf("served"), { milliseconds: 1000 }),
      store.lock(["/b"], holderOf("stopped"), { milliseconds: 1000, signal: stop.signal }),
    ];
    stop.abort();
    await store.unlock("token-holder");
    expect(await Promise.all(waiting)).toMatchObject([undefined, { call: "holder" }]);
    await store.unlock("token-served");
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2000);
    expect(await store.locks()).toEqual([]);
  });

  test("time is up for one, and the next in line is served", async () => {
    const store = memoryStore();
    await store.lock(["/a"], holderOf("holder"));
    const large = store.lock(["/a", "/b"], holderOf("large"), { milliseconds: 1000 });
    const small = store.lock(["/b"], holderOf("small"), { milliseconds: 5000 });
    vi.advanceTimersByTime(1000);
    expect(await large).toMatchObject({ call: "holder" });
    expect(await small).toBeUndefined();
    const closing = store.lock(["/b"], holderOf("next"), { milliseconds: 1000 });
    const told = expect(closing).rejects.toThrow(/closed/);
    await store.close();
    await told;
    expect(vi.getTimerCount()).toBe(0);
  });
});
