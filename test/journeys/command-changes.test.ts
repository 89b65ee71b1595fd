import { describe, expect, test } from "vitest";
import type { Process } from "../../src/core/contracts/process.ts";
import { UNTOLD } from "../../src/core/contracts/store/changes.ts";
import type { Store } from "../../src/core/contracts/store/store.ts";
import type { Aftermath, Before, Found, Watch } from "../../src/core/contracts/workspace.ts";
import type { Parts } from "../../src/core/journey/journey-parts.ts";
import { knownTouches, underWatch } from "../../src/core/journey/watching.ts";
import type { Ready } from "../../src/core/words/ready.ts";
import type { Result } from "../../src/core/words/result.ts";
import type { Touch } from "../../src/core/words/touch.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { at } from "../judging.ts";
import { beforeOf, bytes, type FileMap, placeOf, sha256, tripIn } from "../tripping.ts";

const ran: Result = { success: true, status: "done", title: "", output: "ran", metadata: { exitCode: 0 } };
const run = (more: object = {}): Touch => ({ action: "run", command: "x", class: "dev", inner: [], ...more });
const readyOf = (...touches: Touch[]) => ({ touches }) as unknown as Ready;
const found = (name: string, before: string | null, after: string | null): Found => ({
  ...beforeOf(name, before),
  after: after === null ? null : sha256(bytes(after)),
});

type File = Parameters<FileMap["set"]>[1];
type World = {
  known?: Before[];
  aftermath?: Partial<Aftermath> | "failing";
  store?: Partial<Store>;
  parts?: Partial<Parts>;
};

/** A command that was watched, in a folder in memory; `command` does what it does there. */
function watched({ known = [], aftermath = {}, store = {}, parts }: World, files: FileMap = new Map()) {
  const inner = memoryStore();
  const looked: unknown[] = [];
  const watch: Watch = {
    known,
    end: async () => {
      if (aftermath === "failing") throw new Error("no longer there");
      return { found: [], lost: [], whole: true, ...aftermath };
    },
  };
  const trip = tripIn({
    files,
    parts: { store: { ...inner, ...store }, ...parts },
    workspace: {
      watch: async (touches) => {
        looked.push(...touches);
        return watch;
      },
    },
  });
  const rows = async () =>
    (await inner.changes({})).map(({ shown, before, after, modeAfter, state }) => ({
      ...{ shown, state, before: head(before), after: head(after), modeAfter },
    }));
  return { trip, rows, looked, store: inner };
}

const head = (hash: string | null) => hash?.slice(0, 4) ?? null;
const short = (text: string) => sha256(bytes(text)).slice(0, 4);

describe("what is watched", () => {
  test.each<[what: string, touches: Touch[], isWatched: boolean]>([
    ["a command", [run()], true],
    ["one that is called safe, and writes", [run({ class: "safe", inner: [at("write", "a")] })], true],
    ["one that only reads", [run({ class: "safe", inner: [at("read", "a")] })], false],
    ["no command", [at("write", "a")], false],
    ["two, of which one may change something", [run({ class: "safe" }), run()], true],
    ["nothing", [], false],
  ])("%s: %s", async (_, touches, isWatched) => {
    const { trip } = watched({ aftermath: { whole: false } });
    const { metadata } = await underWatch(trip, readyOf(...touches), async () => ran);
    expect(metadata.undo).toBe(isWatched ? "partial" : "full");
  });

  test("where nothing can be watched, nothing can be taken back", async () => {
    const result = await underWatch(tripIn(), readyOf(run()), async () => ran);
    expect(result).toEqual({ ...ran, metadata: { exitCode: 0, undo: "none" } });
  });

  test("what a command names for certain, inside the roots", async () => {
    const outside = { place: { ...placeOf("f"), root: "" } };
    const inner = [at("write", "a"), at("delete", "b"), at("read", "c"), at("write", "d", { certain: false })];
    const touches = [run({ inner: [...inner, at("write", "f", outside), run({ inner: [at("write", "e")] })] })];
    expect(knownTouches(touches).map(({ place }) => place.shown)).toEqual(["a", "b", "e"]);
    const { trip, looked } = watched({});
    await underWatch(trip, readyOf(...touches), async () => ran);
    expect(looked).toEqual(knownTouches(touches));
  });
});

