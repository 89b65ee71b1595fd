import { describe, expect, test } from "vitest";
import { gateIn, tool } from "../../../test/gating.ts";
import { bytes, type FileMap, sha256 } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Approver } from "../contracts/approval.ts";
import type { Policy } from "../contracts/policy.ts";
import type { PlannedCall, PlannedChange } from "../contracts/store/plans.ts";

const hash = (text: string) => sha256(bytes(text));
const CHANGE: PlannedChange = { real: "/ws/a", shown: "a", before: hash("one"), after: hash("two") };
const asks: Policy = { name: "asks", judge: () => ({ answer: "ask", by: "asks", reason: "why" }) };

type Given = {
  now?: string;
  writes?: string;
  changes?: PlannedChange[];
  policies?: Policy[];
  approve?: Approver;
  row?: Partial<PlannedCall>;
};

/** A call that was planned to make "two" of `a`, which was "one", and how running it ends. */
async function ran({ now = "one", writes = "two", changes = [CHANGE], policies, approve, row = {} }: Given = {}) {
  const store = memoryStore();
  await store.plan(
    {
      ...{ id: "r", call: "c", session: "session", message: "m", agent: "main", workspace: "/ws", tool: "writes" },
      ...{ args: { path: "a" }, at: 1, touches: [], changes, diff: "", state: "planned" },
      ...row,
    },
    new Map([[hash("one"), bytes("one")]]),
  );
  const files: FileMap = new Map([["a", { text: now }]]);
  const made: string[] = [];
  const { gate, station } = gateIn({
    files,
    tools: [
      tool("writes", {
        touches: ({ path }: { path?: string }) => [{ action: "write", target: path ?? "" }],
        preview: async ({ path }: { path?: string }) => [{ path: path ?? "", after: bytes(writes) }],
        execute: ({ path }: { path?: string }) => `wrote ${path}`,
      } as never),
    ],
    parts: { store, ...(approve && { approve }) },
    ...(policies && { policies }),
  });
  Object.assign(station.workspace.files, {
    commit: async (all: { place: { shown: string } }[], intend: () => Promise<void>) => {
      await intend();
      made.push(...all.map(({ place }) => place.shown));
    },
  });
  const [outcome] = await gate.plans.run();
  return { made, result: outcome?.result, row: (await store.planned({}))[0] };
}

test("what a process that died has left undone is planned again, and made", async () => {
  const { made, row } = await ran({ row: { state: "running", was: "approved", record: "lost" } });
  expect([made, row?.state]).toEqual([["a"], "done"]);
});

describe("a planned call is made on what it was planned on, or not at all", () => {
  test("as it was planned", async () => {
    const { made, result, row } = await ran();
    expect([made, result?.output, row?.state]).toEqual([["a"], "wrote a", "done"]);
  });

  test.each<[string, Given]>([
    ["the file is another by now", { now: "other" }],
    ["it would write something else by now", { writes: "three" }],
    ["it would write a file that is not in the plan", { changes: [] }],
    [
      "it would no longer write a file that is",
      { changes: [CHANGE, { ...CHANGE, real: "/ws/b", shown: "b", before: null }] },
    ],
  ])("not where %s", async (_, given) => {
    const { made, result, row } = await ran(given);
    expect(result).toMatchObject({ success: false, error: { code: "CONFLICT" } });
    expect(result?.error?.message).toMatch(/^[ab] has changed since writes was planned/);
    expect([made, row?.state]).toEqual([[], "planned"]);
  });

  test("what a person writes instead is no longer held to the plan", async () => {
    const answers = [{ decision: "edit", args: { path: "b" } }, "once"];
    const { made, result } = await ran({ policies: [asks], approve: () => answers.shift() ?? "deny" });
    expect([made, result?.output]).toEqual([["b"], "wrote b"]);
  });
});
