import { describe, expect, test } from "vitest";
import { begunOf } from "../../../test/contracts/store-samples.ts";
import { bytes, type FileMap, placeOf, sha256, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Policy } from "../contracts/policy.ts";
import type { NewChange } from "../contracts/store/changes.ts";
import type { Store } from "../contracts/store/store.ts";
import type { Change, NewStamps, Stamp } from "../contracts/workspace.ts";
import { ToolFailure } from "../words/result.ts";
import type { Proposed } from "../words/tool.ts";
import { commit } from "./committing.ts";
import { commitJudged } from "./late-changes.ts";
import { cancelled } from "./life.ts";
import { takeLocks } from "./path-locks.ts";
import { Opening, Recorder } from "./recorder.ts";
import type { Prepared } from "./stages.ts";

const change = (name: string, more: Partial<Change> = {}): Proposed => ({
  ...{ place: placeOf(name), before: bytes("old"), after: bytes("new"), modeBefore: 0o644 },
  ...more,
});

type World = { store?: Partial<Store>; fail?: unknown; write?: false; policies?: Policy[]; stamps?: NewStamps };

/** Files in memory that are written as they are told, or fail after they were, or before. */
function world(files: FileMap, { store = {}, fail, write, policies = [], stamps }: World = {}) {
  const inner = memoryStore();
  const trip = tripIn({ files, parts: { store: { ...inner, ...store }, policies } });
  const intended: number[] = [];
  const underWay: number[] = [];
  trip.station.workspace.files.commit = async (changes, intend) => {
    await intend();
    underWay.push(trip.deeds.underWay?.size ?? 0);
    intended.push((await inner.changes({ states: ["intended"] })).length);
    if (write !== false)
      for (const { place, after } of changes)
        if (after) files.set(place.shown, { text: new TextDecoder().decode(after) });
        else files.delete(place.shown);
    if (fail) throw fail;
    return stamps;
  };
  return {
    trip,
    intended,
    underWay,
    store: inner,
    states: async () => (await inner.changes({})).map(({ state }) => state),
  };
}