describe("what a command did to files that were kept before", () => {
  const kept: [what: string, before: string | null, now: string | undefined, mode: number, state: string][] = [
    ["changed", "old", "new", 0o644, "done"],
    ["made", null, "new", 0o644, "done"],
    ["removed", "old", undefined, 0o644, "done"],
    ["left alone", "old", "old", 0o644, "void"],
    ["made another mode of", "old", "old", 0o755, "done"],
    ["not made", null, undefined, 0o644, "void"],
  ];
  test.each(kept)("%s", async (_, before, now, mode, state) => {
    const files: FileMap = new Map();
    const { trip, rows } = watched({ known: [beforeOf("a", before)] }, files);
    const result = await underWatch(trip, readyOf(run()), async () => {
      const whileRunning = (await rows())[0];
      expect(whileRunning).toMatchObject({ state: "intended", after: UNTOLD.slice(0, 4) });
      if (now !== undefined) files.set("a", { text: now, mode });
      return ran;
    });
    const isChanged = state === "done";
    expect(result.metadata).toMatchObject({ undo: "full", changed: isChanged ? ["a"] : [], changedCount: +isChanged });
    expect(result.output).toBe("ran");
    const [row] = await rows();
    expect([row?.state, row?.before]).toEqual([state, before && short(before)]);
    if (isChanged) expect([row?.after, row?.modeAfter]).toEqual(now ? [short(now), mode] : [null, undefined]);
    expect(trip.deeds.commandChanged).toBe(isChanged || undefined);
  });

  test.each<[what: string, file: File, after: string | null]>([
    ["a folder that took its place: the file is gone", { text: "", kind: "folder" }, null],
    ["too large to be read", { text: "x", size: (64 << 20) + 1 }, UNTOLD],
    ["as large as is read", { text: "x", size: 64 << 20 }, sha256(bytes("x"))],
    ["no longer to be looked at", "closed", UNTOLD],
  ])("%s", async (_, file, after) => {
    const files: FileMap = new Map();
    const { trip, store } = watched({ known: [beforeOf("a", "old")] }, files);
    const result = await underWatch(trip, readyOf(run()), async () => {
      files.set("a", file);
      return ran;
    });
    expect(await store.changes({})).toMatchObject([{ state: "done", after }]);
    const isLost = after === UNTOLD || after === null;
    expect(result.metadata.undo).toBe(isLost ? "none" : "full");
    expect(result.output).toBe(isLost ? "ran\n\n[Cannot be undone: a.]" : "ran");
  });

  test("what the journal already has, since the command began, is not told twice", async () => {
    const files: FileMap = new Map();
    const { trip, store } = watched({ known: [beforeOf("a", "old"), beforeOf("b", "old")] }, files);
    const row = (name: string, after: string, at: number) => ({
      ...{ record: "r", call: "c", session: "s", message: "m", tool: "t", at, shown: name, real: `/ws/${name}` },
      ...{ before: sha256(bytes("old")), content: bytes("old"), after: sha256(bytes(after)) },
    });
    await store.conclude(await store.intend([row("b", "new", 0)]), "done");
    const result = await underWatch(trip, readyOf(run()), async () => {
      for (const name of ["a", "b"]) files.set(name, { text: "new" });
      await store.conclude(await store.intend([row("a", "new", 1000)]), "done");
      return ran;
    });
    expect(result.metadata.changed).toEqual(["b"]);
    const states = (await store.changes({})).map(({ shown, state }) => `${shown} ${state}`);
    expect(states).toEqual(["b done", "a void", "b done", "a done"]);
  });

  test("a journal that fails afterwards leaves the intents, and nothing can be promised", async () => {
    const files: FileMap = new Map([["a", { text: "new" }]]);
    const conclude = () => Promise.reject(new Error("disk full"));
    const { trip, rows } = watched({ known: [beforeOf("a", "old")], store: { conclude } }, files);
    const result = await underWatch(trip, readyOf(run()), async () => ran);
    expect(result.metadata).toMatchObject({ undo: "none", changed: ["a"] });
    expect(await rows()).toMatchObject([{ state: "intended" }]);
    expect(trip.deeds.commandChanged).toBe(true);
  });

  test("without an intent nothing is run", async () => {
    let isRun = false;
    const intend = () => Promise.reject(new Error("disk full"));
    const { trip } = watched({ known: [beforeOf("a", "old")], store: { intend } });
    await expect(
      underWatch(trip, readyOf(run()), async () => {
        isRun = true;
        return ran;
      }),
    ).rejects.toThrow("disk full");
    expect(isRun).toBe(false);
  });
});

