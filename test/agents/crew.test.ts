import { describe, expect, test, vi } from "vitest";
import type { Message, Model, ModelCall } from "../../src/agents/crew.ts";
import { crewAt } from "../../src/crew.ts";
import { agentOf } from "../../src/sources/agent-files.ts";
import { bench } from "../journeys/harness.ts";

const QUICK = { store: "memory", sandbox: "off" } as const;
const FILES = { "a.txt": "one\n" };
type Say = { text?: string; calls?: { name: string; args: object }[] };

/** A model that answers by the task that it was given: `@name` begins one, and names whose lines are played. */
function playing(
  lines: Record<string, Say[]>,
): Model & { told: Record<string, string[]>; prompts: Record<string, string> } {
  const told: Record<string, string[]> = {};
  const prompts: Record<string, string> = {};
  const at: Record<string, number> = {};
  return {
    ...{ name: "playing", told, prompts },
    async turn({ messages, system }) {
      const who = nameIn(messages);
      prompts[who] = system;
      const answers = messages.flatMap((each) => (each.role === "tool" ? each.answers.map(({ text }) => text) : []));
      told[who] = answers;
      at[who] = (at[who] ?? 0) + 1;
      const { text = "", calls = [] } = lines[who]?.[at[who] - 1] ?? { text: "the end" };
      return { text, calls: calls.map((call, index): ModelCall => ({ id: `${who}${at[who]}_${index}`, ...call })) };
    },
  };
}

const nameIn = ([first]: readonly Message[]): string =>
  /@(\w+)/.exec(first?.role === "user" ? first.text : "")?.[1] ?? "lead";

async function lead(model: Model, files: Record<string, string> = FILES, options: object = {}) {
  const it = await bench(files, { ...QUICK, model, ...options });
  const crew = await crewAt(it.dir, model, it.gate.registry);
  const signal = new AbortController().signal;
  const outcome = await crew.lead({ gate: it.gate, agent: "build", task: "@lead go", signal });
  return { it, outcome, crew };
}
/** What an agent said, without the id that goes on with it. */
const said = (told: string | undefined) => told?.replace(/\n\n\[To continue it: resume [\w-]+\]$/, "");
const spawn = (agent: string, task: string): Say => ({ calls: [{ name: "spawn_agent", args: { agent, task } }] });

test("a task is handed over, and the answer returns", async () => {
  const model = playing({
    lead: [spawn("explore", "@helper look"), { text: "finished" }],
    helper: [{ calls: [{ name: "read_file", args: { path: "a.txt" } }] }, { text: "it says one" }],
  });
  const { outcome } = await lead(model);
  expect(model.told.helper?.[0]).toContain("1\tone");
  expect(said(model.told.lead?.[0])).toBe("it says one");
  expect(model.prompts.helper).toContain("You work for another agent.");
  expect(model.prompts.helper).not.toContain("spawn_agent");
  expect(outcome).toMatchObject({ output: "finished", finished: true });
});

describe.each(["explore", "review", "plan"])("%s changes nothing, by whatever route", (agent) => {
  test.each<[tool: string, args: object]>([
    ["write_file", { path: "b.txt", content: "x" }],
    ["edit_file", { path: "a.txt", old_str: "one", new_str: "two" }],
    ["apply_patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n" }],
    ["delete_file", { path: "a.txt" }],
    ["run_command", { command: "touch b.txt" }],
    ["run_command", { command: "ls" }],
    ["execute_code", { language: "bash", code: "touch b.txt" }],
    ["task_create", { subject: "x" }],
    ["spawn_agent", { agent: "build", task: "@third write" }],
    ["undo_turn", {}],
  ])("%s %j", async (name, args) => {
    const model = playing({
      lead: [spawn(agent, "@helper do it"), { text: "finished" }],
      helper: [{ calls: [{ name, args }] }, { text: "tried" }],
      third: [{ calls: [{ name: "write_file", args: { path: "b.txt", content: "x" } }] }],
    });
    const { it } = await lead(model, FILES, { config: { workspace: { allow_delete: true } } });
    expect(model.told.helper?.[0]).toMatch(/^Error|Error \(/);
    expect([it.text("a.txt"), it.text("b.txt")]).toEqual(["one\n", undefined]);
    expect((await it.call("task_list")).metadata.count).toBe(0);
  });
});

test("test runs what develops, and nothing dangerous", async () => {
  const run = (command: string) => ({ calls: [{ name: "run_command", args: { command } }] });
  const model = playing({
    lead: [spawn("test", "@helper test"), { text: "finished" }],
    helper: [
      run("ls"),
      run("curl -d @a.txt http://127.0.0.1:1/"),
      { calls: [{ name: "write_file", args: { path: "b", content: "" } }] },
      {},
    ],
  });
  await lead(model);
  expect(model.told.helper?.[0]).toContain("a.txt");
  expect(model.told.helper?.[1]).toMatch(/^Error/);
  expect(model.told.helper?.[2]).toMatch(/^Error/);
});

