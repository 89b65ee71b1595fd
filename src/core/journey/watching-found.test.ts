import { describe, expect, test } from "vitest";
import { beforeOf, type FileMap } from "../../../test/tripping.ts";
import { counting, foundAt, journalled, mark, watching } from "../../../test/watching.ts";
import type { Policy } from "../contracts/policy.ts";
import type { Process } from "../contracts/process.ts";
import type { Store } from "../contracts/store/store.ts";
import type { Aftermath, Found } from "../contracts/workspace.ts";
import type { Result } from "../words/result.ts";

const MEGABYTE = 1 << 20;

describe("what was found afterwards", () => {
  test("is journalled, and told", async () => {
    const found = [foundAt("a", "new", { modeAfter: 0o755 }), foundAt("b", null)];
    const { ended, rows } = watching({ aftermath: { found } });
    expect((await ended()).metadata).toEqual({ code: 0, undo: "full", changed: ["a", "b"], changedCount: 2 });
    expect(await rows()).toMatchObject([
      { shown: "a", before: mark("old"), after: mark("new"), modeAfter: 0o755, state: "done" },
      { shown: "b", after: null, state: "done" },
    ]);
    expect((await rows())[1]).not.toHaveProperty("modeAfter");
  });

  test.each<[string, string, boolean, string[], number]>([
    ["as it is now", "new", true, [], 1],
    ["as something else, so that what came between is lost", "else", true, ["a"], 1],
    ["and given up", "new", false, ["a"], 2],
  ])("and was journalled meanwhile %s", async (_, after, done, changed, count) => {
    const { ended, rows, store } = watching({ aftermath: { found: [foundAt("a")] } });
    const result = await ended((trip) => journalled(store, trip, "a", after, done ? "done" : "void"));
    expect(result.metadata).toMatchObject({ changed, undo: changed.length > 0 && done ? "none" : "full" });
    expect(await rows()).toHaveLength(count);
  });

  test("the last of several that were journalled meanwhile counts", async () => {
    const { ended, store } = watching({ aftermath: { found: [foundAt("a", "2"), foundAt("b", "1")] } });
    const result = await ended(async (trip) => {
      for (const [name, text] of ["a1", "a2", "b1", "b2"].map(([name, text]) => [name, text] as [string, string]))
        await journalled(store, trip, name, text);
    });
    expect(result.metadata).toMatchObject({ changed: ["b"], undo: "none" });
  });

  const fails = () => Promise.reject(new Error("full"));
  test.each<[string, Partial<Store>, string, string]>([
    ["beforehand is lost", { intend: fails }, "none", "out\n\n[Cannot be undone: a.]"],
    [
      "at the end only is kept: its hash says that it happened",
      { conclude: async (ids) => (ids.length > 0 ? fails() : undefined) },
      "full",
      "out",
    ],
  ])("and the store cannot be told of %s", async (_, store, undo, output) => {
    const { ended } = watching({ aftermath: { found: [foundAt("a")] }, store });
    expect(await ended()).toMatchObject({ output, metadata: { undo, changed: ["a"] } });
  });

  test("what was lost before is lost, whatever the store says", async () => {
    const { ended, store } = watching({ aftermath: { found: [foundAt("a"), foundAt("b")] }, store: { intend: fails } });
    const result = await ended((trip) => journalled(store, trip, "a", "else"));
    expect(result.output).toBe("out\n\n[Cannot be undone: a, b.]");
  });

  test("what is being journalled by another call counts as well", async () => {
    const { ended, rows, store } = watching({ aftermath: { found: [foundAt("a")] } });
    const result = await ended((trip) => journalled(store, trip, "a", "new", "intended"));
    expect(result.metadata).toMatchObject({ changed: [], undo: "full" });
    expect(await rows()).toHaveLength(1);
  });

  test("what was changed and cannot be given back is told by name, up to three", async () => {
    const lost = ["a", "b", "c", "d", "e"];
    const told = async (count: number, found: Found[] = []) =>
      (await watching({ aftermath: { found, lost: lost.slice(0, count) } }).ended()).output;
    expect(await told(3)).toBe("out\n\n[Cannot be undone: a, b, c.]");
    expect(await told(4)).toBe("out\n\n[Cannot be undone: a, b, c and 1 more.]");
    expect(await told(5, [foundAt("f")])).toBe("out\n\n[Cannot be undone: a, b, c and 2 more (of 6 changed).]");
  });

  test.each<[string, Partial<Aftermath>, string, string]>([
    ["all of it", { found: [foundAt("a")] }, "full", ""],
    ["nothing", {}, "full", ""],
    ["some of it", { found: [foundAt("a")], lost: ["b"] }, "partial", "[Cannot be undone: b (of 2 changed).]"],
    ["none of it", { lost: ["b"] }, "none", "[Cannot be undone: b.]"],
    [
      "what was noticed",
      { found: [foundAt("a")], whole: false },
      "partial",
      "[Not every file could be looked at: only the changes that were noticed can be undone.]",
    ],
    [
      "less than that",
      { lost: ["b"], whole: false },
      "partial",
      "[Cannot be undone: b. Not every file could be looked at: only the changes that were noticed can be undone.]",
    ],
  ])("%s can be taken back", async (_, aftermath, undo, line) => {
    const result = await watching({ aftermath }).ended();
    expect(result.metadata).toMatchObject({ undo });
    expect(result.output).toBe(["out", line].filter(Boolean).join("\n\n"));
  });

  test("a look that fails leaves what is known of what was kept, and says that it is not all", async () => {
    const { files, ended } = watching({ known: [beforeOf("a", "old")], aftermath: new Error("gone") });
    const result = await ended(() => files.set("a", { text: "new" }));
    expect(result.metadata).toMatchObject({ undo: "partial", changed: ["a"] });
    expect(result.output).toContain("Not every file could be looked at");
  });

  test("what was kept, what was found and what was lost are told together, a hundred names at most", async () => {
    const found = Array.from({ length: 120 }, (_, index) => foundAt(`f${index}`));
    const { files, ended } = watching({ known: [beforeOf("a", "old")], aftermath: { found, lost: ["l"] } });
    const { metadata } = await ended(() => files.set("a", { text: "new" }));
    expect(metadata).toMatchObject({ changedCount: 122, undo: "partial" });
    expect(metadata.changed).toHaveLength(100);
    expect(metadata.changed).toEqual(expect.arrayContaining(["a", "f0"]));
  });

  test("output that is empty stays so, or is the line alone", async () => {
    expect((await watching().ended(undefined, { output: "" })).output).toBe("");
    expect((await watching({ aftermath: { lost: ["a"] } }).ended(undefined, { output: "" })).output).toBe(
      "[Cannot be undone: a.]",
    );
  });
});

