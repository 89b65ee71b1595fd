import { describe, expect, test } from "vitest";
import type { Alert } from "../../src/core/contracts/anomalies.ts";
import type { CallRecord } from "../../src/core/contracts/store/records.ts";
import { attempt, end, tried } from "../../src/core/journey/ending.ts";
import type { Parts } from "../../src/core/journey/journey-parts.ts";
import type { Life } from "../../src/core/journey/life.ts";
import { Roster } from "../../src/core/journey/roster.ts";
import type { Ended } from "../../src/core/journey/stages.ts";
import type { Deeds } from "../../src/core/journey/trip.ts";
import type { NewLetter } from "../../src/core/words/dead-letter.ts";
import type { EventBody } from "../../src/core/words/event.ts";
import type { Ready } from "../../src/core/words/ready.ts";
import { Ending, type Result, ToolFailure } from "../../src/core/words/result.ts";
import type { Touch } from "../../src/core/words/touch.ts";
import { at, factsUnder } from "../judging.ts";
import { placeOf, sha256, tripIn } from "../tripping.ts";

const done: Result = { success: true, status: "done", title: "", output: "out", metadata: {} };
const run: Touch = { action: "run", command: "make", class: "dev", inner: [] };
const stamp = { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1 };

/** What is known of a session in which nothing has happened, but for this. */
const facts = (more: object) => {
  const made = factsUnder({ mode: "yolo" });
  for (const [name, value] of Object.entries(more)) Object.defineProperty(made, name, { value });
  return made;
};

type Given = {
  touches?: Touch[];
  danger?: Ready["danger"];
  deeds?: Partial<Deeds>;
  parts?: Partial<Parts>;
  station?: object;
};

/** A call that has come to its end, and what was kept and told of it. */
function ending({
  touches = [at("write", "a")],
  danger = "moderate",
  deeds = {},
  parts = {},
  station = {},
}: Given = {}) {
  const records: CallRecord[] = [];
  const letters: NewLetter[] = [];
  const events: EventBody[] = [];
  const recorder = {
    add: (record: CallRecord) => records.push(record),
    addLetter: (letter: NewLetter) => letters.push(letter),
  };
  const trip = tripIn({
    parts: {
      ...{
        recorder: recorder as unknown as Parts["recorder"],
        heard: () => true,
        emit: (event: EventBody) => void events.push(event),
      },
      redact: (text: string) => text.replaceAll("hunter2", "[secret]"),
      anomalies: { look: () => [], lookLater: () => [] } as unknown as Parts["anomalies"],
      ...parts,
    },
    station,
  });
  Object.assign(trip.deeds, deeds);
  trip.known.ready = {
    tool: { name: "thing", definition: {} },
    input: { path: "a" },
    touches,
    danger,
    changes: [],
    notes: [],
  } as unknown as Ready;
  return {
    trip,
    records,
    letters,
    events,
    kept: (result = done) => {
      end(trip, result);
      return records[0] as CallRecord;
    },
  };
}

