import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { type Given, performing } from "../../../test/performing.ts";
import { bytes, type FileMap, placeOf } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Step } from "../contracts/step.ts";
import { ToolFailure } from "../words/result.ts";
import type { Context } from "../words/tool.ts";
import type { RunTouch, Touch } from "../words/touch.ts";
import { cancelled } from "./life.ts";
import type { Trip } from "./trip.ts";

const LIMIT = { reserve: [{ key: "calls", limit: 1, by: "budget" }] };

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

  test.each([
    ["ended", false],
    ["failed", true],
  ])("closes its files when it has %s, and waits for changes that have begun", async (_, fails) => {
    let ended = false;
    const { done, closed } = performing({
      execute: (__, context, trip) => {
        void context.files;
        const change = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          ended = true;
        });
        trip.deeds.underWay = new Set([change]);
        if (fails) throw new Error("boom");
        return "ran";
      },
    });
    expect(await done().catch(({ message }) => message)).toEqual(fails ? "boom" : expect.anything());
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
    expect((await done()).metadata, "a change is undone by its rows").toEqual({});
    expect(order).toEqual(["meant", "made", "told"]);
  });

  test("from the cache counts as a read of the same files, one that ran does not", async () => {
    const files: FileMap = new Map(["a", "b"].map((name) => [name, { text: "x" }]));
    const cached: Step = {
      name: "cached",
      applies: () => true,
      around: async () => ({ success: true, status: "done", title: "", output: "kept", metadata: {} }),
    };
    const touches = [at("read", "a"), at("read", "gone"), at("list", "b")];
    const kept = performing({ touches, files, parts: { steps: [cached] } });
    const { facts, workspace } = kept.trip.station;
    const { stamp } = (await workspace.files.stat(placeOf("a")))!;
    const parts = [{ first: 1, last: 2, of: 9 }];
    for (const name of ["a", "gone", "b"]) facts.session.noteRead({ real: `/ws/${name}`, stamp, parts });
    expect((await kept.done()).output).toBe("kept");
    expect(kept.trip.deeds.known, "of which no more is known than before").toEqual([{ real: "/ws/a", stamp, parts }]);
    const unseen = performing({ touches, files, parts: { steps: [cached] } });
    await unseen.done();
    expect(unseen.trip.deeds.known, "and nothing if nothing was").toBeUndefined();
    const changed = performing({ touches, files, parts: { steps: [cached] } });
    changed.trip.station.facts.session.noteRead({ real: "/ws/a", stamp: { ...stamp, mtimeMs: 0 } });
    await changed.done();
    expect(changed.trip.deeds.known, "nor of a file that is another now").toBeUndefined();
    const ran = performing({ touches, files });
    ran.trip.station.facts.session.noteRead({ real: "/ws/a", stamp });
    await ran.done();
    expect(ran.trip.deeds.known).toBeUndefined();
  });

  test("a command is watched, and what it tells says what can be undone", async () => {
    const make: RunTouch = { action: "run", command: "make", class: "safe", inner: [] };
    expect((await performing({ touches: [make] }).done()).metadata).toEqual({ undo: "full" });
  });
});

test("a call that is stopped when its changes are made runs nothing more, and tells of them", async () => {
  let ran = false;
  const changes = [{ place: placeOf("a"), before: null, after: bytes("new") }];
  const execute = () => {
    ran = true;
    return "ran";
  };
  const { done, trip } = performing({ changes, execute, files: new Map([["a", { text: "new" }]]) });
  Object.assign(trip.station.workspace.files, {
    commit: async (_: unknown, before: (ready: unknown[]) => Promise<void>) => {
      await before([]);
      trip.life.stop(cancelled("stopped"));
    },
  });
  await expect(done()).rejects.toThrow("stopped");
  expect([ran, trip.deeds.changed]).toEqual([false, ["a"]]);
});

test("what a tool hands over when it is stopped is told as cut short", async () => {
  const execute: Given["execute"] = (_, { abort }, trip) => {
    queueMicrotask(() => trip.life.stop(cancelled("stopped")));
    return new Promise((resolve) => abort.addEventListener("abort", () => resolve("half of it")));
  };
  const result = await performing({ execute }).done();
  expect(result).toMatchObject({ success: false, status: "cancelled", output: expect.stringContaining("half of it") });
});

describe("what takes its host along is on record before it begins", () => {
  const run = (kind: RunTouch["class"]): Touch => ({ action: "run", command: "x", class: kind, inner: [] }) as never;
  const fetched: Touch = { action: "fetch", url: "http://x.test/", method: "GET" };
  test.each<[what: string, touches: Touch[], begun: boolean | undefined]>([
    ["a request, on the disk", [fetched], true],
    ["what is remembered", [{ action: "remember", target: "x" }], false],
    ["what nobody knows", [{ action: "unknown", permissions: [] }], false],
    ["a look and a request", [at("read", "a"), fetched], true],
    ["not what only reads", [at("read", "a")], undefined],
    ["not a command that only looks", [run("safe")], undefined],
    ["not what touches nothing", [], undefined],
  ])("%s", async (_, touches, begun) => {
    const order: unknown[] = [];
    const recorder = { begun: async (_: unknown, durably: boolean) => void order.push(durably) } as never;
    const execute = () => {
      order.push("ran");
      return "ran";
    };
    const { done, trip } = performing({ touches, parts: { recorder }, execute });
    trip.opening = {} as never;
    await done();
    expect(order).toEqual(begun === undefined ? ["ran"] : [begun, "ran"]);
  });

  test("with changes that were shown before, only what must be on the disk: their intents tell the rest", async () => {
    const begunWith = async (...touches: Touch[]) => {
      const told: boolean[] = [];
      const recorder = {
        begun: async (_: unknown, durably: boolean) => void told.push(durably),
        begunWith: (_: unknown, intend: () => Promise<number[]>) => intend(),
      };
      const changes = [{ place: placeOf("a"), before: null, after: bytes("new") }];
      const given = {
        touches,
        changes,
        files: new Map([["a", { text: "new" }]]),
        parts: { recorder: recorder as never },
      };
      const { done, trip } = performing(given);
      trip.station.workspace.files.commit = async (_, intend) => void (await intend());
      trip.opening = {} as never;
      await done();
      return told;
    };
    expect(await begunWith(fetched)).toEqual([true]);
    expect(await begunWith({ action: "remember", target: "x" })).toEqual([]);
  });

  test("and does not begin if it cannot be", async () => {
    const recorder = { begun: () => Promise.reject(new Error("the disk is full")) } as never;
    let ran = false;
    const execute = () => {
      ran = true;
      return "";
    };
    const { done, trip } = performing({ touches: [fetched], parts: { recorder }, execute });
    trip.opening = {} as never;
    await expect(done()).rejects.toThrow("the disk is full");
    expect(ran).toBe(false);
  });
});

test("secrets are taken out of the message and the hint of a failure that a tool returns", async () => {
  const error = { code: "UNKNOWN", message: "no hunter2", hint: "try hunter2" };
  const parts = { redact: (text: string) => text.replace("hunter2", "***") };
  const result = await performing({ execute: () => ({ success: false, output: "", error }) as never, parts }).done();
  expect(result.error).toMatchObject({ message: "no ***", hint: "try ***" });
});
