import { describe, expect, test } from "vitest";
import type { CallRecord } from "../contracts/store/records.ts";
import type { Store } from "../contracts/store/store.ts";
import { Opening, Recorder } from "./recorder.ts";
import { Roster } from "./roster.ts";

/** A recorder whose clock never rings by itself, and what it told its store. */
function recorder(fails: readonly string[] = [], thrown: unknown = new Error("the disk is full")) {
  const told: string[] = [];
  const lost: string[] = [];
  const tell = async (what: string) => {
    if (fails.some((each) => what.startsWith(each))) throw thrown;
    told.push(what);
  };
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join();
  const store = {
    begin: (rows: { id: string }[], durable?: boolean) => tell(`${durable ? "durably " : ""}begun ${ids(rows)}`),
    record: (rows: { id: string; input: unknown }[]) => tell(`kept ${ids(rows)} ${rows.map(({ input }) => input)}`),
    finish: (finished: string[]) => tell(`finished ${finished.join()}`),
    interrupted: async () => [{ id: "dead" }],
    table: () => ({
      ...{ get: async () => undefined, list: async () => [] },
      put: async (key: string) => {
        if (fails.includes("letter")) throw thrown;
        letters.push(key);
      },
    }),
  } as unknown as Store;
  const letters: string[] = [];
  let rings = 0;
  let cancels = 0;
  const after = () => {
    rings++;
    return () => void cancels++;
  };
  const clock = { now: () => 0, ticks: () => 0, after };
  const clean = (record: CallRecord) => ({ ...record, input: "clean" });
  const made = new Recorder(store, clock, clean, (message) => void lost.push(message));
  const opening = (id: string) => new Opening(id, { id }, (call) => call);
  const record = (id: string) => ({ id, input: "secret" }) as unknown as CallRecord;
  return { made, store, told, lost, letters, opening, record, rings: () => rings, cancels: () => cancels };
}

test("whoever is not among those who are here changes nothing by leaving", () => {
  const roster = new Roster<{ seat: number }>();
  const [one, two, three] = [{ seat: -1 }, { seat: -1 }, { seat: -1 }];
  for (const each of [one, two, three]) roster.add(each);
  roster.remove(one);
  roster.remove(one);
  roster.remove({ seat: 0 });
  expect([...roster.members].sort((a, b) => a.seat - b.seat)).toEqual([three, two]);
  expect([roster.has(one), roster.has(two), roster.has(three)]).toEqual([false, true, true]);
});

