import { describe, expect, test } from "vitest";
import { at, ready as readyFor } from "../../../test/judging.ts";
import { bytes, type FileMap, placeOf, sha256, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Policy } from "../contracts/policy.ts";
import type { PlannedCall, PlannedChange } from "../contracts/store/plans.ts";
import type { Ready } from "../words/ready.ts";
import type { Judgement } from "../words/verdict.ts";
import { changesHash } from "./fingerprints.ts";
import { changedSince, heldToPlan, lookForConflict, plannedPlace } from "./plan-conflicts.ts";

const LINK = 0o120777;
const ALLOW: Judgement = { answer: "allow", by: "mode", reason: "so" };
const hash = (text: string | null) => (text === null ? null : sha256(bytes(text)));
const change = (name: string, before: string | null, after: string | null, more: object = {}): PlannedChange => ({
  ...{ real: `/ws/${name}`, shown: name, before: hash(before), after: hash(after) },
  ...more,
});
const filesOf = (files: Record<string, string | { kind: "folder" | "other" } | null>): FileMap =>
  new Map(
    Object.entries(files).flatMap(([name, file]) =>
      file === null ? [] : [[name, typeof file === "string" ? { text: file } : ({ text: "", ...file } as never)]],
    ),
  );

test.each<[string, PlannedChange, object]>([
  ["in the workspace", change("a", null, "x"), { shown: "a", real: "/ws/a", root: "/ws", exists: true }],
  ["outside", { ...change("a", null, "x"), real: "/else" }, { shown: "a", real: "/else", root: "", exists: true }],
  [
    "a link",
    change("a", "x", null, { modeBefore: LINK }),
    { shown: "a", real: "/ws/a", root: "/ws", exists: true, link: true },
  ],
  [
    "a link to be",
    change("a", null, "x", { mode: LINK }),
    { shown: "a", real: "/ws/a", root: "/ws", exists: true, link: true },
  ],
  [
    "no link yet",
    change("a", "x", "y", { modeBefore: 0o644, mode: LINK }),
    { shown: "a", real: "/ws/a", root: "/ws", exists: true },
  ],
])("where a planned change is: %s", (_, given, wanted) => {
  expect(plannedPlace(tripIn().station, given)).toStrictEqual(wanted);
});

describe("whether a file is what a change was planned on", () => {
  test.each<[string, FileMap, PlannedChange, "same" | string | null]>([
    ["it is", filesOf({ a: "old" }), change("a", "old", "new"), "same"],
    ["it is another", filesOf({ a: "other" }), change("a", "old", "new"), "other"],
    ["it is gone", filesOf({}), change("a", "old", "new"), null],
    ["it is still missing", filesOf({}), change("a", null, "new"), "same"],
    ["it has come", filesOf({ a: "" }), change("a", null, "new"), ""],
    ["a folder is there", filesOf({ a: { kind: "folder" } }), change("a", "old", "new"), null],
    ["a folder is there where nothing was", filesOf({ a: { kind: "folder" } }), change("a", null, "new"), null],
    ["something else is there", filesOf({ a: { kind: "other" } }), change("a", null, "new"), null],
    ["it lies outside", filesOf({ a: "other" }), { ...change("a", "old", "new"), real: "/else" }, "same"],
  ])("%s", async (_, files, given, now) => {
    const found = await changedSince(tripIn({ files }).station, given);
    if (now === "same") expect(found).toBeUndefined();
    else expect(found?.now && new TextDecoder().decode(found.now)).toBe(now);
  });
});

const plannedCall = (changes: PlannedChange[]): PlannedCall => ({ tool: "thing", changes }) as unknown as PlannedCall;
const ready = (changes: Ready["changes"] = [], preview = true): Ready => ({
  ...readyFor({ touches: [at("write", "a")] }),
  tool: { name: "thing", definition: { ...(preview && { preview: () => [] }) } } as never,
  changes,
});

