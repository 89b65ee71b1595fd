import { describe, expect, test } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { MOST_OPEN } from "../../src/tools/lib/task-book.ts";
import { bench } from "./harness.ts";

const QUICK = { store: "memory", sandbox: "off" } as const;
const worker = (agent: string) => ({ sessionID: `session of ${agent}`, agent });

describe("tasks", () => {
  test("a task's life", async () => {
    const { call } = await bench({}, { ...QUICK, mode: "confirm-sensitive" });
    expect(await call("task_create", { subject: "paint", description: "in green" })).toMatchObject({
      success: true,
      metadata: { id: "1" },
    });
    expect((await call("TaskUpdate", { taskId: 1, status: "in_progress" })).output).toBe(
      "● #1 paint (in progress, by main)",
    );
    expect((await call("task_get", { taskId: "task-1" })).output).toBe(
      "● #1 paint (in progress, by main)\n    in green",
    );
    await call("task_update", { taskId: "#1", status: "completed", metadata: { colour: "green" } });
    expect((await call("task_list")).output).toBe("✓ #1 paint (completed)");
    expect((await call("task_get", { taskId: "1" })).output).toContain('Metadata: {"colour":"green"}');
    await call("task_update", { taskId: "1", metadata: { colour: null } });
    expect((await call("task_get", { taskId: "1" })).output).not.toContain("Metadata");
    expect((await call("task_update", { taskId: "1", status: "deleted" })).success).toBe(true);
    expect((await call("task_list")).output).toBe("There are no tasks yet. task_create adds one.");
    expect((await call("task_create", { subject: "next" })).metadata.id, "numbers are used once").toBe("2");
  });

  test("secrets are not kept", async () => {
    const { call } = await bench({}, QUICK);
    const secret = ["glpat", "aB3dE5gH7jK9mN1pQ4sT"].join("-");
    await call("task_create", { subject: `use ${secret}`, description: secret, metadata: { a: [secret] } });
    await call("task_create", { subject: "other" });
    await call("task_update", { taskId: "2", subject: secret, activeForm: secret, metadata: { b: secret } });
    await call("todo_write", { todos: [{ content: `use ${secret}`, status: "pending" }] });
    const outputs = [
      await call("task_get", { taskId: "1" }),
      await call("task_get", { taskId: "2" }),
      await call("todo_read"),
    ];
    for (const { output } of outputs) expect(output).toContain("[redacted GitLab token]");
    expect(outputs.map(({ output }) => output).join()).not.toContain(secret);
  });

  test.each([
    ["task_get", { taskId: "7" }, "There is no task 7."],
    ["task_get", { taskId: "constructor" }, "There is no task constructor."],
    ["task_get", { taskId: "-1" }, "There is no task -1."],
    ["task_update", { taskId: "7", status: "completed" }, "There is no task 7."],
    ["task_update", { taskId: "7", status: "deleted" }, "There is no task 7."],
    ["task_update", { taskId: "1", addBlockedBy: ["7"] }, "There is no task 7."],
    ["task_update", { taskId: "1", addBlocks: ["1"] }, "Task 1 cannot block itself."],
    ["task_create", { subject: "x", blockedBy: ["7"] }, "There is no task 7."],
  ])("%s %j: %s", async (name, args, message) => {
    const { call } = await bench({}, QUICK);
    await call("task_create", { subject: "one" });
    const result = await call(name, args);
    expect([result.success, result.error?.message]).toEqual([false, message]);
    expect((await call("task_list")).metadata.count, "nothing was added").toBe(1);
  });

  test.each([
    ["task_update", { taskId: "1", status: "someday" }],
    ["task_create", { subject: "  " }],
    ["todo_write", { todos: [{ content: "x", status: "someday" }] }],
  ])("%s %j is invalid", async (name, args) => {
    const { call } = await bench({}, QUICK);
    expect((await call(name, args)).status).toBe("invalid");
  });

  test("what is finished blocks nothing, and what waits for each other is refused", async () => {
    const { call } = await bench({}, QUICK);
    for (const subject of ["sow", "water", "reap"]) await call("task_create", { subject });
    await call("task_update", { taskId: "3", addBlockedBy: ["2"] });
    await call("task_update", { taskId: "1", addBlocks: ["2"] });
    expect((await call("task_list")).output.split("\n")).toEqual([
      "○ #1 sow (pending)",
      "○ #2 water (pending; blocked by #1)",
      "○ #3 reap (pending; blocked by #2)",
    ]);
    expect((await call("task_get", { taskId: "2" })).output).toContain("Blocks: #3");
    expect((await call("task_update", { taskId: "1", addBlockedBy: ["3"] })).error?.message).toBe(
      "Task 1 cannot wait for task 3: 3 already waits for 1.",
    );
    await call("task_update", { taskId: "1", status: "completed" });
    expect((await call("task_get", { taskId: "2" })).output).not.toContain("blocked");
    await call("task_update", { taskId: "2", status: "deleted" });
    expect((await call("task_get", { taskId: "3" })).output).not.toContain("blocked");
  });

  test("of several agents who begin a task one gets it, and others get it when its time is up", async () => {
    const { call } = await bench({}, QUICK);
    await call("task_create", { subject: "paint" });
    const begin = (agent: string, more = {}) =>
      call("task_update", { taskId: "1", status: "in_progress", ...more }, worker(agent));
    const began = await Promise.all(["a", "b", "c", "d"].map((agent) => begin(agent, { lease: 60 })));
    expect(began.filter(({ success }) => success)).toHaveLength(1);
    const winner = ["a", "b", "c", "d"][began.findIndex(({ success }) => success)] as string;
    const late = began.find(({ success }) => !success);
    expect(late?.error?.message).toBe(`Task 1 is being worked on by ${winner} (session session of ${winner}).`);
    expect(late?.error?.hint).toBe(
      "Choose another task. This one becomes free in 1 minute unless its agent updates it before.",
    );
    // whoever works on it may say so again, with another lease
    expect((await begin(winner, { lease: 0.001 })).success).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await call("task_list")).output).toBe(`○ #1 paint (pending; started by ${winner}, which is gone)`);
    expect((await begin("e")).success).toBe(true);
    expect((await call("task_update", { taskId: "1", status: "pending" }, worker("e"))).success).toBe(true);
    expect((await begin("f")).success, "given back").toBe(true);
  });

  test("a batch loses none, and every number is used once", async () => {
    const { gate } = await bench({}, QUICK);
    const calls = Array.from({ length: 20 }, (_, n) => ({ name: "task_create", args: { subject: `job ${n}` } }));
    const results = await gate.callAll(calls);
    expect(new Set(results.map(({ metadata }) => metadata.id)).size).toBe(20);
    expect((await gate.call({ name: "task_list", args: {} })).metadata.count).toBe(20);
  });

  test("a dry run, a plan and a child that only reads leave the list alone", async () => {
    for (const options of [{ dryRun: true }, { plan: true }]) {
      const { call } = await bench({}, { ...QUICK, ...options });
      expect((await call("task_create", { subject: "x" })).status).toBe("planned");
      expect((await call("task_list")).metadata.count).toBe(0);
    }
    const { gate } = await bench({}, QUICK);
    const child = gate.child({ autonomy: "readonly" });
    expect((await child.call({ name: "task_create", args: { subject: "x" } })).status).toBe("refused");
    expect((await child.call({ name: "task_list", args: {} })).success).toBe(true);
  });
});