test("what commands of an agent changed is named, and can be undone", async () => {
  const model = playing({
    lead: [spawn("test", "@helper test"), { text: "finished" }],
    helper: [{ calls: [{ name: "run_command", args: { command: "npm test" } }] }, { text: "tested" }],
  });
  const { it } = await lead(model, {
    ...FILES,
    "package.json": '{"scripts": {"test": "echo two > a.txt"}}',
  });
  expect(model.told.helper?.[0]).not.toMatch(/^Error/);
  expect(it.text("a.txt")).toBe("two\n");
  expect(model.told.lead?.[0]).toContain("[It changed a.txt.]");
  expect((await it.call("undo_file", { path: "a.txt" })).success).toBe(true);
  expect(it.text("a.txt")).toBe("one\n");
});

test("what agents do is told while they do it", async () => {
  const model = playing({
    lead: [spawn("explore", "@helper look"), { text: "finished" }],
    helper: [{ calls: [{ name: "read_file", args: { path: "a.txt" } }] }, { text: "seen" }],
  });
  const it = await bench(FILES, { ...QUICK, model });
  const crew = await crewAt(it.dir, model, it.gate.registry);
  const titles: unknown[] = [];
  it.gate.on("event", (event) => {
    if (event.type === "progress") titles.push([event.title, event.metadata]);
  });
  await crew.lead({ gate: it.gate, agent: "build", task: "@lead go", signal: new AbortController().signal });
  expect(titles).toEqual([["explore: read_file Read a.txt", { agent: "explore" }]]);
});

test("whoever stops it stops the commands of all agents below", async () => {
  const command = "echo $$ > pid; sleep 60; touch late";
  const model = playing({
    lead: [
      { calls: ["a", "b"].map((name) => ({ name: "spawn_agent", args: { agent: "build", task: `@${name} run` } })) },
    ],
    ...{ a: [spawn("build", "@deeper run")], deeper: [{ calls: [{ name: "run_command", args: { command } }] }] },
    b: [{ calls: [{ name: "run_command", args: { command: "sleep 60" } }] }],
  });
  const it = await bench(FILES, { ...QUICK, model });
  const crew = await crewAt(it.dir, model, it.gate.registry);
  const stop = new AbortController();
  const running = crew.lead({ gate: it.gate, agent: "build", task: "@lead go", signal: stop.signal });
  const pid = await vi.waitFor(() => {
    const found = Number(it.text("pid"));
    expect(found).toBeGreaterThan(0);
    return found;
  }, 20_000);
  stop.abort();
  expect(await running).toMatchObject({ finished: false, stopped: "it was stopped" });
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 10_000);
  expect(it.text("late")).toBeUndefined();
  await vi.waitFor(async () => expect(await it.gate.underWay()).toEqual([]), 10_000);
});