describe("changes of files", () => {
  test("the intent is kept first, then the file is changed, then that is told", async () => {
    const files: FileMap = new Map();
    const { trip, intended, store, underWay } = world(files);
    await commit(trip, [
      change("a"),
      change("b", { after: null, mode: 0o600 }),
      { ...change("c", { before: null }), undoes: [7], redoes: [8] },
    ]);
    expect([intended, underWay]).toEqual([[3], [1]]);
    expect(await store.changes({})).toMatchObject([
      {
        shown: "a",
        state: "done",
        before: sha256(bytes("old")),
        after: sha256(bytes("new")),
        modeBefore: 0o644,
        modeAfter: 0o644,
      },
      { shown: "b", state: "done", after: null, modeAfter: 0o600 },
      { shown: "c", state: "done", before: null, undoes: [7], redoes: [8] },
    ]);
    expect(trip.deeds.changed).toEqual(["a", "b", "c"]);
    expect(
      trip.deeds.known?.map(({ real }) => real),
      "what it wrote is known to the session",
    ).toEqual(["/ws/a", "/ws/c"]);
    expect(trip.deeds.underWay?.size).toBe(0);
    expect(trip.station.facts.seen("/ws/a")).toBeDefined();
  });

  test("every intent is on record before the first file is written, however slow the store is", async () => {
    const files: FileMap = new Map();
    const kept = memoryStore();
    const rows: NewChange[] = [];
    const slow: Store["intend"] = async (all, ...more) => {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(files.size, "nothing is written yet").toBe(0);
      rows.push(...all);
      return kept.intend(all, ...more);
    };
    const { trip } = world(files, { store: { intend: slow, conclude: kept.conclude } });
    await commit(trip, [change("a"), change("b")]);
    expect(rows.map(({ replaced }) => replaced)).toEqual([true, true]);
    expect((await kept.changes({})).map(({ state }) => state)).toEqual(["done", "done"]);
  });

  test("what is new is known by the stamp that was told, or else looked at", async () => {
    const told: Stamp = { size: 7, mtimeMs: 7, ctimeMs: 7, ino: 7 };
    const { trip } = world(new Map(), { stamps: [told, undefined] });
    await commit(trip, [change("a"), change("b"), change("c", { after: null })]);
    const known = trip.deeds.known?.map(({ real, stamp }) => [real, stamp]);
    expect(known).toEqual([
      ["/ws/a", told],
      ["/ws/b", (await trip.station.workspace.files.stat(placeOf("b")))?.stamp],
    ]);
  });

  test("with the first intents the store learns that the call has begun", async () => {
    const { trip, store } = world(new Map());
    const { parts } = trip.station;
    const recorder = new Recorder(store, parts.clock, (record) => record, expect.fail);
    Object.assign(parts, { recorder });
    trip.opening = new Opening("1", trip, () => begunOf("1"));
    recorder.open(trip.opening);
    await commit(trip, [change("a")]);
    expect(await store.underWay()).toEqual([begunOf("1")]);
  });

  test("a stopped call changes nothing, even if it is stopped before the intent", async () => {
    const { trip, states } = world(new Map());
    trip.life.stop(cancelled("stopped"));
    await expect(commit(trip, [change("a")])).rejects.toThrow("stopped");
    expect(trip.deeds.underWay, "not even begun").toBeUndefined();
    const late = world(new Map());
    const { files } = late.trip.station.workspace;
    const { commit: write } = files;
    files.commit = (changes, intend) => {
      late.trip.life.stop(cancelled("stopped"));
      return write(changes, intend);
    };
    await expect(commit(late.trip, [change("a")])).rejects.toThrow("stopped");
    expect([await states(), await late.states(), late.trip.deeds.changed]).toEqual([[], [], []]);
  });

  test("a change that cannot be recorded does not happen", async () => {
    const files: FileMap = new Map();
    const { trip } = world(files, { store: { intend: () => Promise.reject(new Error("disk full")) } });
    await expect(commit(trip, [change("a")])).rejects.toThrow("disk full");
    expect([files.size, trip.deeds.changed, trip.deeds.underWay?.size]).toEqual([0, [], 0]);
  });

  test("one that has happened stays, whatever the store says of its end", async () => {
    const { trip, states } = world(new Map(), { store: { conclude: () => Promise.reject(new Error("disk full")) } });
    await commit(trip, [change("a")]);
    expect([await states(), trip.deeds.changed]).toEqual([["intended"], ["a"]]);
  });

  test("under locks, it is concluded when they are freed", async () => {
    const { trip, states } = world(new Map());
    const free = await takeLocks(trip, ["/ws/a"]);
    await commit(trip, [change("a")]);
    await commit(trip, [change("b")]);
    expect(await states()).toEqual(["intended", "intended"]);
    await free();
    expect(await states()).toEqual(["done", "done"]);
    await commit(trip, [change("c")]);
    expect(await states()).toEqual(["done", "done", "done"]);
  });

  test("under locks, very many are not left for later", async () => {
    const { trip, states } = world(new Map());
    const free = await takeLocks(trip, ["/ws/**"]);
    const some = (count: number, name: string) => Array.from({ length: count }, (_, index) => change(name + index));
    await commit(trip, some(500, "a"));
    await commit(trip, some(1, "b"));
    expect((await states()).filter((state) => state === "done")).toHaveLength(1);
    await free();
    expect((await states()).filter((state) => state === "done")).toHaveLength(501);
  });

  const lost = new Error("the answer was lost");
  const conflict = new ToolFailure("CONFLICT", "changed", "");
  test.each<
    [
      what: string,
      fail: unknown,
      now: string | "closed" | undefined,
      change: Partial<Change>,
      state: string,
      isChanged: boolean,
    ]
  >([
    ["it is as it was", lost, "old", {}, "void", false],
    ["it is as it should be", lost, "new", {}, "done", true],
    ["it is something else", lost, "other", {}, "intended", false],
    ["it cannot be looked at", lost, "closed", {}, "intended", false],
    ["it is gone, as it should be", lost, undefined, { after: null }, "done", true],
    ["only the mode would differ", lost, "new", { before: bytes("new") }, "intended", false],
    ["it was refused", conflict, "new", {}, "void", false],
    ["it failed otherwise, after it was made", new ToolFailure("IO_ERROR", "no", ""), "new", {}, "done", true],
    [
      "an error of others with that word",
      Object.assign(new Error("no"), { code: "CONFLICT" }),
      "new",
      {},
      "done",
      true,
    ],
    ["it failed otherwise", new ToolFailure("IO_ERROR", "no", ""), "old", {}, "void", false],
  ])("after a failure the file says how it ended: %s", async (_, fail, now, more, state, isChanged) => {
    const files: FileMap = new Map();
    if (now !== undefined) files.set("a", now === "closed" ? now : { text: now });
    const { trip, states } = world(files, { fail, write: false });
    await expect(commit(trip, [change("a", more)])).rejects.toBe(fail);
    expect([await states(), trip.deeds.changed]).toEqual([[state], isChanged ? ["a"] : []]);
  });

  test("very many are told to the store in pieces, and none is forgotten", async () => {
    const inner = memoryStore();
    const pieces: number[] = [];
    const intend: Store["intend"] = (rows) => {
      pieces.push(rows.length);
      return inner.intend(rows);
    };
    const all = Array.from({ length: 1001 }, (_, index) => change(`f${index}`));
    const { trip } = world(new Map(), { store: { intend, conclude: inner.conclude } });
    await commit(trip, all);
    expect([pieces, (await inner.changes({ states: ["done"] })).length]).toEqual([[500, 500, 1], 1001]);
  });
});

