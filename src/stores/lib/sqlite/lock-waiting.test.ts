import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { asked } from "../../../../test/contracts/store-driver.ts";
import { storeFile } from "../../../../test/contracts/store-file.ts";
import { holderOf } from "../../../../test/contracts/store-samples.ts";
import type { Patience } from "../../../core/contracts/store/locks.ts";
import type { Store } from "../../../core/contracts/store/store.ts";

vi.mock("../driver.ts", async (original) => {
  const { loadDriver } = await original<typeof import("../driver.ts")>();
  const { watched } = await import("../../../../test/contracts/store-driver.ts");
  return { loadDriver: async () => watched(await loadDriver()) };
});

const { opened, raw } = storeFile();
let store: Store;
beforeEach(async () => {
  asked.clear();
  store = await opened();
});
afterEach(() => void vi.useRealTimers());

/** One of another process who waits for `/a` and never looks whether it is free. */
async function inLine(call: string): Promise<void> {
  await (await opened()).lock(["/elsewhere"], holderOf(call));
  await raw(
    `INSERT INTO waiters (token, call, paths, since, owner)
     SELECT 't', call, '["/a"]', 1, owner FROM locks WHERE call = ? RETURNING ticket`,
    call,
  );
}

/** As if the process that holds this call's locks had died. */
const die = (call: string) =>
  raw("UPDATE owners SET boot = 'earlier' WHERE handle IN (SELECT owner FROM locks WHERE call = ?) RETURNING 1", call);

const patient = { milliseconds: 60_000 };
const waiters = () => raw("SELECT * FROM waiters");

test("those who wait leave nothing behind, however the waiting ends", async () => {
  await store.lock(["/a"], holderOf("c1"));
  const stop = new AbortController();
  const all = [
    store.lock(["/a"], holderOf("late"), { milliseconds: 1 }),
    store.lock(["/a"], holderOf("stopped"), { ...patient, signal: stop.signal }),
    store.lock(["/a"], holderOf("served"), patient),
  ];
  await vi.waitFor(async () => expect(await waiters()).toHaveLength(2));
  stop.abort();
  await store.unlock("token-c1");
  expect((await Promise.all(all)).map((held) => held?.call)).toEqual(["c1", "c1", undefined]);
  expect(await waiters()).toEqual([]);
  const other = await opened();
  const closed = expect(other.lock(["/a"], holderOf("closed"), patient)).rejects.toThrow(/closed/);
  await vi.waitFor(async () => expect(await waiters()).toHaveLength(1));
  await other.close();
  await closed;
  expect(await waiters()).toEqual([]);
});

test("those who wait are not held up by a dead one who came before, not even for a moment", async () => {
  // nobody has stalled as long as this clock stands still
  vi.useFakeTimers({ toFake: ["performance"] });
  await store.lock(["/a"], holderOf("c1"));
  await inLine("dead");
  await die("dead");
  const waiting = store.lock(["/a"], holderOf("c2"), patient);
  await store.unlock("token-c1");
  expect(await waiting).toBeUndefined();
});

test("those who wait pass one who came before and does not take what is free", async () => {
  await store.lock(["/a"], holderOf("c1"));
  await inLine("stopped");
  const waiting = store.lock(["/a"], holderOf("c2"), patient);
  await store.unlock("token-c1");
  expect(await waiting).toBeUndefined();
});

test("those who wait pass nobody for having waited long while the lock was held", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  await store.lock(["/a"], holderOf("c1"));
  await inLine("slow");
  const waiting = store.lock(["/a"], holderOf("c2"), patient);
  await vi.advanceTimersByTimeAsync(400);
  await store.unlock("token-c1");
  await vi.advanceTimersByTimeAsync(200);
  expect(await store.locks()).toMatchObject([{ call: "slow" }]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await waiting).toBeUndefined();
});

test("those who wait are told by one who unlocks, and need not look for themselves", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await store.lock(["/a"], holderOf("c1"));
  const all = ["c2", "c3"].map((call) => store.lock(["/a"], holderOf(call), patient));
  await store.unlock("token-c1");
  expect(await all[0]).toBeUndefined();
  await store.unlock("token-c2");
  expect(await all[1]).toBeUndefined();
});

test("those who wait pass nobody for what a dead one held, who bore their name or was above them", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  await (await opened()).lock(["/elsewhere"], holderOf("dead"));
  await die("dead");
  await store.lock(["/a"], holderOf("c1"));
  const large = store.lock(["/a", "/b"], holderOf("large"), patient);
  const others = [holderOf("dead"), holderOf("child", "dead")];
  const small = others.map((holder) => store.lock(["/b"], holder, patient));
  expect((await waiters()).map(({ call }) => call)).toEqual(["large", "dead", "child"]);
  await store.unlock("token-c1");
  expect(await large).toBeUndefined();
  await store.unlock("token-large");
  expect(await small[0]).toBeUndefined();
  await store.unlock("token-dead");
  expect(await small[1]).toBeUndefined();
});

test.each<[what: string, path: string, patience: Patience | undefined]>([
  ["what is free is taken", "/b", patient],
  ["there is no patience", "/a", undefined],
  ["there is none left", "/a", { milliseconds: 0 }],
  ["it was broken off", "/a", { ...patient, signal: AbortSignal.abort() }],
])("wait only if they must: %s", async (_, path, patience) => {
  await store.lock(["/a"], holderOf("c1"));
  asked.clear();
  await store.lock([path], holderOf("c2"), patience);
  expect(asked.texts.filter((text) => text.startsWith("INSERT INTO waiters"))).toEqual([]);
});

test("those who wait are told when the file cannot be read any more", async () => {
  await store.lock(["/a"], holderOf("c1"));
  asked.fail = (text) => (text.includes("FROM waiters") && asked.texts.length > 0 ? new Error("no") : undefined);
  await expect(store.lock(["/a"], holderOf("c2"), patient)).rejects.toThrow("no");
  asked.clear();
  await store.unlock("token-c1");
});
