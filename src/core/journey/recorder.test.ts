import { describe, expect, test } from "vitest";
import type { CallRecord } from "../contracts/store/records.ts";
import type { Store } from "../contracts/store/store.ts";
import { Opening, Recorder } from "./recorder.ts";

/** A recorder whose clock never rings by itself, and what it told its store. */
function recorder(fails: readonly string[] = []) {
  const told: string[] = [];
  const lost: string[] = [];
  const tell = async (what: string) => {
    if (fails.some((each) => what.startsWith(each))) throw new Error("the disk is full");
    told.push(what);
  };
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join();
  const store = {
    begin: (rows: { id: string }[], durable?: boolean) => tell(`${durable ? "durably " : ""}begun ${ids(rows)}`),
    record: (rows: { id: string; input: unknown }[]) => tell(`kept ${ids(rows)} ${rows.map(({ input }) => input)}`),
    finish: (finished: string[]) => tell(`finished ${finished.join()}`),
    interrupted: async () => [{ id: "dead" }],
  } as unknown as Store;
  let rings = 0;
  const after = () => {
    rings++;
    return () => {};
  };
  const clock = { now: () => 0, ticks: () => 0, after };
  const clean = (record: CallRecord) => ({ ...record, input: "clean" });
  const made = new Recorder(store, clock, clean, (message) => void lost.push(message));
  const opening = (id: string) => new Opening(id, () => ({ id }) as never);
  const record = (id: string) => ({ id, input: "secret" }) as unknown as CallRecord;
  return { made, told, lost, opening, record, rings: () => rings };
}

describe("the recorder", () => {
  test("has what it must keep on the disk when it says so, once", async () => {
    const { made, told, opening, record } = recorder();
    const call = opening("a");
    made.open(call);
    await made.begun(call);
    await made.begun(call);
    made.visible(call);
    await made.flush();
    expect(told).toEqual(["durably begun a"]);
    made.add(record("a"), call);
    await made.flush();
    expect(told.slice(1)).toEqual(["kept a clean", "finished a"]);
    await made.begun(call);
    made.visible(call);
    expect(told, "what has ended does not begin again").toHaveLength(3);
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
});
