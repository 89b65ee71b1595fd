import { generateText, type ModelMessage, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, test } from "vitest";
import { aiSdk } from "../../src/doors/ai-sdk.ts";
import * as anthropic from "../../src/doors/anthropic.ts";
import * as langchain from "../../src/doors/langchain.ts";
import * as openai from "../../src/doors/openai.ts";
import type { Result } from "../../src/index.ts";
import { type Bench, bench, plain } from "../journeys/harness.ts";

const FILES = { "a.txt": "one\ntwo\n" };
const QUICK = { store: "memory", sandbox: "off" } as const;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const picture = plain("picture", {
  execute: async () => ({ output: "a picture", attachments: [{ mime: "image/png", data: PIXEL }] }),
});

/** One task, as a model would do it: read, edit, and something that fails. */
const STEPS = [
  { id: "c1", name: "read_file", args: { path: "a.txt" } },
  { id: "c2", name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "2" } },
  { id: "c3", name: "read_file", args: { path: "missing.txt" } },
  { id: "c4", name: "no_such_tool", args: {} },
];
type Answered = { id: string; text: string };

type Step = (typeof STEPS)[number];

/** A model that says these things, one after the other. */
function modelSaying(turns: { calls?: readonly Step[]; text?: string }[]) {
  const left = [...turns];
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const { calls = [], text } = left.shift() ?? { text: "done" };
      return {
        content: [
          ...calls.map(({ id, name, args }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName: name,
            input: JSON.stringify(args),
          })),
          ...(text ? [{ type: "text" as const, text }] : []),
        ],
        finishReason: { unified: calls.length > 0 ? ("tool-calls" as const) : ("stop" as const), raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

const doors: Record<string, (it: Bench) => Promise<Answered[]>> = {
  async "OpenAI, Chat Completions"({ gate }) {
    const calls = STEPS.map(({ id, name, args }) => ({
      id,
      type: "function",
      function: { name, arguments: JSON.stringify(args) },
    }));
    const messages = await openai.answer(gate, { tool_calls: calls });
    return messages.map((message) =>
      message.role === "tool" ? { id: message.tool_call_id, text: message.content } : { id: "", text: "a picture" },
    );
  },
  async "OpenAI, Responses"({ gate }) {
    const output = STEPS.map(({ id, name, args }) => ({
      type: "function_call",
      call_id: id,
      name,
      arguments: JSON.stringify(args),
    }));
    const items = await openai.answerResponse(gate, [{ type: "reasoning" }, ...output]);
    return items.map(({ call_id, output: text }) => ({ id: call_id, text: String(text) }));
  },
  async Anthropic({ gate }) {
    const content = STEPS.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args }));
    const message = await anthropic.answer(gate, { content: [{ type: "text" }, ...content] });
    expect(message?.content.map(({ is_error = false }) => is_error)).toEqual([false, false, true, true]);
    return (message?.content ?? []).map(({ tool_use_id, content: text }) => ({ id: tool_use_id, text: String(text) }));
  },
  async LangChain({ gate }) {
    const tools = langchain.tools(gate);
    const answers: Answered[] = [];
    for (const { id, name, args } of STEPS.slice(0, 3)) {
      const tool = tools.find((each) => each.name === name);
      const message = await tool?.invoke({ type: "tool_call", id, name, args });
      answers.push({ id: message.tool_call_id, text: message.content });
    }
    expect([...tools.lastResults.keys()]).toEqual(["c1", "c2", "c3"]);
    return [...answers, { id: "c4", text: "There is no tool named no_such_tool." }];
  },
  async "the AI SDK"({ gate }) {
    const { steps } = await generateText({
      model: modelSaying([...STEPS.slice(0, 3).map((step) => ({ calls: [step] })), { text: "done" }]),
      tools: aiSdk().tools(gate),
      stopWhen: stepCountIs(9),
      prompt: "go",
    });
    const answers = steps.flatMap(({ response }) => resultsIn(response.messages));
    const unique = [...new Map(answers.map((each) => [each.id, each])).values()];
    return [...unique, { id: "c4", text: "There is no tool named no_such_tool." }];
  },
};

const resultsIn = (messages: readonly ModelMessage[]): Answered[] =>
  messages.flatMap(({ role, content }) =>
    role === "tool"
      ? content.flatMap((part) =>
          part.type === "tool-result" && "value" in part.output
            ? [{ id: part.toolCallId, text: String(part.output.value) }]
            : [],
        )
      : [],
  );

