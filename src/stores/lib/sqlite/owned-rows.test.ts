import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { storeFile } from "../../../../test/contracts/store-file.ts";
import { approvalOf, begunOf, holderOf } from "../../../../test/contracts/store-samples.ts";
import type { Store } from "../../../core/contracts/store/store.ts";

const { opened, raw } = storeFile();
let mine: Store;
let theirs: Store;

beforeEach(async () => {
  [mine, theirs] = [await opened(), await opened()];
});
afterEach(() => void vi.useRealTimers());

const BOUNDS = { maxAgeMs: 1e9, maxBytes: 1e9, now: 1000 };
const wanted = { resources: ["/w/a"], shown: "a", mode: "exclusive" as const };

/** Everything that ends with the process that it is of. */
async function own(store: Store, name: string): Promise<void> {
  await store.ask(approvalOf(name));
  await store.hold("names", [{ ...wanted, resources: [name] }], { session: name, agent: "a" }, 60_000);
  await store.lock([`/${name}`], holderOf(name));
  await store.begin([begunOf(name)]);
  await store.table("t").put(name, 1, { bound: true });
}

/** All of them, as this handle sees them. */
const seen = async () => ({
  asked: (await mine.pending()).map(({ id }) => id),
  holds: (await mine.holds()).map(({ session }) => session),
  locks: (await mine.locks()).map(({ call }) => call),
  underWay: (await mine.underWay()).map(({ id }) => id),
  orphans: (await mine.table("t").list()).filter(({ orphaned }) => orphaned).map(({ key }) => key),
});
const all = (...names: string[]) => ({ asked: names, holds: names, locks: names, underWay: names });

const ends: [string, () => Promise<unknown>, boolean][] = [
  [
    "was killed",
    () => raw("UPDATE owners SET boot = 'earlier' WHERE handle IN (SELECT owner FROM locks WHERE call = 'b')"),
    true,
  ],
  [
    "is not known any more",
    () => raw("DELETE FROM owners WHERE handle IN (SELECT owner FROM locks WHERE call = 'b')"),
    false,
  ],
];

describe.each(ends)("what belongs to a process that %s", (_, end, isKnown) => {
  beforeEach(async () => {
    await own(mine, "a");
    await own(theirs, "b");
    expect(await seen()).toEqual({ ...all("a", "b"), orphans: [] });
    await end();
  });

  test("is over, and what belongs to those that live is not", async () => {
    expect(await seen()).toEqual({ ...all("a"), orphans: ["b"] });
    expect(await mine.answer("b", "once")).toBe(false);
    expect(await mine.answer("a", "once")).toBe(true);
    expect(
      await mine.hold("names", [{ ...wanted, resources: ["b"] }], { session: "c", agent: "c" }, 1000),
    ).toMatchObject([{ hold: { session: "c" } }]);
  });

  test("is told as interrupted, once", async () => {
    expect((await mine.interrupted()).map(({ id }) => id)).toEqual(["b"]);
    expect(await mine.interrupted()).toEqual([]);
    expect((await mine.underWay()).map(({ id }) => id)).toEqual(["a"]);
  });

  test("is closed by the next tidying, but for what is still to be told", async () => {
    await mine.tidy(BOUNDS);
    expect(await raw("SELECT id FROM approvals WHERE over IS NULL")).toEqual([{ id: "a" }]);
    const known = await raw("SELECT handle FROM owners");
    expect(known).toHaveLength(1);
    for (const table of ["locks", "holds"])
      expect(
        await raw(`SELECT owner FROM ${table} JOIN owners ON handle = owner`),
        `${table} of those that live`,
      ).toHaveLength(1);
    if (isKnown)
      for (const table of ["locks", "holds"]) expect(await raw(`SELECT owner FROM ${table}`), table).toHaveLength(1);
    expect((await mine.interrupted()).map(({ id }) => id)).toEqual(["b"]);
    expect(await seen()).toEqual({ ...all("a"), orphans: ["b"] });
  });
});

test("what a handle leaves when it is closed", async () => {
  await own(mine, "a");
  await own(theirs, "b");
  await theirs.close();
  expect(await seen()).toEqual({ ...all("a"), orphans: [] });
  for (const table of ["locks", "holds", "waiters", "under_way"])
    expect(await raw(`SELECT owner FROM ${table} WHERE owner NOT IN (SELECT handle FROM owners)`), table).toEqual([]);
  expect(await raw("SELECT handle FROM owners")).toHaveLength(1);
  expect(await mine.interrupted(), "whoever closes was not interrupted").toEqual([]);
});

test("a question that was not answered in its time is over, and closed by the next tidying", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  await mine.ask(approvalOf("short", { patience: 1000 }));
  await mine.ask(approvalOf("long"));
  vi.advanceTimersByTime(999);
  await mine.tidy(BOUNDS);
  expect((await mine.pending()).map(({ id }) => id)).toEqual(["short", "long"]);
  vi.advanceTimersByTime(1);
  expect(await mine.answer("short", "once")).toBe(false);
  expect((await mine.pending()).map(({ id }) => id)).toEqual(["long"]);
  await mine.tidy(BOUNDS);
  expect(await raw("SELECT id FROM approvals WHERE over IS NULL")).toEqual([{ id: "long" }]);
});

test("holds that are over go when the next one is taken", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const hold = (name: string) =>
    mine.hold("names", [{ ...wanted, resources: [name] }], { session: "s", agent: "a" }, 1000);
  await hold("one");
  vi.advanceTimersByTime(1000);
  await hold("two");
  expect(await raw("SELECT resources FROM holds")).toEqual([{ resources: '["two"]' }]);
});
