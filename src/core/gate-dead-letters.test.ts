import { describe, expect, test } from "vitest";
import { at, ready } from "../../test/judging.ts";
import { tripIn } from "../../test/tripping.ts";
import { memoryStore } from "../stores/memory.ts";
import { DeadLetters } from "./gate-dead-letters.ts";
import { keepLetters } from "./journey/keeping-letters.ts";
import { letterOf } from "./journey/making-letters.ts";
import type { Trip } from "./journey/trip.ts";
import type { IncomingCall } from "./words/call.ts";
import { type DeadLetter, LETTERS, type NewLetter, nextTryOf } from "./words/dead-letter.ts";
import type { Result } from "./words/result.ts";
import type { Trouble } from "./words/trouble.ts";

const FAILED: Result = {
  ...{ success: false, status: "failed", title: "", output: "", metadata: {} },
  error: { code: "TIMEOUT", message: "late", hint: "wait" },
};

type Given = { args?: unknown; deeds?: Partial<Trip["deeds"]>; isReady?: boolean };

function failed({ args = { to: "x" }, deeds = {}, isReady = true }: Given = {}, result: Partial<Result> = {}) {
  const redact = (text: string) => text.replaceAll("hunter2", "***");
  const redactDeep = (value: unknown) => JSON.parse(redact(JSON.stringify(value)));
  const trip = tripIn({ parts: { redact, redactDeep } });
  trip.known.call = { ...trip.known.call, args };
  if (isReady) trip.known.ready = ready({ touches: [at("read", "hunter2.txt")] });
  Object.assign(trip.deeds, { ran: true, ...deeds });
  return letterOf(trip, { ...FAILED, ...result });
}

describe("what is kept of a call that failed", () => {
  test("who made it, what for, and why it failed, without secrets", () => {
    expect(failed()).toEqual({
      ...{ id: expect.stringMatching(/^[0-9a-f]{12}$/), call: expect.any(String), session: "session", agent: "main" },
      ...{ workspace: "/ws", tool: "thing", target: "***.txt", args: { to: "x" }, status: "failed", attempts: 1 },
      ...{ error: { code: "TIMEOUT", message: "late" }, category: "TRANSIENT", at: expect.any(Number) },
    });
    expect(failed({ deeds: { tries: 3, trouble: "RESOURCE" } })).toMatchObject({ attempts: 3, category: "RESOURCE" });
  });

  test.each<[string, Given, Partial<Result> | "no error", boolean]>([
    ["one that ran and failed", {}, {}, true],
    ["one that took too long", {}, { status: "timed-out" }, true],
    ["one that was stopped", { deeds: { trouble: "TRANSIENT" } }, { status: "cancelled" }, false],
    ["one that was refused", { deeds: { trouble: "TRANSIENT" } }, { status: "refused" }, false],
    ["one that was done", { deeds: { trouble: "TRANSIENT" } }, { status: "done" }, false],
    ["one that failed by its own fault", {}, { error: { code: "NOT_FOUND", message: "", hint: "" } }, false],
    ["one that never ran", { deeds: { ran: false } }, {}, false],
    ["one that was never read", { isReady: false }, {}, false],
    ["one of which nobody says why", { deeds: { trouble: "INTERNAL" } }, "no error", false],
  ])("%s", (_, given, result, isKept) => {
    const letter = failed(given, result === "no error" ? { error: undefined as never } : result);
    expect(letter !== undefined).toBe(isKept);
  });

  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const sized = (length: number) => ({ to: "x".repeat(length - JSON.stringify({ to: "" }).length) });
  test.each<[string, unknown, unknown]>([
    ["none", null, {}],
    ["a secret", { to: "hunter2" }, null],
    ["as much as is kept", sized(64 * 1024), sized(64 * 1024)],
    ["more than is kept", sized(64 * 1024 + 1), null],
    ["what is no JSON", { to: cyclic }, null],
    ["what JSON changes", { to: new Date(0) }, null],
  ])("arguments: %s", (_, args, kept) => {
    const letter = failed({ args });
    expect(letter?.args).toEqual(kept);
  });

  test("the same call has the same letter, another one another, and one whose arguments were not kept its own", () => {
    const id = (args: unknown) => failed({ args })?.id;
    expect(id({ to: "x" })).toBe(id({ to: "x" }));
    expect(id({ to: "y" })).not.toBe(id({ to: "x" }));
    expect(id({ to: "hunter2" })).not.toBe(id({ to: "x" }));
  });
});

const letter = (id: string, more: Partial<DeadLetter> = {}): NewLetter =>
  ({
    ...{ id, call: `c-${id}`, session: "s", agent: "main", workspace: "/ws", tool: "far", target: "", args: { id } },
    ...{ status: "failed", error: { code: "UNKNOWN", message: "" }, category: "TRANSIENT", attempts: 1, at: 1000 },
    ...more,
  }) as NewLetter;

