import { describe, expect, test } from "vitest";
import { ear, type Given, stationWith } from "../../../test/hearing.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Finishing } from "../contracts/quality-gate.ts";
import type { Limits } from "../words/ceiling.ts";
import type { Result, Status } from "../words/result.ts";
import { finish } from "./finishing.ts";
import { spend } from "./spending.ts";

describe("whether the work may be called finished", () => {
  type Row = { status?: Status; exitCode?: number; output?: string; required?: boolean };
  const finishing = async (rows: Row[], unfinished?: string, given: Given = {}) => {
    const called: unknown[] = [];
    const checks = rows.map(({ required = true }, index) => ({ name: `check ${index}`, required }));
    const parts = {
      finishing: { checks, call: (check: object) => check, unfinished: () => unfinished } as unknown as Finishing,
    };
    const call = async (incoming: unknown) => {
      const { status = "done", exitCode, output = "" } = rows[called.length]!;
      called.push(incoming);
      return {
        ...{ success: status === "done", status, title: "", output },
        metadata: exitCode === undefined ? {} : { exitCode },
      } as Result;
    };
    return { finished: await finish(stationWith({ ...given, parts }), call), called };
  };

  test.each<[string, Row[], string | undefined, done: boolean, output: RegExp, passed: boolean[]]>([
    ["nothing is wanted", [], undefined, true, /^$/, []],
    ["all passed", [{ output: "fine" }, { exitCode: 0, output: "fine" }], undefined, true, /^$/, [true, true]],
    [
      "one did not",
      [{}, { exitCode: 1, output: "two tests failed" }],
      undefined,
      false,
      /^Required quality gates not passed:\n- check 1: .*two tests failed.*\n\nFix this/s,
      [true, false],
    ],
    ["one failed", [{ status: "failed", exitCode: 0 }], undefined, false, /check 0/, [false]],
    ["one was refused", [{ status: "refused" }], undefined, false, /check 0/, [false]],
    [
      "one that is not required did not",
      [{ exitCode: 1, required: false }],
      undefined,
      true,
      /^Quality gates that are not required failed:\n- check 0: /,
      [false],
    ],
    [
      "one of each",
      [{ exitCode: 1 }, { exitCode: 1, required: false }],
      undefined,
      false,
      /^Required quality gates not passed:\n- check 0: [^-]*Fix this before you finish\.\n\nQuality gates that are not required failed:\n- check 1: /s,
      [false, false],
    ],
    ["something is left to do", [], "1 task is open", false, /^1 task is open\n\nFix this before you finish\.$/, []],
    [
      "in a plan they are not run",
      [{ status: "planned" }],
      undefined,
      true,
      /^Quality gates that were not run, because nothing may be changed here:\n- check 0: planned, not run$/,
      [false],
    ],
  ])("%s", async (_, rows, unfinished, done, output, passed) => {
    const { finished, called } = await finishing(rows, unfinished);
    expect(finished.done).toBe(done);
    expect(finished.output).toMatch(output);
    expect(finished.checks.map((each) => each.passed)).toEqual(passed);
    expect(called).toHaveLength(rows.length);
    for (const each of finished.checks) if (each.passed) expect(each.output).toBe("");
  });

  test("long output is told by its end", async () => {
    const { finished } = await finishing([{ exitCode: 1, output: `${"x".repeat(2000)}the end` }]);
    expect(finished.checks[0]!.output).toHaveLength(800);
    expect(finished.checks[0]!.output).toContain("the end");
  });

  test.each<[string[] | undefined, boolean]>([
    [undefined, true],
    [["Finalize"], true],
    [["Patch", "Finalize"], true],
    [["Patch"], false],
    [[], false],
  ])("by an agent with the gates %j: %s", async (gates, done) => {
    const ceiling = gates ? { gates: gates as never } : {};
    const { finished, called } = await finishing([{}], undefined, { ceiling });
    expect([finished.done, called.length]).toEqual([done, done ? 1 : 0]);
    if (!done) expect(finished.output).toBe("This agent may not finish the work: Finalize is not among its gates.");
  });

  test("hooks hear of it when it is, and what they say is added", async () => {
    const { heard, hook } = ear("agent_complete", { context: "well done" });
    const done = await finishing([{ exitCode: 1, required: false }], undefined, { hooks: [hook] });
    expect(done.finished.output).toMatch(/required failed:[\s\S]+\n\n\[ear\] well done$/);
    expect(heard).toMatchObject([{ details: { status: "done" } }]);
    await finishing([{ exitCode: 1 }], undefined, { hooks: [hook] });
    expect(heard).toHaveLength(1);
  });
});

