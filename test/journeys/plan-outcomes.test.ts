import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { PlannedCall } from "../../src/core/contracts/store/plans.ts";
import { type Gate, type OpenOptions, open, type Tool } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder, plain } from "./harness.ts";

let dir: string;
let store: ReturnType<typeof memoryStore>;
beforeEach(() => {
  dir = folder({ "a.txt": "one\n" });
  store = memoryStore();
});

async function gateWith(options: OpenOptions = {}): Promise<Gate> {
  const gate = await open({ workspace: dir, store, mode: "yolo", config: { loops: "off" }, ...options });
  onTestFinished(() => gate.close());
  return gate;
}

const write = (file: string) => ({ name: "write_file", args: { path: file, content: "x\n" } });
const rows = () => store.planned({});

async function planned(calls: readonly object[], options: OpenOptions = {}): Promise<void> {
  const gate = await gateWith({ plan: true, ...options });
  for (const call of calls) expect((await gate.call(call as never)).status).toBe("planned");
}

/** A tool that runs a command in name only. */
const running = (name: string, execute: () => Promise<unknown>): Tool =>
  plain(name, { touches: () => [{ action: "run", command: name, class: "dev" }], execute: execute as never });

describe("what a planned call is told to have come to", () => {
  test("made: with its record, and without the error of an earlier try", async () => {
    await planned([write("x")]);
    const careful = await gateWith({ config: { rules: { deny: ["write(x)"] } } });
    const [refused] = await careful.plans.run();
    expect(refused!.call).toMatchObject({ state: "planned", error: { code: "PERMISSION_DENIED" } });
    expect(refused!.call).not.toHaveProperty("record");
    expect(await rows()).toMatchObject([{ state: "planned", error: refused!.call.error }]);
    const gate = await gateWith();
    const [made] = await gate.plans.run();
    expect(made!.call).toMatchObject({ state: "done", record: expect.any(String) });
    expect(made!.call).not.toHaveProperty("error");
    const [row] = await rows();
    expect([row!.state, row!.record]).toEqual(["done", made!.call.record]);
    expect(row).not.toHaveProperty("error");
  });

  test("failed on the way: with its record and why", async () => {
    const fails = running("fails", () => Promise.reject(new Error("boom")));
    await planned([{ name: "fails" }], { tools: [fails] });
    const [outcome] = await (await gateWith({ tools: [fails] })).plans.run();
    expect(outcome!.call).toMatchObject({
      ...{ state: "failed", record: expect.any(String) },
      error: { code: "UNKNOWN", message: expect.stringContaining("boom") },
    });
    expect(Object.keys(outcome!.call.error!).sort()).toEqual(["code", "message"]);
  });

  test("taken by somebody else while a person thought about it: nothing is done", async () => {
    await planned([write("x")]);
    const gate = await gateWith({
      mode: "confirm-all",
      approve: async () => {
        const [row] = await rows();
        await store.movePlan([row!.id], ["planned"], "dropped");
        return "once";
      },
    });
    const [outcome] = await gate.plans.run();
    expect(outcome!.result.error?.message).toContain("run, approved or dropped by somebody else meanwhile");
    expect(outcome!.call).not.toHaveProperty("record");
    expect((await rows())[0]!.state).toBe("dropped");
    expect((await gate.plans.list()).length).toBe(0);
  });

  test.each([false, true])(
    "while it is made its row says so, and whether it had been approved: %s",
    async (approved) => {
      let seen: PlannedCall | undefined;
      const looks = running("looks", async () => {
        [seen] = await rows();
        return "ran";
      });
      await planned([{ name: "looks" }], { tools: [looks] });
      const gate = await gateWith({ tools: [looks] });
      if (approved) await gate.plans.approve();
      const [outcome] = await gate.plans.run();
      expect(seen).toMatchObject({
        state: "running",
        was: approved ? "approved" : "planned",
        record: outcome!.call.record,
      });
    },
  );

  test("everybody who asked hears of each call at once", async () => {
    await planned([write("x"), write("y")]);
    const heard: unknown[] = [];
    const gate = await gateWith();
    await gate.plans.run({
      onOutcome: async ({ call }) => void heard.push([call.state, (await rows()).map(({ state }) => state)]),
    });
    expect(heard).toEqual([
      ["done", ["done", "planned"]],
      ["done", ["done", "done"]],
    ]);
  });
});

describe("which calls are run", () => {
  test("of one session alone, or by name, approved or not; what was cut off only by name", async () => {
    await planned([
      { ...write("a"), sessionID: "one" },
      { ...write("b"), sessionID: "two" },
      { ...write("c"), sessionID: "two" },
      { ...write("d"), sessionID: "two" },
    ]);
    const gate = await gateWith();
    const ran = async (choice: object) => (await gate.plans.run(choice)).map(({ call }) => call.seq);
    expect(await ran({ session: "one" })).toEqual([1]);
    await gate.plans.approve({ ids: ["2"] });
    expect(await ran({ ids: ["2"] })).toEqual([2]);
    const third = (await rows())[2]!;
    await store.movePlan([third.id], ["planned"], "interrupted");
    expect(await ran({})).toEqual([4]);
    expect(await ran({ ids: ["3"] })).toEqual([3]);
  });

  test("none while somebody else runs the plan", async () => {
    await planned([write("x")]);
    const gate = await gateWith();
    const busy = `plan:${(await rows())[0]!.workspace}`;
    await store.lock([busy], { token: "theirs", call: "theirs", ancestors: [] });
    await expect(gate.plans.run()).rejects.toThrow("is being run by another process");
    await store.unlock("theirs");
    expect(await gate.plans.run()).toHaveLength(1);
    expect(await store.locks(), "and the plan is free again").toEqual([]);
  });

  test("none after it was stopped, and the one that runs is stopped", async () => {
    const stop = new AbortController();
    const waits = plain("waits", {
      touches: () => [{ action: "run", command: "waits", class: "dev" }],
      execute: async (_, { abort }) => {
        stop.abort();
        return abort.aborted ? "stopped" : "it went on";
      },
    });
    await planned([{ name: "waits" }, write("x")], { tools: [waits] });
    const gate = await gateWith({ tools: [waits] });
    const outcomes = await gate.plans.run({ signal: stop.signal });
    expect(outcomes.map(({ result }) => result.status)).toEqual(["cancelled"]);
    expect((await rows())[1]!.state).toBe("planned");
  });
});

describe("what a run counts against", () => {
  test.each([{ budget: { max_changes: 1 } }, { guardrails: { max_files_modified: 1 } }])(
    "the session that planned it, and the one that runs it: %j",
    async (limits) => {
      await planned([
        { ...write("a"), sessionID: "one" },
        { ...write("b"), sessionID: "two" },
      ]);
      const gate = await gateWith({ config: { loops: "off", ...limits } });
      expect((await gate.plans.run()).map(({ result }) => result.status)).toEqual(["done", "refused"]);
    },
  );

  test.each([false, true])(
    "what came from outside into a session that runs it, or above: below another gate %s",
    async (below) => {
      const fetches = plain("fetches", {
        permissions: { required: ["network"] },
        touches: () => [{ action: "fetch", url: "https://example.com/" }],
      });
      const config = { loops: "off", trust: { outside_text: "ask" } };
      await planned([{ name: "fetches", sessionID: "one" }], { tools: [fetches], config });
      const gate = await gateWith({ tools: [fetches], config });
      expect((await gate.call({ name: "fetches" })).status).toBe("done");
      const runs = below ? gate.child() : gate;
      expect((await runs.plans.run()).map(({ result }) => result.status)).toEqual(["refused"]);
    },
  );
});