describe("what else was found", () => {
  const a = found("a", "old", "new");
  test.each<[what: string, aftermath: NonNullable<World["aftermath"]>, undo: string, says: string]>([
    ["nothing", {}, "full", ""],
    ["a change", { found: [a] }, "full", ""],
    ["a loss", { lost: ["x"] }, "none", "[Cannot be undone: x.]"],
    ["both", { found: [a], lost: ["x", "y", "z"] }, "partial", "[Cannot be undone: x, y, z (of 4 changed).]"],
    ["many losses", { lost: ["x", "y", "z", "q", "p"] }, "none", "[Cannot be undone: x, y, z and 2 more.]"],
    [
      "not all",
      { whole: false },
      "partial",
      "[Not every file could be looked at: only the changes that were noticed can be undone.]",
    ],
    [
      "a loss, and not all",
      { whole: false, lost: ["x"] },
      "partial",
      "[Cannot be undone: x. Not every file could be looked at: only the changes that were noticed can be undone.]",
    ],
    [
      "a look that fails",
      "failing",
      "partial",
      "[Not every file could be looked at: only the changes that were noticed can be undone.]",
    ],
  ])("%s", async (_, aftermath, undo, says) => {
    const { trip, rows } = watched({ aftermath });
    const result = await underWatch(trip, readyOf(run()), async () => ran);
    expect([result.metadata.undo, result.output]).toEqual([undo, ["ran", says].filter(Boolean).join("\n\n")]);
    const { found: all = [], lost = [] } = aftermath === "failing" ? {} : aftermath;
    expect(await rows()).toMatchObject(all.map(() => ({ shown: "a", state: "done", after: short("new") })));
    expect(trip.deeds.commandChanged).toBe(all.length + lost.length > 0 || undefined);
    expect(result.metadata.changedCount).toBe(all.length + lost.length);
  });

  test("what it is now counts, where a policy counts it; what cannot be read counts as gone", async () => {
    const files: FileMap = new Map<string, File>([
      ["a", { text: "new" }],
      ["big", { text: "x", size: (64 << 20) + 1 }],
      ["most", { text: "x", size: 64 << 20 }],
      ["dir", { text: "", kind: "folder" }],
      ["no", "closed"],
    ]);
    const names = ["a", "big", "most", "dir", "no", "gone"];
    const seen: string[] = [];
    const policy = {
      name: "budget",
      judge: () => undefined,
      found: (changes: readonly { place: { shown: string }; after: Uint8Array | null }[]) => {
        seen.push(...changes.map(({ place, after }) => `${place.shown} ${after && new TextDecoder().decode(after)}`));
        return [{ key: "changes", limit: 0 }];
      },
    };
    const { trip, store } = watched(
      { aftermath: { found: names.map((name) => found(name, "old", "new")) }, parts: { policies: [policy] } },
      files,
    );
    const result = await underWatch(trip, readyOf(run()), async () => ran);
    expect(result.status).toBe("done");
    expect(seen).toEqual(["a new", "big null", "most x", "dir null", "no null", "gone null"]);
    expect(await store.reserve([{ key: "session budget changes", limit: 1, amount: 1 }])).toMatchObject({
      full: { key: "session budget changes" },
    });
  });

  test("nobody is told of nothing, and it is enough that one of the policies counts", async () => {
    const counted: number[] = [];
    const silent = { name: "silent", judge: () => undefined };
    const counting = {
      ...silent,
      found: (changes: readonly unknown[]) => {
        counted.push(changes.length);
        return [];
      },
    };
    const policies = [silent, counting];
    await underWatch(watched({ parts: { policies } }).trip, readyOf(run()), async () => ran);
    await underWatch(
      watched({ aftermath: { lost: ["x"] }, parts: { policies } }).trip,
      readyOf(run()),
      async () => ran,
    );
    expect(counted).toEqual([]);
    await underWatch(watched({ aftermath: { found: [a] }, parts: { policies } }).trip, readyOf(run()), async () => ran);
    expect(counted).toEqual([1]);
  });

  test("what others have journalled meanwhile is theirs; if it is another state, it is lost", async () => {
    const { trip, store } = watched({ aftermath: { found: [found("a", "old", "new"), found("b", "old", "new")] } });
    const row = (name: string, after: string) => ({
      ...{ record: "r", call: "c", session: "s", message: "m", tool: "t", at: 1000, shown: name, real: `/ws/${name}` },
      ...{ before: sha256(bytes("old")), content: bytes("old"), after: sha256(bytes(after)) },
    });
    const result = await underWatch(trip, readyOf(run()), async () => {
      // one of them has not been concluded yet
      await store.intend([row("a", "new")]);
      await store.conclude(await store.intend([row("b", "theirs")]), "done");
      return ran;
    });
    expect(result.metadata).toMatchObject({ undo: "none", changed: ["b"] });
    expect(await store.changes({})).toHaveLength(2);
  });

  test.each<[what: string, failing: keyof Store, undo: string]>([
    ["kept: it is lost", "intend", "none"],
    ["concluded: its hash says that it happened", "conclude", "full"],
  ])("a change that cannot be %s", async (_, failing, undo) => {
    const store = { [failing]: () => Promise.reject(new Error("disk full")) };
    // concluding nothing is no failure
    const inner = memoryStore();
    const conclude: Store["conclude"] = (ids, ...more) =>
      ids.length === 0 || failing !== "conclude" ? inner.conclude(ids, ...more) : Promise.reject(new Error("full"));
    const { trip } = watched({ aftermath: { found: [a] }, store: { ...store, conclude } });
    const { metadata } = await underWatch(trip, readyOf(run()), async () => ran);
    expect([metadata.undo, metadata.changed]).toEqual([undo, ["a"]]);
    expect(trip.deeds.commandChanged).toBe(true);
  });

  test("a change that cannot be kept is lost beside those that others have made", async () => {
    const { trip, store } = watched({
      aftermath: { found: [found("a", "old", "new"), found("b", "old", "new")] },
      store: { intend: () => Promise.reject(new Error("disk full")) },
    });
    const result = await underWatch(trip, readyOf(run()), async () => {
      const row = {
        record: "r",
        call: "c",
        session: "s",
        message: "m",
        tool: "t",
        at: 1000,
        shown: "a",
        real: "/ws/a",
      };
      await store.intend([{ ...row, before: null, content: null, after: sha256(bytes("theirs")) }]);
      return ran;
    });
    expect(result.metadata).toMatchObject({ undo: "none", changed: ["a", "b"] });
  });

  test("the mode that a file was found with is journalled, where there is one", async () => {
    const { trip, rows } = watched({ aftermath: { found: [{ ...a, modeAfter: 0o755 }, found("b", "old", null)] } });
    await underWatch(trip, readyOf(run()), async () => ran);
    expect((await rows()).map(({ modeAfter }) => modeAfter)).toEqual([0o755, undefined]);
  });

  test("very many are counted, and a hundred named", async () => {
    const many = Array.from({ length: 150 }, (_, index) => found(`f${index}`, "old", "new"));
    const { trip } = watched({ aftermath: { found: many } });
    const { metadata } = await underWatch(trip, readyOf(run()), async () => ran);
    expect([(metadata.changed as string[]).length, metadata.changedCount]).toEqual([100, 150]);
  });
});

