import { describe, expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import {
  FINDING_TYPES,
  type Finding,
  type FindingQuery,
  findings,
  fits,
  isNear,
  type NewFinding,
} from "./board-findings.ts";
import type { Table } from "./contracts/store/tables.ts";

const made = (content: string, more: Partial<NewFinding> = {}): NewFinding => ({
  ...{ type: "problem", topic: "t", content, confidence: 0.5, tags: [], files: [], session: "s", agent: "a", at: 1 },
  ...more,
});

function board(wrap: (table: Table, name: string) => Table = (table) => table) {
  const store = memoryStore();
  const table = (name = "") => wrap(store.table(`board/${name}`), name);
  const redact = (text: string) => text.replaceAll("hunter2", "***");
  return { ...findings({ table }, redact), store };
}

const me = { session: "mine", agent: "me" };
const contents = (all: readonly { content: string }[]) => all.map(({ content }) => content);

test("a finding is of one of these kinds", () => {
  const [discovered, ...others] = FINDING_TYPES;
  expect(discovered).toBe("discovery");
  expect(others.join(" ")).toBe("analysis solution problem question answer progress blocker resource");
});

test.each<[string, string, boolean]>([
  ["one two three four five six", "one two three four five six", true],
  ["one two three four five six", "ONE, two three; four five six!", true],
  ["a b c d e f", "a b c d e f g", true],
  ["a b c d e", "a b c d e f", false],
  ["src/a.ts is wrong", "src/b.ts is wrong", false],
  ["1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 a b c", true],
  ["!!!", "!!!", true],
  ["!!!", "???", false],
  ["grün", "GRÜN", true],
])("%j is near %j: %s", (one, other, near) => {
  expect([isNear(made(one), made(other)), isNear(made(other), made(one))]).toEqual([near, near]);
});

test.each<[Partial<NewFinding>, boolean]>([
  [{}, true],
  [{ topic: "T" }, true],
  [{ topic: "u" }, false],
  [{ type: "solution" }, false],
])("the same text, otherwise with %j, is near: %s", (more, near) =>
  expect(isNear(made("the same"), made("the same", more))).toBe(near),
);

test.each<[FindingQuery, boolean]>([
  [{}, true],
  [{ type: "problem" }, true],
  [{ type: "solution" }, false],
  [{ topic: "CACHE" }, true],
  [{ topic: "cach" }, false],
  [{ tag: "Slow" }, true],
  [{ tag: "slo" }, false],
  [{ file: "SRC/a.ts" }, true],
  [{ file: "a.ts" }, false],
  [{ query: "NEVER" }, true],
  [{ query: "cache the" }, true],
  [{ query: "always" }, false],
  [{ type: "problem", topic: "cache", tag: "slow", file: "src/a.ts", query: "cleared" }, true],
  [{ type: "problem", topic: "cache", tag: "slow", file: "src/a.ts", query: "x" }, false],
  [{ type: "problem", topic: "cache", tag: "slow", file: "x", query: "cleared" }, false],
])("%j is wanted: %s", (wanted, isWanted) => {
  const finding = made("the cache is never cleared", { topic: "Cache", tags: ["big", "slow"], files: ["src/a.ts"] });
  expect(fits(finding as Finding, wanted)).toBe(isWanted);
});

describe("what is posted", () => {
  test("is numbered, kept without secrets, and in order", async () => {
    const { post, all } = board();
    const first = await post(made("the key is hunter2", { topic: "hunter2" }));
    expect(first).toMatchObject({
      merged: false,
      finding: { id: 1, rev: 1, times: 1, content: "the key is ***", topic: "***" },
    });
    for (let n = 2; n < 12; n++) await post(made(`number ${n}`));
    expect((await all()).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("and says nearly the same makes the first one stronger", async () => {
    const { post, all } = board();
    await post(made("another thing"));
    await post(made("the cache is never cleared", { confidence: 0.9, tags: ["a", "b"], files: ["x"], at: 1 }));
    const again = made("The cache is never cleared.", {
      ...me,
      confidence: 0.4,
      tags: ["b", "c"],
      files: ["y"],
      at: 9,
    });
    expect(await post(again)).toEqual({
      merged: true,
      finding: {
        ...made("the cache is never cleared", {
          ...me,
          confidence: 0.9,
          tags: ["a", "b", "c"],
          files: ["x", "y"],
          at: 9,
        }),
        ...{ id: 2, rev: 3, times: 2 },
      },
    });
    expect(await all()).toHaveLength(2);
  });

  test.each<[boolean, boolean, boolean]>([
    [false, false, false],
    [true, false, true],
    [false, true, true],
  ])("from outside %s, then %s: counts as from outside %s", async (one, other, outside) => {
    const { post } = board();
    await post(made("the same", one ? { outside: true } : {}));
    const { finding } = await post(made("the same", other ? { outside: true } : {}));
    expect(finding.outside).toBe(outside ? true : undefined);
  });

  test("gets no more than a hundred tags and files, however often it is posted", async () => {
    const { post } = board();
    const names = (from: number) => Array.from({ length: 60 }, (_, n) => `n${from + n}`);
    await post(made("the same", { tags: names(0), files: names(0) }));
    const { finding } = await post(made("the same", { tags: names(50), files: names(50) }));
    expect([finding.tags.length, finding.files.length, finding.tags[0]]).toEqual([100, 100, "n0"]);
  });

  test("makes the oldest go where there are too many", async () => {
    const { post, all, store } = board();
    const rows = store.table("board/");
    for (let n = 1; n <= 1000; n++)
      await rows.put(`f${String(n).padStart(12, "0")}`, { ...made(`x${n}`), id: n, rev: n, times: 1 });
    await rows.put("rev", 1000);
    expect(await all()).toHaveLength(1000);
    await post(made("one more"));
    const kept = await all();
    expect([kept.length, kept[0]?.id, kept.at(-1)?.content]).toEqual([1000, 2, "one more"]);
  });

  test("at the same time as others is tried again, and says so when it never works", async () => {
    let others = 3;
    const { post } = board((table, name) => ({
      ...table,
      ...{ get: table.get.bind(table), list: table.list.bind(table), remove: table.remove.bind(table) },
      put: async (key, value, options) => {
        if (name === "" && key === "rev" && others-- > 0) return undefined;
        return table.put(key, value, options);
      },
    }));
    expect((await post(made("x"))).finding.id).toBe(1);
    others = 1000;
    await expect(post(made("y"))).rejects.toThrow("The board is too busy. Try again later.");
  });

  test("at the same time as the same is posted is not lost", async () => {
    let lost = 2;
    const { post, all } = board((table) => ({
      ...table,
      ...{ get: table.get.bind(table), list: table.list.bind(table), remove: table.remove.bind(table) },
      put: async (key, value, options) => {
        if (key.startsWith("f") && options?.ifVersion !== undefined && lost-- > 0) return undefined;
        return table.put(key, value, options);
      },
    }));
    await post(made("the same"));
    expect(await post(made("the same"))).toMatchObject({ merged: true, finding: { times: 2 } });
    expect(await all()).toHaveLength(1);
  });
});

describe("what an agent was not told yet", () => {
  const told = async ({ fresh }: ReturnType<typeof board>, wanted?: FindingQuery, limit?: number) => {
    const { told, left } = await fresh(me, wanted, limit);
    return [contents(told), left];
  };

  test("is told once, the oldest first, and never one's own", async () => {
    const it = board();
    await it.post(made("one"));
    await it.post(made("two", me));
    await it.post(made("three", { ...me, agent: "another" }));
    await it.post(made("four", { ...me, session: "another" }));
    expect(await told(it)).toEqual([["one", "three", "four"], 0]);
    expect(await told(it)).toEqual([[], 0]);
  });

  test("waits where there is a limit, or another wish", async () => {
    const it = board();
    for (const [n, tag] of ["x", "y", "x", "y"].entries()) await it.post(made(`number ${n}`, { tags: [tag] }));
    expect(await told(it, { tag: "y" }, 1)).toEqual([["number 1"], 1]);
    expect(await told(it, { tag: "y" })).toEqual([["number 3"], 0]);
    expect(await told(it, {}, 1)).toEqual([["number 0"], 1]);
    expect(await told(it)).toEqual([["number 2"], 0]);
    expect(await told(it)).toEqual([[], 0]);
  });

  test("is told again when it was posted again", async () => {
    const it = board();
    await it.post(made("the same"));
    expect(await told(it)).toEqual([["the same"], 0]);
    await it.post(made("the same"));
    expect(await told(it)).toEqual([["the same"], 0]);
  });

  test("is little to remember, and a remembered number of an older kind counts as nothing", async () => {
    const it = board();
    const seen = it.store.table("board/seen");
    await seen.put(JSON.stringify(["mine", "me"]), 7);
    for (let n = 0; n < 3; n++) await it.post(made(`number ${n}`));
    expect(await told(it)).toEqual([["number 0", "number 1", "number 2"], 0]);
    expect((await seen.list())[0]?.value).toEqual({ upTo: 3, told: [] });
  });

  test("is remembered for a thousand readers; who has not asked for longest gets all again", async () => {
    const it = board();
    await it.post(made("one"));
    const seen = it.store.table("board/seen");
    for (let n = 0; n < 1000; n++) await seen.put(JSON.stringify(["r", `a${n}`]), { upTo: 1, told: [] });
    await it.fresh(me);
    expect(await seen.list()).toHaveLength(1000);
    expect(await seen.get(JSON.stringify(["mine", "me"]))).toBeDefined();
    expect(await told(it), "and is told nothing twice").toEqual([[], 0]);
  });
});
