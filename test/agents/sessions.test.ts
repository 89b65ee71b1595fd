import { describe, expect, test } from "vitest";
import type { Message, Model, ModelTurn } from "../../src/agents/crew.ts";
import { exported, openAgent, scriptModel } from "../../src/open-agent.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder } from "../journeys/harness.ts";

const FILES = { "a.txt": "one\ntwo\n" };
const never = new AbortController().signal;
type Say = Partial<Omit<ModelTurn, "calls">> & { calls?: { id?: string; name: string; args: unknown }[] };

function saying(...turns: Say[]): Model & { seen: (readonly Message[])[] } {
  const seen: (readonly Message[])[] = [];
  return {
    ...{ name: "scripted", seen },
    async turn({ messages }) {
      seen.push([...messages]);
      const { calls = [], ...turn } = turns[seen.length - 1] ?? { text: "the end" };
      return { text: "", ...turn, calls: calls.map((call, index) => ({ id: `c${seen.length}_${index}`, ...call })) };
    },
  };
}

/** A place where one process after the other works. */
function place(files: Record<string, string> = FILES) {
  const dir = folder(files);
  const store = memoryStore();
  const work = async (
    model: Model,
    task: string,
    options: { sessionID?: string; agent?: string; config?: object } = {},
  ) => {
    const { sessionID, agent = "build", ...more } = options;
    const { gate, crew } = await openAgent({
      ...{ workspace: dir, mode: "yolo", sandbox: "off", store, model, ...more },
      ...(sessionID && { sessionID }),
    });
    const outcome = await crew.lead({ gate, agent, task, signal: never, resume: sessionID !== undefined });
    const told = await crew.sessions?.told(gate.sessionID);
    await gate.close();
    return { outcome, told, id: gate.sessionID, sessions: crew.sessions };
  };
  return { dir, store, work };
}
const read = { name: "read_file", args: { path: "a.txt" } };

