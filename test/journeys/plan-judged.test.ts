import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Gate, type Hook, type OpenOptions, open, type Question } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder, plain } from "./harness.ts";

const FILES = { "a.txt": "one\n", "b.txt": "two\n" };
let dir: string;
let store: ReturnType<typeof memoryStore>;
beforeEach(() => {
  dir = folder(FILES);
  store = memoryStore();
});

async function gateWith(options: OpenOptions = {}): Promise<Gate> {
  const config = { loops: "off", workspace: { write_safety: "off", allow_delete: true } };
  const gate = await open({ workspace: dir, store, config, ...options });
  onTestFinished(() => gate.close());
  return gate;
}

/** Plans these calls, in order. */
async function plan(calls: readonly { name: string; args: object }[], options: OpenOptions = {}): Promise<void> {
  const gate = await gateWith({ plan: true, ...options });
  for (const call of calls) expect((await gate.call(call)).status).toBe("planned");
  await gate.close();
}

const write = (name: string, content = `${name}\n`) => ({ name: "write_file", args: { path: name, content } });
const edit = (name: string, old_str: string, new_str: string) => ({
  name: "edit_file",
  args: { path: name, old_str, new_str },
});
const put = (name: string, content: string) => writeFileSync(path.join(dir, name), content);
const states = async () => (await store.planned({})).map(({ state }) => state);
const has = async (gate: Gate, name: string) => (await gate.call({ name: "read_file", args: { path: name } })).success;

