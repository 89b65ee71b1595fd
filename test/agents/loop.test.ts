import { describe, expect, test } from "vitest";
import type { Message, Model, ModelTurn } from "../../src/agents/crew.ts";
import { crewAt } from "../../src/crew.ts";
import { bench } from "../journeys/harness.ts";
import { type Answer, calls, delta, service, text } from "./service.ts";

const FILES = { "a.txt": "one\ntwo\n" };
const QUICK = { store: "memory", sandbox: "off" } as const;
const never = new AbortController().signal;
const EDIT = { id: "e1", name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "2" } };

async function agent(answers: Answer[], options: object = {}, work: object = {}) {
  const { model, requests } = await service(answers);
  const it = await bench(FILES, { ...QUICK, model, ...options });
  const crew = await crewAt(it.dir, model, it.gate.registry);
  const outcome = await crew.lead({ gate: it.gate, agent: "build", task: "go", signal: never, ...work });
  const last = requests.at(-1)?.messages ?? [];
  const told = last.filter(({ role }) => role === "tool").map(({ content }) => String(content));
  return { it, outcome, requests, told };
}

/** A model of our own, by its turns. */
function scripted(turns: Partial<ModelTurn>[]): Model & { seen: (readonly Message[])[]; tools: number[] } {
  const seen: (readonly Message[])[] = [];
  const tools: number[] = [];
  return {
    ...{ name: "scripted", seen, tools },
    async turn(request) {
      seen.push([...request.messages]);
      tools.push(request.tools.length);
      return { text: "", calls: [], ...(turns[seen.length - 1] ?? { text: "the end" }) };
    },
  };
}

async function withModel(model: Model, options: object = {}, work: object = {}) {
  const it = await bench(FILES, { ...QUICK, model, ...options });
  const crew = await crewAt(it.dir, model, it.gate.registry);
  const outcome = await crew.lead({ gate: it.gate, agent: "build", task: "go", signal: never, ...work });
  return { it, outcome };
}

