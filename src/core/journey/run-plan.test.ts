import { describe, expect, test } from "vitest";
import { gateIn, tool } from "../../../test/gating.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Approver } from "../contracts/approval.ts";
import type { Facts, Policy } from "../contracts/policy.ts";
import type { PlannedCall } from "../contracts/store/plans.ts";
import type { Store } from "../contracts/store/store.ts";
import type { PlanChoice } from "../gate-plans.ts";
import type { Ceiling } from "../words/ceiling.ts";
import { ToolFailure } from "../words/result.ts";
import type { Context, Definition } from "../words/tool.ts";
import type { Station } from "./journey-parts.ts";
import type { RunPlanOptions } from "./running-plans.ts";

type Given = {
  ceiling?: Partial<Ceiling>;
  policies?: Policy[];
  store?: Partial<Store>;
  execute?: Definition["execute"];
  approve?: Approver;
  station?: Partial<Station>;
};

const planned = (id: string, more: Partial<PlannedCall> = {}): PlannedCall => ({
  ...{ id, call: `call-${id}`, session: "theirs", message: "m", agent: "planner", workspace: "/ws", tool: "thing" },
  ...{ args: { path: id }, at: 1, touches: [], changes: [], diff: "", state: "planned" },
  ...more,
});

/** A gate that runs what was planned; `made`: the calls that were made, in order. */
async function running(rows: PlannedCall[], given: Given = {}) {
  const kept = memoryStore();
  for (const row of rows) await kept.plan(row, new Map());
  const made: string[] = [];
  const contexts: Context[] = [];
  const execute: Definition["execute"] = async (input, context) => {
    made.push((input as { path: string }).path);
    contexts.push(context);
    return (await given.execute?.(input, context)) ?? "made";
  };
  const store = { ...kept, ...given.store };
  const { gate, station } = gateIn({
    tools: [tool("thing", { execute, aliases: { names: [{ name: "thing_b", preset: { path: "b" } }] } })],
    parts: { store, ...(given.approve && { approve: given.approve }) },
    ...(given.policies && { policies: given.policies }),
    ...(given.ceiling && { ceiling: given.ceiling }),
    ...(given.station && { station: given.station }),
  });
  const run = (choice: PlanChoice & RunPlanOptions = {}) => gate.plans.run(choice);
  const states = async () => (await kept.planned({})).map(({ state }) => state);
  const isFree = async () => (await kept.lock(["plan:/ws"], { token: "me", call: "me", ancestors: [] })) === undefined;
  return { gate, station, store: kept, made, contexts, run, states, isFree };
}

const fails = () => {
  throw new ToolFailure("IO_ERROR", "the disk is full", "Make room.");
};

describe("which calls are made", () => {
  test("all that are open, the oldest first, each under the id that it was planned by", async () => {
    const { run, made, states, isFree, store } = await running([planned("a"), planned("b", { state: "approved" })]);
    const outcomes = await run();
    expect(made).toEqual(["a", "b"]);
    expect(outcomes.map(({ call, result }) => [call.id, call.state, result.output])).toEqual([
      ["a", "done", "made"],
      ["b", "done", "made"],
    ]);
    expect(await states()).toEqual(["done", "done"]);
    expect(await isFree(), "others may run the plan again").toBe(true);
    expect(outcomes[0]?.call.record).toBe((await store.planned({}))[0]?.record);
  });

  test("what was cut off only where it is named, and nothing that is over", async () => {
    const rows = () => [planned("a", { state: "interrupted" }), planned("b"), planned("c", { state: "approved" })];
    const all = await running([...rows(), planned("d", { state: "dropped" }), planned("e", { state: "failed" })]);
    await all.run();
    expect(all.made).toEqual(["b", "c"]);
    const named = await running(rows());
    await named.run({ ids: ["a", "b", "c"] });
    expect(named.made).toEqual(["a", "b", "c"]);
    const one = await running(rows());
    await one.run({ session: "another" });
    expect(one.made).toEqual([]);
  });

  test("none after one that could not be made: it was planned on that", async () => {
    const { run, made, states, isFree } = await running([planned("a"), planned("b")], { execute: fails });
    const outcomes = await run();
    expect(made).toEqual(["a"]);
    expect(outcomes.map(({ call }) => [call.state, call.error])).toEqual([
      ["failed", { code: "IO_ERROR", message: "the disk is full" }],
    ]);
    expect(await states()).toEqual(["failed", "planned"]);
    expect(await isFree()).toBe(true);
  });

  test("none after it was stopped; the one that runs is stopped as well", async () => {
    const stop = new AbortController();
    const execute = (): Promise<string> => {
      stop.abort();
      return new Promise(() => {});
    };
    const { run, made, states } = await running([planned("a"), planned("b")], { execute });
    const [outcome] = await run({ signal: stop.signal });
    expect(outcome?.result.status).toBe("cancelled");
    expect(made).toEqual(["a"]);
    expect(await states()).toEqual(["failed", "planned"]);
    expect(await run({ signal: stop.signal })).toEqual([]);
    expect(made).toEqual(["a"]);
  });

  test("none after a stop between two of them", async () => {
    const stop = new AbortController();
    const { run, made } = await running([planned("a"), planned("b")]);
    await run({ signal: stop.signal, onOutcome: () => stop.abort() });
    expect(made).toEqual(["a"]);
  });

  test.each<[string, Partial<Ceiling>]>([
    ["plans", { plan: true }],
    ["only tries out", { dryRun: true }],
  ])("none by a gate that itself %s", async (_, ceiling) => {
    const { run, made, isFree } = await running([planned("a")], { ceiling });
    await expect(run()).rejects.toMatchObject({
      code: "CONFIG_ERROR",
      message: "A plan cannot be run in plan mode or in a dry run.",
    });
    expect(made).toEqual([]);
    expect(await isFree()).toBe(true);
  });

  test("none while another process runs the plan of this workspace; that of another is in nobody's way", async () => {
    const { run, made, store } = await running([planned("a")]);
    await store.lock(["plan:/elsewhere"], { token: "x", call: "x", ancestors: [] });
    await store.lock(["plan:/ws"], { token: "y", call: "y", ancestors: [] });
    await expect(run()).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("another process"),
    });
    expect(made).toEqual([]);
    await store.unlock("y");
    await run();
    expect(made).toEqual(["a"]);
  });
});

