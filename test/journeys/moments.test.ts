import { describe, expect, test } from "vitest";
import type { Fired, Hook, HookAnswer, Moment, OpenOptions } from "../../src/index.ts";
import { bench, plain } from "./harness.ts";

const EVENTS = [
  ...["pre_llm_call", "post_llm_call", "session_start", "session_end"],
  ...["on_error", "budget_warning", "context_compress", "agent_complete"],
] as const;

/** A hook for everything that writes down what it hears. */
function listener(answer: (moment: Moment) => HookAnswer | undefined = () => undefined) {
  const heard: string[] = [];
  const on = Object.fromEntries(
    EVENTS.map((event) => [
      event,
      (moment: Moment) => {
        heard.push([moment.event, ...Object.values(moment.details)].join(" "));
        return answer(moment);
      },
    ]),
  );
  return { heard, hook: { name: "ear", on } satisfies Hook };
}
const told = (context: string) => () => ({ context });
const withHooks = (hooks: readonly Hook[], options: OpenOptions = {}) =>
  bench({ f: "x" }, { store: "memory", hooks, ...options });
const fails = plain("fails", { execute: () => Promise.reject(new Error("boom")) });

describe("what hooks hear of beside calls", () => {
  test("a session begins with its first call and ends with its gate; one without calls does neither", async () => {
    const { heard, hook } = listener(told("hello"));
    const { gate, call } = await withHooks([hook]);
    await gate.explain({ name: "read_file", args: { path: "f" } });
    expect(heard).toEqual([]);
    const results = await gate.callAll([
      { name: "file_info", args: { path: "f" } },
      { name: "read_file", args: { path: "f" } },
    ]);
    expect(results.map(({ output }) => output.includes("[ear] hello"))).toEqual([true, false]);
    expect((await call("read_file", { path: "f" })).output).not.toContain("hello");
    expect(heard).toEqual(["session_start"]);
    await gate.close();
    expect(heard).toEqual(["session_start", "session_end closed"]);
    const idle = listener();
    await (await withHooks([idle.hook])).gate.close();
    expect(idle.heard).toEqual([]);
  });

  test("whoever runs the model begins the session itself, and gets what is to be told", async () => {
    const { heard, hook } = listener(told("hello"));
    const { gate, call } = await withHooks([hook]);
    expect(await gate.fire("session_start", { source: "run" })).toEqual({ context: ["[ear] hello"], leftOut: [] });
    await call("read_file", { path: "f" });
    await gate.child().call({ name: "read_file", args: { path: "f" } });
    expect(heard).toEqual(["session_start run"]);
  });

  test("calls that wait for the session to begin wait for the same beginning", async () => {
    const { heard, hook } = listener();
    const { call } = await withHooks([hook]);
    await Promise.all([call("read_file", { path: "f" }), call("file_info", { path: "f" })]);
    expect(heard).toEqual(["session_start"]);
  });

  test("a call that failed, and none that was refused or invalid", async () => {
    const { heard, hook } = listener(({ event }) =>
      event === "on_error" ? { context: "look at the log" } : undefined,
    );
    const { call } = await withHooks([hook], { tools: [fails], config: { rules: { deny: ["read(f)"] } } });
    const { output, error } = await call("fails", {}, { id: "c1" });
    expect([output, error?.message]).toEqual(["[ear] look at the log", "boom"]);
    await call("read_file", { path: "f" });
    await call("read_file", {});
    await call("nothing");
    expect(heard).toEqual(["session_start", "on_error fails c1 failed UNKNOWN boom"]);
  });

  test("what a tool threw is heard of after the call, too", async () => {
    const heard: string[] = [];
    const after: Hook = { name: "after", after: ({ tool }, { status }) => `${heard.push(`${tool} ${status}`)}` };
    const { call } = await withHooks([after], { tools: [fails] });
    expect((await call("fails")).output).toBe("[after] 1");
    expect(heard).toEqual(["fails failed"]);
  });

  test("four fifths of a budget, once", async () => {
    const { heard, hook } = listener(told("hurry"));
    const { gate } = await withHooks([hook], { config: { budget: { max_tokens: 100, max_cost: 1 } } });
    const spent = [];
    for (const tokens of [79, 1, 5, 15, 20]) spent.push(await gate.spend({ tokens, cost: 0.1 }));
    expect(heard).toEqual(["budget_warning tokens 100 0.8"]);
    expect(spent.map(({ context }) => context?.[0])).toEqual([
      undefined,
      "[ear] hurry",
      undefined,
      undefined,
      undefined,
    ]);
    expect(spent.map(({ usedUp }) => usedUp !== undefined)).toEqual([false, false, false, true, true]);
    await gate.spend({ cost: 0.3 });
    expect(heard[1]).toBe("budget_warning cost 1 0.8");
  });

  test("the work is finished, if its quality gates let it be", async () => {
    const { heard, hook } = listener(told("well done"));
    const { gate } = await withHooks([hook]);
    expect(await gate.finish()).toMatchObject({ done: true, output: "[ear] well done" });
    expect(heard).toEqual(["agent_complete done"]);
    const { gate: child, heard: none } = { gate: gate.child({ gates: ["Patch"] }), heard };
    expect((await child.finish()).done).toBe(false);
    expect(none).toEqual(["agent_complete done"]);
  });

  test.each(["context_compress", "post_llm_call"] as const)("%s, which cannot be refused", async (event) => {
    const { hook } = listener(() => ({ decision: "deny", reason: "no" }));
    const { gate } = await withHooks([hook]);
    expect(await gate.fire(event)).toEqual({ context: ["[ear] no"], leftOut: [] });
  });

  test.each(["pre_tool_use", "post_tool_use", "nothing", "constructor"])("there is no moment %s", async (event) => {
    const { gate } = await withHooks([]);
    await expect(gate.fire(event as never)).rejects.toThrow(/^There is no event .* The events are pre_llm_call, /);
  });
});

