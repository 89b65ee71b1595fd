import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { AIMessage, type ToolMessage } from "@langchain/core/messages";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, test } from "vitest";
import { aiSdk } from "../src/doors/ai-sdk.ts";
import { tools as langchainTools } from "../src/doors/langchain.ts";
import { open } from "../src/open.ts";
import { type LoopEvent, modelNamed, openAgent } from "../src/open-agent.ts";
import { needs } from "../test/capabilities.ts";
import { folder } from "../test/journeys/harness.ts";
import { agent as openaiAgent } from "./openai-messages.ts";

const EXAMPLE = "examples/failing-test";
const TASK = "fix the failing test";
type Turn = { text?: string; calls?: { name: string; args: Record<string, unknown> }[] };
const turns = readFileSync(join(EXAMPLE, "session.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Turn);

/** A copy of the example, to be worked on. */
function copy(): string {
  const dir = folder();
  cpSync(EXAMPLE, dir, { recursive: true });
  return dir;
}

function filesIn(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.startsWith(".toolgate") && statSync(join(dir, name)).isFile(),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(dir, name), "utf8")]));
}
const testsPass = (dir: string): boolean => spawnSync("node", ["--test"], { cwd: dir }).status === 0;

const before = filesIn(EXAMPLE);
const after = {
  ...before,
  "src/cart.js": before["src/cart.js"]?.replace("count > 10", "count >= 10"),
  "CHANGELOG.md": `${before["CHANGELOG.md"]}\n- Ten pieces get the discount, too.\n`,
};

test("a scripted model fixes the test, a quality gate passes, and turn by turn everything is undone", async () => {
  const dir = copy();
  expect(testsPass(dir)).toBe(false);
  const model = await modelNamed(`script:${join(dir, "session.jsonl")}`, { env: {} });
  const { gate, crew } = await openAgent({
    ...{ workspace: dir, model, mode: "yolo", sandbox: "off", config: join(dir, "toolgate.yaml") },
  });
  const heard: LoopEvent[] = [];
  const signal = new AbortController().signal;
  const outcome = await crew.lead({ gate, agent: "build", task: TASK, signal, heard: (event) => heard.push(event) });
  expect(outcome).toMatchObject({ finished: true, output: turns.at(-1)?.text, turns: turns.length });
  expect(heard).toContainEqual({ type: "checks", checks: [expect.objectContaining({ name: "tests", passed: true })] });
  expect(filesIn(dir)).toEqual(after);
  expect(testsPass(dir)).toBe(true);

  const undone: string[][] = [];
  for (let turn = 0; turn < 2; turn++) {
    const result = await gate.call({ name: "undo_turn", args: { turn: "last" } });
    undone.push(result.metadata.files as string[]);
  }
  expect(undone).toEqual([["CHANGELOG.md"], ["src/cart.js"]]);
  expect(filesIn(dir)).toEqual(before);
  expect((await gate.call({ name: "undo_turn", args: { turn: "last" } })).success).toBe(false);
  await gate.close();
});

describe("the same task gives the same files through", () => {
  const options = (dir: string) => ({ workspace: dir, mode: "yolo", sandbox: "off", store: "memory" }) as const;

  test("OpenAI-style messages", async () => {
    const dir = copy();
    const left = [...turns];
    const messages = await openaiAgent(dir, TASK, async () => {
      const { text = null, calls = [] } = left.shift() ?? {};
      const toolCall = ({ name, args }: { name: string; args: object }, index: number) => ({
        ...{ id: `call_${left.length}_${index}`, type: "function" },
        function: { name, arguments: JSON.stringify(args) },
      });
      return { role: "assistant", content: text, tool_calls: calls.map(toolCall) };
    });
    expect(messages.at(-1)?.content).toBe(turns.at(-1)?.text);
    expect(filesIn(dir)).toEqual(after);
  });

  test("the AI SDK", async () => {
    const dir = copy();
    const left = [...turns];
    const gate = await open(options(dir));
    const usage = {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const model = new MockLanguageModelV3({
      async doGenerate() {
        const { text, calls = [] } = left.shift() ?? {};
        return {
          content: [
            ...(text ? [{ type: "text" as const, text }] : []),
            ...calls.map(({ name, args }, index) => ({
              ...{ type: "tool-call" as const, toolCallId: `c${left.length}_${index}` },
              ...{ toolName: name, input: JSON.stringify(args) },
            })),
          ],
          finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined },
          ...{ usage, warnings: [] },
        };
      },
    });
    const { text } = await generateText({ model, tools: aiSdk().tools(gate), prompt: TASK, stopWhen: stepCountIs(20) });
    await gate.close();
    expect(text).toBe(turns.at(-1)?.text);
    expect(filesIn(dir)).toEqual(after);
  });

  test("LangChain", async () => {
    const dir = copy();
    const gate = await open(options(dir));
    const byName = new Map(langchainTools(gate).map((tool) => [tool.name, tool]));
    for (const [number, { text = "", calls = [] }] of turns.entries()) {
      const toolCalls = calls.map((call, index) => ({
        ...call,
        id: `c${number}_${index}`,
        type: "tool_call" as const,
      }));
      const message = new AIMessage({ content: text, tool_calls: toolCalls });
      for (const call of message.tool_calls ?? []) {
        const answer = (await byName.get(call.name)?.invoke({ ...call, type: "tool_call" })) as ToolMessage;
        expect(answer.tool_call_id).toBe(call.id);
      }
    }
    await gate.close();
    expect(filesIn(dir)).toEqual(after);
  });
});

test("the picture in the README is what a terminal shows", needs("a terminal"), () => {
  const { stdout, stderr } = spawnSync("node", ["scripts/picture.mjs", "--print"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout, "run: npm run build && node scripts/picture.mjs").toBe(readFileSync("docs/session.svg", "utf8"));
});
