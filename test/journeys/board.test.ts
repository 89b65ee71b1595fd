import { describe, expect, test, vi } from "vitest";
import { isNear, type NewFinding } from "../../src/core/board-findings.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench } from "./harness.ts";

const toolset = ["together"];

async function pair() {
  const store = memoryStore();
  const one = await bench({}, { store, toolset });
  const two = await bench({}, { dir: one.dir, store, toolset });
  return { one, two, store };
}

const finding = (content: string, more: Partial<NewFinding> = {}): NewFinding => ({
  ...{ type: "problem", topic: "t", content, confidence: 0.5, tags: [], files: [], session: "s", agent: "a", at: 1 },
  ...more,
});

test.each<[string, NewFinding, boolean]>([
  ["the same", finding("the cache is never cleared"), true],
  ["other case and points", finding("The cache is NEVER cleared!", { topic: "T" }), true],
  ["another word", finding("the cache is always cleared"), false],
  ["another topic", finding("the cache is never cleared", { topic: "u" }), false],
  ["another type", finding("the cache is never cleared", { type: "solution" }), false],
])("%s is near: %s", (_, other, near) => expect(isNear(finding("the cache is never cleared"), other)).toBe(near));

describe("findings", () => {
  test("are seen by all agents, and found by what they have", async () => {
    const { one, two } = await pair();
    await one.call("board_post", {
      content: "The cache is never cleared",
      type: "problem",
      topic: "cache",
      tags: ["perf"],
      files: ["src/c.ts"],
      confidence: 0.9,
    });
    await one.call("board_post", { content: "Tests need a database", topic: "tests" });
    const ids = async (args: object) =>
      ((await two.call("board_read", args)).metadata.findings as { id: number }[]).map(({ id }) => id);
    expect(await ids({})).toEqual([2, 1]);
    expect(await ids({ type: "problem" })).toEqual([1]);
    expect(await ids({ topic: "Tests" })).toEqual([2]);
    expect(await ids({ tag: "perf" })).toEqual([1]);
    expect(await ids({ file: "src/c.ts" })).toEqual([1]);
    expect(await ids({ query: "DATABASE" })).toEqual([2]);
    expect(await ids({ tag: "none" })).toEqual([]);
    expect((await two.call("board_read", { limit: 1 })).output).toContain("[1 more:");
    expect((await two.call("board_read", { tag: "perf" })).output).toBe(
      "#1 problem, cache: The cache is never cleared (90%; agent main; tags: perf; files: src/c.ts)",
    );
  });

  test("that say nearly the same are one", async () => {
    const { one, two } = await pair();
    const same = { type: "problem", topic: "cache" };
    await one.call("board_post", { ...same, content: "the cache is never cleared", tags: ["a"], confidence: 0.9 });
    const again = await two.call("board_post", {
      ...same,
      content: "The cache is never cleared.",
      tags: ["b"],
      files: ["f"],
    });
    expect(again.metadata).toMatchObject({ id: 1, merged: true, times: 2 });
    const { findings } = (await one.call("board_read")).metadata;
    expect(findings).toMatchObject([{ id: 1, confidence: 0.9, tags: ["a", "b"], files: ["f"], times: 2 }]);
  });

  test("that are new are told once to each agent, and one's own never", async () => {
    const { one, two } = await pair();
    const news = async (each: typeof one, args: object = {}) =>
      (await each.call("board_read", { fresh: true, ...args })).metadata.count;
    await one.call("board_post", { content: "first", tags: ["x"] });
    await one.call("board_post", { content: "second" });
    expect([await news(one), await news(two), await news(two)]).toEqual([0, 2, 0]);
    await two.call("board_post", { content: "third thing", tags: ["x"] });
    expect(await news(one, { tag: "x" })).toBe(1);
    expect(await news(one)).toBe(0);
  });

  test("that are new are lost neither by a filter nor by a limit", async () => {
    const { one, two } = await pair();
    for (const [at, tag] of ["x", "y", "x", "y", "x"].entries())
      await one.call("board_post", { content: `number ${at}`, tags: [tag] });
    const told = async (args: object = {}) => {
      const { metadata, output } = await two.call("board_read", { fresh: true, ...args });
      const ids = (metadata.findings as { id: number }[]).map(({ id }) => id);
      return [ids, /\[(\d+) more: ask again\]/.exec(output)?.[1]];
    };
    expect(await told({ tag: "y" })).toEqual([[4, 2], undefined]);
    expect(await told({ tag: "y" })).toEqual([[], undefined]);
    expect(await told({ limit: 2 })).toEqual([[3, 1], "1"]);
    await one.call("board_post", { content: "number 3", tags: ["z"] });
    expect(await told({ tag: "z" })).toEqual([[4], undefined]);
    expect(await told()).toEqual([[5], undefined]);
    expect(await told()).toEqual([[], undefined]);
    await one.call("board_post", { content: "number 9" });
    expect(await told()).toEqual([[7], undefined]);
  });

  test("are numbered apart when many post at once, and hold no secrets", async () => {
    const { one, two } = await pair();
    const posts = Array.from({ length: 20 }, (_, n) => ({ name: "board_post", args: { content: `finding ${n}` } }));
    const results = (
      await Promise.all([one.gate.callAll(posts.slice(0, 10)), two.gate.callAll(posts.slice(10))])
    ).flat();
    expect(new Set(results.map(({ metadata }) => metadata.id)).size).toBe(20);
    const secret = `sk-${"a1B2".repeat(12)}`;
    await one.call("board_post", { content: `the key is ${secret}` });
    expect((await two.call("board_read", { limit: 100 })).output).not.toContain(secret);
  });

  test.each([{ content: "" }, { content: "x", type: "gossip" }, { content: "x", confidence: 2 }, {}])(
    "%j is invalid",
    async (args) => {
      const { one } = await pair();
      expect((await one.call("board_post", args)).status).toBe("invalid");
    },
  );
});