describe("before a model is called", () => {
  const cases: [what: string, answer: () => HookAnswer | undefined, fired: Partial<Fired>][] = [
    ["nothing", () => undefined, { context: [] }],
    ["context", () => ({ context: "know" }), { context: ["[one] know"] }],
    ["deny", () => ({ decision: "deny", reason: "no" }), { context: [], blocked: { by: "hook one", reason: "no" } }],
    [
      "ask, and there is nobody",
      () => ({ decision: "ask" }),
      { blocked: { by: "hook one", reason: "it gave no reason" } },
    ],
    [
      "a throw",
      () => {
        throw new Error("boom");
      },
      { context: ["[Hook one: FAILED (boom)]"], blocked: { by: "hook one", reason: "boom" } },
    ],
    ["stop", () => ({ stop: "enough" }), { stop: "enough", context: [] }],
  ];
  test.each(cases)("%s", async (_, answer, fired) => {
    let next = 0;
    const hooks: Hook[] = [
      { name: "one", on: { pre_llm_call: answer } },
      { name: "two", on: { pre_llm_call: () => void next++ } },
    ];
    const { gate } = await withHooks(hooks);
    expect(await gate.fire("pre_llm_call", { step: 1 })).toMatchObject(fired);
    expect(next).toBe(fired.blocked ? 0 : 1);
  });
});

test.each([{ plan: true }, { dryRun: true }])("in %j nobody is told, and those left out are named", async (options) => {
  const { heard, hook } = listener();
  const { gate, call } = await withHooks([hook], options);
  await call("read_file", { path: "f" });
  expect((await gate.fire("pre_llm_call")).leftOut).toEqual(["ear"]);
  await gate.close();
  expect(heard).toEqual([]);
});

test("a script hears of moments with their details, and may block a model's call", async () => {
  const command = `[ "$ARCHITECT_STEP" = 3 ] && grep -q '"model":"m"' && { echo too late >&2; exit 2; }`;
  const { gate } = await bench({}, { store: "memory", config: { hooks: { pre_llm_call: [{ name: "s", command }] } } });
  expect((await gate.fire("pre_llm_call", { step: 3, model: "m" })).blocked).toEqual({
    by: "hook s",
    reason: "too late",
  });
  expect((await gate.fire("pre_llm_call", { step: 1, model: "m" })).blocked).toBeUndefined();
});