describe("a planned call on files that changed since", () => {
  const reads = (answer: "allow" | "deny"): Policy => ({
    name: "reads",
    judge: ({ touches }) => ({
      answer: touches.every(({ action }) => action === "read") ? answer : "allow",
      by: "reads",
      reason: "",
    }),
  });
  const looking = async (files: FileMap, changes: PlannedChange[], verdict = ALLOW, policies: Policy[] = []) => {
    const store = memoryStore();
    const contents = new Map([[hash("old") as string, bytes("old")]]);
    await store.plan(
      { id: "r", changes, session: "s", workspace: "/ws", state: "planned", touches: [] } as never,
      contents,
    );
    const diff = (all: readonly { before: Uint8Array | null; after: Uint8Array | null }[]) =>
      all
        .map(
          ({ before, after }) =>
            `-${before && new TextDecoder().decode(before)} +${after && new TextDecoder().decode(after)}`,
        )
        .join();
    const trip = tripIn({ files, parts: { store, policies, diff } });
    trip.planned = plannedCall(changes);
    const end = await lookForConflict(trip, ready(), verdict).then(
      () => undefined,
      (error) => error,
    );
    return { end, trip };
  };

  test.each<[string, FileMap, PlannedChange, Judgement, Policy[], string]>([
    ["is told what happened", filesOf({ a: "now" }), change("a", "old", "new"), ALLOW, [], "\n-old +now"],
    ["is told of what is gone", filesOf({}), change("a", "old", "new"), ALLOW, [], "\n-old +null"],
    ["is told of what has come", filesOf({ a: "now" }), change("a", null, "new"), ALLOW, [], "\n-null +now"],
    [
      "is told only that, where reading is not allowed",
      filesOf({ a: "now" }),
      change("a", "old", "new"),
      { ...ALLOW, answer: "ask" },
      [reads("deny")],
      "",
    ],
    [
      "is told what happened where reading is allowed",
      filesOf({ a: "now" }),
      change("a", "old", "new"),
      { ...ALLOW, answer: "ask" },
      [reads("allow")],
      "\n-old +now",
    ],
    [
      "is told only that, where it is no longer kept",
      filesOf({ a: "now" }),
      change("a", "pruned", "new"),
      ALLOW,
      [],
      "",
    ],
  ])("%s", async (_, files, given, verdict, policies, told) => {
    const { end } = await looking(files, [given], verdict, policies);
    expect(end).toMatchObject({
      ...{ status: "failed", code: "CONFLICT" },
      message: "a has changed since thing was planned, so nothing was changed.",
      ...{ output: told && `What happened since it was planned:${told}`, metadata: { file: "a" } },
    });
  });

  test("goes on where nothing changed, and knows what the session had read", async () => {
    const changes = [change("a", "old", "new", { known: true }), change("b", null, "new"), change("c", "old", null)];
    const { end, trip } = await looking(filesOf({ a: "old", c: "old" }), changes);
    expect(end).toBeUndefined();
    const { facts } = trip.station;
    expect([facts.seen("/ws/a") !== undefined, facts.seen("/ws/c")]).toEqual([true, undefined]);
  });

  test("every file is looked at", async () => {
    const { end } = await looking(filesOf({ a: "old", b: "now" }), [
      change("a", "old", "new"),
      change("b", "old", "new"),
    ]);
    expect(end).toMatchObject({ metadata: { file: "b" } });
  });
});

describe("a planned call does what the plan says", () => {
  const made = (name: string, after: string | null, mode?: number) => ({
    ...{ place: placeOf(name), before: bytes("old"), after: after === null ? null : bytes(after) },
    ...(mode !== undefined && { mode }),
  });
  const plan = [change("a", "old", "new"), change("b", "old", null), change("c", "old", "x", { mode: 0o755 })];
  const same = [made("a", "new"), made("b", null), made("c", "x", 0o755)];
  test.each<[string, Ready["changes"], file: string | undefined]>([
    ["the same", same, undefined],
    ["the same in another order", [...same].reverse(), undefined],
    ["another content", [made("a", "else"), ...same.slice(1)], "a"],
    ["a file is left out", same.slice(0, 2), "c"],
    ["a file that was to go stays", [same[0]!, made("b", "x"), same[2]!], "b"],
    ["a file that was to stay goes", [made("a", null), ...same.slice(1)], "a"],
    ["another mode", [...same.slice(0, 2), made("c", "x", 0o644)], "c"],
    ["a mode that nobody planned", [made("a", "new", 0o755), ...same.slice(1)], "a"],
    ["one file more", [...same, made("d", "y")], "d"],
  ])("%s", async (_, changes, file) => {
    const trip = tripIn();
    trip.planned = plannedCall(plan);
    const prepared = { ready: ready(changes), verdict: ALLOW };
    const end = await heldToPlan(trip, prepared).catch((error) => error);
    if (file === undefined)
      expect(end).toEqual({ ...prepared, expected: await changesHash(prepared.ready, trip.station.parts) });
    else expect(end).toMatchObject({ code: "CONFLICT", metadata: { file }, output: "" });
  });

  test.each<[string, object, boolean, boolean]>([
    ["a call that was never planned", {}, true, false],
    ["a command, which shows what it does when it has run", {}, false, true],
    ["one that does not fit is told so when it is made", { withheld: { error: new Error("no") } }, true, true],
  ])("%s is left as it is", async (_, more, preview, isPlanned) => {
    const trip = tripIn();
    if (isPlanned) trip.planned = plannedCall(plan);
    const prepared = { ready: ready([], preview), verdict: ALLOW, ...more };
    expect(await heldToPlan(trip, prepared)).toBe(prepared);
  });
});
