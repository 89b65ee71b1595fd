import { describe, expect, test, vi } from "vitest";
import { readyOf } from "../../../test/hearing.ts";
import { bytes, placeOf, sha256, tripIn } from "../../../test/tripping.ts";
import type { CallRecord } from "../contracts/store/records.ts";
import { Ending, type Result, ToolFailure } from "../words/result.ts";
import { alreadyMade, attempt, digestOf, end, recordOf, tried } from "./ending.ts";
import type { Parts } from "./journey-parts.ts";
import type { Life } from "./life.ts";
import { Roster } from "./roster.ts";
import type { Ended } from "./stages.ts";
import type { Trip } from "./trip.ts";

const secretly = { redact: (text: string) => text.replaceAll("hunter2", "***") };
const failing = async (error: unknown, change: (trip: Trip) => void = () => {}): Promise<Result> => {
  const trip = tripIn({ parts: secretly });
  change(trip);
  return ((await tried(trip, () => Promise.reject(error))) as Ended).ended;
};
const system = (code: string) => Object.assign(new Error("the disk says no"), { code });

describe("whatever a stage throws is the result of the call", () => {
  const unreadable = Object.create(null, {
    code: {
      get: () => {
        throw new Error("no");
      },
    },
  });
  const hostile = new Proxy(
    {},
    {
      getPrototypeOf: () => {
        throw new Error("no");
      },
    },
  );
  test.each<[what: string, error: unknown, code: string, message: string]>([
    ["a failure that was foreseen", new ToolFailure("CONFLICT", "it is hunter2", "h"), "CONFLICT", "it is ***"],
    ["an error", new Error("oh hunter2"), "UNKNOWN", "oh ***"],
    ["an error without a message", new TypeError(""), "UNKNOWN", "TypeError"],
    ["a word", "word", "UNKNOWN", "it threw word"],
    ["nothing", undefined, "UNKNOWN", "it threw undefined"],
    ["null", null, "UNKNOWN", "it threw null"],
    ["what cannot be read", unreadable, "UNKNOWN", "it threw something that cannot be read"],
    ["what cannot even be looked at", hostile, "UNKNOWN", "it threw something that cannot be read"],
    ["ENOENT", system("ENOENT"), "NOT_FOUND", "the disk says no"],
    ["EACCES", system("EACCES"), "PERMISSION_DENIED", "the disk says no"],
    ["EPERM", system("EPERM"), "PERMISSION_DENIED", "the disk says no"],
    ["EISDIR", system("EISDIR"), "VALIDATION_ERROR", "the disk says no"],
    ["ENOTDIR", system("ENOTDIR"), "VALIDATION_ERROR", "the disk says no"],
    ["EMFILE", system("EMFILE"), "IO_ERROR", "the disk says no"],
    ["ENFILE", system("ENFILE"), "IO_ERROR", "the disk says no"],
    ["ENOSPC", system("ENOSPC"), "IO_ERROR", "the disk says no"],
    ["ETIMEDOUT", system("ETIMEDOUT"), "TIMEOUT", "the disk says no"],
  ])("%s", async (_, error, code, message) => {
    const result = await failing(error);
    expect(result).toMatchObject({ success: false, status: "failed", error: { code, message } });
    expect(result.title).toBe(`thing: ${message}`);
  });

  test("thrown at once, it is caught as well", async () => {
    const trip = tripIn();
    const thrown = tried(trip, () => {
      throw new Error("at once");
    });
    expect(((await thrown) as Ended).ended.error?.message).toBe("at once");
    expect(
      await attempt(
        trip,
        () => 7,
        (made) => [made],
        undefined,
      ),
    ).toEqual([7]);
    expect(
      await attempt(
        trip,
        async () => 8,
        (made) => [made],
        undefined,
      ),
    ).toEqual([8]);
  });

  test("an ending has its own status; what was put out and told goes with it", async () => {
    const options = { output: "so far", metadata: { by: "me" } };
    expect(await failing(new Ending("refused", "CONFLICT", "over", "h", options))).toMatchObject({
      ...{ status: "refused", output: "so far", metadata: { by: "me" }, error: { hint: "h" } },
    });
  });

  test("what is not the call's own fault is remembered", async () => {
    const troubles: unknown[] = [];
    for (const code of ["ENOSPC", "ENOENT"]) {
      const trip = tripIn();
      await tried(trip, () => Promise.reject(system(code)));
      troubles.push(trip.deeds.trouble);
    }
    expect(troubles).toEqual(["RESOURCE", undefined]);
  });

  test("only the first line is its title", async () => {
    expect((await failing(new Error("one\ntwo"))).title).toBe("thing: one");
  });

  test("tries are told where there were several", async () => {
    const told = async (tries: number) =>
      (await failing(new Error("x"), (trip) => Object.assign(trip.deeds, { tries }))).metadata;
    expect([await told(1), await told(3)]).toEqual([{}, { attempts: 3 }]);
  });

  test("changes that were made before are told, each once, and that they can be taken back", async () => {
    const change = ({ deeds }: Trip) => void deeds.changed.push("a", "b", "a");
    const accident = await failing(new Error("x"), change);
    expect(accident.error?.message).toBe("x (The change of a, b had already been made.)");
    expect(accident.error?.hint).toBe("Undo the change if you do not want it without the rest.");
    const foreseen = await failing(new ToolFailure("CONFLICT", "x", "try hunter2"), change);
    expect(foreseen.error?.hint).toBe("try ***");
    expect((await failing(new Error("x"))).error?.hint).toContain("did not expect this");
    expect(alreadyMade(tripIn())).toBe("");
  });
});

