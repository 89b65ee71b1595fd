import fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { Model, ModelTurn } from "../../src/agents/crew.ts";
import { HOOK_EVENTS, type Hook } from "../../src/core/contracts/hook.ts";
import type { OpenOptions } from "../../src/index.ts";
import { openAgent } from "../../src/open-agent.ts";
import { folder } from "../journeys/harness.ts";
import { calls, service, text } from "./service.ts";

const QUICK = { mode: "yolo", store: "memory", sandbox: "off" } as const;
const READ = { id: "r", name: "read_file", args: { path: "a.txt" } };

async function run(model: Model, options: OpenOptions = {}, limits: object = {}) {
  const dir = folder({ "a.txt": "one\n", "long.txt": "word ".repeat(4000) });
  const { gate, crew } = await openAgent({ workspace: dir, model, ...QUICK, ...options });
  const outcome = await crew.lead({ gate, agent: "build", task: "go", signal: new AbortController().signal, limits });
  await gate.close();
  return outcome;
}
const scripted = (name: string, ...turns: Partial<ModelTurn>[]): Model & { asked: number[] } => {
  const asked: number[] = [];
  return {
    ...{ name, asked },
    async turn({ tools }) {
      asked.push(tools.length);
      return { text: "", calls: [], ...(turns[asked.length - 1] ?? { text: "the end" }) };
    },
  };
};
const reading = { calls: [READ], usage: { input: 1000, output: 100 } };

describe("every budget ends with a last word, which is asked for without tools", () => {
  test.each<[what: string, options: OpenOptions, limits: object, stopped: RegExp]>([
    ["steps", {}, { steps: 2 }, /All 2 steps/],
    ["tokens", {}, { tokens: 2000 }, /All 2000 tokens/],
    [
      "cost",
      { config: { budget: { prices: [{ model: "m", input: 1, output: 10 }] } } },
      { cost: 0.004 },
      /cost has reached 0\.004/,
    ],
    ["time", {}, { seconds: 0.000_001 }, /time of/],
    ["the session's tokens", { config: { budget: { max_tokens: 2000 } } }, {}, /2000 tokens of this session/],
    [
      "the session's cost",
      { config: { budget: { max_cost: 0.004, prices: [{ model: "m", input: 1, output: 10 }] } } },
      {},
      /cost of this session has reached 0\.004/,
    ],
  ])("%s", async (_, options, limits, stopped) => {
    const model = scripted("m", reading, reading, { text: "what is left: all of it" });
    if ("seconds" in limits) await new Promise((resolve) => setTimeout(resolve, 2));
    const outcome = await run(model, options, limits);
    expect(outcome).toMatchObject({ finished: false, stopped: expect.stringMatching(stopped) });
    expect(model.asked.at(-1)).toBe(0);
    expect(model.asked.slice(0, -1).every((tools) => tools > 0)).toBe(true);
  });
});

describe("agents that work is handed to count against the limits of whoever leads", () => {
  const spawn = (id: string, agent = "explore") => ({ id, name: "spawn_agent", args: { agent, task: `@${id}` } });
  const DEAR = { input: 100_000, output: 100_000, cost: 5 };
  const CHEAP = { input: 10, output: 5, cost: 0.1 };

  /** The lead plays its lines; agents below read for ever, or hand the work on, each turn at this price. */
  function playing(lines: Partial<ModelTurn>[], below: (who: string, turn: number) => Partial<ModelTurn>) {
    const asked: string[] = [];
    const model: Model = {
      name: "m",
      async turn({ messages: [first], tools }) {
        const who = /^@(\w+)/.exec(first?.role === "user" ? first.text : "")?.[1] ?? "lead";
        asked.push(tools.length === 0 ? `${who} last` : who);
        const turn = asked.filter((each) => each === who).length;
        const line = who === "lead" ? lines[turn - 1] : below(who, turn);
        return { text: "", calls: [], ...(tools.length === 0 ? { text: "left" } : (line ?? { text: "the end" })) };
      },
    };
    return { model, asked };
  }
  const reads = () => ({ calls: [READ], usage: DEAR });

  test.each<[what: string, limits: object, stopped: RegExp]>([
    ["tokens", { tokens: 1000 }, /^All 1000 tokens/],
    ["cost", { cost: 1 }, /^The cost has reached 1\.$/],
  ])("%s: one after the other", async (_, limits, stopped) => {
    const lines = ["a", "b", "c"].map((id) => ({ calls: [spawn(id)], usage: CHEAP }));
    const { model, asked } = playing(lines, reads);
    const outcome = await run(model, {}, limits);
    expect(outcome).toMatchObject({ finished: false, output: "left", stopped: expect.stringMatching(stopped) });
    expect(asked).toEqual(["lead", "a", "lead last"]);
    expect(outcome.usage).toMatchObject({ input: 100_010, cost: 5.1 });
  });

  test("several at once, and those that still wait for a seat", async () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const { model, asked } = playing([{ calls: ids.map((id) => spawn(id)), usage: CHEAP }], reads);
    expect(await run(model, {}, { tokens: 1000 })).toMatchObject({ finished: false, output: "left" });
    expect(asked.filter((who) => who !== "lead" && who !== "lead last").length).toBeLessThanOrEqual(4);
    expect(new Set(asked).size, "nobody below is asked twice").toBe(asked.length);
  });

  test("an agent of an agent", async () => {
    const { model, asked } = playing([{ calls: [spawn("a", "build")], usage: CHEAP }], (who) =>
      who === "a" ? { calls: [spawn("b")], usage: CHEAP } : reads(),
    );
    expect(await run(model, {}, { tokens: 1000 })).toMatchObject({ finished: false });
    expect(asked).toEqual(["lead", "a", "b", "lead last"]);
  });

  test("the session's budget is looked at before the lead is asked again", async () => {
    const { model, asked } = playing([{ calls: [spawn("a")], usage: CHEAP }], () => ({ text: "seen", usage: DEAR }));
    const outcome = await run(model, { config: { budget: { max_tokens: 1000 } } });
    expect(outcome).toMatchObject({ finished: false, stopped: expect.stringContaining("1000 tokens") });
    expect(asked).toEqual(["lead", "a", "lead last"]);
  });

  test("work within the limits is finished", async () => {
    const { model, asked } = playing([{ calls: [spawn("a")], usage: CHEAP }], () => ({ text: "seen", usage: CHEAP }));
    const outcome = await run(model, {}, { tokens: 1000, cost: 1, seconds: 60 });
    expect(outcome).toMatchObject({ finished: true, output: "the end", usage: { input: 20, output: 10 } });
    expect(asked).toEqual(["lead", "a", "lead"]);
  });
});

