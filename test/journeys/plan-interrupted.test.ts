import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Gate, type OpenOptions, open } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench, door, folder, plain } from "./harness.ts";

let dir: string;
let store: ReturnType<typeof memoryStore>;
beforeEach(() => {
  dir = folder({ "a.txt": "one\n", "b.txt": "one\n" });
  store = memoryStore();
});

async function gateWith(options: OpenOptions = {}): Promise<Gate> {
  const gate = await open({ workspace: dir, store, mode: "yolo", config: { loops: "off" }, ...options });
  onTestFinished(() => gate.close());
  return gate;
}

const put = (name: string, content: string) => writeFileSync(path.join(dir, name), content);
const states = async () => (await store.planned({})).map(({ state }) => state);
const change = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-one\n+two\n`;
const PATCH = { name: "apply_patch", args: { patch: change("a.txt") + change("b.txt") } };

/** A row whose process died while it ran, and what it had written into the journal by then. */
async function died(intended: boolean): Promise<void> {
  const planning = await gateWith({ plan: true });
  await planning.call(PATCH);
  const [row] = await store.planned({});
  await store.movePlan([row!.id], ["planned"], "running", { was: "planned", record: "dead" });
  if (!intended) return;
  const { call, session, message, tool } = row!;
  const content = new TextEncoder().encode("one\n");
  await store.intend(
    row!.changes.map(({ real, shown, before, after }) => ({
      ...{ record: "dead", call, session, message, tool, at: 1, real, shown, before, after, content },
    })),
  );
}

describe("a change whose run was cut off", () => {
  const endings: [string, boolean, [string, string], string, string[]][] = [
    ["nothing had been intended", false, ["one", "one"], "done", ["done"]],
    ["it was intended and not made", true, ["one", "one"], "done", ["done"]],
    ["it was made", true, ["two", "two"], "done", []],
    ["one file was made, the other not", true, ["two", "one"], "interrupted", []],
    ["somebody else has changed it since", true, ["two", "other"], "interrupted", []],
  ];
  test.each(endings)("%s", async (_, intended, [a, b], state, ran) => {
    await died(intended);
    put("a.txt", `${a}\n`);
    put("b.txt", `${b}\n`);
    const gate = await gateWith();
    const outcomes = await gate.plans.run();
    expect(outcomes.map(({ result }) => result.status)).toEqual(ran);
    expect(await states()).toEqual([state]);
    if (state === "interrupted")
      expect([readFileSync(path.join(dir, "a.txt"), "utf8"), readFileSync(path.join(dir, "b.txt"), "utf8")]).toEqual([
        `${a}\n`,
        `${b}\n`,
      ]);
  });
});

test("a command that was cut off is not run again unless it is named, and can be dropped", async () => {
  const ran: string[] = [];
  const tools = [
    plain("deploy", {
      touches: () => [{ action: "run", command: "deploy", class: "dev" }],
      execute: async () => String(ran.push("deploy")),
    }),
  ];
  const planning = await gateWith({ plan: true, tools });
  for (let n = 0; n < 2; n++) await planning.call({ name: "deploy" });
  const rows = await store.planned({});
  for (const { id } of rows) await store.movePlan([id], ["planned"], "running", { was: "planned", record: `r${id}` });
  const gate = await gateWith({ tools });
  expect(await gate.plans.run()).toEqual([]);
  expect(await states()).toEqual(["interrupted", "interrupted"]);
  expect(await gate.plans.list()).toMatchObject([
    { error: { message: expect.stringContaining("how far it came") } },
    {},
  ]);
  expect(await gate.plans.run()).toEqual([]);
  expect(ran).toEqual([]);
  const look = await planning.call({ name: "read_file", args: { path: "a.txt" } });
  expect(look.output).toContain("[Planned and not run: deploy; deploy.");
  expect(await gate.plans.run({ ids: ["1"] })).toMatchObject([{ call: { state: "done" } }]);
  expect(await gate.plans.drop()).toMatchObject([{ state: "dropped" }]);
  expect([ran, await states()]).toEqual([["deploy"], ["done", "dropped"]]);
});

test("a command that ran and failed is not run again, and what follows waits", async () => {
  const failing = plain("fails", {
    touches: () => [{ action: "run", command: "x", class: "dev" }],
    execute: async () => ({ success: false, output: "", error: "no luck" }) as never,
  });
  const planning = await gateWith({ plan: true, tools: [failing] });
  await planning.call({ name: "fails" });
  await planning.call({ name: "write_file", args: { path: "x", content: "x" } });
  const gate = await gateWith({ tools: [failing] });
  expect(await gate.plans.run()).toMatchObject([{ call: { state: "failed" }, result: { success: false } }]);
  expect(await states()).toEqual(["failed", "planned"]);
  expect(await gate.plans.run()).toMatchObject([{ call: { state: "done", tool: "write_file" } }]);
});

describe("two at once", () => {
  test("one of them runs the plan, the other is told", async () => {
    const [begun, end] = [door(), door()];
    const slow = plain("slow", {
      touches: () => [{ action: "run", command: "slow", class: "dev" }],
      execute: async () => {
        begun.open();
        await end.opened;
        return "done";
      },
    });
    const planning = await gateWith({ plan: true, tools: [slow] });
    await planning.call({ name: "slow" });
    const [one, other] = [await gateWith({ tools: [slow] }), await gateWith({ tools: [slow] })];
    const running = one.plans.run();
    await begun.opened;
    expect(await states()).toEqual(["running"]);
    await expect(other.plans.run()).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await other.plans.drop(), "what runs cannot be dropped").toEqual([]);
    end.open();
    expect(await running).toMatchObject([{ call: { state: "done" } }]);
    expect(await other.plans.run()).toEqual([]);
  });

  test("what was dropped while a person thinks is not made", async () => {
    const planning = await gateWith({ plan: true });
    await planning.call({ name: "write_file", args: { path: "x", content: "x" } });
    const other = await gateWith();
    const gate = await gateWith({
      mode: "confirm-all",
      approve: async () => {
        await other.plans.drop();
        return "once";
      },
    });
    expect(await gate.plans.run()).toMatchObject([{ result: { error: { code: "CONFLICT" } } }]);
    expect(await states()).toEqual(["dropped"]);
    expect((await gate.plans.list()).length).toBe(0);
  });

  test("closing the gate, or a signal, stops the run, and the rest stays planned", async () => {
    const controller = new AbortController();
    const planning = await gateWith({ plan: true });
    for (const name of ["x", "y"]) await planning.call({ name: "write_file", args: { path: name, content: name } });
    const gate = await gateWith();
    const onOutcome = () => controller.abort();
    expect(await gate.plans.run({ signal: controller.signal, onOutcome })).toMatchObject([{ call: { state: "done" } }]);
    expect(await states()).toEqual(["done", "planned"]);
    await gate.close();
    expect(await gate.plans.run()).toMatchObject([{ result: { status: "cancelled" } }]);
    expect(await states()).toEqual(["done", "planned"]);
  });
});

test("old dry runs are dropped when a gate is closed, what is queued or recent is not", async () => {
  const { gate, dir: root } = await bench({});
  const of = { sessionID: "s" };
  const write = (name: string) => ({ name: "write_file", args: { path: name, content: name }, ...of });
  await gate.child({ dryRun: true }).call(write("a"));
  await gate.child({ plan: true }).call(write("b"));
  await gate.close();
  const left = async (config: object) => {
    const other = await open({ workspace: root, config });
    const found = (await other.plans.list()).map(({ changes }) => changes[0]?.shown);
    await other.close();
    return found;
  };
  expect(await left({ journal: { max_age: "1d" } })).toEqual(["a", "b"]);
  expect(await left({ journal: { max_age: 1 } })).toEqual(["a", "b"]);
  expect(await left({})).toEqual(["b"]);
});