describe("a command that does not end by itself", () => {
  function processes(...exits: (number | undefined)[]) {
    const killed: number[] = [];
    const all = exits.map((exit, index) => ({ exit, kill: async () => void killed.push(index) }) as unknown as Process);
    return { all, killed };
  }

  test.each<[status: Result["status"], isKilled: boolean]>([
    ["timed-out", true],
    ["cancelled", true],
    ["done", false],
    ["failed", false],
  ])("%s: it is ended: %s", async (status, isKilled) => {
    const { trip } = watched({});
    const { all, killed } = processes(undefined, 0);
    trip.deeds.processes = all;
    await underWatch(trip, readyOf(run()), async () => ({ ...ran, status }));
    expect(killed).toEqual(isKilled ? [0] : []);
  });

  test.each<[what: string, process: object, isLeft: boolean]>([
    ["it runs on", { exit: undefined }, true],
    ["it has ended, and left others behind", { exit: 0, left: { ended: false } }, true],
    ["they have ended, too", { exit: 0, left: { ended: true } }, false],
    ["it has ended", { exit: 0 }, false],
  ])("%s", async (_, process, isLeft) => {
    const files: FileMap = new Map([["a", { text: "new" }]]);
    const { trip, rows } = watched(
      { known: [beforeOf("a", "old")], aftermath: { found: [found("b", "old", "new")] } },
      files,
    );
    trip.deeds.processes = [{ exit: 0 }, process] as unknown as Process[];
    const { output, metadata } = await underWatch(trip, readyOf(run()), async () => ran);
    expect(metadata.undo).toBe(isLeft ? "none" : "full");
    expect(output.includes("It is still running: what it changes from now on cannot be undone.")).toBe(isLeft);
    expect((await rows()).map(({ shown, state }) => `${shown} ${state}`)).toEqual(
      isLeft ? ["a done"] : ["a done", "b done"],
    );
    expect(trip.deeds.commandChanged).toBe(true);
  });

  test("one that fails is ended, and what it changed is told", async () => {
    const files: FileMap = new Map([["a", { text: "new" }]]);
    const { trip, rows } = watched({ known: [beforeOf("a", "old")], aftermath: { lost: ["x"] } }, files);
    const { all, killed } = processes(undefined, 0, undefined);
    trip.deeds.processes = all;
    (all[2] as { kill: () => Promise<void> }).kill = () => Promise.reject(new Error("gone"));
    const failing = underWatch(trip, readyOf(run()), () => Promise.reject(new Error("broken")));
    await expect(failing).rejects.toThrow("broken");
    expect([killed, trip.deeds.changed]).toEqual([[0], ["a", "x"]]);
    expect(await rows()).toMatchObject([{ state: "done" }]);
  });
});
