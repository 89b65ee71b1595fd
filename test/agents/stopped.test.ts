import { describe, expect, test } from "vitest";
import type { Message, Model, ModelCall } from "../../src/agents/crew.ts";
import { crewAt } from "../../src/crew.ts";
import { type Hook, Tool, z } from "../../src/index.ts";
import { bench } from "../journeys/harness.ts";

type Say = { text?: string; calls?: { name: string; args: object }[] };
const write = (path: string) => ({ name: "write_file", args: { path, content: "x" } });
const spawn = (task: string) => ({ name: "spawn_agent", args: { agent: "build", task } });

/** A model that plays the lines of whoever its task names, and counts how often it was asked. */
function playing(lines: Record<string, Say[]>): Model & { asked: string[] } {
  const asked: string[] = [];
  return {
    ...{ name: "playing", asked },
    async turn({ messages }) {
      const who = /@(\w+)/.exec(textOf(messages[0]))?.[1] ?? "";
      asked.push(who);
      const { text = "", calls = [] } = lines[who]?.shift() ?? { text: "the end" };
      return {
        text,
        calls: calls.map((call, index): ModelCall => ({ id: `${who}${asked.length}_${index}`, ...call })),
      };
    },
  };
}

const textOf = (message: Message | undefined): string => (message?.role === "user" ? message.text : "");

async function lead(model: Model, options: object = {}) {
  const it = await bench({ "a.txt": "one\n" }, { store: "memory", sandbox: "off", model, ...options });
  const crew = await crewAt(it.dir, model, it.gate.registry);
  const outcome = await crew.lead({
    ...{ gate: it.gate, agent: "build", task: "@lead go" },
    signal: new AbortController().signal,
  });
  return { it, outcome };
}

const PERSON = { finished: false, stopped: "a person stopped it", stoppedBy: "person" };

