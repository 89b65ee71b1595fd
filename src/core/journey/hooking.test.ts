import { describe, expect, test, vi } from "vitest";
import { preparedOf, readyOf, tripWith } from "../../../test/hearing.ts";
import type { Hook, HookAnswer, HookedCall } from "../contracts/hook.ts";
import type { Call } from "../words/call.ts";
import type { Ceiling } from "../words/ceiling.ts";
import { Ending, type Result } from "../words/result.ts";
import { hear, hooksFor, messageOf, told, understood, withSaid } from "./hooking.ts";

const inspect = vi.fn(async (changed: Call) => preparedOf(readyOf({ call: changed, input: changed.args })));
const heard = async (hooks: Hook[], ceiling: Partial<Ceiling> = {}, prepared = preparedOf()) => {
  inspect.mockClear();
  const trip = tripWith(hooks, ceiling);
  const result = await hear(trip, prepared, inspect);
  return { trip, result, inspected: inspect.mock.calls.map(([each]) => each) };
};
const saying = (answer: HookAnswer | undefined, more: Partial<Hook> = {}): Hook => ({
  name: "ear",
  before: () => answer,
  ...more,
});

describe("what a hook says before a call", () => {
  test.each<[what: string, answer: HookAnswer | undefined, expected: object]>([
    ["nothing", undefined, { answer: "allow", by: "test" }],
    ["allow", { decision: "allow" }, { answer: "allow", by: "test", grantable: ["x"] }],
    ["ask", { decision: "ask", reason: "odd" }, { answer: "ask", by: "hook ear", reason: "odd" }],
    ["ask without a reason", { decision: "ask" }, { answer: "ask", reason: "the hook wants a person to decide" }],
    ["a decision nobody knows", { decision: "maybe" as never }, { answer: "ask", by: "hook ear" }],
    ["a word", "deny" as never, { answer: "ask", by: "hook ear" }],
  ])("%s", async (_, answer, expected) => {
    const { result, trip } = await heard([saying(answer)]);
    expect(result.verdict).toMatchObject(expected);
    expect(trip.known.ready).toBe(result.ready);
    if (result.verdict.answer === "ask") {
      expect(result.verdict, "no standing yes answers it").not.toHaveProperty("grantable");
      expect(trip.known.verdict).toBe(result.verdict);
    }
  });

  test("a no ends the call, whatever the next hook would say", async () => {
    const next = vi.fn();
    const hooks = [saying({ decision: "deny", reason: "not here" }), { name: "next", before: next }];
    const refused = await heard(hooks).catch((error: Ending) => error);
    expect(refused).toBeInstanceOf(Ending);
    expect(refused).toMatchObject({
      ...{ status: "refused", code: "PERMISSION_DENIED", message: "Refused by the hook ear: not here" },
      metadata: { by: "hook ear" },
    });
    expect((refused as Ending).metadata).not.toHaveProperty("stop");
    expect(next).not.toHaveBeenCalled();
    await expect(heard([saying({ decision: "deny" })])).rejects.toMatchObject({ message: /it gave no reason/ });
    await expect(heard([saying({ decision: "deny", stop: "enough" })])).rejects.toMatchObject({
      metadata: { by: "hook ear", stop: true, stopReason: "enough" },
    });
    await expect(heard([saying({ decision: "deny", stop: "" })])).rejects.toMatchObject({
      metadata: { by: "hook ear", stop: true },
    });
  });

  test("one that asked is not forgotten when the next one has nothing against it", async () => {
    const { result } = await heard([saying({ decision: "ask", reason: "odd" }), saying({ decision: "allow" })]);
    expect(result.verdict).toMatchObject({ answer: "ask", reason: "odd" });
  });

  test.each<[what: string, before: NonNullable<Hook["before"]>, reason: string]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
      "the hook failed: broken",
    ],
    ["rejects", () => Promise.reject(new Error("broken")), "the hook failed: broken"],
    ["rejects with a word", () => Promise.reject("word"), "the hook failed: word"],
  ])("one that %s has not said yes", async (_, before, reason) => {
    const { result } = await heard([{ name: "ear", before }]);
    expect(result.verdict).toMatchObject({ answer: "ask", by: "hook ear", reason });
  });

  test("one that cannot say whether a call concerns it has not said yes either", async () => {
    const applies = () => {
      throw new Error("lost");
    };
    const { result } = await heard([saying({ decision: "allow" }, { applies })]);
    expect(result.verdict).toMatchObject({ answer: "ask", reason: "the hook failed: lost" });
  });

  test("an end of the call that comes through a hook is that end", async () => {
    const ending = new Ending("refused", "CONFLICT", "over", "");
    await expect(heard([{ name: "ear", before: () => Promise.reject(ending) }])).rejects.toBe(ending);
  });

  test("a call that was stopped meanwhile asks no hook, and does not wait for one", async () => {
    const before = vi.fn();
    const trip = tripWith([{ name: "ear", before }]);
    trip.life.stop(new Ending("refused", "CANCELLED", "stopped", ""));
    await expect(hear(trip, preparedOf(), inspect)).rejects.toMatchObject({ code: "CANCELLED" });
    expect(before).not.toHaveBeenCalled();
    const begun = vi.fn(() => new Promise<never>(() => {}));
    const slow = tripWith([{ name: "ear", before: begun }]);
    const waiting = hear(slow, preparedOf(), inspect);
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    slow.life.stop(new Ending("refused", "CANCELLED", "stopped", ""));
    await expect(waiting).rejects.toMatchObject({ code: "CANCELLED" });
    const yields = vi.fn(
      (_: unknown, signal: AbortSignal) =>
        new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined))),
    );
    const late = tripWith([{ name: "ear", before: yields }]);
    const answered = hear(late, preparedOf(), inspect);
    await vi.waitFor(() => expect(yields).toHaveBeenCalled());
    late.life.stop(new Ending("refused", "CANCELLED", "stopped", ""));
    await expect(answered).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("it is noted what it said, and how it failed", async () => {
    const { trip } = await heard([saying({ decision: "allow" }), saying({ failed: "exit 3" })]);
    expect(trip.trace.map(({ stage, verdict: said }) => [stage, said])).toEqual([
      ["hook ear", "allow"],
      ["hook ear", "failed: exit 3"],
    ]);
  });

  test("what it tells the model is told with its name", async () => {
    const hooks = [saying({ context: "mind this" }), saying({ failed: "exit 3", context: "half" }), saying({})];
    const { result } = await heard(hooks, {}, preparedOf(readyOf({ notes: ["first"] })));
    expect(result.ready.notes).toEqual(["first", "[ear] mind this", "[Hook ear: FAILED (exit 3)]\nhalf"]);
  });
});

