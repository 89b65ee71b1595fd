import { describe, expect, test } from "vitest";
import { type Approver, type Mode, type OpenOptions, open, type Store } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder } from "./harness.ts";

const CALLS = [
  { name: "read_file", args: { path: "a.txt" } },
  { name: "write_file", args: { path: "a.txt", content: "two\n" } },
  { name: "write_file", args: { path: "toolgate.yaml", content: "mode: yolo\n" } },
  { name: "run_command", args: { command: "touch made" } },
  { name: "write_file", args: { path: "a.txt", content: "three\n" } },
  { name: "run_command", args: { command: "ls" } },
  { name: "run_command", args: { command: "sudo ls" } },
  { name: "delete_file", args: { path: "a.txt" } },
  { name: "nothing", args: {} },
  { name: "undo_turn", args: { turn: "last" } },
];
const MODES: readonly Mode[] = ["yolo", "confirm-sensitive", "confirm-all"];

/** Who answers, and whether somebody was really asked. */
type Door = { approve?: OpenOptions["approve"]; asks: boolean };

async function recordsOf(options: OpenOptions, batch: boolean) {
  const store: Store = memoryStore();
  const dir = folder({ "a.txt": "one\n" });
  const gate = await open({
    workspace: dir,
    store,
    config: { workspace: { allow_delete: true } },
    sandbox: "off",
    ...options,
  });
  if (batch) await gate.callAll(CALLS);
  else for (const call of CALLS) await gate.call(call);
  await gate.close();
  return store.records({ limit: 100 });
}

/** What a record says of people. */
const ofPerson = /\bpeople\b|\bperson\b/;

describe("a record never says that a person allowed what nobody was asked", () => {
  let asked = 0;
  const person: Approver = () => {
    asked += 1;
    return "once";
  };
  const doors: Record<string, () => Door> = {
    "nobody to ask": () => ({ asks: false }),
    "a caller who said yes beforehand": () => ({
      approve: () => ({ decision: "once", unasked: "the caller wanted it" }),
      asks: false,
    }),
    "one who says so for always": () => ({
      approve: () => ({ decision: "always", unasked: "the caller wanted it" }),
      asks: false,
    }),
    "an approver that fails": () => ({ approve: () => Promise.reject(new Error("no")), asks: false }),
    "a person": () => ({ approve: person, asks: true }),
  };
  const ways: OpenOptions[] = [
    {},
    { plan: true },
    { dryRun: true },
    { autonomy: "supervised" },
    { autonomy: "readonly" },
  ];

  test.each(Object.keys(doors))("%s", async (name) => {
    let told = 0;
    for (const mode of MODES)
      for (const way of ways)
        for (const batch of way === ways[0] ? [false, true] : [false]) {
          asked = 0;
          const { approve, asks } = (doors[name] as () => Door)();
          const records = await recordsOf({ mode, ...way, ...(approve && { approve }) }, batch);
          expect(records).toHaveLength(CALLS.length);
          const allowed = records.filter(
            ({ verdict }) => verdict?.answer === "allow" && ofPerson.test(`${verdict.by} ${verdict.reason}`),
          );
          told += allowed.length;
          expect(allowed.length, JSON.stringify({ mode, way, batch })).toBeLessThanOrEqual(asks ? asked : 0);
          if (asked > 0 && asks && !way.plan && !way.dryRun) expect(allowed.length).toBeGreaterThan(0);
        }
    // the positive control: where a person was asked the record does say so
    expect(told > 0).toBe(name === "a person");
  });

  test("what was allowed beforehand is told as that", async () => {
    const approve: Approver = () => ({ decision: "once", unasked: "the caller wanted it" });
    const records = await recordsOf({ mode: "confirm-sensitive", approve }, false);
    const verdicts = records.map(({ verdict }) => verdict);
    expect(verdicts).toContainEqual({
      answer: "allow",
      by: "caller",
      reason: "nobody was asked: the caller wanted it",
    });
  });
});