describe("the end of a call", () => {
  const done: Result = { success: true, status: "done", title: "t", output: "ran", metadata: {} };
  const ended = (result: Result, change: (trip: Trip) => void = () => {}, parts: Partial<Parts> = {}) => {
    const records: CallRecord[] = [];
    const letters: unknown[] = [];
    const events: { type: string }[] = [];
    const recorder = {
      add: (record: CallRecord) => records.push(record),
      addLetter: (each: unknown) => letters.push(each),
    };
    const look = vi.fn(() => [{ kind: "odd", message: "odd" }]);
    const trip = tripIn({
      parts: {
        ...{ recorder: recorder as never, anomalies: { look, lookLater: () => [] } as never, heard: () => true },
        emit: ((event: { type: string }) => events.push(event)) as never,
        ...parts,
      },
    });
    change(trip);
    return { given: end(trip, result), trip, records, letters, events, look };
  };

  test("closes its files, and those of its previews, and counts as over", () => {
    const closed: string[] = [];
    const view = (name: string) => ({ sights: [], close: () => closed.push(name) }) as never;
    const lives = new Roster<Life>();
    const { trip } = ended(done, (each) => {
      each.deeds.view = view("view");
      each.deeds.previews = [view("one"), view("two")];
      lives.add(each.life);
      (each.station.parts as { lives: unknown }).lives = lives;
    });
    expect([closed, lives.members.length]).toEqual([["view", "one", "two"], 0]);
    expect(() => trip.life.check(), "nothing more is done in its name").toThrow();
    expect(trip.trace.at(-1)?.stage).toBe("end");
  });

  test("is kept as a record, and told", () => {
    const { records, events } = ended(done, ({ known }) => {
      known.ready = readyOf({ danger: "caution" });
    });
    expect(records).toMatchObject([
      { tool: "thing", status: "done", input: { a: 1, b: 2 }, output: { head: "ran", bytes: 3 } },
    ]);
    expect(records[0]?.told).toBe("ran".length);
    expect(events.map(({ type }) => type)).toEqual(["done"]);
    expect(ended({ ...done, success: false, status: "failed" }).events.map(({ type }) => type)).toEqual(["failed"]);
    expect(ended(done, () => {}, { heard: () => false }).events).toEqual([]);
  });

  test.each<[what: string, result: Result, danger: string, isKept: boolean]>([
    ["what only read can be read again", done, "safe", false],
    ["what failed is kept", { ...done, success: false, status: "failed" }, "safe", true],
    ["what did more is kept", done, "caution", true],
    ["nothing is not kept", { ...done, output: "" }, "caution", false],
  ])("output: %s", (_, result, danger, isKept) => {
    const { records } = ended(result, ({ known }) => Object.assign(known, { ready: readyOf({ danger }) }));
    expect(records[0] && "output" in records[0]).toBe(isKept);
  });

  test("what is unusual is looked for where something was run, and is in the record and told", () => {
    const running = ended(done, ({ known }) => {
      known.ready = readyOf({ touches: [{ action: "run", command: "x", class: "safe", inner: [] }] });
    });
    expect(running.records[0]?.alerts).toHaveLength(1);
    expect(running.events.map(({ type }) => type)).toEqual(["alert", "done"]);
    const reading = ended(done, ({ known }) => Object.assign(known, { ready: readyOf() }));
    expect([reading.look.mock.calls.length, "alerts" in (reading.records[0] ?? {})]).toEqual([0, false]);
  });

  test("the record says what was changed, seen and brought in, and nothing that was not", () => {
    const trip = tripIn();
    const of = (change: (deeds: Trip["deeds"]) => void): CallRecord => {
      const each = tripIn();
      change(each.deeds);
      return recordOf(each, done, []);
    };
    expect(recordOf(trip, done, [])).not.toMatchObject({ changed: true });
    expect(of((deeds) => void deeds.changed.push("a")).changed).toBe(true);
    expect(of((deeds) => Object.assign(deeds, { commandChanged: true })).changed).toBe(true);
    expect(of((deeds) => Object.assign(deeds, { outside: true })).outside).toBe(true);
    for (const key of ["changed", "seen", "outside", "alerts", "error", "verdict", "parent", "ceiling"])
      expect(Object.keys(recordOf(trip, done, [])), key).not.toContain(key);
    const stamp = { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1 };
    const sights = Array.from({ length: 120 }, (_, n) => ({ place: placeOf(`f${n}`), ...(n !== 119 && { stamp }) }));
    const seen = of((deeds) => Object.assign(deeds, { view: { sights } as never })).seen;
    expect([seen?.length, seen?.[0]?.real, seen?.at(-1)?.real]).toEqual([100, "/ws/f19", "/ws/f118"]);
    const failed: Result = { ...done, success: false, error: { code: "CONFLICT", message: "m", hint: "h" } };
    Object.assign(trip.deeds, { view: { sights } as never });
    expect(recordOf(trip, failed, []), "a failure shows nothing of what was read").not.toHaveProperty("seen");
    expect(recordOf(trip, failed, []).error).toEqual({ code: "CONFLICT", message: "m" });
  });

  test.each<[what: string, action: string, outside: boolean, told: boolean]>([
    ["a call that delegated", "delegate", true, true],
    ["a call that delegated, below which nothing was brought in", "delegate", false, false],
    ["a call that did not delegate", "read", true, false],
  ])("what was brought in below it is part of the answer: %s", (_, action, outside, told) => {
    const trip = tripIn();
    const { facts } = trip.station as { facts: unknown };
    (trip.station as { facts: unknown }).facts = Object.create(facts as object, { outside: { value: outside } });
    trip.known.ready = { tool: { name: "t" }, touches: [{ action }], danger: "safe" } as never;
    expect("outside" in recordOf(trip, done, [])).toBe(told);
  });

  test("the record of a call that was judged says how, and one of a child below which ceiling", () => {
    const trip = tripIn({ station: { ancestors: ["a", "b"] } });
    trip.known.verdict = { answer: "allow", by: "p", reason: "r", grantable: ["x"] } as never;
    expect(recordOf(trip, done, [])).toMatchObject({ parent: "b", verdict: { answer: "allow", by: "p", reason: "r" } });
    expect(recordOf(trip, done, []).verdict).not.toHaveProperty("grantable");
  });

  test("answers are told apart by few letters, the same for the same", () => {
    expect(digestOf("a", sha256)).toBe(sha256(bytes("a")).slice(0, 16));
    expect(digestOf("b", sha256)).not.toBe(digestOf("a", sha256));
  });
});