describe("what calling the model takes", () => {
  const spending = (limits: Limits | undefined, given: Given = {}) => {
    const store = memoryStore();
    const budgets = limits ? [{ session: "session", limits }] : [];
    return {
      store,
      station: stationWith({ budgets, ...given, parts: { store }, station: { sessions: ["session", "top"] } }),
    };
  };

  test.each([{ tokens: -1 }, { cost: Number.NaN }, { tokens: Number.POSITIVE_INFINITY }, { cost: "1" as never }])(
    "%j is no amount",
    async (amount) => {
      const { station, store } = spending({ maxTokens: 10 });
      await expect(spend(station, amount)).rejects.toThrow(/^(tokens|cost): got .+; accepted: a number from 0\.$/);
      expect(await store.reserved("session budget tokens")).toBe(0);
    },
  );

  test("counts on the session and those above, and once for all", async () => {
    const { station, store } = spending(undefined);
    expect(await spend(station, { tokens: 5, cost: 0.5 })).toEqual({});
    expect(await spend(station, { tokens: 2, cost: undefined as never })).toEqual({});
    const counted = async (key: string) => store.reserved(key);
    expect(
      await Promise.all(
        [
          "session budget tokens",
          "top budget tokens",
          "session spent tokens",
          "top spent tokens",
          "* spent tokens",
          "session budget cost",
          "* spent cost",
        ].map(counted),
      ),
    ).toEqual([7, 7, 7, 0, 7, 500_000, 500_000]);
  });

  test.each<[Limits, { tokens?: number; cost?: number }, string | undefined]>([
    [{ maxTokens: 10 }, { tokens: 9 }, undefined],
    [{ maxTokens: 10 }, { tokens: 10 }, "all 10 tokens of this session are used up"],
    [{ maxTokens: 10, maxCost: 1 }, { tokens: 1, cost: 1 }, "the cost of this session has reached 1"],
    [{}, { tokens: 1000 }, undefined],
    [{ maxTokens: 10 }, { tokens: 0, cost: 0 }, undefined],
  ])("%j after %j: %s", async (limits, amount, usedUp) => {
    const { station } = spending(limits);
    expect(await spend(station, amount)).toStrictEqual(usedUp === undefined ? {} : { usedUp });
  });

  test("a budget that is not limited is never nearly used up", async () => {
    const { heard, hook } = ear("budget_warning");
    for (const limits of [{ maxTokens: 100 }, { maxTokens: 100, maxCost: Number.POSITIVE_INFINITY }]) {
      const { station } = spending(limits, { hooks: [hook] });
      expect(await spend(station, { tokens: 1, cost: 1000 })).toEqual({});
    }
    expect(heard).toEqual([]);
  });

  test("hooks hear of a budget that is nearly used up, once", async () => {
    const { heard, hook } = ear("budget_warning", { context: "hurry" });
    const { station } = spending({ maxTokens: 100, maxCost: 1 }, { hooks: [hook] });
    const said: unknown[] = [];
    for (const amount of [{ tokens: 79 }, { tokens: 1 }, { tokens: 1 }, { cost: 0.8 }])
      said.push(await spend(station, amount));
    expect(said).toStrictEqual([{}, { context: ["[ear] hurry"] }, {}, { context: ["[ear] hurry"] }]);
    expect(heard.map(({ details }) => details)).toEqual([
      { budget: "tokens", limit: 100, part: 0.8 },
      { budget: "cost", limit: 1, part: 0.8 },
    ]);
  });
});
