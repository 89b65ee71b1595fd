import { describe, expect, test } from "vitest";
import { at, run } from "../../../test/judging.ts";
import { beforeOf, type FileMap } from "../../../test/tripping.ts";
import { DONE, journalled, mark, watching } from "../../../test/watching.ts";
import type { ChangeRow } from "../contracts/store/changes.ts";
import type { Before } from "../contracts/workspace.ts";
import type { Touch } from "../words/touch.ts";
import { knownTouches } from "./watching.ts";

const MEGABYTE = 1 << 20;
const ONLY_READS: Touch = { action: "run", command: "ls", class: "safe", inner: [] };

describe("what is looked after", () => {
  test.each<[string, Touch[], number, string]>([
    ["no command at all", [at("write", "a")], 0, "full"],
    ["a command that only reads", [ONLY_READS], 0, "full"],
    ["a command", [run()], 1, "full"],
    ["a command beside one that only reads", [ONLY_READS, run()], 1, "full"],
    ["a command beside a file", [at("write", "a"), run()], 1, "full"],
  ])("%s", async (_, touches, looks, undo) => {
    const { asked, ended } = watching({ touches });
    expect(await ended()).toMatchObject({ output: "out", metadata: { code: 0, undo } });
    expect(asked).toHaveLength(looks);
  });

  test("what a command does with its input comes later, and cannot be taken back", async () => {
    const { ended } = watching({ touches: [{ ...run(), stays: true } as Touch] });
    const line = "[It is still running: what it changes from now on cannot be undone.]";
    expect(await ended()).toMatchObject({ output: `out\n\n${line}`, metadata: { undo: "none" } });
  });

  test("where nobody can look, nothing can be taken back, which is said", async () => {
    const { ended, rows } = watching({ watch: "none" });
    expect(await ended()).toEqual({ ...DONE, metadata: { code: 0, undo: "none" } });
    expect(await rows()).toEqual([]);
  });

  test("what it is known to change for certain, inside the roots", () => {
    const outside = { shown: "/o", real: "/o", root: "", exists: true };
    const touches = [
      run(at("write", "a"), at("delete", "b"), at("read", "c"), at("list", "d")),
      at("write", "e", { certain: false }),
      { action: "write", certain: true, place: outside } as Touch,
      { action: "fetch", url: "https://x.test/", method: "GET" } as Touch,
    ];
    expect(knownTouches(touches).map(({ action, place }) => [action, place.shown])).toEqual([
      ["write", "a"],
      ["delete", "b"],
    ]);
  });

  test("the workspace is told what that is", async () => {
    const { asked, ended } = watching({ touches: [run(at("write", "a"))] });
    await ended();
    expect(asked.map((touches) => touches.map(({ place }) => place.shown))).toEqual([["a"]]);
  });
});

