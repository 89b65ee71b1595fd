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