describe("whatever a stage throws becomes the result", () => {
  const coded = (code: string) => Object.assign(new Error("so it is"), { code });
  const unreadable = new Proxy(
    {},
    { get: () => [].at(1) as never, getPrototypeOf: () => [].reduce(() => null as never) },
  );
  test.each<[what: string, thrown: () => unknown, status: string, code: string, message: string]>([
    ["a failure that was foreseen", () => new ToolFailure("NOT_FOUND", "no", "go on"), "failed", "NOT_FOUND", "no"],
    ["an ending", () => new Ending("refused", "CONFLICT", "no", "go on"), "refused", "CONFLICT", "no"],
    ["an accident", () => new Error("oh"), "failed", "UNKNOWN", "oh"],
    ["an error without a word", () => new TypeError(), "failed", "UNKNOWN", "TypeError"],
    ["a text", () => "oh", "failed", "UNKNOWN", "it threw oh"],
    ["nothing", () => undefined, "failed", "UNKNOWN", "it threw undefined"],
    ["null", () => null, "failed", "UNKNOWN", "it threw null"],
    ["what cannot be shown", () => Object.create(null), "failed", "UNKNOWN", "it threw something that cannot be read"],
    ["what cannot be looked at", () => unreadable, "failed", "UNKNOWN", "it threw something that cannot be read"],
    ["a secret", () => new Error("password hunter2"), "failed", "UNKNOWN", "password [secret]"],
    ["ENOENT", () => coded("ENOENT"), "failed", "NOT_FOUND", "so it is"],
    ["EACCES", () => coded("EACCES"), "failed", "PERMISSION_DENIED", "so it is"],
    ["EPERM", () => coded("EPERM"), "failed", "PERMISSION_DENIED", "so it is"],
    ["EISDIR", () => coded("EISDIR"), "failed", "VALIDATION_ERROR", "so it is"],
    ["ENOTDIR", () => coded("ENOTDIR"), "failed", "VALIDATION_ERROR", "so it is"],
    ["EMFILE", () => coded("EMFILE"), "failed", "IO_ERROR", "so it is"],
    ["ENFILE", () => coded("ENFILE"), "failed", "IO_ERROR", "so it is"],
    ["ENOSPC", () => coded("ENOSPC"), "failed", "IO_ERROR", "so it is"],
    ["ETIMEDOUT", () => coded("ETIMEDOUT"), "failed", "TIMEOUT", "so it is"],
  ])("%s", async (_, thrown, status, code, message) => {
    const { trip } = ending();
    const stages = [
      () => {
        throw thrown();
      },
      () => Promise.reject(thrown()),
    ];
    for (const stage of stages) {
      const { ended } = (await tried(trip, stage)) as Ended;
      expect(ended).toMatchObject({ success: false, status, error: { code, message } });
      expect(ended.title).toBe(`thing: ${message}`);
    }
  });

  test("what a stage makes goes on, at once or later", async () => {
    const { trip } = ending();
    expect(
      attempt(
        trip,
        () => 1,
        (made) => [made],
        undefined,
      ),
    ).toEqual([1]);
    expect(
      await attempt(
        trip,
        async () => 2,
        (made) => [made],
        undefined,
      ),
    ).toEqual([2]);
  });

  test("what was changed before is told, and how to take it back where nobody foresaw the failure", async () => {
    const { trip } = ending({ deeds: { changed: ["a", "b", "a"], tries: 3 } });
    const fail = async (error: unknown) => ((await tried(trip, () => Promise.reject(error))) as Ended).ended;
    const told = " (The change of a, b had already been made.)";
    expect(await fail(new Error("oh"))).toMatchObject({
      error: { message: `oh${told}`, hint: "Undo the change if you do not want it without the rest." },
      metadata: { attempts: 3 },
    });
    const foreseen = new ToolFailure("IO_ERROR", "no", "go on, hunter2", { output: "half", metadata: { x: 1 } });
    expect(await fail(foreseen)).toMatchObject({
      ...{ error: { message: `no${told}`, hint: "go on, [secret]" }, output: "half", metadata: { x: 1, attempts: 3 } },
    });
    trip.deeds.changed.length = 0;
    trip.deeds.tries = 1;
    expect((await fail(new Error("oh"))).error?.hint).toContain("did not expect this");
    expect((await fail(new Error("oh"))).metadata).toEqual({});
  });

  test("trouble that is not the call's own fault is remembered, and becomes a letter", async () => {
    const busy = Object.assign(new Error("busy"), { code: "EBUSY" });
    const { trip, letters } = ending({ deeds: { ran: true } });
    const { ended } = (await tried(trip, () => Promise.reject(busy))) as Ended;
    expect(trip.deeds.trouble).toBe("TRANSIENT");
    end(trip, ended);
    expect(letters).toMatchObject([{ category: "TRANSIENT", error: { message: "busy" } }]);
    const own = ending({ deeds: { ran: true } });
    end(own.trip, ((await tried(own.trip, () => Promise.reject(new ToolFailure("NOT_FOUND", "", "")))) as Ended).ended);
    expect([own.trip.deeds.trouble, own.letters]).toEqual([undefined, []]);
  });
});