describe("arguments that a hook changes", () => {
  test.each<[what: string, answer: HookAnswer, inspected: object[]]>([
    ["other arguments", { args: { a: 2 } }, [{ name: "alias", args: { a: 2 } }]],
    ["the same arguments", { args: { a: 1 } }, []],
    ["an input of the tool's own", { input: { a: 2, b: 2 } }, [{ name: "thing", args: { a: 2, b: 2 } }]],
    ["the same input", { input: { a: 1, b: 2 } }, []],
    ["both: the input counts", { args: { a: 9 }, input: { a: 3 } }, [{ name: "thing", args: { a: 3 } }]],
    ["the same input beside other arguments", { args: { a: 9 }, input: { a: 1, b: 2 } }, []],
  ])("%s", async (_, answer, expected) => {
    const { inspected, result } = await heard([saying(answer)]);
    expect(inspected).toMatchObject(expected);
    expect(inspected).toHaveLength(expected.length);
    expect(result.ready.call.args).toEqual((expected[0] as { args?: unknown } | undefined)?.args ?? { a: 1 });
  });

  test("the next hook hears of the call as it is now, and each of them hears once", async () => {
    const calls: HookedCall[] = [];
    const hooks: Hook[] = [
      saying({ args: { a: 2 } }),
      {
        name: "next",
        before: (each) => {
          calls.push(each);
          return undefined;
        },
      },
    ];
    await heard(hooks);
    expect(calls.map(({ args, tool, calledAs }) => [args, tool, calledAs])).toEqual([[{ a: 2 }, "thing", "alias"]]);
  });
});