describe("claims", () => {
  const claim = (each: Awaited<ReturnType<typeof pair>>["one"], resource: string, mode?: string, more: object = {}) =>
    each.call("board_claim", { resource, ...(mode && { mode }), ...more });

  test.each([
    ["read", "read", true],
    ["read", "write", true],
    ["write", "write", false],
    ["exclusive", "read", false],
    ["read", "exclusive", false],
  ])("%s, then another's %s: %s", async (first, second, fits) => {
    const { one, two } = await pair();
    expect((await claim(one, "Release", first)).success).toBe(true);
    const result = await claim(two, "release", second);
    expect(result.success).toBe(fits);
    if (!fits)
      expect(result.error?.message).toBe(
        `release is claimed (${first}) by agent main (session ${one.gate.sessionID}) for another 60 s.`,
      );
  });

  test("are extended by their holder, shown on the board, released, and over at their time", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { one, two } = await pair();
      const { token } = (await claim(one, "db", "exclusive", { ttl_ms: 1000 })).metadata;
      expect((await claim(one, "db", "exclusive", { ttl_ms: 5000 })).metadata.token).toBe(token);
      vi.advanceTimersByTime(2000);
      expect((await two.call("board_read")).output).toContain("claimed (exclusive): db, by agent main");
      expect((await two.call("board_claim", { release: token })).metadata.released).toEqual([]);
      expect((await claim(two, "db")).error?.code).toBe("CONFLICT");
      expect((await one.call("board_claim", { release: token })).metadata.released).toEqual([token]);
      expect((await claim(two, "db", "write", { ttl_ms: 100 })).success).toBe(true);
      vi.advanceTimersByTime(100);
      expect((await claim(one, "db")).success).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test("need a name", async () => {
    const { one } = await pair();
    expect((await one.call("board_claim", {})).error?.message).toBe("resource is required (string)");
  });
});

test("gate.board is the same board for programs", async () => {
  const { one, two } = await pair();
  const posted = await one.gate.board.post({ content: "The cache is never cleared", tags: ["perf"] });
  expect(posted).toMatchObject({ merged: false, finding: { id: 1, type: "discovery", confidence: 0.5 } });
  expect((await two.call("board_read", { tag: "perf" })).output).toContain("never cleared");
  expect(await two.gate.board.read({ fresh: true })).toMatchObject([{ id: 1 }]);
  expect(await two.gate.board.read({ fresh: true })).toEqual([]);
  expect(await two.gate.board.read({ tag: "none" })).toEqual([]);
  const claim = await one.gate.board.claim("Release", { mode: "exclusive" });
  expect(claim).toMatchObject({ claimed: true });
  expect((await two.call("board_claim", { resource: "release" })).error?.code).toBe("CONFLICT");
  expect(await two.gate.board.claim("release")).toMatchObject({ claimed: false, by: { shown: "Release" } });
  const token = claim.claimed ? claim.token : "";
  expect([await two.gate.board.release(token), await one.gate.board.release(token)]).toEqual([false, true]);
  expect(await one.gate.board.claims()).toEqual([]);
});

describe("the board stays small", () => {
  test("a finding that is posted again and again has a hundred tags and files at the most", async () => {
    const { one, store } = await pair();
    for (let round = 0; round < 4; round++) {
      const names = Array.from({ length: 40 }, (_, at) => `n${round * 40 + at}`);
      await one.call("board_post", { content: "the same", tags: names, files: names });
    }
    const [row] = await store.table("board/").list<{ tags: string[]; files: string[]; times: number }>({ prefix: "f" });
    expect([row?.value.tags.length, row?.value.files.length, row?.value.times]).toEqual([100, 100, 4]);
  });

  test("who has not asked for longest is forgotten", async () => {
    const { one, store } = await pair();
    const seen = store.table("board/seen");
    for (let at = 0; at < 1_000; at++) await seen.put(`reader ${at}`, { upTo: 0, told: [] });
    await one.call("board_read", { fresh: true });
    const readers = (await seen.list()).map(({ key }) => key);
    expect(readers).toHaveLength(1_000);
    expect(readers).not.toContain("reader 0");
    expect(readers).toContain("reader 1");
  });
});