describe("time includes whatever the model waits for", () => {
  const hangs = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  const SECONDS = { seconds: 0.4 };

  test("a command is stopped", async () => {
    const dir = folder();
    const command = { id: "c", name: "run_command", args: { command: "sleep 30; touch late.txt", timeout: 60 } };
    const outcome = await run(scripted("m", { calls: [command] }, { text: "left" }), { workspace: dir }, SECONDS);
    expect(outcome).toMatchObject({ finished: false, output: "left", stopped: expect.stringMatching(/^The time of/) });
    expect(fs.readdirSync(dir)).not.toContain("late.txt");
  });

  test("a command of an agent below is stopped", async () => {
    const command = { id: "c", name: "run_command", args: { command: "sleep 30; touch late.txt", timeout: 60 } };
    const spawn = { id: "s", name: "spawn_agent", args: { agent: "build", task: "wait" } };
    const dir = folder();
    const model = scripted("m", { calls: [spawn] }, { calls: [command] }, { text: "left" });
    const outcome = await run(model, { workspace: dir }, { seconds: 1 });
    expect(outcome).toMatchObject({ finished: false, output: "left", stopped: expect.stringMatching(/^The time of/) });
    expect(fs.readdirSync(dir)).not.toContain("late.txt");
  });

  test("a quality gate is stopped", async () => {
    const gate = { name: "check", command: "sleep 30", required: true, timeout: 60 };
    const model = scripted("m", { text: "done" }, { text: "left" });
    const outcome = await run(model, { config: { guardrails: { quality_gates: [gate] } } }, SECONDS);
    expect(outcome).toMatchObject({ finished: false, output: "left", stopped: expect.stringMatching(/^The time of/) });
  });

  test("a summary that does not come is given up", async () => {
    const long = { calls: [READ], text: "looking ".repeat(400) };
    const asked: string[] = [];
    const model: Model = {
      name: "m",
      async turn({ messages, tools, signal }) {
        const last = messages.at(-1);
        const isSummary = last?.role === "user" && last.text.startsWith("Sum up");
        asked.push(isSummary ? "summary" : tools.length === 0 ? "last" : "turn");
        if (isSummary) return hangs(signal);
        return { calls: [], ...(tools.length === 0 ? { text: "left" } : long) };
      },
    };
    const outcome = await run(model, {}, { seconds: 1, window: 500 });
    expect(outcome).toMatchObject({ finished: false, output: "left", stopped: expect.stringMatching(/^The time of/) });
    expect(asked.slice(-2)).toEqual(["summary", "last"]);
  });
});