describe("who hears of a call", () => {
  test("those it concerns; those that only listen afterwards are not asked before", async () => {
    const before = vi.fn();
    await heard([
      { name: "no", applies: () => false, before },
      { name: "after", after: () => "x" },
      { name: "moments", on: {} },
    ]);
    expect(before).not.toHaveBeenCalled();
  });

  test.each<[what: string, ceiling: Partial<Ceiling>, isRun: boolean, changesNothing: boolean]>([
    ["a plan", { plan: true }, false, true],
    ["a dry run", { dryRun: true }, false, true],
    ["a read-only ceiling", { autonomy: "readonly" }, true, true],
    ["no ceiling", {}, true, false],
  ])("in %s", async (_, ceiling, isRun, changesNothing) => {
    const calls: HookedCall[] = [];
    const before = (each: HookedCall) => {
      calls.push(each);
      return undefined;
    };
    const { result } = await heard([{ name: "one", before }], ceiling);
    expect(calls).toHaveLength(isRun ? 1 : 0);
    expect(result.ready.notes).toEqual(isRun ? [] : ["[Not run, because nothing may be changed here: the hook one.]"]);
    const safe = await heard([{ name: "two", inDryRun: true, before }], ceiling);
    expect(safe.result.ready.notes).toEqual([]);
    expect(calls.at(-1)?.changesNothing).toBe(changesNothing);
  });

  test("what one says that may run is told beside those that were not run", async () => {
    const hooks: Hook[] = [
      saying({ context: "mind this" }, { inDryRun: true }),
      { name: "two", before: () => undefined },
    ];
    const { result } = await heard(hooks, { plan: true });
    expect(result.ready.notes).toHaveLength(2);
    expect(result.ready.notes[0]).toBe("[ear] mind this");
  });

  test("it hears which tool's work a call does", async () => {
    const calls: HookedCall[] = [];
    const before = (each: HookedCall) => {
      calls.push(each);
      return undefined;
    };
    const tool = { name: "thing", definition: { countsAs: { tools: ["Write"] } } };
    await heard([{ name: "ear", before }], {}, preparedOf(readyOf({ tool })));
    expect(calls[0]?.countsAs).toEqual(["Write"]);
  });

  test("those that were not run are named, where they would have heard of it", async () => {
    const hooks: Hook[] = [
      { name: "one", before: () => undefined },
      { name: "other", applies: () => false, before: () => undefined },
      {
        name: "unsure",
        applies: () => {
          throw new Error("lost");
        },
        after: () => "x",
      },
      { name: "moments", on: {} },
    ];
    const { result, trip } = await heard(hooks, { plan: true });
    expect(result.ready.notes).toEqual(["[Not run, because nothing may be changed here: the hooks one, unsure.]"]);
    expect(hooksFor(trip, readyOf()).map(({ name }) => name)).toEqual(["one"]);
    expect(hooksFor(trip, undefined).map(({ name }) => name)).toEqual(["one", "other"]);
  });
});

describe("small words", () => {
  test("of errors", () => {
    const unreadable = {
      toString() {
        throw new Error("no");
      },
    };
    expect([messageOf(new Error("a")), messageOf("b"), messageOf(unreadable)]).toEqual([
      ...["a", "b", "it threw something that cannot be read"],
    ]);
  });

  test("of answers", () => {
    expect([undefined, null].map((each) => understood(each as undefined))).toEqual([undefined, undefined]);
    expect(understood({})).toEqual({});
    for (const decision of ["allow", "ask", "deny"] as const) expect(understood({ decision })).toEqual({ decision });
    expect(understood(7 as never)).toMatchObject({ decision: "ask" });
  });

  test("of results", () => {
    const result = { output: "" } as Result;
    expect(withSaid(result, [])).toBe(result);
    expect(withSaid(result, ["a", "b"]).output).toBe("a\n\nb");
    expect(told({ name: "h" }, {})).toEqual([]);
    expect(told({ name: "h" }, { failed: "x" })).toEqual(["[Hook h: FAILED (x)]"]);
  });
});