describe.each(Object.entries(doors))("%s", (_, through) => {
  test("the same task gives the same file and the same answers", async () => {
    const it = await bench(FILES, QUICK);
    const answers = await through(it);
    expect(it.text("a.txt")).toBe("one\n2\n");
    expect(answers.map(({ id }) => id)).toEqual(["c1", "c2", "c3", "c4"]);
    expect(answers[0]?.text).toContain("1\tone");
    expect(answers[1]?.text).toContain("+2");
    expect(answers[2]?.text).toMatch(/^Error \(NOT_FOUND\): .*missing\.txt/m);
    expect(answers[3]?.text).toContain("There is no tool named no_such_tool.");
  });
});

describe("messages of OpenAI", () => {
  test.each([
    ["cut off", '{"path": "a.t', /cut off|incomplete|ends/i],
    ["no JSON", '{"path": a.txt}', /JSON/],
    ["nothing", "", /path is required/],
  ])("arguments that are %s are answered, not thrown", async (_, text, said) => {
    const { gate } = await bench(FILES, QUICK);
    const [message] = await openai.answer(gate, {
      tool_calls: [{ id: "c1", function: { name: "read_file", arguments: text } }],
    });
    expect(message).toMatchObject({ role: "tool", tool_call_id: "c1", content: expect.stringMatching(said) });
  });

  test("without calls there is nothing to append; a call without a function is answered", async () => {
    const { gate } = await bench(FILES, QUICK);
    expect(await openai.answer(gate, { tool_calls: null })).toEqual([]);
    expect(await openai.answer(gate, {})).toEqual([]);
    expect(await openai.answerResponse(gate, [{ type: "message" }])).toEqual([]);
    expect(await openai.answer(gate, { tool_calls: [{ id: "c1", type: "custom" }] })).toHaveLength(1);
  });

  test("calls of one message are one turn, which is undone as one", async () => {
    const { gate, text, call } = await bench(FILES, QUICK);
    const write = (id: string, path: string) => ({
      id,
      function: { name: "write_file", arguments: JSON.stringify({ path, content: "x" }) },
    });
    await openai.answer(gate, { tool_calls: [write("c1", "a.txt"), write("c2", "b.txt")] }, { messageID: "m7" });
    expect([text("a.txt"), text("b.txt")]).toEqual(["x", "x"]);
    await call("undo_turn", { turn: "m7" });
    expect([text("a.txt"), text("b.txt")]).toEqual([FILES["a.txt"], undefined]);
  });

  test("the tools are those of the gate, by the names of a dialect", async () => {
    const { gate } = await bench({}, QUICK);
    expect(openai.tools(gate, { names: ["read_file"], dialect: "claude" })).toMatchObject([
      { type: "function", function: { name: "Read" } },
    ]);
    expect(openai.responseTools(gate, { names: ["read_file"] })).toMatchObject([
      { type: "function", name: "read_file", strict: false },
    ]);
    expect(anthropic.tools(gate, { names: ["read_file"] })).toMatchObject([{ name: "read_file" }]);
  });
});

test("pictures reach the model as pictures", async () => {
  const { gate } = await bench({}, { ...QUICK, tools: [picture] });
  const call = { id: "c1", function: { name: "picture", arguments: "{}" } };
  const [told, shown] = await openai.answer(gate, { tool_calls: [call] });
  expect(told).toMatchObject({ role: "tool", content: "a picture" });
  const url = `data:image/png;base64,${PIXEL}`;
  expect(shown).toMatchObject({ role: "user", content: [{ type: "text" }, { image_url: { url } }] });
  const [item] = await openai.answerResponse(gate, [{ type: "function_call", call_id: "c1", name: "picture" }]);
  expect(item?.output).toMatchObject([{ type: "input_text" }, { type: "input_image", image_url: url }]);
  const message = await anthropic.answer(gate, {
    content: [{ type: "tool_use", id: "c1", name: "picture", input: {} }],
  });
  expect(message?.content[0]?.content).toMatchObject([{ type: "text" }, { source: { data: PIXEL } }]);
  const tool = langchain.tools(gate).find(({ name }) => name === "picture");
  expect(await tool?.invoke({})).toMatchObject([{ type: "text" }, { image_url: { url } }]);
});

