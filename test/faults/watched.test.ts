import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Claim, Definition, Store, Workspace } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { localWorkspace } from "../../src/workspaces/local.ts";
import { bench, folder, plain, sleep } from "../journeys/harness.ts";

type Watch = Awaited<ReturnType<NonNullable<Workspace["watch"]>>>;
type Aftermath = Awaited<ReturnType<Watch["end"]>>;
const fail = () => Promise.reject(new Error("the disk is full"));

/** What is found afterwards, beside what was known. */
type End = (dir: string, place: (file: string) => ReturnType<Workspace["locate"]>) => Promise<Aftermath>;

type Setup = {
  /** What the command does while it runs. */
  work?: (dir: string, context: Parameters<Definition["execute"]>[1]) => unknown;
  end?: End;
  watches?: boolean;
  store?: (inner: Store) => Partial<Store>;
  claim?: Claim;
  signal?: AbortSignal;
};

const inner: Claim[] = [
  { action: "write", target: "a.txt" },
  { action: "delete", target: "b.txt" },
  { action: "write", target: "perhaps.txt", certain: false },
  { action: "read", target: "read.txt" },
];

/** A command that is watched by a workspace of ours, and that a tool only pretends to run. */
async function watched({ work = () => {}, end, watches = true, store = () => ({}), claim, signal }: Setup) {
  const dir = folder({ "a.txt": "a\n", "b.txt": "b\n", "perhaps.txt": "p\n", "read.txt": "r\n" });
  const local = localWorkspace({ root: dir });
  const asked: string[] = [];
  const watch: NonNullable<Workspace["watch"]> = async (touches) => {
    const known = [];
    for (const { place } of touches) {
      asked.push(place.shown);
      const { bytes, mode } = await local.files.read(place);
      known.push({ place, before: bytes, modeBefore: mode });
    }
    const nothing = async () => ({ found: [], lost: [], whole: true });
    return { known, end: () => (end ? end(dir, (file) => local.locate(file)) : nothing()) };
  };
  const { watch: _own, ...rest } = local;
  const workspace: Workspace = watches ? { ...rest, watch } : rest;
  let ran = 0;
  const tool = plain("runner", {
    permissions: { required: ["execute"] },
    touches: () => [claim ?? { action: "run", command: "make", class: "dev", inner }],
    execute: async (_, context) => {
      ran += 1;
      await work(dir, context);
      return "ran";
    },
  });
  const kept = memoryStore();
  const { gate } = await bench({}, { workspace, store: { ...kept, ...store(kept) }, tools: [tool], config: {} });
  const result = await gate.call({ name: "runner" }, signal ? { signal } : {});
  const rows = (await kept.changes({})).map(({ shown, state }) => `${shown} ${state}`);
  return { result, rows, asked, ran, dir, gate, store: kept };
}

const change =
  (file: string, content = "changed\n") =>
  (dir: string) =>
    writeFileSync(path.join(dir, file), content);
const found =
  (file: string): End =>
  async (_, place) => ({
    found: [
      { place: await place(file), before: new TextEncoder().encode("p\n"), modeBefore: 0o644, after: "f".repeat(64) },
    ],
    lost: [],
    whole: true,
  });
const aftermath =
  (more: Partial<Aftermath>): End =>
  async () => ({ found: [], lost: [], whole: true, ...more });