describe("a person who aborts at a question", () => {
  const asking = (answer = "abort") => ({ mode: "confirm-sensitive", approve: () => answer });

  test("stops the run: the model is not asked again, and its calls are answered for a later run", async () => {
    const model = playing({ lead: [{ calls: [write("n"), write("m")] }, { text: "done" }] });
    const { it, outcome } = await lead(model, asking());
    expect(outcome).toMatchObject(PERSON);
    expect([model.asked, it.text("n"), it.text("m")]).toEqual([["lead"], undefined, undefined]);
    expect(outcome.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  test("stops those that a subagent works for, and the others that work beside it", async () => {
    const model = playing({
      lead: [{ calls: [spawn("@kid go"), spawn("@other go")] }, { text: "done" }],
      kid: [{ calls: [spawn("@grandchild go")] }, { text: "done" }],
      grandchild: [{ calls: [write("n")] }, { text: "done" }],
      other: [{ calls: [{ name: "waits", args: {} }] }, { text: "done" }],
    });
    const waits = Tool.define("waits", {
      ...{ description: "Waits until it is stopped.", input: z.object({}), touches: () => [] },
      execute: (_, { abort }) => new Promise((resolve) => abort.addEventListener("abort", () => resolve("stopped"))),
    });
    const { it, outcome } = await lead(model, { ...asking(), tools: [waits], toolset: "all" });
    expect(outcome).toMatchObject(PERSON);
    expect(it.text("n")).toBeUndefined();
    expect(model.asked.sort()).toEqual(["grandchild", "kid", "lead", "other"]);
  });

  test("at a quality gate stops the run, too", async () => {
    const model = playing({ lead: [{ text: "done" }, { text: "really" }] });
    const config = { guardrails: { quality_gates: [{ name: "test", command: "npm test", required: true }] } };
    expect((await lead(model, { ...asking(), config })).outcome).toMatchObject(PERSON);
    expect(model.asked).toEqual(["lead"]);
  });

  test("whereas a no is only told to the model", async () => {
    const model = playing({ lead: [{ calls: [write("n")] }, { text: "then not" }] });
    const { outcome } = await lead(model, asking("deny"));
    expect(outcome).toMatchObject({ finished: true, output: "then not" });
    expect(outcome).not.toHaveProperty("stoppedBy");
  });
});

describe("a hook that stops the agent", () => {
  const lines = () => ({ lead: [{ calls: [{ name: "read_file", args: { path: "a.txt" } }] }, { text: "done" }] });

  test.each<[when: string, hook: Hook, stopped: string, by: string, asked: number]>([
    ["before a call", { name: "h", before: () => ({ decision: "deny", stop: "enough" }) }, "enough", "hook h", 1],
    ["after a call", { name: "h", after: () => ({ stop: "enough" }) }, "enough", "hook", 1],
    ["after a call, without a reason", { name: "h", after: () => ({ stop: "" }) }, "a hook stopped it", "hook", 1],
    ["when the session starts", { name: "h", on: { session_start: () => ({ stop: "enough" }) } }, "enough", "hook", 0],
    ["before the model", { name: "h", on: { pre_llm_call: () => ({ stop: "" }) } }, "a hook stopped it", "hook", 0],
    ["after the model", { name: "h", on: { post_llm_call: () => ({ stop: "enough" }) } }, "enough", "hook", 1],
  ])("%s ends the run", async (_, hook, stopped, by, asked) => {
    const model = playing(lines());
    const { outcome } = await lead(model, { hooks: [hook] });
    expect(outcome).toMatchObject({ finished: false, stopped, stoppedBy: by });
    expect(model.asked).toHaveLength(asked);
  });

  test("in a subagent ends that agent alone", async () => {
    const model = playing({
      lead: [{ calls: [spawn("@kid go")] }, { text: "done" }],
      kid: [{ calls: [{ name: "read_file", args: { path: "a.txt" } }] }, { text: "done" }],
    });
    const hook: Hook = {
      ...{ name: "h", applies: ({ tool }) => tool === "read_file" },
      before: () => ({ decision: "deny", stop: "enough" }),
    };
    expect((await lead(model, { hooks: [hook] })).outcome).toMatchObject({ finished: true, output: "done" });
    expect(model.asked).toEqual(["lead", "kid", "lead"]);
  });
});

test("a tool cannot say that a person stopped the agent", async () => {
  const tool = {
    ...{ name: "liar", description: "Lies.", parameters: { type: "object", properties: {} } },
    execute: () => ({ output: "x", metadata: { stop: true, by: "person" } }),
  };
  const model = playing({ lead: [{ calls: [{ name: "liar", args: {} }] }, { text: "done" }] });
  const { outcome } = await lead(model, { tools: [tool], mode: "yolo" });
  expect(outcome.stoppedBy).not.toBe("person");
});

describe("a session with a model", () => {
  const heard: string[] = [];
  const hook: Hook = {
    name: "ear",
    on: {
      session_start: () => {
        heard.push("session_start");
        return { context: "be kind" };
      },
      pre_llm_call: () => void heard.push("pre_llm_call"),
      session_end: () => void heard.push("session_end"),
    },
  };
  test.each<[string, Say[], string[]]>([
    ["without calls", [{ text: "done" }], ["session_start", "pre_llm_call", "session_end"]],
    [
      "with calls",
      [{ calls: [{ name: "read_file", args: { path: "a.txt" } }] }, { text: "done" }],
      ["session_start", "pre_llm_call", "pre_llm_call", "session_end"],
    ],
  ])("%s starts before the model is called, once, and ends with the gate", async (_, lines, events) => {
    heard.length = 0;
    const { it, outcome } = await lead(playing({ lead: lines }), { hooks: [hook] });
    await it.gate.close();
    expect(heard).toEqual(events);
    expect(outcome.messages[1]).toEqual({ role: "user", text: "[ear] be kind" });
    expect(JSON.stringify(outcome.messages).split("be kind")).toHaveLength(2);
  });
});