describe("what is kept of a call", () => {
  test("of one that did nothing unusual, no more than needed", () => {
    expect(Object.keys(ending({ danger: "safe" }).kept()).sort()).toEqual([
      ...["agent", "at", "call", "id", "input", "message", "microseconds", "session", "status", "target", "told"],
      ...["tool", "touches", "trace", "workspace"],
    ]);
  });

  const view = (count: number) => ({
    sights: Array.from({ length: count }, (_, index) => ({
      place: placeOf(`f${index}`),
      ...(index !== 1 && { stamp }),
    })),
    close: () => {},
  });
  const error = { code: "CONFLICT", message: "no", hint: "" } as const;
  test.each<[what: string, given: Given, result: Partial<Result>, kept: object]>([
    ["what it changed", { deeds: { changed: ["a"] } }, {}, { changed: true }],
    ["what its command changed", { deeds: { commandChanged: true } }, {}, { changed: true }],
    ["what came from outside", { deeds: { outside: true } }, {}, { outside: true }],
    [
      "an error",
      {},
      { success: false, status: "failed", error },
      { error: { code: "CONFLICT", message: "no" }, status: "failed" },
    ],
    ["the head of what it said", {}, { output: "x".repeat(500) }, { output: { bytes: 500, head: "x".repeat(400) } }],
    ["what was said to a failed look", { danger: "safe" }, { success: false }, { output: { bytes: 3, head: "out" } }],
    [
      "where a long output lies",
      {},
      { truncated: { totalBytes: 9, shownBytes: 1, totalLines: 2, omittedLines: 1, path: "p" } },
      { output: { bytes: 9, head: "out", path: "p" } },
    ],
    ["who called", { station: { ancestors: ["top", "above"] } }, {}, { parent: "above" }],
    [
      "what it saw",
      { deeds: { view: view(3) as never } },
      {},
      {
        seen: [
          { real: "/ws/f0", stamp },
          { real: "/ws/f2", stamp },
        ],
      },
    ],
    ["what it wrote", { deeds: { known: [{ real: "/ws/a", stamp }] } }, {}, { seen: [{ real: "/ws/a", stamp }] }],
    ["what it is about", { touches: [run] }, {}, { target: "make" }],
  ])("%s", (_, given, result, kept) => {
    expect(ending(given).kept({ ...done, ...result })).toMatchObject(kept);
  });

  test("of very many files the last ones", () => {
    const known = [{ real: "/ws/own", stamp }];
    const { seen = [] } = ending({ deeds: { view: view(200) as never, known } }).kept();
    expect([seen.length, seen.at(-1)?.real]).toEqual([100, "/ws/own"]);
  });

  test("nothing was said: there is no head", () => {
    expect(ending().kept({ ...done, output: "" })).not.toHaveProperty("output");
  });

  test("the verdict, and the ceiling of whoever works for another", () => {
    const { trip, kept } = ending({
      station: { facts: facts({ isChild: true }) },
    });
    trip.known.verdict = { answer: "allow", by: "mode", reason: "so", grantable: true, notes: ["x"] };
    expect(kept()).toMatchObject({ verdict: { answer: "allow", by: "mode", reason: "so" }, ceiling: { mode: "yolo" } });
  });

  test("what came in below a call that handed work on is in its answer", () => {
    const station = (outside: boolean) => ({
      facts: facts({ outside }),
    });
    const delegate: Touch = { action: "delegate", target: "helper" };
    expect(ending({ touches: [at("read", "a"), delegate], station: station(true) }).kept().outside).toBe(true);
    expect(ending({ touches: [delegate], station: station(false) }).kept()).not.toHaveProperty("outside");
    expect(ending({ touches: [at("read", "a")], station: station(true) }).kept()).not.toHaveProperty("outside");
  });

  test("how long the answer was that the model read, without notes that were added", () => {
    expect(ending().kept().told).toBe(3);
    expect(ending({ deeds: { unnoted: "o" } }).kept().told).toBe(1);
    expect(ending().kept()).not.toHaveProperty("answer");
    const station = { facts: facts({ isShared: true }) };
    expect(ending({ station }).kept().answer).toBe(sha256(new TextEncoder().encode("out")).slice(0, 16));
  });
});

test("a call that was never read is kept as it was sent, and counts for its session", () => {
  const { trip, kept } = ending();
  trip.known.ready = undefined;
  Object.assign(trip.known.call, { args: { sent: 1 } });
  expect(kept()).toMatchObject({ tool: "thing", target: "", input: { sent: 1 }, touches: [] });
  expect(trip.station.facts.calls).toBe(1);
  expect(ending().kept().input).toEqual({ path: "a" });
});

