import { describe, expect, test } from "vitest";
import { ear, stationWith } from "../../../test/hearing.ts";
import type { HookAnswer } from "../contracts/hook.ts";
import type { Ceiling } from "../words/ceiling.ts";
import type { Result, Status } from "../words/result.ts";
import { aboutError, fire, Sitting, wants } from "./firing.ts";

describe("a moment", () => {
  test("is told with whose it is, and whether anything may be changed", async () => {
    const { heard, hook } = ear("post_llm_call");
    await fire(stationWith({ hooks: [hook] }), "post_llm_call", { step: 1 });
    await fire(
      { ...stationWith({ hooks: [hook] }), callers: { sessionID: "theirs", agent: "small" } },
      "post_llm_call",
    );
    await fire(stationWith({ hooks: [{ ...hook, inDryRun: true }], ceiling: { plan: true } }), "post_llm_call");
    expect(heard).toEqual([
      { event: "post_llm_call", sessionID: "session", agent: "main", details: { step: 1 }, changesNothing: false },
      { event: "post_llm_call", sessionID: "theirs", agent: "small", details: {}, changesNothing: false },
      { event: "post_llm_call", sessionID: "session", agent: "main", details: {}, changesNothing: true },
    ]);
  });

  test.each<[Partial<Ceiling>, boolean | undefined, heard: number, leftOut: string[]]>([
    [{}, undefined, 1, []],
    [{ plan: true }, undefined, 0, ["ear"]],
    [{ dryRun: true }, false, 0, ["ear"]],
    [{ dryRun: true }, true, 1, []],
  ])("under %j, by a hook for such: %s", async (ceiling, inDryRun, count, leftOut) => {
    const { heard, hook } = ear("post_llm_call", undefined, inDryRun === undefined ? {} : { inDryRun });
    const fired = await fire(stationWith({ hooks: [hook], ceiling }), "post_llm_call");
    expect([heard.length, fired.leftOut]).toEqual([count, leftOut]);
  });

  test.each<[HookAnswer, object]>([
    [
      { decision: "deny", reason: "no" },
      { blocked: { by: "hook ear", reason: "no" }, context: [] },
    ],
    [
      { decision: "ask", reason: "why" },
      { blocked: { by: "hook ear", reason: "why" }, context: [] },
    ],
    [{ decision: "allow", reason: "fine", context: "know" }, { context: ["[ear] fine\nknow"] }],
    [{ context: "know" }, { context: ["[ear] know"] }],
    [{ stop: "" }, { stop: "", context: [] }],
    [{}, { context: [] }],
  ])("before a model is called %j means %j", async (answer, wanted) => {
    const { hook } = ear("pre_llm_call", answer);
    expect(await fire(stationWith({ hooks: [hook] }), "pre_llm_call")).toStrictEqual({ leftOut: [], ...wanted });
  });

  test("goes from hook to hook until one says no", async () => {
    const [one, two, three] = [
      ear("pre_llm_call", { context: "a" }),
      ear("pre_llm_call", { decision: "deny" }),
      ear("pre_llm_call"),
    ];
    const fired = await fire(stationWith({ hooks: [one.hook, two.hook, three.hook] }), "pre_llm_call");
    expect([one, two, three].map(({ heard }) => heard.length)).toEqual([1, 1, 0]);
    expect(fired).toMatchObject({ context: ["[ear] a"], blocked: { reason: "it gave no reason" } });
    const all = [ear("post_llm_call", { decision: "deny", reason: "x" }), ear("post_llm_call")];
    await fire(stationWith({ hooks: all.map(({ hook }) => hook) }), "post_llm_call");
    expect(
      all.map(({ heard }) => heard.length),
      "only that one can be refused",
    ).toEqual([1, 1]);
  });

  test("that is none is a mistake", async () => {
    await expect(fire(stationWith(), "nothing" as never)).rejects.toThrow(
      /^There is no event nothing\. The events are /,
    );
  });

  test("is nothing to those who do not listen to it, and every one that is left out is named", async () => {
    const [one, two] = [ear("on_error").hook, { ...ear("post_llm_call").hook, name: "other" }];
    expect(await fire(stationWith({ hooks: [{ name: "none" }, one] }), "post_llm_call")).toEqual({
      context: [],
      leftOut: [],
    });
    const hooks = [ear("post_llm_call").hook, one, two];
    expect((await fire(stationWith({ hooks, ceiling: { plan: true } }), "post_llm_call")).leftOut).toEqual([
      "ear",
      "other",
    ]);
  });

  test("at which a hook fails is told to the model", async () => {
    const on = { post_llm_call: () => Promise.reject(new Error("boom")) };
    const fired = await fire(stationWith({ hooks: [{ name: "ear", on }] }), "post_llm_call");
    expect(fired.context).toEqual(["[Hook ear: FAILED (boom)]"]);
  });

  test("is wanted by those who listen to it", () => {
    const station = stationWith({ hooks: [{ name: "none" }, ear("on_error").hook] });
    expect([wants(station, "on_error"), wants(station, "session_start")]).toEqual([true, false]);
  });

  test.each<[Status, told: boolean]>([
    ["failed", true],
    ["timed-out", true],
    ["refused", false],
    ["cancelled", false],
    ["invalid", false],
    ["done", false],
    ["unknown", false],
  ])("a call that ended %s: told %s", async (status, told) => {
    const { heard, hook } = ear("on_error", { context: "look" });
    const result = { status, error: { code: "UNKNOWN", message: "boom", hint: "" } } as unknown as Result;
    expect(await aboutError(stationWith({ hooks: [hook] }), "thing", "c1", result)).toEqual(told ? ["[ear] look"] : []);
    const details = { toolName: "thing", toolUseID: "c1", status, errorCode: "UNKNOWN", error: "boom" };
    expect(heard.map((each) => each.details)).toEqual(told ? [details] : []);
  });
});

describe("a session", () => {
  test("begins once, for whoever comes first; the others wait for it and are told nothing", async () => {
    const { heard, hook } = ear("session_start", { context: "hello" });
    const sitting = new Sitting(stationWith({ hooks: [hook] }));
    const [first, second] = [sitting.begin(), sitting.begin()];
    expect([(await first)?.context, (await second)?.context]).toEqual([["[ear] hello"], []]);
    expect([sitting.begin(), heard.length]).toEqual([undefined, 1]);
  });

  test("is nothing to wait for where nobody listens", () => {
    expect(new Sitting(stationWith()).begin()).toBeUndefined();
  });

  test("is not begun by calls where whoever runs the model has begun it", async () => {
    const { heard, hook } = ear("session_start", { context: "hello" });
    const sitting = new Sitting(stationWith({ hooks: [hook] }));
    const started = sitting.start({ source: "run" });
    expect((await sitting.begin())?.context).toEqual([]);
    expect(await started).toMatchObject({ context: ["[ear] hello"] });
    expect(heard).toMatchObject([{ details: { source: "run" } }]);
  });

  test.each<[string, (sitting: Sitting) => unknown, number]>([
    ["a call was made", (sitting) => sitting.begin(), 1],
    ["it was begun", (sitting) => sitting.start(), 1],
    ["nothing happened", () => undefined, 0],
  ])("ends where %s", async (_, use, count) => {
    const { heard, hook } = ear("session_end");
    const sitting = new Sitting(stationWith({ hooks: [hook] }));
    await use(sitting);
    await sitting.end();
    expect(heard.map(({ details }) => details)).toEqual(Array.from({ length: count }, () => ({ status: "closed" })));
  });
});
