import { describe, expect, test } from "vitest";
import { at, ready as readyFor } from "../../../test/judging.ts";
import { bytes, type FileMap, placeOf, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Step } from "../contracts/step.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { Context } from "../words/tool.ts";
import type { RunTouch, Touch } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import type { Parts } from "./journey-parts.ts";
import { perform, withinBudget } from "./performing.ts";
import type { Prepared } from "./stages.ts";
import type { Trip } from "./trip.ts";

type Given = {
  touches?: Touch[];
  verdict?: Partial<Judgement>;
  prepared?: Partial<Prepared>;
  notes?: string[];
  parts?: Partial<Parts>;
  files?: FileMap;
  changes?: Ready["changes"];
  execute?: (input: unknown, context: Context, trip: Trip) => unknown;
};

const LIMIT = { reserve: [{ key: "calls", limit: 1, by: "budget" }] };

/** A call that is allowed, in a world in memory. */
function performing(given: Given = {}) {
  const { touches = [], verdict = {}, prepared = {}, notes = [], parts = {}, execute = () => "ran" } = given;
  const store = parts.store ?? memoryStore();
  const closed: number[] = [];
  const guard = () => ({ close: () => void closed.push(1) }) as never;
  const trip = tripIn({
    files: given.files ?? new Map(),
    parts: { store, steps: [], guard, trim: (text) => ({ text }), ...parts },
  });
  const claims = touches.flatMap((touch) =>
    "place" in touch ? [{ action: touch.action, target: touch.place.shown }] : [],
  );
  const definition = {
    touches: () => claims,
    execute: (input: unknown, context: Context) => execute(input, context, trip),
  };
  const ready: Ready = {
    ...readyFor({ touches }),
    ...{ tool: { name: "thing", definition } as never, call: trip.known.call, notes, changes: given.changes ?? [] },
  };
  const judged: Prepared = { ready, verdict: { answer: "allow", by: "mode", reason: "", ...verdict }, ...prepared };
  const done = async () => perform(trip, judged, () => ({}) as never);
  const counted = () => store.reserved("session budget calls");
  return { trip, ready, store, done, counted, closed };
}

describe("what a call counts against", () => {
  test("is taken before it runs, and stays taken when it has run", async () => {
    let during: number | undefined;
    const execute = async (_: unknown, __: Context, trip: Trip) => {
      during = await trip.station.parts.store.reserved("session budget calls");
      return "ran";
    };
    const { done, counted } = performing({ verdict: LIMIT, execute });
    expect(await done()).toMatchObject({ success: true, output: "ran" });
    expect([during, await counted()]).toEqual([1, 1]);
    await expect(performing({ verdict: LIMIT, parts: { store: memoryStore() } }).done()).resolves.toBeDefined();
  });

  test("ends it where it is used up, and nothing runs", async () => {
    const store = memoryStore();
    await performing({ verdict: LIMIT, parts: { store } }).done();
    const { done, trip } = performing({ verdict: LIMIT, parts: { store } });
    await expect(done()).rejects.toMatchObject({ status: "refused", code: "RATE_LIMITED" });
    expect(trip.deeds.ran).toBe(false);
  });

  const fails =
    (before: (trip: Trip) => void): Given["execute"] =>
    (_, __, trip) => {
      before(trip);
      throw new ToolFailure("UNKNOWN", "boom", "");
    };
  test.each<[string, Given["execute"], count: number]>([
    ["nothing had happened", fails(() => {}), 0],
    ["a file had been changed", fails(({ deeds }) => void deeds.changed.push("a")), 1],
    ["a request had been sent", fails(({ deeds }) => void Object.assign(deeds, { requested: true })), 1],
    ["a command had been started", fails(({ deeds }) => void Object.assign(deeds, { processes: [{}] })), 1],
    ["no command had been started", fails(({ deeds }) => void Object.assign(deeds, { processes: [] })), 0],
  ])("is given back where it failed and %s: %i stay", async (_, execute, count) => {
    const { done, counted } = performing({ verdict: LIMIT, ...(execute && { execute }) });
    await expect(done()).rejects.toThrow("boom");
    expect(await counted()).toBe(count);
  });

  test("is given back where the call did not fit, which is told only now", async () => {
    const withheld = { error: new ToolFailure("NOT_FOUND", "it does not fit", "") };
    const { done, counted, trip } = performing({ verdict: LIMIT, prepared: { withheld } });
    await expect(done()).rejects.toThrow("it does not fit");
    expect([await counted(), trip.deeds.ran]).toEqual([0, false]);
    const free = performing({ prepared: { withheld } });
    await expect(free.done(), "also where nothing is counted").rejects.toThrow("it does not fit");
    expect(free.trip.deeds.ran).toBe(false);
  });
});