describe("a letter for a call that failed through no fault of its own", () => {
  const failure: Result = {
    ...{ ...done, success: false, status: "failed" },
    error: { code: "TIMEOUT", message: "late", hint: "" },
  };
  const letterOf = (args: unknown, result: Result = failure, deeds: Partial<Deeds> = { ran: true }, isRead = true) => {
    const { trip, letters } = ending({
      deeds,
      parts: { redactDeep: (value) => ((value as { secret?: 1 }).secret ? {} : value) },
    });
    Object.assign(trip.known.call, { args });
    if (!isRead) trip.known.ready = undefined;
    end(trip, result);
    return letters[0];
  };
  test("keeps its arguments, where what is kept is the same call", () => {
    expect(letterOf({ a: 1 })).toMatchObject({ args: { a: 1 }, category: "TRANSIENT", tool: "thing", attempts: 1 });
    expect(letterOf(undefined)?.args).toEqual({});
    expect(letterOf({ secret: 1 })?.args).toBeNull();
    const most = { a: "x".repeat(64 * 1024 - 8) };
    expect(letterOf(most)?.args).toEqual(most);
    expect(letterOf({ a: `${most.a}x` })?.args).toBeNull();
  });
  test.each<[what: string, result: Result, deeds: Partial<Deeds>, isRead: boolean, isKept: boolean]>([
    ["it timed out", { ...failure, status: "timed-out" }, { ran: true }, true, true],
    ["it was not run", failure, { ran: false }, true, false],
    ["it was refused", { ...failure, status: "refused" }, { ran: true, trouble: "TRANSIENT" }, true, false],
    ["it was never read", failure, { ran: true }, false, false],
    [
      "it says no error",
      { ...done, success: false, status: "failed" },
      { ran: true, trouble: "TRANSIENT" },
      true,
      false,
    ],
    ["it succeeded in the end", done, { ran: true, trouble: "TRANSIENT" }, true, false],
  ])("%s", (_, result, deeds, isRead, isKept) => {
    expect(letterOf({}, result, deeds, isRead) !== undefined).toBe(isKept);
  });
});

describe("nothing stays behind", () => {
  test("views are closed, the call is over, and those who listen are told", () => {
    const closed: string[] = [];
    const view = (name: string) => ({ sights: [], close: () => void closed.push(name) }) as never;
    const lives = new Roster<Life>();
    const { trip, events } = ending({
      deeds: { view: view("own"), previews: [view("first"), view("second")] },
      parts: { lives },
    });
    lives.add(trip.life);
    end(trip, done);
    expect([closed, lives.members.length]).toEqual([["own", "first", "second"], 0]);
    expect(() => trip.life.check()).toThrow("has ended");
    expect(events).toMatchObject([{ type: "done", result: done, trace: [{ stage: "end" }] }]);
    const other = ending();
    end(other.trip, { ...done, success: false });
    expect(other.events).toMatchObject([{ type: "failed" }]);
    const unheard = ending({ parts: { heard: () => false } });
    end(unheard.trip, done);
    expect(unheard.events).toEqual([]);
  });

  const alert: Alert = { kind: "failures", message: "many" } as unknown as Alert;
  test.each<[what: string, touches: Touch[], alerts: number]>([
    ["commands are watched for what is unusual", [run], 1],
    ["other calls are not", [at("write", "a")], 0],
  ])("%s", (_, touches, alerts) => {
    const anomalies = { look: () => [alert], lookLater: () => [] } as unknown as Parts["anomalies"];
    const { events, kept } = ending({ touches, parts: { anomalies } });
    expect(kept().alerts ?? []).toHaveLength(alerts);
    expect(events.map(({ type }) => type)).toEqual(alerts ? ["alert", "done"] : ["done"]);
  });

  test.each<[what: string, process: object, later: Alert[], told: boolean]>([
    ["an unusual end of a command that went on", {}, [alert], true],
    ["a usual one", {}, [], false],
    ["one that somebody stopped", { stopped: true }, [alert], false],
    ["one that had ended with its call", { exit: 0 }, [alert], false],
  ])("%s: %s is told later", async (_, process, later, told) => {
    const anomalies = { look: () => [], lookLater: () => later } as unknown as Parts["anomalies"];
    const running = { id: "p1", exit: undefined, exited: Promise.resolve({ code: 1 }), ...process };
    const { trip, records, events } = ending({
      touches: [run],
      parts: { anomalies },
      deeds: { changed: ["a"], processes: [running as never] },
    });
    end(trip, done);
    await new Promise((resolve) => setImmediate(resolve));
    expect(records).toHaveLength(told ? 2 : 1);
    expect(events.map(({ type }) => type)).toEqual(told ? ["done", "alert"] : ["done"]);
    if (!told) return;
    expect(records[1]).toMatchObject({ status: "failed", trace: [], alerts: later, error: { code: "COMMAND_FAILED" } });
    expect(records[1]?.id).not.toBe(records[0]?.id);
    for (const own of ["output", "seen", "changed", "told", "answer"]) expect(records[1]).not.toHaveProperty(own);
  });
});