describe("a session that is resumed", () => {
  /** Runs a first task that takes 110 tokens at a cost of 0.5, then goes on with one that only says something. */
  async function goneOn(config: object, limits: object) {
    const dir = folder({ "a.txt": "one\n" });
    const model = scripted("m", { text: "first", usage: { input: 100, output: 10, cost: 0.5 } }, { text: "second" });
    const { gate, crew } = await openAgent({ workspace: dir, model, ...QUICK, config });
    const work = { gate, agent: "build", signal: new AbortController().signal };
    const first = await crew.lead({ ...work, task: "go" });
    const outcome = await crew.lead({ ...work, task: "more", resume: true, limits });
    await gate.close();
    expect(first).toMatchObject({ finished: true, output: "first" });
    return { outcome, asked: model.asked };
  }

  test.each<[what: string, config: object, limits: object, stopped: RegExp]>([
    ["its budget of tokens", { budget: { max_tokens: 100 } }, {}, /100 tokens of this session/],
    ["its budget of cost", { budget: { max_cost: 0.5 } }, {}, /cost of this session/],
    ["the limit of tokens", {}, { tokens: 100 }, /^All 100 tokens/],
    ["the limit of cost", {}, { cost: 0.4 }, /^The cost has reached 0\.4/],
  ])("does not go on where %s is used up, and the model is not asked", async (_, config, limits, stopped) => {
    const { outcome, asked } = await goneOn(config, limits);
    expect(outcome).toMatchObject({ finished: false, turns: 0, stopped: expect.stringMatching(stopped) });
    expect(asked).toHaveLength(1);
  });

  test.each<[what: string, config: object, limits: object]>([
    ["no limit", {}, {}],
    ["a budget with something left", { budget: { max_tokens: 111, max_cost: 0.6 } }, {}],
    ["limits with something left", {}, { tokens: 111, cost: 0.6 }],
  ])("goes on with %s", async (_, config, limits) => {
    const { outcome } = await goneOn(config, limits);
    expect(outcome).toMatchObject({ finished: true, output: "second", usage: { input: 0, output: 0 } });
  });
});

describe("what a turn costs", () => {
  const prices = [
    { model: "*", input: 1, output: 1 },
    { model: "gpt*", input: 2, output: 2 },
    { model: "gpt-5", input: 3, output: 30 },
    { model: "gpt-5", input: 3, output: 3 },
  ];
  test.each<[name: string, cost: number | undefined]>([
    ["openai/gpt-5", 33],
    ["gpt-5", 33],
    ["openai/gpt-6", 4],
    ["qwen", 2],
  ])("%s, by the longest name that fits", async (name, cost) => {
    const model = scripted(name, { text: "done", usage: { input: 1_000_000, output: 1_000_000 } });
    expect((await run(model, { config: { budget: { prices } } })).usage.cost).toBe(cost);
  });

  test("is not known without a price, and is what the service says where it does", async () => {
    const plain = scripted("m", { text: "done", usage: { input: 1, output: 1 } });
    expect((await run(plain)).usage).toEqual({ input: 1, output: 1 });
    const told = scripted("m", { text: "done", usage: { input: 1, output: 1, cost: 0.5 } });
    expect((await run(told, { config: { budget: { prices } } })).usage.cost).toBe(0.5);
    const said = text("done");
    const usage = { prompt_tokens: 10, completion_tokens: 5, cost: 0.25 };
    if ("chunks" in said) Object.assign(said.chunks.at(-1) as object, { usage });
    const { model } = await service([said]);
    expect((await run(model)).usage).toEqual({ input: 10, output: 5, cost: 0.25 });
  });

  test("counts without tokens, which are estimated then; so is the one that a service leaves out", async () => {
    const usageFor = async (usage: object) => {
      const said = text("done and dusted");
      if ("chunks" in said) Object.assign(said.chunks.at(-1) as object, { usage });
      return (await run((await service([said])).model)).usage;
    };
    const paid = await usageFor({ cost: 5 });
    expect(paid.cost).toBe(5);
    expect(paid.input).toBeGreaterThan(100);
    expect(paid.output).toBeGreaterThan(0);
    expect(await usageFor({ prompt_tokens: 7 })).toEqual({ input: 7, output: paid.output });
    expect(await usageFor({ completion_tokens: 7, cost: 0 })).toEqual({ input: paid.input, output: 7, cost: 0 });
  });

  test.each<[what: string, usage: object | undefined]>([
    ["nothing", undefined],
    ["negative numbers", { prompt_tokens: -500, completion_tokens: -1 }],
  ])("a service that counts %s does not get around a budget", async (_, usage) => {
    const answers = [calls(READ), calls(READ), calls(READ), text("left")].map((answer) => {
      if ("chunks" in answer) Object.assign(answer.chunks.at(-1) as object, { usage });
      return answer;
    });
    const { model } = await service(answers);
    const outcome = await run(model, { config: { budget: { max_tokens: 300 } } });
    expect(outcome).toMatchObject({ finished: false, stopped: expect.stringMatching(/300 tokens/) });
  });
});

test("each of the ten events fires in a run", async () => {
  const heard = new Set<string>();
  const on = Object.fromEntries(
    HOOK_EVENTS.slice(2).map((event) => [event, () => void heard.add(event)]),
  ) as NonNullable<Hook["on"]>;
  const hook: Hook = {
    ...{ name: "listener", on },
    before: () => void heard.add("pre_tool_use"),
    after: () => void heard.add("post_tool_use"),
  };
  const long = { id: "l", name: "read_file", args: { path: "long.txt" } };
  const missing = { id: "m", name: "read_file", args: { path: "none.txt" } };
  const model = scripted(
    "m",
    { calls: [missing], usage: { input: 800, output: 100 } },
    ...Array.from({ length: 4 }, (_, n) => ({ calls: [{ ...long, id: `l${n}` }], text: "word ".repeat(400) })),
  );
  const outcome = await run(model, { hooks: [hook], config: { budget: { max_tokens: 1000 } } }, { window: 3000 });
  expect(outcome.finished).toBe(true);
  expect([...heard].sort()).toEqual([...HOOK_EVENTS].sort());
});