describe("the recorder", () => {
  test("has what it must keep on the disk when it says so, once", async () => {
    const { made, told, opening, record } = recorder();
    const call = opening("a");
    made.open(call);
    await made.begun(call, true);
    await made.begun(call, true);
    made.visible(call);
    await made.flush();
    expect(told).toEqual(["durably begun a"]);
    made.add(record("a"), call);
    await made.flush();
    expect(told.slice(1)).toEqual(["kept a clean", "finished a"]);
    await made.begun(call, true);
    made.visible(call);
    expect(told, "what has ended does not begin again").toHaveLength(3);
  });

  test("tells again of what the store could not keep", async () => {
    const { made, told, opening, store } = recorder();
    const call = opening("a");
    made.open(call);
    const { begin } = store;
    store.begin = async () => {
      throw new Error("full");
    };
    await expect(made.begun(call, true)).rejects.toThrow("full");
    store.begin = begin;
    await made.begun(call, true);
    expect(told).toEqual(["durably begun a"]);
  });

  test("passes a call on to be told with its intents, until the store has it", async () => {
    const { made, told, opening, record } = recorder();
    const call = opening("a");
    const intend = async (begun?: { id: string }) => begun?.id;
    made.open(call);
    made.visible(call);
    await expect(made.begunWith(call, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await made.begunWith(call, intend), "what failed was not told").toBe("a");
    expect(await made.begunWith(call, intend)).toBeUndefined();
    await made.begun(call, true);
    made.add(record("a"), call);
    await made.flush();
    expect(told).toEqual(["begun a", "kept a clean", "finished a"]);
    const over = opening("b");
    expect(await made.begunWith(over, intend), "what is not open does not begin").toBeUndefined();
  });

  test("ends what was told with its intents, even if the answer was lost", async () => {
    const { made, told, opening, record } = recorder();
    const call = opening("a");
    made.open(call);
    await made.begunWith(call, () => Promise.reject(new Error("lost"))).catch(() => {});
    made.add(record("a"), call);
    await made.flush();
    expect(told).toEqual(["kept a clean", "finished a"]);
  });

  test("tells again of a call that was shown before its work began, and on the disk if that is asked for", async () => {
    for (const durably of [true, false]) {
      const { made, told, opening } = recorder();
      const call = opening("a");
      made.open(call);
      made.visible(call);
      await made.begun(call, durably);
      await made.flush();
      expect(told.toSorted()).toEqual(["begun a", durably ? "durably begun a" : "begun a"]);
    }
  });

  test("shows what takes its time, and ends what was shown", async () => {
    const { made, told, opening, record } = recorder();
    const [slow, quick] = [opening("slow"), opening("quick")];
    made.open(slow);
    await made.flush();
    made.open(quick);
    made.add(record("quick"), quick);
    await made.flush();
    made.add(record("slow"), slow);
    await made.flush();
    expect(told).toEqual(["begun slow", "kept quick clean", "kept slow clean", "finished slow"]);
  });

  test("keeps no secret, and tells what it had to lose", async () => {
    const { made, told, lost, record } = recorder(["kept"]);
    expect(made.cleaned(record("a")).input).toBe("clean");
    made.add(record("a"));
    made.add(record("b"));
    await made.flush();
    expect(told).toEqual([]);
    expect(lost).toEqual(["2 records could not be kept: the disk is full"]);
  });

  test("writes a record for what a process that died had begun", async () => {
    const { made, told } = recorder();
    await made.addInterrupted();
    await made.flush();
    expect(told).toEqual(["kept dead clean"]);
  });

  test("waits for a group with one timer", async () => {
    const { made, rings, opening, record } = recorder();
    made.open(opening("a"));
    made.add(record("b"));
    made.add(record("c"));
    expect(rings()).toBe(1);
    await made.flush();
    made.add(record("d"));
    expect(rings()).toBe(2);
  });

  test("does not begin what has ended, whether or not it was ever shown", async () => {
    const { made, told, opening, record } = recorder();
    const call = opening("a");
    made.open(call);
    made.add(record("a"), call);
    await made.begun(call, true);
    made.visible(call);
    await made.flush();
    expect(told).toEqual(["kept a clean"]);
  });

  test("writes at once when there are very many, and not before", async () => {
    const { made, told, record } = recorder();
    for (let n = 1; n < 1024; n++) made.add(record(`r${n}`));
    await Promise.resolve();
    expect(told).toEqual([]);
    made.add(record("r1024"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain("r1024");
  });

  test("calls its timer off when it has written", async () => {
    const { made, record, cancels } = recorder();
    made.add(record("a"));
    await made.flush();
    expect(cancels()).toBe(1);
    await made.flush();
    expect(cancels(), "where there is none, none is called off").toBe(1);
  });

  test("tells what it had to lose, whatever was thrown", async () => {
    const { made, lost, record } = recorder(["kept"], "no room");
    made.add(record("a"));
    await made.flush();
    expect(lost).toEqual(["1 records could not be kept: no room"]);
  });

  test("keeps letters of failed calls, or tells that they are lost", async () => {
    const letter = { id: "l" } as never;
    const { made, letters, rings } = recorder();
    made.addLetter(letter);
    expect(rings()).toBe(1);
    await made.flush();
    expect(letters.length).toBe(1);
    await made.flush();
    expect(letters.length, "once").toBe(1);
    for (const [thrown, why] of [
      ["no room", "no room"],
      [new Error("the disk is full"), "the disk is full"],
    ] as const) {
      const failing = recorder(["letter"], thrown);
      failing.made.addLetter(letter);
      await failing.made.flush();
      expect(failing.lost).toEqual([`1 dead letters could not be kept: ${why}`]);
    }
  });
});
