import { Agent, run, tool } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { expect, test } from "vitest";
import { openaiAgents } from "../../src/doors/openai-agents.ts";
import { bench, plain } from "../journeys/harness.ts";

const FILES = { "a.txt": "one\ntwo\n" };
const QUICK = { store: "memory", sandbox: "off" } as const;

type Step = { id: string; name: string; args: Record<string, unknown> };
const write = (id: string, path: string): Step => ({ id, name: "write_file", args: { path, content: "x" } });

/** An agent whose model makes these calls, one in each turn, at a gate that asks. */
async function agentMaking(steps: readonly Step[], settings: object = {}) {
  const door = openaiAgents();
  const it = await bench(FILES, { ...QUICK, mode: "confirm-sensitive", approve: door.approve, ...settings });
  const model = new ScriptedModel([
    ...steps.map(({ id, name, args }) => [functionCall(name, args, { callId: id })]),
    [assistantMessage("done")],
  ]);
  const agent = new Agent({ name: "worker", model, tools: door.tools(it.gate).map((each) => tool(each)) });
  const told = () => JSON.stringify(model.calls.at(-1)?.request.input);
  return { ...it, agent, told };
}

test("what the gate would not ask about runs; failures are answers", async () => {
  const { agent, text, told } = await agentMaking(
    [
      { id: "c1", name: "read_file", args: { path: "a.txt" } },
      { id: "c2", name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "2" } },
      { id: "c3", name: "read_file", args: { path: "missing.txt" } },
    ],
    { mode: "yolo" },
  );
  const { finalOutput, interruptions } = await run(agent, "go");
  expect({ finalOutput, interruptions }).toEqual({ finalOutput: "done", interruptions: [] });
  expect(text("a.txt")).toBe("one\n2\n");
  expect(told()).toMatch(/1\\+tone.*\+2.*Error \(NOT_FOUND\)/);
});

test("a yes is for one call, as it was shown", async () => {
  const { agent, text, told, put } = await agentMaking([write("c1", "a.txt"), write("c2", "b.txt")]);
  const first = await run(agent, "go");
  expect(first.interruptions.map(({ name }) => name)).toEqual(["write_file"]);
  for (const asked of first.interruptions) first.state.approve(asked);
  const second = await run(agent, first.state);
  expect(text("a.txt")).toBe("x");
  expect(second.interruptions).toHaveLength(1);
  put("b.txt", "somebody else was quicker\n");
  for (const asked of second.interruptions) second.state.approve(asked);
  await run(agent, second.state);
  expect(text("b.txt")).toBe("somebody else was quicker\n");
  expect(told()).toContain("what it would do has changed since it was approved");
});

test("a yes for all calls of a tool is none", async () => {
  const { agent, text, told } = await agentMaking([write("c1", "b.txt")]);
  const { interruptions, state } = await run(agent, "go");
  for (const asked of interruptions) state.approve(asked, { alwaysApprove: true });
  await run(agent, state);
  expect(text("b.txt")).toBeUndefined();
  expect(told()).toContain("did not ask about this call");
});

test("a yes is used up by its call, whatever else has its id", async () => {
  const door = openaiAgents();
  const { gate, text } = await bench(FILES, { ...QUICK, mode: "confirm-sensitive", approve: door.approve });
  const approved = { isToolApproved: ({ callId }: { callId: string }) => callId === "c1" };
  const details = { toolCall: { callId: "c1" } };
  const tool = door.tools(gate).find(({ name }) => name === "write_file");
  await tool?.execute({ path: "b.txt", content: "x" }, approved, details);
  expect(await tool?.execute({ path: "c.txt", content: "x" }, approved, details)).toContain("did not ask");
  expect([text("b.txt"), text("c.txt")]).toEqual(["x", undefined]);
});

test("a no leaves the file alone", async () => {
  const { agent, text } = await agentMaking([write("c1", "b.txt")]);
  const { interruptions, state } = await run(agent, "go");
  for (const asked of interruptions) state.reject(asked);
  expect((await run(agent, state)).finalOutput).toBe("done");
  expect(text("b.txt")).toBeUndefined();
});

test("pictures reach the model as pictures", async () => {
  const picture = plain("picture", {
    execute: async () => ({ output: "a picture", attachments: [{ mime: "image/png", data: "iVBORw0KGgo=" }] }),
  });
  const { agent, told } = await agentMaking([{ id: "c1", name: "picture", args: {} }], {
    mode: "yolo",
    tools: [picture],
  });
  await run(agent, "go");
  expect(told()).toContain("data:image/png;base64,iVBORw0KGgo=");
});