describe("to-do lists", () => {
  test("a list replaces the one before, and each session has its own", async () => {
    const { call } = await bench({}, QUICK);
    const write = (contents: string[], more = {}) =>
      call("todowrite", { todos: contents.map((content) => ({ content, status: "pending" })) }, more);
    expect((await call("todo_read")).output).toBe("The to-do list is empty.");
    await write(["sow", "reap"]);
    await write(["rest"]);
    await write(["other"], worker("b"));
    expect((await call("TodoRead")).output).toBe("1. [○] rest");
    expect((await call("todo_read", {}, worker("b"))).output).toBe("1. [○] other");
  });

  test("shows how far each item is", async () => {
    const { call } = await bench({}, QUICK);
    const statuses = ["completed", "in_progress", "pending"];
    const { output, metadata } = await call("todo_write", {
      todos: statuses.map((status) => ({ content: status, status, activeForm: "doing", priority: "high" })),
    });
    expect(output).toBe("1. [✓] completed\n2. [●] in_progress\n3. [○] pending");
    expect(metadata).toMatchObject({ count: 3, open: 2 });
  });
});

test("there is room for so many open tasks", async () => {
  const store = memoryStore();
  const { call } = await bench({}, { ...QUICK, store });
  await call("task_create", { subject: "first" });
  const rows = store.table("tasks/");
  const [first] = await rows.list();
  for (let at = 1; at < MOST_OPEN; at++) await rows.put(`x${at}`, first?.value);
  const refused = await call("task_create", { subject: "one too many" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "VALIDATION_ERROR" } });
  await rows.remove("x1");
  expect((await call("task_create", { subject: "fits" })).success).toBe(true);
});