describe("a service that speaks the chat API", () => {
  test("calls are run, answers return, the last text is the outcome", async () => {
    const { it, outcome, requests, told } = await agent([calls(EDIT), text("Done.")]);
    expect(it.text("a.txt")).toBe("one\n2\n");
    expect(outcome).toMatchObject({ output: "Done.", finished: true, turns: 2, usage: { input: 20, output: 10 } });
    expect(told[0]).toContain("+2");
    expect(requests[0]?.messages[0]).toMatchObject({ role: "system" });
    expect(requests[0]?.tools?.length).toBeGreaterThan(10);
  });

  test.each<[what: string, answer: Answer, told: RegExp]>([
    ["arguments that are cut off", calls({ name: "read_file", args: '{"path": "a.t' }), /cut off|JSON/i],
    ["a tool that is not there", calls({ name: "fly", args: {} }), /There is no tool named fly/],
    ["wrong types", calls({ name: "read_file", args: { path: 7, limit: "many" } }), /limit/],
    ["arguments that are a list", calls({ name: "read_file", args: [1, 2] }), /Error/],
  ])("%s are answered, and the loop goes on", async (_, answer, told) => {
    const ended = await agent([answer, text("I see.")]);
    expect(ended.outcome).toMatchObject({ output: "I see.", finished: true });
    expect(ended.told[0]).toMatch(told);
  });

  test("calls with the same id are told apart, in one message and across messages", async () => {
    const read = { id: "same", name: "read_file", args: { path: "a.txt" } };
    const { outcome, requests } = await agent([calls(read, EDIT), calls(read, read), text("Done.")]);
    expect(outcome.finished).toBe(true);
    const ids = requests
      .at(-1)
      ?.messages.flatMap((message) => (message as { tool_call_id?: string }).tool_call_id ?? []);
    expect(new Set(ids).size).toBe(4);
  });

  test("however many calls have the same id, each gets its own, and soon", async () => {
    const like = (id: string) => ({ id, name: "fly", args: {} });
    const many = [...["same_2", "same", "same_4"].map(like), ...Array.from({ length: 20_000 }, () => like("same"))];
    const model = scripted([{ calls: many }, { calls: [like("same"), like("")] }]);
    const { outcome } = await withModel(model, {}, { limits: { window: Number.POSITIVE_INFINITY } });
    const ids = outcome.messages.flatMap((each) => (each.role === "tool" ? each.answers.map(({ id }) => id) : []));
    expect(new Set(ids).size).toBe(20_005);
    expect(ids.slice(0, 6)).toEqual(["same_2", "same", "same_4", "same_3", "same_5", "same_6"]);
    expect(ids.slice(-2)).toEqual(["same_20004", "call"]);
  });

  test("of thousands of calls the first are run, the others are told so, and all are answered", async () => {
    const many = Array.from({ length: 2000 }, (_, n) => ({ id: `m${n}`, name: "file_info", args: { path: "a.txt" } }));
    const { outcome, told } = await agent([calls(...many), text("Done.")]);
    expect(outcome.finished).toBe(true);
    expect(told).toHaveLength(2000);
    expect(told.filter((each) => each.includes("Only the first 128 calls"))).toHaveLength(2000 - 128);
  });

  test.each<[what: string, trouble: Answer]>([
    ["429", { status: 429, headers: { "retry-after-ms": "1" } }],
    ["500", { status: 500, headers: { "retry-after-ms": "1" } }],
    ["a stream that is cut in the middle", { chunks: [delta({ content: "I wi" })], cut: true }],
    ["a call without a name", calls({ name: "", args: {} })],
    ["a stream that is no JSON", { chunks: ["this is not JSON"] }],
    ["a stream without an end", { chunks: [delta({ content: "I wi" })] }],
  ])("%s: it is asked again, and nothing is done twice", async (_, trouble) => {
    const { it, outcome, requests } = await agent([trouble, calls(EDIT), text("Done.")]);
    expect(outcome).toMatchObject({ output: "Done.", finished: true });
    expect(it.text("a.txt")).toBe("one\n2\n");
    expect(requests).toHaveLength(3);
  });

  test.each<[what: string, trouble: Answer, said: RegExp]>([
    ["401", { status: 401 }, /could not be asked/],
    ["400", { status: 400 }, /could not be asked/],
  ])("%s ends it with the reason, once", async (_, trouble, said) => {
    const { outcome, requests } = await agent([trouble]);
    expect(outcome).toMatchObject({ finished: false, stopped: expect.stringMatching(said) });
    expect(requests).toHaveLength(1);
  });

  test("whoever stops it is obeyed while the model thinks", async () => {
    const stop = new AbortController();
    const hanging: Model = {
      name: "hanging",
      turn: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const running = withModel(hanging, {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    expect((await running).outcome).toMatchObject({ finished: false, stopped: "it was stopped" });
  });
});

describe("limits", () => {
  const round = { calls: [{ id: "r", name: "read_file", args: { path: "a.txt" } }] };

  test("after the last step the model says what is left, without tools", async () => {
    const model = scripted([round, round, { text: "two of three" }]);
    const { outcome } = await withModel(model, {}, { limits: { steps: 2 } });
    expect(outcome).toMatchObject({ output: "two of three", finished: false, stopped: "All 2 steps are used up." });
    expect(model.tools.at(-1)).toBe(0);
  });

  test("tokens are counted against the session's budget", async () => {
    const model = scripted([{ ...round, usage: { input: 90, output: 20 } }, { text: "last words" }]);
    const { outcome } = await withModel(model, { config: { budget: { max_tokens: 100 } } });
    expect(outcome).toMatchObject({
      finished: false,
      output: "last words",
      stopped: expect.stringMatching(/100 tokens/),
    });
  });

  test("a conversation that is too long loses old outputs first, and is summed up then", async () => {
    const long = "word ".repeat(3000);
    const turns = Array.from({ length: 6 }, () => ({
      calls: [{ id: "r", name: "read_file", args: { path: "long.txt" } }],
      text: "looking ".repeat(1500),
    }));
    const model = scripted([...turns, { text: "the end" }]);
    const notes: string[] = [];
    const it = await bench({ ...FILES, "long.txt": long }, { ...QUICK, model });
    const crew = await crewAt(it.dir, model, it.gate.registry);
    const outcome = await crew.lead({
      ...{ gate: it.gate, agent: "build", task: "the very task", signal: never, limits: { window: 3500 } },
      heard: (event) => void (event.type === "note" && notes.push(event.text)),
    });
    expect(notes.join()).toMatch(/left out.*summed up/);
    expect(outcome.messages[0]).toEqual({ role: "user", text: "the very task" });
    for (const messages of model.seen)
      for (const [index, message] of messages.entries())
        if (message.role === "tool") expect(messages[index - 1]?.role, "an answer follows its call").toBe("assistant");
  });

  test.each(["", " \n"])("an empty summary %j does not replace what was said", async (summary) => {
    const seen: (readonly Message[])[] = [];
    const model: Model = {
      name: "silent",
      async turn({ messages, tools }) {
        if (tools.length === 0) return { text: summary, calls: [] };
        seen.push([...messages]);
        const read = { id: "r", name: "read_file", args: { path: "a.txt" } };
        return seen.length < 5
          ? { text: `turn ${seen.length} ${"looking ".repeat(400)}`, calls: [read] }
          : { text: "the end", calls: [] };
      },
    };
    const { outcome } = await withModel(model, {}, { limits: { window: 1000 } });
    expect(outcome).toMatchObject({ finished: true, output: "the end" });
    const last = JSON.stringify(seen.at(-1));
    expect(last).not.toContain("What was done so far");
    for (const turn of [1, 2, 3, 4]) expect(last).toContain(`turn ${turn} looking`);
  });

  test("an answer that was cut off is gone on with", async () => {
    const model = scripted([{ text: "half", cutOff: true }, { text: "whole" }]);
    const { outcome } = await withModel(model);
    expect(outcome).toMatchObject({ output: "whole", finished: true, turns: 2 });
  });
});

describe("finishing", () => {
  const gates = (command: string) => ({
    mode: "yolo",
    config: { guardrails: { quality_gates: [{ name: "check", command, required: true, timeout: 10 }] } },
  });

  test("a quality gate that fails goes back to the model, which goes on", async () => {
    const model = scripted([{ text: "done?" }, { calls: [EDIT] }, { text: "done" }]);
    const { it, outcome } = await withModel(model, gates("grep -q 2 a.txt"));
    expect(outcome).toMatchObject({ finished: true, output: "done" });
    expect(it.text("a.txt")).toBe("one\n2\n");
    expect(JSON.stringify(model.seen[1])).toContain("check");
  });

  test("a gate that never passes ends it unfinished", async () => {
    const { outcome } = await withModel(scripted([]), gates("false"));
    expect(outcome).toMatchObject({ finished: false });
    expect(outcome.turns).toBe(4);
  });
});

describe("a model that cannot call tools", () => {
  test.each([
    ["the whole answer", '{"tool": "read_file", "args": {"path": "a.txt"}}'],
    ["a block", 'I look.\n```json\n{"name": "Read", "arguments": {"file_path": "a.txt"}}\n```'],
    ["an action with its fields beside it", '{"type": "read_file", "path": "a.txt"}'],
    ["a list", '[{"action": "read_file", "input": {"path": "a.txt"}}]'],
  ])("is understood: %s", async (_, written) => {
    const model = scripted([{ text: written }, { text: "seen" }]);
    expect((await withModel(model)).outcome).toMatchObject({ output: "seen", turns: 2 });
    expect(JSON.stringify(model.seen[1])).toContain("1\\tone");
  });

  test.each([
    ["an example among words", 'You could send {"tool": "read_file", "args": {"path": "a.txt"}} for that.'],
    ["no tool of ours", '{"tool": "fly"}'],
    ["broken JSON", '{"tool": "read_file", '],
  ])("is not read into: %s", async (_, written) => {
    expect((await withModel(scripted([{ text: written }]))).outcome).toMatchObject({ output: written, turns: 1 });
  });
});

test("hooks hear of the loop, and one may stop it", async () => {
  const heard: string[] = [];
  const hook = {
    name: "listener",
    on: {
      pre_llm_call: () => void heard.push("pre"),
      post_llm_call: () => void heard.push("post"),
      agent_complete: () => void heard.push("complete"),
    },
  };
  await withModel(scripted([]), { hooks: [hook] });
  expect(heard).toEqual(["pre", "post", "complete"]);
  const strict = { name: "strict", on: { pre_llm_call: () => ({ decision: "deny" as const, reason: "not today" }) } };
  const model = scripted([]);
  expect((await withModel(model, { hooks: [strict] })).outcome.stopped).toContain("not today");
  expect(model.seen).toEqual([]);
});