describe("whoever runs it", () => {
  test("hears of each call before the next is made", async () => {
    const { run, made } = await running([planned("a"), planned("b")]);
    const heard: string[] = [];
    await run({
      onOutcome: async ({ call }) => {
        await Promise.resolve();
        heard.push(`${call.id} of ${made.length}`);
      },
    });
    expect(heard).toEqual(["a of 1", "b of 2"]);
  });

  test("that fails while it hears of one leaves the plan free", async () => {
    const { run, isFree } = await running([planned("a"), planned("b")]);
    const onOutcome = () => Promise.reject(new Error("no longer there"));
    await expect(run({ onOutcome })).rejects.toThrow("no longer there");
    expect(await isFree()).toBe(true);
  });
});

describe("as whom a call is made", () => {
  /** What policies were told of each call. */
  const telling = () => {
    const told: Facts[] = [];
    const policy: Policy = {
      name: "mode",
      judge: (_, facts) => {
        told.push(facts);
        return { answer: "allow", by: "mode", reason: "", reserve: [{ key: "calls", limit: 9 }] };
      },
    };
    return { told, policies: [policy] };
  };

  test("in the session, by the agent and under the name of whoever planned it", async () => {
    const { run, made, contexts, store, gate } = await running([planned("a", { name: "thing_b", args: {} })], {
      station: { callers: { sessionID: "above", agent: "boss" } },
    });
    await run();
    expect(contexts.map(({ sessionID, agent, callID, messageID }) => [sessionID, agent, callID, messageID])).toEqual([
      ["theirs", "planner", "call-a", "m"],
    ]);
    expect(made, "what that name implies").toEqual(["b"]);
    await gate.close();
    expect(await store.records({})).toMatchObject([{ session: "theirs", agent: "planner", call: "call-a" }]);
  });

  test("what it does counts for the session that planned it and for the one that runs it", async () => {
    const { told, policies } = telling();
    const { run, station, store } = await running([planned("a"), planned("b", { session: "session" })], { policies });
    await run();
    const counted = await Promise.all(["theirs", "session"].map((each) => store.reserved(`${each} mode calls`)));
    expect(counted).toEqual([1, 2]);
    const [of, own] = told as unknown as { session: { id: string }; above: { id: string }[] }[];
    expect([of?.session.id, of?.above.map(({ id }) => id)]).toEqual(["theirs", ["session"]]);
    expect([own?.session, own?.above]).toEqual([station.facts.session, []]);
  });

  test("and for those above that one", async () => {
    const { told, policies } = telling();
    const { gate } = await running([planned("a")], { policies });
    const child = gate.child();
    await child.plans.run();
    const { above } = told[0] as unknown as { above: { id: string }[] };
    expect(above.map(({ id }) => id)).toEqual([child.sessionID, "session"]);
  });

  test("never above what whoever planned it might do, nor above what whoever runs it may", async () => {
    const { told, policies } = telling();
    const paths = [["src/**"], ["*.ts"]];
    const hosts = [["a.test"], ["*.test"]];
    const most: Ceiling = { mode: "confirm-sensitive", tools: ["thing"], paths, hosts };
    const { run } = await running([planned("a", { ceiling: most }), planned("b")], {
      policies,
      ceiling: { tools: ["thing", "more"], paths: [["**"]] },
    });
    await run();
    expect(told.map(({ ceiling }) => ceiling)).toEqual([
      { mode: "confirm-sensitive", tools: ["thing"], paths: [["**"], ...paths], hosts },
      { mode: "yolo", tools: ["thing", "more"], paths: [["**"]] },
    ]);
  });
});