describe("when a plan is run", () => {
  test("nobody to ask: nothing is made, and everything stays planned with the reason", async () => {
    await plan([write("x"), write("y")]);
    const gate = await gateWith();
    const outcomes = await gate.plans.run();
    expect(outcomes).toMatchObject([{ call: { state: "planned" }, result: { status: "refused" } }]);
    expect(await store.planned({})).toMatchObject([{ state: "planned", error: { code: "PERMISSION_DENIED" } }, {}]);
    expect(await has(gate, "x")).toBe(false);
  });

  test("each call is asked about with its diff, and the answer counts", async () => {
    await plan([write("x"), write("y"), write("z")]);
    const asked: Question[] = [];
    const gate = await gateWith({
      approve: (question) => {
        asked.push(question);
        return asked.length === 2 ? "deny" : "once";
      },
    });
    await gate.plans.run();
    expect(asked.map(({ diff }) => diff.split("\n")[1])).toEqual(["+++ b/x", "+++ b/y"]);
    expect(await states()).toEqual(["done", "planned", "planned"]);
  });

  test("a yes to the plan is enough, and only for those it was given to", async () => {
    await plan([write("x"), write("y")]);
    const gate = await gateWith();
    expect(await gate.plans.approve({ ids: ["1"] })).toMatchObject([{ state: "approved" }]);
    expect(await gate.plans.approve({ ids: ["1"] }), "only once").toEqual([]);
    const outcomes = await gate.plans.run();
    expect(outcomes.map(({ result }) => result.status)).toEqual(["done", "refused"]);
    expect(await states()).toEqual(["done", "planned"]);
    await gate.close();
    const [record] = await store.records({ tool: "write_file", status: "done" });
    expect(record?.verdict).toEqual({ answer: "allow", by: "person", reason: "a person approved it in the plan" });
  });

  test("what is refused by now is refused, approved or not", async () => {
    await plan([write("x")]);
    const gate = await gateWith({ config: { rules: { deny: ["write(x)"] } } });
    await gate.plans.approve();
    expect(await gate.plans.run()).toMatchObject([
      { call: { state: "approved" }, result: { status: "refused", error: { message: expect.stringContaining("x") } } },
    ]);
    expect(await has(gate, "x")).toBe(false);
  });

  test("a question that nobody saw in the plan is asked, approved or not", async () => {
    await plan([write("x"), write("y")]);
    const hook: Hook = { name: "careful", before: () => ({ decision: "ask", reason: "it is late" }) };
    const asked: string[] = [];
    const approve = ({ reason }: Question) => {
      asked.push(reason);
      return "deny";
    };
    const hooked = await gateWith({ hooks: [hook], approve });
    await hooked.plans.approve();
    await hooked.plans.run();
    const ruled = await gateWith({ config: { rules: { ask: ["write(x)"] } }, approve });
    await ruled.plans.run();
    expect(asked).toEqual(["it is late", expect.stringContaining("write(x)")]);
    expect(await states()).toEqual(["approved", "approved"]);
  });

  test("a question that was shown in the plan is answered by its yes", async () => {
    const config = { rules: { ask: ["write(x)"] } };
    await plan([write("x")], { config, mode: "yolo" });
    const gate = await gateWith({ config, mode: "yolo" });
    expect(await gate.plans.list()).toMatchObject([{ verdict: { answer: "ask", by: "rules" } }]);
    await gate.plans.approve();
    expect(await gate.plans.run()).toMatchObject([{ result: { status: "done" } }]);
  });

  test("autonomy readonly makes nothing, and a gate that plans runs nothing", async () => {
    await plan([write("x")]);
    const gate = await gateWith({ autonomy: "readonly", mode: "yolo" });
    expect(await gate.plans.run()).toMatchObject([{ result: { status: "refused" } }]);
    for (const kind of [{ plan: true }, { dryRun: true }]) {
      await expect((await gateWith(kind)).plans.run()).rejects.toThrow("cannot be run in plan mode");
      await expect((await gateWith()).child(kind).plans.run()).rejects.toThrow("cannot be run in plan mode");
    }
    expect(await states()).toEqual(["planned"]);
  });

  test("it never gets more than whoever planned it might do", async () => {
    const planning = await gateWith({ plan: true, mode: "yolo" });
    const below = planning.child({ paths: ["sub/**"], agent: "small" });
    expect((await below.call(write("sub/x"))).status).toBe("planned");
    const [row] = await store.planned({});
    expect(row).toMatchObject({ agent: "small", ceiling: { mode: "yolo", paths: [["sub/**"]] } });
    // whoever forges a row of the plan still has the ceiling against them
    await store.movePlan([row!.id], ["planned"], "dropped");
    await store.plan({ ...row!, id: "forged", args: { path: "x", content: "" }, changes: [], touches: [] }, new Map());
    const gate = await gateWith({ mode: "yolo" });
    expect(await gate.plans.run()).toMatchObject([{ result: { status: "refused" } }]);
    expect(await has(gate, "x")).toBe(false);
  });

  test("calls, turns and sessions are those of the plan, and undo takes the run back", async () => {
    const planning = await gateWith({ plan: true, mode: "yolo" });
    const of = { id: "c1", messageID: "turn-1", sessionID: "s1", agent: "me" };
    await planning.call({ ...write("x"), ...of });
    const gate = await gateWith({ mode: "yolo" });
    await gate.plans.run({ session: "s1" });
    expect(await store.changes({})).toMatchObject([{ call: "c1", message: "turn-1", session: "s1", shown: "x" }]);
    await gate.call({ name: "undo_turn", args: { turn: "turn-1" } });
    expect(await has(gate, "x")).toBe(false);
  });

  test("names that imply arguments mean the same again", async () => {
    const alias = { names: [{ name: "shout", preset: { content: "LOUD" } }] };
    const { z, Tool, write: writes } = await import("../../src/index.ts");
    const say = Tool.define("say", {
      description: "Writes what is said into a file.",
      permissions: { required: ["write"] },
      aliases: alias,
      input: z.object({ content: z.string() }),
      touches: () => [writes("said")],
      preview: async ({ content }) => [{ path: "said", after: new TextEncoder().encode(content) }],
      execute: async () => "said",
    });
    await plan([{ name: "shout", args: {} }], { tools: [say] });
    const gate = await gateWith({ mode: "yolo", tools: [say] });
    expect(await gate.plans.run()).toMatchObject([{ result: { status: "done" } }]);
    expect((await gate.call({ name: "read_file", args: { path: "said" } })).output).toContain("LOUD");
  });

  test("a tool that is not known any more leaves the call in the plan", async () => {
    const tool = plain("gone", { touches: () => [{ action: "write", target: "x" }] });
    await plan([{ name: "gone", args: {} }], { tools: [tool] });
    const gate = await gateWith({ mode: "yolo" });
    const [outcome] = await gate.plans.run();
    expect(outcome).toMatchObject({ call: { state: "planned" }, result: { status: "unknown" } });
  });

  test("limits count what is run, not what is planned", async () => {
    const config = { guardrails: { max_files_modified: 1 } };
    await plan([write("x"), write("y")], { config, mode: "yolo" });
    const gate = await gateWith({ config, mode: "yolo" });
    const outcomes = await gate.plans.run();
    expect(outcomes.map(({ result }) => result.status)).toEqual(["done", "refused"]);
    expect(await states()).toEqual(["done", "planned"]);
  });

  test("strict write safety: what was read in the session that planned counts as read", async () => {
    const config = { workspace: { write_safety: "strict" } };
    const planning = await gateWith({ plan: true, mode: "yolo", config });
    const of = { sessionID: planning.sessionID };
    expect((await planning.call(edit("a.txt", "one", "1"))).status).toBe("refused");
    await planning.call({ name: "read_file", args: { path: "a.txt" } });
    for (const call of [edit("a.txt", "one", "1"), edit("a.txt", "1", "eins"), write("x"), edit("x", "x", "y")])
      expect((await planning.call({ ...call, ...of })).status).toBe("planned");
    await planning.close();
    const gate = await gateWith({ mode: "yolo", config });
    const outcomes = await gate.plans.run();
    expect(outcomes.map(({ result }) => result.error?.message ?? result.status)).toEqual(Array(4).fill("done"));
  });

  test("a person may change the arguments when asked, and what they write is made", async () => {
    await plan([write("x", "1\n")]);
    let first = true;
    const gate = await gateWith({
      approve: () => {
        if (!first) return "once";
        first = false;
        return { decision: "edit", args: { path: "x", content: "2\n" } };
      },
    });
    expect(await gate.plans.run()).toMatchObject([{ call: { state: "done" } }]);
    expect((await gate.call({ name: "read_file", args: { path: "x" } })).output).toBe("1\t2");
  });
});