describe("what it changed counts against the limits", () => {
  const textOf = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

  test("with what it was and what it is now", async () => {
    const { seen, policies } = counting();
    const files: FileMap = new Map<string, ReturnType<FileMap["get"]> & {}>([
      ["a", { text: "new" }],
      ["b", { text: "found" }],
      ["large", { text: "x", size: 64 * MEGABYTE + 1 }],
      ["full", { text: "y", size: 64 * MEGABYTE }],
      ["folder", { text: "", kind: "folder" }],
      ["closed", "closed"],
    ]);
    const found = ["b", "gone", "large", "full", "folder", "closed"].map((name) => foundAt(name));
    const { trip, ended } = watching({ files, policies, known: [beforeOf("a", "old")], aftermath: { found } });
    await ended();
    expect(
      seen.map((all) => all.map(({ place, before, after }) => [place.shown, textOf(before), textOf(after)])),
    ).toEqual([
      [
        ["a", "old", "new"],
        ["b", "old", "found"],
        ["gone", "old", null],
        ["large", "old", null],
        ["full", "old", "y"],
        ["folder", "old", null],
        ["closed", "old", null],
      ],
    ]);
    expect(trip.deeds.commandChanged).toBe(true);
  });

  test.each<[string, Partial<Aftermath>, number, true | undefined]>([
    ["nothing was changed", {}, 0, undefined],
    ["something was, and nobody knows what it was", { lost: ["a"] }, 0, true],
    ["something was", { found: [foundAt("a")] }, 1, true],
  ])("where %s", async (_, aftermath, times, changed) => {
    const { seen, policies } = counting();
    const others: Policy = { name: "judges", judge: () => undefined };
    const { trip, ended } = watching({ policies: [others, ...policies], aftermath });
    await ended();
    expect(seen).toHaveLength(times);
    expect(trip.deeds.commandChanged).toBe(changed);
  });

  test("however many there were, so that the next call finds them used up", async () => {
    const limits: Policy = {
      name: "limits",
      judge: () => undefined,
      found: () => [{ key: "files", limit: 1, amount: 3 }],
    };
    const { store, ended } = watching({ policies: [limits], aftermath: { found: [foundAt("a")] } });
    await ended();
    expect(await store.reserved("session limits files")).toBe(3);
  });

  test("no file is read where nobody counts", async () => {
    const read: string[] = [];
    const { trip, ended } = watching({
      policies: [{ name: "judges", judge: () => undefined }],
      aftermath: { found: [foundAt("a")] },
    });
    const { files } = trip.station.workspace;
    Object.assign(files, { stat: ({ shown }: { shown: string }) => void read.push(shown) });
    await ended();
    expect(read).toEqual([]);
  });

  test("one that cannot count does not make the command fail", async () => {
    const failing: Policy = {
      name: "limits",
      judge: () => undefined,
      found: () => {
        throw new Error("no");
      },
    };
    const { ended } = watching({ policies: [failing], aftermath: { found: [foundAt("a")] } });
    expect((await ended()).metadata).toMatchObject({ undo: "full", changed: ["a"] });
  });
});