describe("locks", () => {
  test.each<[string, Touch[], string[]]>([
    ["a change", [at("write", "a")], ["/ws/a"]],
    ["a read", [at("read", "a")], []],
  ])("are held while %s is made, and free afterwards, however it ends", async (_, touches, paths) => {
    for (const fails of [false, true]) {
      let held: string[] = [];
      const execute = async (__: unknown, ___: Context, trip: Trip) => {
        held = (await trip.station.parts.store.locks()).map(({ path }) => path);
        if (fails) throw new Error("boom");
        return "ran";
      };
      const globs = { ofPath: (path: string) => path, withBelow: (glob: string) => glob } as never;
      const { done, store, trip } = performing({ touches, execute, parts: { globs, policies: [ALLOWS] } });
      await done().catch(() => {});
      expect(held).toEqual(paths);
      expect(await store.locks()).toEqual([]);
      expect(trip.trace.some(({ stage }) => stage === "settled")).toBe(paths.length > 0);
    }
  });
});

const ALLOWS = { name: "all", judge: () => ({ answer: "allow" as const, by: "all", reason: "" }) };

describe("a run", () => {
  test("is not begun after the call was stopped, and one that goes on is not waited for", async () => {
    const stopped = performing();
    stopped.trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
    await expect(stopped.done()).rejects.toThrow("stopped");
    expect(stopped.trip.deeds.ran).toBe(false);
    const endless = performing({
      execute: (_, __, trip) => {
        queueMicrotask(() => trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never));
        return new Promise(() => {});
      },
    });
    await expect(endless.done()).rejects.toThrow("stopped");
  });

  test("that throws at once ends like one that throws later, and its files are closed", async () => {
    const { done, closed } = performing({
      execute: (_, context) => {
        void context.files;
        throw new Error("at once");
      },
    });
    await expect(done()).rejects.toThrow("at once");
    expect(closed).toHaveLength(1);
  });

  test("closes its files when it has ended, and waits for changes that have begun", async () => {
    let ended = false;
    const { done, closed } = performing({
      execute: (_, context, trip) => {
        void context.files;
        const change = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          ended = true;
        });
        trip.deeds.underWay = new Set([change]);
        return "ran";
      },
    });
    await done();
    expect([closed.length, ended]).toEqual([1, true]);
  });

  test("that is repeated by a step says how often it was tried", async () => {
    const twice: Step = {
      name: "twice",
      applies: () => true,
      around: async (_, next) => {
        await next();
        return next();
      },
    };
    expect((await performing({ parts: { steps: [twice] } }).done()).metadata).toEqual({ attempts: 2 });
    expect((await performing().done()).metadata).toEqual({});
  });

  test("what it changed is made before the tool tells of it", async () => {
    const order: string[] = [];
    const changes = [{ place: placeOf("a"), before: null, after: bytes("new") }];
    const execute = () => `${order.push("told")}`;
    const { done, trip, store } = performing({ changes, execute, files: new Map([["a", { text: "new" }]]) });
    Object.assign(trip.station.workspace.files, {
      commit: async (_: unknown, before: (ready: unknown[]) => Promise<void>) => {
        await before([]);
        order.push("made");
      },
    });
    const inner = store.intend;
    store.intend = async (rows) => {
      order.push("meant");
      return inner(rows);
    };
    await done();
    expect(order).toEqual(["meant", "made", "told"]);
  });

  test("from the cache counts as a read of the same files, one that ran does not", async () => {
    const files: FileMap = new Map([["a", { text: "x" }]]);
    const cached: Step = {
      name: "cached",
      applies: () => true,
      around: async () => ({ success: true, status: "done", title: "", output: "kept", metadata: {} }),
    };
    const touches = [at("read", "a"), at("read", "gone"), at("list", ".")];
    const kept = performing({ touches, files, parts: { steps: [cached] } });
    expect((await kept.done()).output).toBe("kept");
    expect(kept.trip.deeds.known?.map(({ real }) => real)).toEqual(["/ws/a"]);
    const ran = performing({ touches, files });
    await ran.done();
    expect(ran.trip.deeds.known).toBeUndefined();
  });

  test("a command is watched, and what it tells says what can be undone", async () => {
    const make: RunTouch = { action: "run", command: "make", class: "safe", inner: [] };
    expect((await performing({ touches: [make] }).done()).metadata).toEqual({ undo: "full" });
  });
});