describe("what happened meanwhile", () => {
  const conflicts: [string, () => void][] = [
    ["the file was changed", () => put("a.txt", "other\n")],
    ["the file was removed", () => rmSync(path.join(dir, "a.txt"))],
    ["the change would even fit", () => put("a.txt", "one\nmore\n")],
  ];
  test.each(conflicts)("%s: a conflict, and nothing is lost", async (_, happens) => {
    await plan([edit("a.txt", "one", "1"), write("x")], { mode: "yolo" });
    happens();
    const gate = await gateWith({ mode: "yolo" });
    const view = await gate.plans.show();
    expect(view.conflicts).toEqual([{ id: view.calls[0]?.id, file: "a.txt", why: "has changed since it was planned" }]);
    await gate.plans.approve();
    const outcomes = await gate.plans.run();
    expect(outcomes).toMatchObject([{ call: { state: "approved" }, result: { error: { code: "CONFLICT" } } }]);
    expect(outcomes[0]?.result.output).toContain("What happened since it was planned:\n--- a/a.txt");
    expect(await states()).toEqual(["approved", "approved"]);
    put("a.txt", "one\n");
    expect((await gate.plans.run()).map(({ result }) => result.status)).toEqual(["done", "done"]);
    expect((await store.planned({}))[0]).not.toHaveProperty("error");
  });

  test("a file that was to be new is there, or a folder is", async () => {
    await plan([write("x"), write("y")], { mode: "yolo" });
    put("x", "mine\n");
    const gate = await gateWith({ mode: "yolo" });
    expect(await gate.plans.run()).toMatchObject([{ result: { error: { code: "CONFLICT" } } }]);
    await gate.call(write("y/z"));
    expect(await gate.plans.run({ ids: ["2"] })).toMatchObject([{ result: { error: { code: "CONFLICT" } } }]);
  });

  test("dropping an earlier change of the same file makes the later one a conflict", async () => {
    await plan([edit("a.txt", "one", "1"), edit("a.txt", "1", "eins")], { mode: "yolo" });
    const gate = await gateWith({ mode: "yolo" });
    await gate.plans.drop({ ids: ["1"] });
    expect((await gate.plans.show()).conflicts).toMatchObject([{ file: "a.txt" }]);
    expect(await gate.plans.run()).toMatchObject([{ result: { error: { code: "CONFLICT" } } }]);
  });

  test("two sessions that planned on the same text: the second is told apart", async () => {
    await plan([edit("a.txt", "one", "1")], { mode: "yolo" });
    await plan([edit("a.txt", "one", "eins")], { mode: "yolo" });
    const gate = await gateWith({ mode: "yolo" });
    expect((await gate.plans.show()).conflicts).toMatchObject([
      { file: "a.txt", why: "was planned for different content than the planned call before it would leave" },
    ]);
    expect((await gate.plans.run()).map(({ call }) => call.state)).toEqual(["done", "planned"]);
  });

  test("a hook that changes the call makes it another one than was planned", async () => {
    await plan([write("x", "1\n")], { mode: "yolo" });
    const hook: Hook = { name: "rewrites", before: () => ({ args: { path: "x", content: "2\n" } }) };
    const gate = await gateWith({ mode: "yolo", hooks: [hook] });
    expect(await gate.plans.run()).toMatchObject([
      { call: { state: "planned" }, result: { error: { code: "CONFLICT" } } },
    ]);
    expect(await has(gate, "x")).toBe(false);
  });

  test("what nobody may read is not quoted", async () => {
    await plan([edit("a.txt", "one", "1")], { mode: "yolo" });
    put("a.txt", "new secret\n");
    const gate = await gateWith({ config: { rules: { ask: ["read(a.txt)", "write(a.txt)"] } }, mode: "yolo" });
    const [outcome] = await gate.plans.run();
    expect(outcome?.result.error?.code).toBe("CONFLICT");
    expect(JSON.stringify(outcome)).not.toContain("new secret");
  });
});

test("which calls are meant: by number, id, the call's own id, session, and no others", async () => {
  const planning = await gateWith({ plan: true });
  await planning.call({ ...write("x"), id: "cx", sessionID: "s1" });
  await planning.call({ ...write("y"), id: "cy", sessionID: "s2" });
  await planning.child({ sessionID: "s3" }).call({ ...write("z"), id: "cz" });
  const gate = await gateWith();
  const meant = async (choice: Parameters<typeof gate.plans.list>[0]) =>
    (await gate.plans.list(choice)).map(({ call }) => call);
  const [first] = await gate.plans.list();
  expect(await meant({})).toEqual(["cx", "cy", "cz"]);
  expect(await meant({ ids: ["2"] })).toEqual(["cy"]);
  expect(await meant({ ids: ["cz", first!.id] })).toEqual(["cx", "cz"]);
  expect(await meant({ session: "s1" })).toEqual(["cx"]);
  expect(await meant({ session: planning.sessionID }), "and those below it").toEqual(["cx", "cy", "cz"]);
  expect(await meant({ session: "none" })).toEqual([]);
  await expect(meant({ ids: ["9"] })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(meant({ ids: ["1"], session: "s2" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