describe("what was kept before", () => {
  test("is durable, with its outcome unknown, before the command runs", async () => {
    const { ended, rows } = watching({ known: [beforeOf("a", "old")] });
    const during: ChangeRow[] = [];
    await ended(async () => during.push(...(await rows())));
    expect(during).toMatchObject([{ shown: "a", before: mark("old"), after: "untold", state: "intended" }]);
  });

  test("is not told to a store of which nothing is to be kept", async () => {
    const intend = () => Promise.reject(new Error("nothing was to be kept"));
    await expect(watching({ store: { intend } }).ended()).resolves.toMatchObject({ metadata: { undo: "full" } });
  });

  type Now = FileMap extends Map<string, infer One> ? One : never;
  const same = { text: "old", mode: 0o644 };
  test.each<[string, Before, Now | undefined, Partial<ChangeRow>, string]>([
    ["the same", beforeOf("a", "old"), same, { state: "void" }, "full"],
    [
      "other text",
      beforeOf("a", "old"),
      { text: "new" },
      { state: "done", after: mark("new"), modeAfter: 0o644 },
      "full",
    ],
    ["another mode", beforeOf("a", "old"), { ...same, mode: 0o755 }, { state: "done", modeAfter: 0o755 }, "full"],
    ["gone", beforeOf("a", "old"), undefined, { state: "done", after: null }, "full"],
    [
      "a folder in its place",
      beforeOf("a", "old"),
      { text: "", kind: "folder" },
      { state: "done", after: null },
      "none",
    ],
    ["absent as it was", beforeOf("a", null), undefined, { state: "void" }, "full"],
    ["new", beforeOf("a", null), { text: "new" }, { state: "done", before: null, after: mark("new") }, "full"],
    ["not to be looked at", beforeOf("a", "old"), "closed", { state: "done", after: "untold" }, "none"],
    [
      "as large as is read",
      beforeOf("a", "old"),
      { text: "new", size: 64 * MEGABYTE },
      { state: "done", after: mark("new") },
      "full",
    ],
    [
      "larger than is read",
      beforeOf("a", "old"),
      { text: "new", size: 64 * MEGABYTE + 1 },
      { state: "done", after: "untold" },
      "none",
    ],
  ])("%s", async (_, before, now, row, undo) => {
    const { files, ended, rows } = watching({ known: [before] });
    const result = await ended(() => now && files.set("a", now));
    expect(await rows()).toMatchObject([row]);
    const changed = row.state === "done" ? ["a"] : [];
    expect(result.metadata).toEqual({ code: 0, undo, changed, changedCount: changed.length });
    expect(result.output).toBe(undo === "none" ? "out\n\n[Cannot be undone: a.]" : "out");
  });

  test("of several, each has its own end", async () => {
    const names = ["a", "b", "c"];
    const { files, ended, rows } = watching({ known: names.map((name) => beforeOf(name, "old")) });
    files.set("a", { text: "1" });
    files.set("b", { text: "old" });
    files.set("c", { text: "3" });
    expect((await ended()).metadata).toMatchObject({ changed: ["a", "c"], changedCount: 2 });
    expect((await rows()).map(({ shown, state, after }) => [shown, state, after])).toEqual([
      ["a", "done", mark("1")],
      ["b", "void", "untold"],
      ["c", "done", mark("3")],
    ]);
  });

  test("what a call below has journalled as it is now is not journalled twice", async () => {
    const { files, ended, rows, store } = watching({ known: [beforeOf("a", "old"), beforeOf("b", "old")] });
    await ended(async (trip) => {
      for (const name of ["a", "b"]) await journalled(store, trip, name, "below");
      files.set("a", { text: "below" });
      files.set("b", { text: "later" });
    });
    expect((await rows()).map(({ shown, state, after }) => [shown, state, after])).toEqual([
      ["a", "void", "untold"],
      ["b", "done", mark("later")],
      ["a", "done", mark("below")],
      ["b", "done", mark("below")],
    ]);
  });

  test("what was journalled before it began says nothing about it", async () => {
    const { files, trip, ended, rows, store } = watching({ known: [beforeOf("a", "old")] });
    await journalled(store, trip, "a", "new");
    await ended(() => files.set("a", { text: "new" }));
    expect((await rows()).at(-1)).toMatchObject({ state: "done", after: mark("new") });
  });

  test("nor does what was journalled in the moment in which it began", async () => {
    const { files, trip, ended, rows, store } = watching({ known: [beforeOf("a", "old")] });
    Object.assign(trip.station.parts.clock, { now: () => 5 });
    await journalled(store, trip, "a", "new");
    await ended(() => files.set("a", { text: "new" }));
    expect((await rows()).at(-1)).toMatchObject({ state: "done", after: mark("new") });
  });

  test("what the store cannot be told of is lost, and stays an intent that can be given back", async () => {
    const conclude = () => Promise.reject(new Error("full"));
    const { files, ended, rows } = watching({
      known: [beforeOf("a", "old"), beforeOf("b", "old")],
      store: { conclude },
    });
    const result = await ended(() => files.set("a", { text: "new" }));
    expect(result.metadata).toMatchObject({ undo: "none", changed: ["a", "b"], changedCount: 2 });
    expect(result.output).toContain("[Cannot be undone: a, b.]");
    expect((await rows()).map(({ state }) => state)).toEqual(["intended", "intended"]);
  });
});
