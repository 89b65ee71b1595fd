import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { bytes, type FileMap, sha256, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { ChangeRow } from "../contracts/store/changes.ts";
import type { PlannedCall } from "../contracts/store/plans.ts";
import type { Status } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import { openCalls } from "./running-plans.ts";

const hash = (text: string) => sha256(bytes(text));
const CHANGES = ["a", "b"].map((name) => ({
  real: `/ws/${name}`,
  shown: name,
  before: hash("one"),
  after: hash("two"),
}));
const make: Touch = { action: "run", command: "make", class: "dev", inner: [] };

type Left = {
  /** What the record of the run says; absent: there is none. */
  status?: Status;
  /** How its rows in the journal were left. */
  journal?: ChangeRow["state"][];
  files?: [a: string | null, b: string | null];
  row?: Partial<PlannedCall>;
};

/** A planned call that a process left running, looked at by the next one. */
async function left({ status, journal = [], files = ["one", "one"], row = {} }: Left, locked = false) {
  const store = memoryStore();
  const planned: PlannedCall = {
    ...{ id: "r", call: "c", session: "s", message: "m", agent: "main", workspace: "/ws", tool: "x", args: {}, at: 1 },
    ...{ touches: [at("write", "a")], changes: CHANGES, diff: "", state: "running", was: "approved", record: "run" },
    ...row,
  };
  await store.plan(planned, new Map());
  if (status)
    for (const id of ["run", "other"])
      await store.record([
        {
          ...{ id, call: "c", session: "s", agent: "main", workspace: "/ws", tool: "x", message: "", at: 1 },
          ...{ microseconds: 0, status: id === "run" ? status : "done", input: {}, touches: [], trace: [] },
        } as never,
      ]);
  const ids = await store.intend(
    journal.map((_, index) => ({
      ...{ record: "run", call: "c", session: "s", message: "m", tool: "x", at: 1, real: `/ws/${"ab"[index]}` },
      ...{ shown: "ab"[index] as string, before: hash("one"), after: hash("two"), content: bytes("one") },
    })),
  );
  for (const [index, state] of journal.entries()) if (state !== "intended") await store.conclude([ids[index]!], state);
  if (locked) await store.lock(["plan:/ws"], { token: "theirs", call: "theirs", ancestors: [] });
  const map: FileMap = new Map(
    files.flatMap((text, index) => (text === null ? [] : [["ab"[index] as string, { text }] as const])),
  );
  const { station } = tripIn({ files: map, parts: { store } });
  const open = await openCalls(station);
  const [found] = await store.planned({});
  const free = await store.lock(["plan:/ws"], { token: "mine", call: "mine", ancestors: [] });
  return { open, found: found as PlannedCall, isFree: free === undefined };
}

describe("what a process that died has left is told apart by the journal", () => {
  test.each<[string, Left, PlannedCall["state"]]>([
    ["its record says that it was done", { status: "done" }, "done"],
    ["its record says that it failed, and nothing was written", { status: "failed" }, "approved"],
    ["nothing was written down", {}, "approved"],
    ["and it had not been approved", { row: { was: "planned" } }, "planned"],
    ["and nobody knows what it was", { row: { was: undefined as never } }, "planned"],
    ["all was taken back", { journal: ["void", "void"], files: ["other", "other"] }, "approved"],
    ["all was made", { journal: ["done", "done"], files: ["other", "other"] }, "done"],
    ["it was meant and not made", { journal: ["intended", "intended"] }, "approved"],
    ["it was meant and made", { journal: ["intended", "intended"], files: ["two", "two"] }, "done"],
    ["half of it was made", { journal: ["intended", "intended"], files: ["two", "one"] }, "interrupted"],
    ["the other half was made", { journal: ["done", "intended"], files: ["one", "two"] }, "interrupted"],
    ["somebody has changed it since", { journal: ["intended", "intended"], files: ["two", "other"] }, "interrupted"],
    [
      "a removal was meant and made",
      { journal: ["intended"], files: [null, "one"], row: { changes: [{ ...CHANGES[0]!, after: null }] } },
      "done",
    ],
    [
      "a file is gone that was to be changed",
      { journal: ["intended", "intended"], files: [null, "two"] },
      "interrupted",
    ],
    ["a command may have come any distance", { row: { touches: [make] } }, "interrupted"],
    ["so may what changes no files", { row: { changes: [] } }, "interrupted"],
    ["a command whose record says done", { status: "done", row: { touches: [make], changes: [] } }, "done"],
    ["a run without a record of it", { status: "done", row: { record: undefined as never } }, "interrupted"],
  ])("%s: %s", async (_, given, state) => {
    const { found, open, isFree } = await left(given);
    expect(found.state).toBe(state);
    expect(open.map((each) => each.state)).toEqual(state === "done" ? [] : [state]);
    expect(found.error?.message).toBe(
      state === "interrupted" ? "The process ended while it ran, so it is not known how far it came." : undefined,
    );
    expect(isFree, "the plan is free again").toBe(true);
  });

  test("nothing is done about a plan that is being run", async () => {
    const { found, open } = await left({}, true);
    expect([found.state, open.map(({ state }) => state)]).toEqual(["running", ["running"]]);
  });
});