test.each<[Trouble, number, number | null]>([
  ["TRANSIENT", 1, 1],
  ["TRANSIENT", 2, 5],
  ["RATE_LIMITED", 3, 15],
  ["RESOURCE", 4, 30],
  ["DEPENDENCY", 5, 60],
  ["TRANSIENT", 6, null],
  ["INTERNAL", 1, null],
])("%s, the %i. time: another try in %s minutes", (category, rounds, minutes) =>
  expect(nextTryOf(category, rounds, 1000)).toBe(minutes === null ? null : 1000 + minutes * 60_000),
);

describe("letters that are kept", () => {
  test("one a call, which counts how often it failed", async () => {
    const store = memoryStore();
    await keepLetters(store, [letter("a"), letter("b")]);
    await keepLetters(store, [letter("a", { attempts: 2, at: 5000 })]);
    const kept = (await store.table(LETTERS).list<DeadLetter>()).map(({ value }) => value);
    expect(kept.sort((a, b) => (a.id < b.id ? -1 : 1))).toMatchObject([
      { id: "a", attempts: 3, rounds: 2, firstAt: 1000, at: 5000, nextTry: 5000 + 5 * 60_000 },
      { id: "b", attempts: 1, rounds: 1, firstAt: 1000, at: 1000, nextTry: 1000 + 60_000 },
    ]);
  });

  test("a thousand at the most: the oldest go", async () => {
    const store = memoryStore();
    const many = (count: number, from: number) =>
      Array.from({ length: count }, (_, n) => letter(`n${from + n}`, { at: 10_000 - from - n }));
    const ids = async () => (await store.table(LETTERS).list()).map(({ key }) => key);
    await keepLetters(store, many(600, 0));
    expect(await ids()).toHaveLength(600);
    await keepLetters(store, many(400, 600));
    expect(await ids()).toHaveLength(1000);
    await keepLetters(store, many(2, 1000));
    const left = await ids();
    expect(left).toHaveLength(1000);
    expect([left.includes("n0"), left.includes("n999"), left.includes("n1000"), left.includes("n1001")]).toEqual([
      ...[true, true, false, false],
    ]);
  });
});

describe("letters of every process that shares the store", () => {
  /** Letters that are put there only when what waits to be recorded is. */
  async function letters(late: NewLetter[], answer: Partial<Result> = {}) {
    const store = memoryStore();
    const waiting = [late];
    const recorder = { flush: async () => keepLetters(store, waiting.pop() ?? []) } as never;
    const made: IncomingCall[] = [];
    const call = async (incoming: IncomingCall) => {
      made.push(incoming);
      return { ...FAILED, ...answer };
    };
    return { all: new DeadLetters({ store, recorder }, call), store, made };
  }
  const ids = (all: readonly DeadLetter[]) => all.map(({ id }) => id);

  test("newest first, those that wait to be kept as well", async () => {
    const { all } = await letters([letter("a", { at: 1 }), letter("b", { at: 3 }), letter("c", { at: 2 })]);
    expect(ids(await all.list())).toEqual(["b", "c", "a"]);
  });

  test("those whose next try has come, and that can be made again", async () => {
    const { all } = await letters([
      letter("a", { at: 0 }),
      letter("b", { at: 1 }),
      letter("c", { at: 0, args: null }),
      letter("d", { at: 0, category: "INTERNAL" }),
    ]);
    expect(ids(await all.list({ due: 60_000 }))).toEqual(["a"]);
    expect(ids(await all.list({ due: 60_001 }))).toEqual(["b", "a"]);
    expect(ids(await all.list({ due: 0 }))).toEqual([]);
  });

  test.each<[string, string, Partial<Result>, IncomingCall[], string[]]>([
    ["done is gone", "a", { status: "done", success: true }, [{ name: "far", args: { id: "a" } }], ["b"]],
    ["failed again stays", "a", {}, [{ name: "far", args: { id: "a" } }], ["a", "b"]],
    ["that cannot be made is not", "b", {}, [], ["a", "b"]],
    ["that is not there is not", "z", {}, [], ["a", "b"]],
  ])("one that is made again and %s", async (_, id, answer, wanted, left) => {
    const { all, made } = await letters([letter("a"), letter("b", { args: null })], answer);
    expect((await all.retry(id))?.status).toBe(wanted.length > 0 ? (answer.status ?? "failed") : undefined);
    expect(made).toEqual(wanted);
    expect(ids(await all.list()).sort()).toEqual(left);
  });

  test("one that is dropped is gone, once", async () => {
    const { all } = await letters([letter("a"), letter("b")]);
    expect(await all.drop("a")).toBe(true);
    expect(await all.drop("a")).toBe(false);
    expect(ids(await all.list())).toEqual(["b"]);
  });
});