describe("a change that no preview showed", () => {
  const content = (said: ReturnType<Policy["judge"]>, more: Partial<Policy> = {}): Policy => ({
    ...{ name: "own", content: true, judge: () => said },
    ...more,
  });
  const prepared = (more: Partial<Prepared> = {}): Prepared => ({
    ready: { touches: [], changes: [] } as unknown as Prepared["ready"],
    verdict: { answer: "allow", by: "mode", reason: "" },
    ...more,
  });
  const deny = { answer: "deny", by: "own", reason: "a secret" } as const;
  const ask = { answer: "ask", by: "own", reason: "a doubt" } as const;
  const granted = { verdict: { answer: "allow", by: "grant", reason: "" } } as const;
  test.each<[what: string, policies: Policy[], prepared: Prepared, isMade: boolean]>([
    ["nobody looks at content", [content(deny, { content: false })], prepared(), true],
    ["nobody minds", [content(undefined)], prepared(), true],
    ["one says no", [content(undefined), content(deny)], prepared(), false],
    ["one says no to what a person agreed to", [content(deny)], prepared({ approved: "hash" }), false],
    [
      "one says no beside one that speaks of touches alone",
      [content(undefined, { content: false }), content(deny)],
      prepared(),
      false,
    ],
    ["one asks", [content(ask)], prepared(), false],
    ["one asks, and a person agreed", [content(ask)], prepared({ approved: "hash" }), true],
    ["one asks, and a grant covers it", [content(ask)], prepared(granted), true],
    [
      "one that speaks of touches alone is not asked",
      [content(undefined), content(deny, { content: false })],
      prepared(),
      true,
    ],
  ])("%s", async (_, policies, call, isMade) => {
    const files: FileMap = new Map();
    const { trip } = world(files, { policies });
    const made = commitJudged(trip, call, change("a"));
    if (isMade) await made;
    else await expect(made).rejects.toMatchObject({ status: "refused", code: "PERMISSION_DENIED" });
    expect(files.has("a")).toBe(isMade);
  });

  test("what it counts against is taken, and given back if it did not happen; notes are told", async () => {
    const policies = [
      content({ by: "budget", reserve: [{ key: "changes", limit: 1 }], notes: ["one"] }),
      content({ by: "notes", notes: ["two"] }),
    ];
    const failing = world(new Map([["a", { text: "old" }]]), { policies, fail: new Error("no"), write: false });
    await expect(commitJudged(failing.trip, prepared(), change("a"))).rejects.toThrow("no");
    const key = "session budget changes";
    expect(await failing.store.reserve([{ key, limit: 1, amount: 1 }])).toHaveProperty("token");
    const made = world(new Map(), { policies });
    await commitJudged(made.trip, prepared(), change("a"));
    expect(made.trip.deeds.notes).toEqual(["one", "two"]);
    await expect(commitJudged(made.trip, prepared(), change("b"))).rejects.toMatchObject({ code: "RATE_LIMITED" });
    const happened = world(new Map(), { policies, fail: new Error("the answer was lost") });
    await expect(commitJudged(happened.trip, prepared(), change("a"))).rejects.toThrow("lost");
    expect(await happened.store.reserve([{ key, limit: 1, amount: 1 }])).toHaveProperty("full");
  });

  test("what the call itself has looked at last is known to its session", async () => {
    const stamp = (size: number) => ({ size, mtimeMs: 1, ctimeMs: 1, ino: 1 });
    const parts = [{ first: 1, last: 2, of: 9 }];
    const sights = [1, 2].map((size) => ({ place: placeOf("a"), stamp: stamp(size), parts }));
    const known = async (policies: Policy[]) => {
      const { trip } = world(new Map(), { policies, fail: new Error("no"), write: false });
      trip.deeds.view = {
        sights: [...sights, { place: placeOf("b"), stamp: stamp(9) }, { place: placeOf("c") }],
      } as never;
      for (const name of ["a", "c"]) await commitJudged(trip, prepared(), change(name)).catch(() => {});
      return trip.deeds.known;
    };
    expect(await known([content(undefined)])).toEqual([{ real: "/ws/a", stamp: stamp(2), parts }]);
    expect(await known([]), "and need not be where nobody looks at content").toBeUndefined();
  });
});
