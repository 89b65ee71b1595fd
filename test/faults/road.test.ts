import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Gate, OpenOptions, Result, Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";
import { folder } from "../journeys/harness.ts";
import { expectWellFormed } from "./audit.ts";
import { type Moment, Trigger } from "./ports.ts";
import { processes } from "./processes.ts";
import { LIMIT, LIMIT_KEY, road, spent, write } from "./road.ts";

type Fault = { name: string; fits(moment: Moment): boolean; act(stop: AbortController): void };

const broken = () => {
  throw new Error("EIO: it broke");
};
const WRITING = ["reserve", "giveBack", "plan", "movePlan", "ask", "answer", "withdraw", "lock", "intend", "conclude"];
const faults: Fault[] = [
  { name: "abort", fits: ({ when }) => when === "before", act: (stop) => stop.abort() },
  { name: "the store fails", fits: ({ port, when }) => port === "store" && when === "before", act: broken },
  {
    name: "the store's answer is lost",
    fits: ({ port, when, method }) => port === "store" && when === "after" && WRITING.includes(method),
    act: broken,
  },
];

type Ended = { gate: Gate; store: Store; root: string; results: Result[]; fired: string | undefined };
type Road = {
  options?: OpenOptions;
  run(gate: Gate, signal: AbortSignal): Promise<Result[]>;
  audit(ended: Ended): Promise<void>;
  fewest: number;
};

/** Once without a fault, to count the moments; then once for each of them. */
async function atEveryMoment({ options = {}, run, audit, fewest }: Road, { fits, act }: Fault): Promise<void> {
  const travel = async (n: number): Promise<number> => {
    const [root, store, stop] = [folder(), memoryStore(), new AbortController()];
    const trigger = new Trigger(n, fits, () => act(stop));
    const gate = await road(root, store, trigger.hear, options);
    trigger.armed = true;
    const results = await run(gate, stop.signal);
    trigger.armed = false;
    for (const result of results) expectWellFormed(result);
    try {
      await audit({ gate, store, root, results, fired: trigger.fired });
    } catch (error) {
      throw new Error(`at ${trigger.fired ?? "no moment"} (${n}): ${(error as Error).message}`, { cause: error });
    }
    await gate.close();
    return trigger.seen.length;
  };
  const moments = await travel(0);
  expect(moments).toBeGreaterThanOrEqual(fewest);
  await Promise.all(Array.from({ length: moments }, (_, n) => travel(n + 1)));
}

describe.each(faults)("$name, at every await of the journey", (fault) => {
  test("no limit is exceeded, and what did not happen is given back", () =>
    atEveryMoment(
      {
        run: (gate, signal) =>
          gate.callAll(
            Array.from({ length: 4 }, () => ({ name: "spend" })),
            { signal },
          ),
        async audit({ gate, store, root, fired }) {
          const after = spent(root);
          expect(after).toBeLessThanOrEqual(LIMIT);
          // nobody knows what a lost answer held, or gives back by a store that failed to
          const lost = /after store.reserve|store.giveBack/.test(fired ?? "") ? 1 : 0;
          const reserved = await store.reserved(LIMIT_KEY);
          expect(reserved).toBeGreaterThanOrEqual(after);
          expect(reserved).toBeLessThanOrEqual(after + lost);
          for (let n = 0; n < 3; n++) await gate.call({ name: "spend" });
          expect(spent(root)).toBeLessThanOrEqual(LIMIT);
          expect(spent(root)).toBeGreaterThanOrEqual(LIMIT - lost);
        },
        fewest: 2,
      },
      fault,
    ));

  test("every planned call is one row, with its contents, and no other call is", () =>
    atEveryMoment(
      {
        options: { plan: true },
        run: (gate, signal) => gate.callAll([write("a"), write("b"), write("a")], { signal }),
        async audit({ gate, store, root, results }) {
          const told = results.filter(({ status }) => status === "planned").map(({ metadata }) => metadata.id);
          const rows = await gate.planned({ states: ["planned"] });
          expect(rows.map(({ id }) => id).sort()).toEqual(told.sort());
          for (const { changes } of rows)
            for (const { after } of changes) expect(await store.plannedContent(after ?? "")).toBeDefined();
          expect(["a", "b"].some((file) => existsSync(path.join(root, file)))).toBe(false);
          // told as failed, it is planned again, and is there once
          if (results[1]?.status === "planned") return;
          expect((await gate.call(write("b"))).status).toBe("planned");
          const again = await gate.planned({ states: ["planned"] });
          expect(again.filter(({ args }) => (args as { path: string }).path === "b")).toHaveLength(1);
        },
        fewest: 3,
      },
      fault,
    ));

  test("what was not allowed from the queue never runs, and no question outlives its call", () =>
    atEveryMoment(
      {
        options: { mode: "confirm-all" },
        run: (gate, signal) => Promise.all([write("yes"), write("no")].map((call) => gate.call(call, { signal }))),
        async audit({ store, root, results: [yes, no], fired }) {
          expect(no?.success).toBe(false);
          expect(existsSync(path.join(root, "no"))).toBe(false);
          if (yes?.status === "done") expect(existsSync(path.join(root, "yes"))).toBe(true);
          if (!fired) expect(yes?.status).toBe("done");
          const approved = (await store.changes({ states: ["done"] })).map(({ shown }) => shown);
          expect(approved.filter((shown) => shown !== "yes")).toEqual([]);
          if (!fired?.includes("withdraw")) expect(await store.pending()).toEqual([]);
          expect(await store.locks()).toEqual([]);
        },
        fewest: 6,
      },
      fault,
    ));
});

describe("kill -9, then a fresh process", () => {
  const run = processes();
  const MOMENTS = ["reserve", "plan", "ask", "approval"].flatMap((method) => [`before ${method}`, `after ${method}`]);

  test.each(MOMENTS)("%s", { timeout: 60_000 }, async (moment) => {
    const root = folder();
    const { signal, errors } = await run("road", root, moment);
    expect({ signal, errors }).toEqual({ signal: "SIGKILL", errors: "" });
    const store = await sqliteStore(path.join(root, ".toolgate/store.db"));
    const before = spent(root);
    expect(await store.reserved(LIMIT_KEY)).toBeGreaterThanOrEqual(before);
    const gate = await road(root, store, () => {});
    for (let n = 0; n < 3; n++) await gate.call({ name: "spend" });
    expect(spent(root)).toBeLessThanOrEqual(LIMIT);
    const rows = await gate.planned();
    expect(rows.length).toBeLessThanOrEqual(1);
    if (moment === "after plan" || /ask|approval/.test(moment)) expect(rows).toHaveLength(1);
    for (const { changes } of rows) expect(await store.plannedContent(changes[0]?.after ?? "")).toBeDefined();
    expect(await store.pending(), "nobody waits any more").toEqual([]);
    expect(existsSync(path.join(root, "no"))).toBe(false);
    expect(await store.locks()).toEqual([]);
    await gate.close();
    await store.close();
  });
});
