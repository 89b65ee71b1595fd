import { afterEach, describe, expect, test, vi } from "vitest";
import type { CallRecord, Gate, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, door, plain, settled } from "../journeys/harness.ts";

/** How long a record may wait at the most, and how many may wait together. */
const LATEST_MS = 100;
const GROUP = 1024;

afterEach(() => void vi.useRealTimers());

/** A gate whose groups of records can be looked at; `keep` may be slow or fail. */
async function recording(keep: (group: readonly string[]) => Promise<void> = async () => {}) {
  const groups: string[][] = [];
  const store: Store = {
    ...memoryStore(),
    async record(records: readonly CallRecord[]) {
      const names = records.map(({ call }) => call);
      await keep(names);
      groups.push(names);
    },
  };
  const { gate } = await bench({}, { store, tools: [plain("quick")] });
  const call = (id: string, on: Gate = gate) => on.call({ id, name: "quick" });
  return { gate, call, groups };
}

describe("records are kept in groups", () => {
  test("within a tenth of a second, so that a crash loses no more", async () => {
    const { call, groups } = await recording();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await call("1");
    await vi.advanceTimersByTimeAsync(LATEST_MS / 2);
    await call("2");
    await vi.advanceTimersByTimeAsync(LATEST_MS / 2 - 1);
    expect(groups).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(groups).toEqual([["1", "2"]]);
    await call("3");
    await vi.advanceTimersByTimeAsync(LATEST_MS);
    expect(groups, "the next one starts the time anew").toEqual([["1", "2"], ["3"]]);
    await vi.advanceTimersByTimeAsync(10 * LATEST_MS);
    expect(groups).toHaveLength(2);
  });

  test("as soon as there are many, however little time has passed", async () => {
    const { gate, groups } = await recording();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const calls = Array.from({ length: GROUP - 1 }, (_, n) => ({ id: `${n}`, name: "quick" }));
    await gate.callAll(calls);
    await settled();
    expect(groups).toEqual([]);
    await gate.call({ id: "last", name: "quick" });
    await settled();
    expect(groups.map((group) => group.length)).toEqual([GROUP]);
    expect(groups[0]?.at(-1)).toBe("last");
    await vi.advanceTimersByTimeAsync(10 * LATEST_MS);
    expect(groups, "nothing is written twice or for nothing").toHaveLength(1);
  });

  test("all of them when the gate is closed, and of its children too", async () => {
    const { gate, call, groups } = await recording();
    await call("1");
    await call("2", gate.child());
    expect(groups).toEqual([]);
    await gate.close();
    expect(groups).toEqual([["1", "2"]]);
  });

  test("when a child is closed, those that wait", async () => {
    const { gate, call, groups } = await recording();
    const child = gate.child();
    await call("1", child);
    await child.close();
    expect(groups).toEqual([["1"]]);
  });

  test("of calls that closing stopped", async () => {
    const store = memoryStore();
    const begun = door();
    const hang = plain("hang", {
      execute: (_, { abort }) =>
        new Promise((resolve) => {
          abort.addEventListener("abort", () => setImmediate(() => resolve("what I had")));
          begun.open();
        }),
    });
    const { gate } = await bench({}, { store, tools: [hang] });
    const running = gate.call({ id: "stopped", name: "hang" });
    await begun.opened;
    await gate.close();
    expect((await store.records({})).map(({ call, status }) => `${call} ${status}`)).toEqual(["stopped cancelled"]);
    expect(await running).toMatchObject({ status: "cancelled", output: "what I had" });
  });
});

describe("a store that is slow, or fails", () => {
  test("gets one group after the other, in the order of the calls", async () => {
    const slow = door();
    let writing = 0;
    const { gate, call, groups } = await recording(async ([first]) => {
      expect(++writing, "one at a time").toBe(1);
      if (first === "1") await slow.opened;
      writing -= 1;
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    for (const id of ["1", "2", "3"]) {
      await call(id);
      await vi.advanceTimersByTimeAsync(LATEST_MS);
    }
    expect(groups).toEqual([]);
    const closing = gate.close();
    let closed = false;
    void closing.then(() => {
      closed = true;
    });
    await settled();
    expect(closed, "closing waits for what is being written").toBe(false);
    slow.open();
    await closing;
    expect(groups).toEqual([["1"], ["2"], ["3"]]);
  });

  test("loses a group and says so, and goes on with the next", async () => {
    const { gate, call, groups } = await recording(async ([first]) => {
      if (first === "1") throw new Error("the disk is full");
    });
    const heard: string[] = [];
    gate.on("event", (event) => {
      if (event.type === "unrecorded") heard.push(event.message);
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await call("1");
    await call("2");
    await vi.advanceTimersByTimeAsync(LATEST_MS);
    await call("3");
    await gate.close();
    expect(groups).toEqual([["3"]]);
    expect(heard).toEqual(["2 records could not be kept: the disk is full"]);
  });
});

test("nothing is left that would keep a process alive or wake it up", async () => {
  const store = memoryStore();
  const approve = () => "once";
  const { gate } = await bench({}, { store, approve, mode: "confirm-sensitive", tools: [plain("quick")] });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval"] });
  await gate.call({ name: "quick" });
  const write = { name: "write_file", args: { path: "a", content: "x" } };
  expect((await gate.call(write)).status).toBe("done");
  await gate.close();
  // what had been set before may still go off once
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