describe("what the model is told", () => {
  test("notes come after the output, each once; without any, nothing is added", async () => {
    const { done, trip } = performing({ notes: ["one", "two"], verdict: { notes: ["two", "three"] } });
    trip.deeds.notes = ["three", "four"];
    expect(await done()).toMatchObject({
      output: "ran\n\none\n\ntwo\n\nthree\n\nfour",
      metadata: { notes: ["one", "two", "three", "four"] },
    });
    expect(trip.deeds.unnoted).toBe("ran");
    const plain = performing();
    expect(await plain.done()).toMatchObject({ output: "ran", metadata: {} });
    expect(plain.trip.deeds.unnoted).toBeUndefined();
    expect((await performing({ notes: ["alone"], execute: () => "" }).done()).output).toBe("alone");
  });

  test("a failure that was given back tells of changes that were made, and no secret", async () => {
    const redact = (text: string) => text.replaceAll("hunter2", "***");
    const execute: Given["execute"] = (_, __, { deeds }) => {
      deeds.changed.push("a.txt");
      return { success: false, output: "", error: "hunter2 is wrong" };
    };
    const { error } = await performing({ execute, parts: { redact } }).done();
    expect(error?.message).toBe("*** is wrong (The change of a.txt had already been made.)");
  });

  const cut = { totalBytes: 9, totalLines: 1, shownLines: 1 } as never;
  const trim = () => ({ text: "long…", truncated: cut });
  const long = { success: true, status: "done", title: "", output: "long text", metadata: {} } as const;
  test.each<[string, Partial<Parts>, output: string, path: string | undefined]>([
    [
      "is kept whole where it can be read",
      { keep: async () => "/kept/x" },
      "long…\n\n[All 9 bytes are in /kept/x.]",
      "/kept/x",
    ],
    [
      "could not be kept",
      { keep: async () => undefined },
      "long…\n\n[The rest of the output could not be kept.]",
      undefined,
    ],
    [
      "failed to be kept",
      { keep: () => Promise.reject(new Error("full")) },
      "long…\n\n[The rest of the output could not be kept.]",
      undefined,
    ],
    ["is kept nowhere", {}, "long…", undefined],
  ])("a long output %s", async (_, parts, output, path) => {
    const { trip, ready } = performing({ parts: { trim, ...parts } });
    const told = await withinBudget(trip, ready, long);
    expect([told.output, told.truncated?.path]).toEqual([output, path]);
    expect(told.truncated).toMatchObject({ totalBytes: 9 });
  });

  test("a short one stays as it is", () => {
    const { trip, ready } = performing();
    expect(withinBudget(trip, ready, long)).toBe(long);
  });
});