describe("a command that did not end by itself", () => {
  const running = (log: string[], name: string, more: Partial<Process> = {}): Partial<Process> => {
    const process = { exit: undefined as Process["exit"], ...more };
    return Object.assign(process, {
      kill: async () => {
        log.push(name);
        process.exit = { code: null, signal: "SIGTERM" };
      },
    });
  };
  const ENDED = { exit: { code: 0, signal: null } };

  test.each<[string, Partial<Result>, string[]]>([
    ["ended", { status: "done" }, []],
    ["failed", { status: "failed", success: false }, []],
    ["timed out", { status: "timed-out", success: false }, ["b"]],
    ["was stopped", { status: "cancelled", success: false }, ["b"]],
  ])("is killed where the call %s", async (_, result, killed) => {
    const log: string[] = [];
    const processes = [running(log, "a", ENDED), running(log, "b")];
    await watching({ processes }).ended(undefined, result);
    expect(log).toEqual(killed);
  });

  test("one that cannot be killed does not keep the call from ending", async () => {
    const kill = () => Promise.reject(new Error("no such process"));
    const processes = [{ exit: undefined, kill }] as Partial<Process>[];
    const { metadata } = await watching({ processes }).ended(undefined, { status: "timed-out" });
    expect(metadata).toMatchObject({ undo: "none" });
  });

  test.each<[string, Partial<Process>[], boolean]>([
    ["one that goes on", [ENDED, { exit: undefined }], true],
    ["one whose programs go on", [{ ...ENDED, left: { names: ["x"], ended: false } }], true],
    ["one whose programs ended with it", [{ ...ENDED, left: { names: ["x"], ended: true } }], false],
    ["one that ended", [ENDED], false],
  ])("%s: what it changes later cannot be undone", async (_, processes, goesOn) => {
    const { seen, policies } = counting();
    const { files, trip, ended, rows } = watching({
      ...{ processes, policies, known: [beforeOf("a", "old")], aftermath: { lost: ["l"] } },
    });
    const result = await ended(() => files.set("a", { text: "new" }));
    expect(await rows(), "what was kept has its end").toMatchObject([{ shown: "a", state: "done" }]);
    expect(seen.flat()).toHaveLength(1);
    expect(trip.deeds.commandChanged).toBe(true);
    if (!goesOn) return expect(result.metadata).toMatchObject({ undo: "partial", changed: ["a", "l"] });
    expect(result.output).toBe("out\n\n[It is still running: what it changes from now on cannot be undone.]");
    expect(result.metadata).toEqual({ code: 0, undo: "none" });
  });

  test("where the call threw, it is killed, and what it had changed is told all the same", async () => {
    const log: string[] = [];
    const { files, trip, ended, rows } = watching({
      processes: [running(log, "a")],
      known: [beforeOf("a", "old")],
      aftermath: { found: [foundAt("b")], lost: Array.from({ length: 120 }, (_, index) => `l${index}`) },
    });
    const failing = ended(() => {
      files.set("a", { text: "new" });
      throw new Error("broken");
    });
    await expect(failing).rejects.toThrow("broken");
    expect(log).toEqual(["a"]);
    expect((await rows()).map(({ shown, state }) => [shown, state])).toEqual([
      ["a", "done"],
      ["b", "done"],
    ]);
    expect(trip.deeds.changed).toHaveLength(100);
    expect(trip.deeds.changed.slice(0, 3)).toEqual(["a", "b", "l0"]);
  });
});