describe("what becomes of its row", () => {
  const asks: Policy = { name: "asks", judge: () => ({ answer: "ask", by: "asks", reason: "why" }) };
  const refuses: Policy = { name: "no", judge: () => ({ answer: "deny", by: "no", reason: "so" }) };
  const before = { error: { code: "IO_ERROR", message: "the last time" } } as const;

  test.each<[string, Given, Partial<PlannedCall>, PlannedCall["state"], string | undefined, boolean]>([
    ["made", {}, before, "done", undefined, true],
    ["failed while it ran", { execute: fails }, before, "failed", "the disk is full", true],
    ["refused", { policies: [refuses] }, {}, "planned", "Refused by no: so.", false],
    ["refused although it was approved", { policies: [refuses] }, { state: "approved" }, "approved", "Refused", false],
    ["asked about, and a person says no", { policies: [asks], approve: () => "deny" }, {}, "planned", "no", false],
    ["asked about, and a person says yes", { policies: [asks], approve: () => "once" }, {}, "done", undefined, true],
    ["asked about where nobody is", { policies: [asks] }, before, "planned", "nobody to ask", false],
  ])("%s", async (_, given, row, state, error, hasRecord) => {
    const { run, store } = await running([planned("a", row)], given);
    const [outcome] = await run();
    const [kept] = await store.planned({});
    expect([outcome?.call.state, kept?.state]).toEqual([state, state]);
    for (const each of [outcome?.call, kept]) {
      if (error === undefined) expect(each?.error).toBeUndefined();
      else expect(each?.error?.message).toContain(error);
      expect(each?.record !== undefined).toBe(hasRecord);
    }
    expect(Object.keys(outcome?.call.error ?? { code: "", message: "" })).toEqual(["code", "message"]);
  });

  test.each<[PlannedCall["state"], string]>([
    ["planned", "planned"],
    ["approved", "approved"],
    ["interrupted", "planned"],
  ])("while one that was %s is made, it says so, and what it was", async (state, was) => {
    const rows: Partial<PlannedCall>[] = [];
    const it = await running([planned("a", { state, error: { code: "UNKNOWN", message: "cut off" } })], {
      execute: async () => {
        rows.push(...(await it.store.planned({})));
        return "made";
      },
    });
    await it.run({ ids: ["a"] });
    expect(rows).toMatchObject([{ state: "running", was, record: expect.any(String) }]);
    expect(rows[0]).not.toHaveProperty("error");
  });

  test("one that somebody else has taken meanwhile is not made", async () => {
    const approve = async () => {
      await it.store.movePlan(["a"], ["planned"], "dropped");
      return "once";
    };
    const it = await running([planned("a")], { policies: [asks], approve });
    const [outcome] = await it.run();
    expect(it.made).toEqual([]);
    expect(outcome?.result).toMatchObject({
      success: false,
      error: { code: "CONFLICT", message: expect.stringContaining("by somebody else meanwhile") },
    });
    expect(outcome?.call).not.toHaveProperty("record");
    expect(await it.states()).toEqual(["dropped"]);
  });

  test("one whose end cannot be kept is told all the same: the next run finds out", async () => {
    const kept = memoryStore();
    const movePlan: Store["movePlan"] = (ids, from, to, learnt) =>
      to === "done" ? Promise.reject(new Error("full")) : kept.movePlan(ids, from, to, learnt);
    await kept.plan(planned("a"), new Map());
    const { gate } = gateIn({ tools: [tool("thing")], parts: { store: { ...kept, movePlan } } });
    const [outcome] = await gate.plans.run();
    expect(outcome).toMatchObject({ call: { state: "done" }, result: { success: true } });
  });
});
