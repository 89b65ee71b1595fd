import { describe, expect, test, vi } from "vitest";
import { LETTERS } from "../../src/core/words/dead-letter.ts";
import { ToolFailure, z } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, folder, plain } from "./harness.ts";

const reset = () => Object.assign(new Error("connection reset"), { code: "ECONNRESET" });
const input = z.object({ to: z.string().optional() });

/** A tool that fails as long as there are errors left. */
function failing(errors: unknown[], more: object = {}) {
  const made: unknown[] = [];
  const tool = plain("far", {
    input: input as never,
    execute: async (args) => {
      made.push(args);
      const error = errors.shift();
      if (error) throw error;
      return "at last";
    },
    ...more,
  });
  return { tool, made };
}

describe("a failure that is not the call's own fault is kept", () => {
  test.each<[string, unknown, object | undefined]>([
    ["a reset", reset(), { category: "TRANSIENT", status: "failed", attempts: 1, nextTry: expect.any(Number) }],
    ["a foreseen time-out", new ToolFailure("TIMEOUT", "late", ""), { category: "TRANSIENT" }],
    ["too many requests", new Error("429 too many requests"), { category: "RATE_LIMITED" }],
    ["a full disk", Object.assign(new Error("full"), { code: "ENOSPC" }), { category: "RESOURCE" }],
    ["an unknown host", Object.assign(new Error("gone"), { code: "ENOTFOUND" }), { category: "DEPENDENCY" }],
    ["what nobody foresaw", new Error("odd"), { category: "INTERNAL", nextTry: null }],
    ["a missing file", Object.assign(new Error("none"), { code: "ENOENT" }), undefined],
    ["a foreseen failure", new ToolFailure("NOT_FOUND", "none", ""), undefined],
  ])("%s", async (_, error, kept) => {
    const { tool } = failing([error]);
    const { call, gate } = await bench({}, { tools: [tool], store: "memory" });
    const { error: told } = await call("far", { to: "x" }, { id: "c1" });
    const letters = await gate.deadLetters.list();
    if (!kept) return expect(letters).toEqual([]);
    expect(letters).toMatchObject([
      { tool: "far", args: { to: "x" }, call: "c1", session: gate.sessionID, agent: "main", rounds: 1, ...kept },
    ]);
    expect(letters[0]?.error).toEqual({ code: told?.code, message: told?.message });
  });

  test("what was refused, invalid, unknown or stopped is not", async () => {
    const { tool } = failing([reset()]);
    const { call, gate } = await bench({ a: "a" }, { tools: [tool], config: { rules: { deny: ["read(a)"] } } });
    await call("read_file", { path: "a" });
    await call("far", { to: { not: "text" } });
    await call("nobody");
    await gate.call({ name: "far" }, { signal: AbortSignal.abort() });
    await call("edit_file", { path: "none", old_str: "a", new_str: "b" });
    await call("run_command", { command: "exit 3" });
    expect(await gate.deadLetters.list()).toEqual([]);
  });

  test("a time limit counts, and so do the tries before", async () => {
    const slow = plain("slow", { timeLimit: 20, execute: () => new Promise(() => {}) });
    const { tool } = failing([reset(), reset()], { retry: { attempts: 2 } });
    const { call, gate } = await bench({}, { tools: [slow, tool], store: "memory" });
    expect((await call("slow")).status).toBe("timed-out");
    expect(await call("far")).toMatchObject({ status: "failed", metadata: { attempts: 2 } });
    expect(await gate.deadLetters.list()).toMatchObject([
      { tool: "far", attempts: 2 },
      { tool: "slow", status: "timed-out", category: "TRANSIENT" },
    ]);
  });

  test("the same call has one letter, whose next try is later each time, and none after the fifth", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { tool } = failing([1, 2, 3, 4, 5, 6].map(reset), { touches: () => [{ action: "read", target: "." }] });
      const { call, gate } = await bench({}, { tools: [tool], store: "memory" });
      const firstAt = Date.now();
      for (const minutes of [1, 5, 15, 30, 60, null]) {
        vi.advanceTimersByTime(1000);
        await call("far", { to: "x" });
        const [letter, ...others] = await gate.deadLetters.list();
        expect(others).toEqual([]);
        expect(letter).toMatchObject({ firstAt: firstAt + 1000, at: Date.now() });
        expect(letter?.nextTry).toBe(minutes === null ? null : Date.now() + minutes * 60_000);
      }
      expect(await gate.deadLetters.list()).toMatchObject([{ attempts: 6, rounds: 6 }]);
      await call("far", { to: "y" });
    } finally {
      vi.useRealTimers();
    }
  });

  test("arguments that hold a secret or very much are not kept, and then it cannot be made again", async () => {
    const { tool } = failing([reset(), reset(), reset()]);
    const { call, gate } = await bench({}, { tools: [tool], store: "memory" });
    const secret = `sk-${"a1B2".repeat(12)}`;
    await call("far", { to: secret });
    await call("far", { to: "x".repeat(70_000) });
    const letters = await gate.deadLetters.list();
    expect(letters.map(({ args }) => args)).toEqual([null, null]);
    expect(JSON.stringify(letters)).not.toContain(secret);
    for (const { id } of letters) expect(await gate.deadLetters.retry(id)).toBeUndefined();
  });

  test("there are a thousand at the most: the oldest go first", async () => {
    const { tool } = failing(Array.from({ length: 1005 }, () => new Error("odd")));
    const { gate } = await bench({}, { tools: [tool], store: "memory" });
    const calls = Array.from({ length: 1005 }, (_, n) => ({ name: "far", args: { to: `${n}` } }));
    for (const call of calls) await gate.call(call);
    const letters = await gate.deadLetters.list();
    expect(letters).toHaveLength(1000);
  });
});