describe("agents of a workspace", () => {
  const file = (head: string, body = "You help.") => `---\n${head}\n---\n${body}\n`;

  test("a file makes an agent, with the tools that it names by any name", async () => {
    const model = playing({
      lead: [spawn("helper", "@helper look"), { text: "finished" }],
      helper: [
        {
          calls: [
            { name: "Read", args: { file_path: "a.txt" } },
            { name: "Grep", args: { pattern: "one" } },
          ],
        },
        { text: "seen" },
      ],
    });
    const { it } = await lead(model, {
      ...FILES,
      ".claude/agents/helper.md": file("description: Helps.\ntools: Read, WebFetch, LSP\ncolor: red"),
    });
    expect(model.prompts.helper).toContain("You help.");
    expect(model.prompts.lead).toContain("- helper: Helps.");
    expect(model.told.helper?.[0]).toContain("1\tone");
    expect(model.told.helper?.[1]).toMatch(/^Error/);
    expect(it.gate).toBeDefined();
  });

  test("a file with a built-in name does not widen what that agent may do", async () => {
    const model = playing({
      lead: [spawn("explore", "@helper write"), { text: "finished" }],
      helper: [{ calls: [{ name: "write_file", args: { path: "b.txt", content: "x" } }] }, { text: "tried" }],
    });
    const { it } = await lead(model, { ...FILES, ".toolgate/agents/explore.md": file("tools: '*'", "You write.") });
    expect(model.prompts.helper).toContain("You write.");
    expect(it.text("b.txt")).toBeUndefined();
  });

  test("a file with a built-in name takes tools by any name", async () => {
    const model = playing({
      lead: [spawn("explore", "@helper look"), { text: "finished" }],
      helper: [
        { calls: [{ name: "Read", args: { file_path: "a.txt" } }] },
        { calls: [{ name: "list_files", args: {} }] },
        { text: "seen" },
      ],
    });
    await lead(model, { ...FILES, ".claude/agents/explore.md": file("tools: Read, Grep, Glob") });
    expect(model.told.helper?.[0]).toContain("1\tone");
    expect(model.told.helper?.[1]).toMatch(/^Error/);
  });

  test.each(["tools: [read_file]", "policy: [Finalize]", "tools: [read_file]\npolicy: [Finalize]"])(
    "build stands under its own file as well: %j",
    async (head) => {
      const model = playing({
        lead: [
          { calls: [{ name: "write_file", args: { path: "b.txt", content: "x" } }] },
          { calls: [{ name: "run_command", args: { command: "touch b.txt" } }] },
          { calls: [{ name: "read_file", args: { path: "a.txt" } }] },
          { text: "tried" },
        ],
      });
      const { it, outcome } = await lead(model, { ...FILES, ".toolgate/agents/build.md": file(head) });
      expect(it.text("b.txt")).toBeUndefined();
      expect(model.told.lead?.map((each) => each.startsWith("Error"))).toEqual([true, true, false]);
      expect(outcome).toMatchObject({ output: "tried", finished: true });
    },
  );

  test("without Finalize an answer returns as unfinished, and without Patch nothing is changed", async () => {
    const model = playing({
      lead: [spawn("helper", "@helper write"), { text: "finished" }],
      helper: [{ calls: [{ name: "write_file", args: { path: "b.txt", content: "x" } }] }, { text: "tried" }],
    });
    const { it } = await lead(model, { ...FILES, ".toolgate/agents/helper.md": file("policy: [Delegate]") });
    expect(model.told.lead?.[0]).toContain(
      "[helper did not finish: this agent may not say that the work is finished.]",
    );
    expect(it.text("b.txt")).toBeUndefined();
  });

  test.each([
    ["no front matter", "You help."],
    ["a front matter that is no map", file("- a")],
    ["tools that are no names", file("tools: [1]")],
    ["a policy that is not there", file("policy: [Fly]")],
  ])("%s: refused, since a doubt must not give an agent more than was meant", (_, text) =>
    expect(() => agentOf(text, "helper")).toThrow(),
  );

  test("AGENTS.md is part of what an agent is told", async () => {
    const model = playing({});
    await lead(model, { ...FILES, "AGENTS.md": "Use tabs." });
    expect(model.prompts.lead).toContain("Use tabs.");
  });
});

describe("handing on", () => {
  test("goes three deep, and no further", async () => {
    const model = playing({
      lead: [spawn("build", "@one go"), { text: "finished" }],
      one: [spawn("build", "@two go"), { text: "one" }],
      two: [spawn("build", "@three go"), { text: "two" }],
      three: [spawn("build", "@four go"), { text: "three" }],
    });
    await lead(model);
    expect(model.told.three?.[0]).toContain("Agents may hand work on 3 times");
    expect(model.told.four).toBeUndefined();
    expect(said(model.told.lead?.[0])).toBe("one");
  });

  test("several at once each have a context of their own", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const model = playing({
      lead: [
        { calls: names.map((name) => ({ name: "spawn_agent", args: { agent: "explore", task: `@${name} look` } })) },
        { text: "finished" },
      ],
      ...Object.fromEntries(names.map((name) => [name, [{ text: `report of ${name}` }]])),
    });
    await lead(model);
    expect(model.told.lead?.map(said)).toEqual(names.map((name) => `report of ${name}`));
  });

  test("an agent that is not there, and no model at all", async () => {
    const model = playing({ lead: [spawn("explorer", "@x go"), { text: "finished" }] });
    await lead(model);
    expect(model.told.lead?.[0]).toMatch(/There is no agent named explorer\.\n.*Did you mean explore/);
    const { call, gate } = await bench(FILES, QUICK);
    expect((await call("Task", { subagent_type: "explore", prompt: "go" })).error?.message).toBe(
      "There is no model that another agent could run on.",
    );
    expect(gate.schemas({ format: "mcp" }).map(({ name }) => name)).not.toContain("spawn_agent");
  });
});

describe("ask_user", () => {
  test("puts a question to the person, and fails where there is none", async () => {
    const asked: object[] = [];
    const { call } = await bench({}, { ...QUICK, ask: (question) => (asked.push(question) ? "green" : undefined) });
    expect((await call("ask_user", { question: "Which colour?", options: ["green", "red"] })).output).toBe("green");
    expect(asked).toEqual([{ question: "Which colour?", options: ["green", "red"], asker: "the model" }]);
    const nobody = await bench({}, QUICK);
    expect((await nobody.call("ask_user", { question: "Which colour?" })).success).toBe(false);
  });
});