describe("what a command changed is told, and can be taken back as far as it was kept", () => {
  const cases: [what: string, setup: Setup, undo: string, changed: string[] | undefined, rows: string[]][] = [
    ["nothing", {}, "full", [], ["a.txt void", "b.txt void"]],
    ["a file that it names", { work: change("a.txt") }, "full", ["a.txt"], ["a.txt done", "b.txt void"]],
    [
      "one that it removes",
      { work: (dir) => rmSync(path.join(dir, "b.txt")) },
      "full",
      ["b.txt"],
      ["a.txt void", "b.txt done"],
    ],
    [
      "a file that is a folder now",
      {
        work: (dir) => {
          rmSync(path.join(dir, "b.txt"));
          mkdirSync(path.join(dir, "b.txt"));
        },
      },
      "none",
      ["b.txt"],
      ["a.txt void", "b.txt done"],
    ],
    [
      "its mode alone",
      { work: (dir) => chmodSync(path.join(dir, "a.txt"), 0o700) },
      "full",
      ["a.txt"],
      ["a.txt done", "b.txt void"],
    ],
    [
      "another file that was found",
      { end: found("perhaps.txt") },
      "full",
      ["perhaps.txt"],
      ["a.txt void", "b.txt void", "perhaps.txt done"],
    ],
    [
      "one that it names and one that was found",
      { work: change("a.txt"), end: found("perhaps.txt") },
      "full",
      ["a.txt", "perhaps.txt"],
      ["a.txt done", "b.txt void", "perhaps.txt done"],
    ],
    ["only what is lost", { end: aftermath({ lost: ["big.bin"] }) }, "none", ["big.bin"], ["a.txt void", "b.txt void"]],
    [
      "what is kept and what is lost",
      { work: change("a.txt"), end: aftermath({ lost: ["big.bin"] }) },
      "partial",
      ["a.txt", "big.bin"],
      ["a.txt done", "b.txt void"],
    ],
    ["not everything was looked at", { end: aftermath({ whole: false }) }, "partial", [], ["a.txt void", "b.txt void"]],
    ["nobody could look", { end: fail, work: change("a.txt") }, "partial", ["a.txt"], ["a.txt done", "b.txt void"]],
    ["nobody watches", { watches: false, work: change("a.txt") }, "none", undefined, []],
    [
      "what is found cannot be kept",
      {
        end: found("perhaps.txt"),
        store: (kept) => ({ intend: (rows) => (rows[0]?.shown === "perhaps.txt" ? fail() : kept.intend(rows)) }),
      },
      "none",
      ["perhaps.txt"],
      ["a.txt void", "b.txt void"],
    ],
    [
      "how it ended cannot be kept",
      { work: change("a.txt"), store: () => ({ conclude: fail }) },
      "none",
      ["a.txt", "b.txt"],
      ["a.txt intended", "b.txt intended"],
    ],
  ];
  test.each(cases)("%s", async (_, setup, undo, changed, rows) => {
    const told = await watched(setup);
    expect(told.result.status).toBe("done");
    expect([told.result.metadata.undo, told.result.metadata.changed, told.rows]).toEqual([undo, changed, rows]);
    if (changed) expect(told.result.metadata.changedCount).toBe(changed.length);
    if (undo === "full") expect(told.result.output).toBe("ran");
    if (changed && undo !== "full") expect(told.result.output).toMatch(/Cannot be undone|could be looked at/);
  });

  test("what it names for certain is kept before it runs; without that it does not run", async () => {
    const good = await watched({});
    expect(good.asked).toEqual(["a.txt", "b.txt"]);
    let rows: string[] = [];
    const during = await watched({
      work: async (_, { journal }) => {
        rows = (await journal.changes({})).map(({ shown, state }) => `${shown} ${state}`);
      },
    });
    expect(during.ran).toBe(1);
    expect(rows).toEqual(["a.txt intended", "b.txt intended"]);
    const bad = await watched({ store: () => ({ intend: fail }) });
    expect([bad.ran, bad.result.status]).toEqual([0, "failed"]);
  });

  test("a call that was stopped while it waited for its locks keeps nothing and runs nothing", async () => {
    const stop = new AbortController();
    const store = (kept: Store): Partial<Store> => ({
      lock(paths, holder) {
        stop.abort();
        return kept.lock(paths, holder);
      },
    });
    const { result, rows, asked, ran } = await watched({ store, signal: stop.signal });
    expect([result.status, ran, asked, rows]).toEqual(["cancelled", 0, [], []]);
  });

  test("a command that only looks is not watched, and has nothing to take back", async () => {
    const claim: Claim = { action: "run", command: "ls", class: "safe", inner: [{ action: "list", target: "." }] };
    const { result, asked, rows } = await watched({ claim });
    expect([result.metadata.undo, asked, rows]).toEqual(["full", [], []]);
    const writing: Claim = { ...claim, inner: [{ action: "write", target: "a.txt" }] };
    expect((await watched({ claim: writing })).asked).toEqual(["a.txt"]);
  });

  test("a tool that throws tells what had been changed", async () => {
    const boom = (dir: string) => {
      change("a.txt")(dir);
      throw new Error("boom");
    };
    const { result, rows } = await watched({ work: boom, end: found("perhaps.txt") });
    expect(result.error?.message).toBe("boom (The change of a.txt, perhaps.txt had already been made.)");
    expect(rows).toEqual(["a.txt done", "b.txt void", "perhaps.txt done"]);
  });

  test("many that are lost are counted, and the first named", async () => {
    const lost = ["1", "2", "3", "4", "5"];
    const some = await watched({ end: aftermath({ lost: lost.slice(0, 3) }) });
    expect(some.result.output).toContain("Cannot be undone: 1, 2, 3.");
    const more = await watched({ end: aftermath({ lost }), work: change("a.txt") });
    expect(more.result.output).toContain("Cannot be undone: 1, 2, 3 and 2 more (of 6 changed).");
    const most = await watched({ end: aftermath({ lost: Array.from({ length: 150 }, String) }) });
    expect([(most.result.metadata.changed as string[]).length, most.result.metadata.changedCount]).toEqual([100, 150]);
  });

  test("what a call below told of a file is told once, and taken back as it was before both", async () => {
    const below: NonNullable<Setup["work"]> = async (_, { gate }) => {
      // rows are told apart by the clock
      await sleep(2);
      await gate.call({ name: "write_file", args: { path: "a.txt", content: "below\n" } });
    };
    const once = await watched({ work: below });
    expect(once.rows).toEqual(["a.txt void", "b.txt void", "a.txt done"]);
    const again = await watched({
      work: async (dir, context) => {
        await below(dir, context);
        change("a.txt", "and after\n")(dir);
      },
    });
    expect(again.rows).toEqual(["a.txt done", "b.txt void", "a.txt done"]);
  });

  test("undo gives back what the command replaced and removed", async () => {
    const { gate, dir } = await watched({
      work: (folderOf) => {
        change("a.txt")(folderOf);
        chmodSync(path.join(folderOf, "a.txt"), 0o700);
        rmSync(path.join(folderOf, "b.txt"));
      },
    });
    for (const file of ["a.txt", "b.txt"])
      expect((await gate.call({ name: "undo_file", args: { path: file } })).status).toBe("done");
    expect(statSync(path.join(dir, "a.txt")).mode & 0o111).toBe(0);
    expect(statSync(path.join(dir, "b.txt")).size).toBe(2);
  });
});