describe("a letter", () => {
  test("is made again, and gone when that was done", async () => {
    const { tool, made } = failing([reset(), reset()]);
    const { call, gate } = await bench({}, { tools: [tool], store: "memory" });
    await call("far", { to: "x" });
    const [letter] = await gate.deadLetters.list();
    expect(await gate.deadLetters.retry(letter!.id)).toMatchObject({ status: "failed" });
    expect(await gate.deadLetters.list()).toMatchObject([{ id: letter!.id, attempts: 2, rounds: 2 }]);
    expect(await gate.deadLetters.retry(letter!.id)).toMatchObject({ status: "done", output: "at last" });
    expect(await gate.deadLetters.list()).toEqual([]);
    expect(made).toEqual([{ to: "x" }, { to: "x" }, { to: "x" }]);
    expect(await gate.deadLetters.retry(letter!.id)).toBeUndefined();
  });

  test("is judged again like any call: what is refused now is not made", async () => {
    const dir = folder();
    const store = memoryStore();
    const touches = () => [{ action: "fetch" as const, url: "http://example.com:8001/" }];
    const { tool, made } = failing([reset()], { touches, permissions: { required: ["network"] } });
    const first = await bench({}, { dir, tools: [tool], store });
    await first.call("far", { to: "x" });
    expect(await first.gate.deadLetters.list()).toHaveLength(1);
    const second = await bench({}, { dir, tools: [tool], store, mode: "confirm-sensitive" });
    const [letter] = await second.gate.deadLetters.list();
    expect(await second.gate.deadLetters.retry(letter!.id)).toMatchObject({ status: "refused" });
    expect(made).toHaveLength(1);
    expect(await second.gate.deadLetters.list()).toMatchObject([{ id: letter!.id, attempts: 1 }]);
  });

  test("is dropped once, and those that are due are told", async () => {
    const { tool } = failing([reset(), new Error("odd")]);
    const { call, gate } = await bench({}, { tools: [tool], store: "memory" });
    await call("far", { to: "x" });
    await call("far", { to: "y" });
    expect(await gate.deadLetters.list({ due: Date.now() })).toEqual([]);
    const due = await gate.deadLetters.list({ due: Date.now() + 61_000 });
    expect(due).toMatchObject([{ args: { to: "x" } }]);
    expect(await gate.deadLetters.drop(due[0]!.id)).toBe(true);
    expect(await gate.deadLetters.drop(due[0]!.id)).toBe(false);
    expect(await gate.deadLetters.list()).toHaveLength(1);
  });

  test("that cannot be kept is told, and the call ends all the same", async () => {
    const store = memoryStore();
    const { tool } = failing([reset()]);
    const { call, gate } = await bench(
      {},
      {
        tools: [tool],
        store: {
          ...store,
          table: (name) => {
            if (name === LETTERS) throw new Error("full");
            return store.table(name);
          },
        },
      },
    );
    const lost: string[] = [];
    gate.on("event", (event) => void (event.type === "unrecorded" && lost.push(event.message)));
    expect((await call("far")).error?.message).toBe("connection reset");
    await expect(gate.deadLetters.list()).rejects.toThrow("full");
    expect(lost).toEqual(["1 dead letters could not be kept: full"]);
  });
});

test("what was tried more than once says so", async () => {
  const { tool } = failing([reset()], { retry: { attempts: 3 } });
  const { call } = await bench({}, { tools: [tool], store: "memory" });
  expect(await call("far")).toMatchObject({ status: "done", output: "at last", metadata: { attempts: 2 } });
});

test("after repeated failures a call is not tried, and that is no letter", async () => {
  const { tool, made } = failing([1, 2, 3, 4, 5, 6].map(reset));
  const { call, gate } = await bench({}, { tools: [tool], store: "memory" });
  for (let n = 0; n < 5; n++) await call("far", { to: "x" });
  const result = await call("far", { to: "y" });
  expect(result.error?.message).toBe(
    "far has failed 5 times in a row (connection reset), so it is not tried again for 30 s.",
  );
  expect(result).toMatchObject({ status: "failed", metadata: { circuit: "open" } });
  expect(made).toHaveLength(5);
  expect(await gate.deadLetters.list()).toMatchObject([{ args: { to: "x" }, attempts: 5 }]);
});