describe("a conversation is kept", () => {
  test("with its task, turns, answers and tokens", async () => {
    const { work } = place();
    const model = saying({ calls: [read], usage: { input: 7, output: 2 } }, { text: "It says one and two." });
    const { told, id } = await work(model, "read it");
    expect(told?.session).toMatchObject({ id, agent: "build", task: "read it", status: "finished", turns: 2 });
    expect(told?.session.usage).toEqual({ input: 7, output: 2 });
    expect(told?.lines.map(({ message }) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(told?.lines[0]).toMatchObject({ isTask: true, message: { text: "read it" } });
  });

  test("without secrets, and cut where it is very long", async () => {
    const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
    const { work } = place();
    const args = { path: "b.txt", content: `key = "${secret}"\n` };
    const model = saying(
      { text: `I keep ${secret}`, calls: [{ name: "write_file", args }] },
      { text: "x".repeat(90_000) },
    );
    const { told } = await work(model, `write ${secret}`);
    expect(JSON.stringify(told)).not.toContain(secret);
    const last = told?.lines.at(-1)?.message as { text: string };
    expect(last.text.length).toBeLessThan(40_000);
  });

  test("also where the run did not finish", async () => {
    const { work } = place();
    const broken: Model = { name: "broken", turn: () => Promise.reject(new Error("no service")) };
    const { told } = await work(broken, "go");
    expect(told?.session).toMatchObject({ status: "unfinished", stopped: expect.stringContaining("no service") });
  });
});

describe("going on", () => {
  test("the model sees what was said, ids and turns go on, and budgets count on", async () => {
    const { work } = place();
    const config = { budget: { max_tokens: 100 } };
    const first = await work(
      saying({ calls: [read], usage: { input: 50, output: 0 } }, { text: "two lines" }),
      "count",
      {
        config,
      },
    );
    const second = saying(
      { calls: [{ id: "c1_0", ...read }], usage: { input: 60, output: 0 } },
      { text: "that was all" },
    );
    const { outcome, told } = await work(second, "and now?", { sessionID: first.id, config });
    expect(second.seen[0]).toMatchObject([
      { role: "user", text: "count" },
      { role: "assistant", calls: [{ id: "c1_0" }] },
      { role: "tool" },
      { role: "assistant", text: "two lines" },
      { role: "user", text: "and now?" },
    ]);
    expect(outcome).toMatchObject({
      finished: false,
      stopped: expect.stringContaining("100 tokens"),
      output: "that was all",
    });
    expect(told?.session).toMatchObject({ turns: 4, task: "count", usage: { input: 110 } });
    const ids = told?.lines.flatMap(({ message }) =>
      message.role === "assistant" ? message.calls.map(({ id }) => id) : [],
    );
    expect(ids).toEqual(["c1_0", "c1_0_2"]);
  });

  test("an agent with a ceiling works in the session, too, and is counted once", async () => {
    const { work } = place();
    const config = { budget: { max_calls: 3 } };
    const turns = (): Model => saying({ calls: [read] }, { calls: [read] }, { text: "read" });
    const { outcome, told } = await work(turns(), "look", { agent: "explore", config });
    expect(outcome.finished).toBe(true);
    const answers = told?.lines.flatMap(({ message }) => (message.role === "tool" ? message.answers : []));
    expect(answers?.map(({ failed }) => failed)).toEqual([false, false]);
  });

  test("nobody goes on with what another process works on", async () => {
    const { store, work } = place();
    const { id } = await work(saying(), "go");
    const table = store.table("agents/sessions");
    const row = await table.get<object>(id);
    await table.put(id, { ...row?.value, status: "running" }, { bound: true });
    await expect(work(saying(), "go on", { sessionID: id })).rejects.toThrow("is being worked on by another process");
  });
});

describe("a process that died in the middle of a turn", () => {
  const EDIT = { id: "e", name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "2" } };

  test.each<[what: string, known: object | undefined, told: RegExp]>([
    ["a call that was never made", undefined, /ended before this call was made/],
    ["one that was done", { status: "done", output: { bytes: 3, head: "+2" } }, /done, so do not make it again.*\+2/s],
    ["one that was cut short", { status: "failed", message: "" }, /ended while this call ran/],
    [
      "one that was refused",
      { status: "refused", error: { code: "X", message: "not here" } },
      /status is refused\. not here/,
    ],
  ])("%s is answered from the record, and not made again", async (_, known, said) => {
    const { dir, store, work } = place();
    const { id } = await work(saying({ calls: [EDIT] }, { text: "done" }), "edit");
    const lines = store.table(`agents/messages/${id}`);
    for (const { key } of (await lines.list()).slice(2)) await lines.remove(key);
    // the record as another process would have left it
    const [record] = await store.records({ session: id, call: "e" });
    const other = {
      table: (name: string) => store.table(name),
      changes: async () => [],
      records: async () => (known ? [{ ...record, ...known }] : []),
    };
    const { conversations } = await import("../../src/open-agent.ts");
    const pen = await conversations(other as never).begin({ id, agent: "build", task: "edit", model: "m" });
    expect(pen.history.at(-1)).toMatchObject({
      role: "tool",
      answers: [{ id: "e", text: expect.stringMatching(said) }],
    });
    await pen.end({ finished: false });
    // what was answered stays answered
    const again = await conversations(store).begin({ id, agent: "build", task: "edit", model: "m" });
    expect(again.history).toEqual(pen.history);
    expect(dir).toBeDefined();
  });
});

describe("subagents", () => {
  const spawn = (args: object) => ({ name: "spawn_agent", args: { agent: "build", ...args } });

  test("are kept below, with their report, what they changed, and a way to go on", async () => {
    const { work } = place();
    const script = [
      { calls: [spawn({ task: "@sub edit" })] },
      { text: "finished" },
      { task: "@sub edit", calls: [{ name: "write_file", args: { path: "b.txt", content: "b\n" } }] },
      {
        task: "@sub edit",
        text: "## Findings\n- one\n- two\n  goes on\n\n**Actions**: wrote b.txt\n\nNext steps:\n1. rest",
      },
    ];
    const model = scriptModel("script", script.map((each) => JSON.stringify(each)).join("\n"));
    const { told } = await work(model, "go");
    expect(told?.below).toHaveLength(1);
    expect(told?.below[0]?.session).toMatchObject({ agent: "build", status: "finished", parent: told?.session.id });
    const [answer] = told?.lines.flatMap(({ message }) => (message.role === "tool" ? message.answers : [])) ?? [];
    expect(answer?.text).toContain("[It changed b.txt.]");
  });

  test("their report is structured for programs", async () => {
    const { gate } = await openAgent({
      ...{ workspace: folder(FILES), mode: "yolo", store: "memory", sandbox: "off" },
      model: saying(
        { calls: [{ name: "write_file", args: { path: "b.txt", content: "b\n" } }] },
        { text: "## Findings\n- one\n- two\n  goes on\n\n**Actions**: wrote b.txt\n\nNext steps:\n1. rest" },
        { text: "I remember b.txt." },
      ),
    });
    const first = await gate.call(spawn({ task: "edit" }));
    expect(first.metadata).toMatchObject({
      ...{ agent: "build", finished: true, changed: ["b.txt"] },
      report: { findings: ["one", "two\ngoes on"], actions: ["wrote b.txt"], failures: [], nextSteps: ["rest"] },
    });
    const id = first.metadata.id as string;
    const second = await gate.call(spawn({ task: "and now?", resume: id }));
    expect(second).toMatchObject({
      output: expect.stringContaining("I remember b.txt."),
      metadata: { id, turns: 1, changed: [] },
    });
    const refused: [object, RegExp][] = [
      [{ task: "x", resume: "session_none" }, /No agent of this session/],
      [{ agent: "explore", task: "x", resume: id }, /session of build, not of explore/],
    ];
    for (const [args, said] of refused) expect((await gate.call(spawn(args))).error?.message).toMatch(said);
    // another session does not read what was said in this one
    const other = gate.child();
    expect((await other.call(spawn({ task: "x", resume: id }))).error?.message).toMatch(/No agent of this session/);
    await gate.close();
  });
});

describe("taking it out", () => {
  test("the script plays the same again, and the others tell all of it", async () => {
    const { work } = place();
    const edit = { name: "edit_file", args: { path: "a.txt", old_str: "two", new_str: "2" } };
    const { told } = await work(saying({ text: "I edit.", calls: [edit] }, { text: "```\ndone\n```" }), "edit it");
    if (!told) throw new Error("nothing was kept");
    const again = place();
    const { outcome } = await again.work(scriptModel("again", exported(told, "script")), "edit it");
    expect(outcome).toMatchObject({ finished: true, output: "```\ndone\n```" });
    const rows = exported(told, "jsonl")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ type, role }) => role ?? type)).toEqual(["session", "user", "assistant", "tool", "assistant"]);
    const markdown = exported(told, "markdown");
    for (const part of ["## Task\n\nedit it", "I edit.", "Calls `edit_file`:", "+2", "- status: finished"])
      expect(markdown).toContain(part);
  });
});