describe("LangChain", () => {
  test("arguments that do not fit are answered by the gate, in both ways of calling", async () => {
    const { gate } = await bench(FILES, QUICK);
    const tool = langchain.tools(gate).find(({ name }) => name === "read_file");
    expect(await tool?.invoke({ file_path: "a.txt" }), "another spelling").toContain("one");
    expect(await tool?.invoke({})).toContain("path is required");
    const message = await tool?.invoke({ type: "tool_call", id: "c1", name: "read_file", args: { limit: "many" } });
    expect(message).toMatchObject({ status: "error", tool_call_id: "c1" });
  });

  test("knows whose call it is, tells every result, and keeps the last hundred", async () => {
    const { gate } = await bench(FILES, QUICK);
    const told: Result[] = [];
    const asked: string[][] = [];
    const tools = langchain.tools(gate, {
      names: ["read_file"],
      createContext: (toolID, callID) => {
        asked.push([toolID, callID]);
        return { sessionID: "from-langchain", agent: "chain" };
      },
      onToolResult: (result) => told.push(result),
    });
    const seen: string[] = [];
    gate.on("event", (event) => {
      if (event.type === "start") seen.push(`${event.call.sessionID} ${event.call.agent}`);
    });
    const [tool] = tools;
    for (let n = 0; n < 103; n++)
      await tool?.invoke({ type: "tool_call", id: `c${n}`, name: "read_file", args: { path: "a.txt" } });
    expect(asked[0]).toEqual(["read_file", "c0"]);
    expect(seen[0]).toBe("from-langchain chain");
    expect(told).toHaveLength(103);
    expect([tools.lastResults.size, tools.lastResults.has("c2"), tools.lastResults.has("c102")]).toEqual([
      100,
      false,
      true,
    ]);
  });
});

describe("approval by the AI SDK", () => {
  const WRITE: Step = { id: "w1", name: "write_file", args: { path: "b.txt", content: "x" } as never };

  async function asked() {
    const door = aiSdk();
    const it = await bench(FILES, { ...QUICK, mode: "confirm-sensitive", approve: door.approve });
    const tools = door.tools(it.gate);
    const first = await generateText({ model: modelSaying([{ calls: [WRITE] }]), tools, prompt: "go" });
    const request = first.content.find((part) => part.type === "tool-approval-request");
    const messages = [{ role: "user" as const, content: "go" }, ...first.response.messages];
    const answered = (approved: boolean): ModelMessage[] => [
      ...messages,
      {
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId: String(request?.approvalId), approved, reason: "why" }],
      },
    ];
    const goOn = (given: ModelMessage[], with_ = tools) =>
      generateText({ model: modelSaying([{ text: "done" }]), tools: with_, messages: given });
    return { it, request, answered, goOn };
  }

  test("a call that the gate would ask about waits for the SDK's answer, and runs after a yes", async () => {
    const { it, request, answered, goOn } = await asked();
    expect(request).toBeDefined();
    expect(it.text("b.txt")).toBeUndefined();
    await goOn(answered(true));
    expect(it.text("b.txt")).toBe("x");
  });

  test("a no runs nothing", async () => {
    const { it, answered, goOn } = await asked();
    await goOn(answered(false));
    expect(it.text("b.txt")).toBeUndefined();
  });

  test("a yes to what has changed meanwhile runs nothing", async () => {
    const { it, answered, goOn } = await asked();
    it.put("b.txt", "somebody else's");
    await goOn(answered(true));
    expect(it.text("b.txt")).toBe("somebody else's");
  });

  test("a yes for other arguments of a call with the same id counts for nothing", async () => {
    const door = aiSdk();
    const it = await bench(FILES, { ...QUICK, mode: "confirm-sensitive", approve: door.approve });
    const call = (content: string) => ({
      type: "tool-call" as const,
      toolCallId: "w1",
      toolName: "write_file",
      input: { path: "b.txt", content },
    });
    const messages: ModelMessage[] = [
      {
        role: "assistant",
        content: [call("harmless"), { type: "tool-approval-request", approvalId: "a", toolCallId: "w1" }],
      },
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "a", approved: true }] },
    ];
    const tool = door.tools(it.gate).write_file;
    const made = (content: string) => tool?.execute?.(call(content).input, { toolCallId: "w1", messages });
    expect(await made("harm")).toMatchObject({ status: "refused" });
    expect(it.text("b.txt")).toBeUndefined();
    // nor while the one that was approved runs
    const both = await Promise.all([made("harmless"), made("harm")]);
    expect(both).toMatchObject([{ status: "done" }, { status: "refused" }]);
    expect(it.text("b.txt")).toBe("harmless");
  });

  test("reading is not asked about, and a refusal is an answer for the model", async () => {
    const door = aiSdk();
    const { gate } = await bench(FILES, { ...QUICK, mode: "confirm-sensitive", approve: door.approve });
    const outside: Step = { id: "r1", name: "read_file", args: { path: "../x" } };
    const { steps } = await generateText({
      model: modelSaying([{ calls: [outside] }, { text: "done" }]),
      tools: door.tools(gate),
      stopWhen: stepCountIs(3),
      prompt: "go",
    });
    expect(JSON.stringify(steps.at(-1)?.response.messages)).toContain("error-text");
  });
});
