import { describe, expect, test } from "vitest";
import { bytes, type FileMap, sha256, tripIn } from "../../test/tripping.ts";
import { memoryStore } from "../stores/memory.ts";
import type { PlannedCall, PlannedChange } from "./contracts/store/plans.ts";
import type { Change } from "./contracts/workspace.ts";
import { forgetDryRuns, GatePlans } from "./gate-plans.ts";

const hash = (text: string | null) => (text === null ? null : sha256(bytes(text)));
const change = (name: string, before: string | null, after: string | null, more: object = {}): PlannedChange => ({
  ...{ real: name.startsWith("/") ? name : `/ws/${name}`, shown: name, before: hash(before), after: hash(after) },
  ...more,
});
const text = (content: Uint8Array | null) => content && new TextDecoder().decode(content);

/** The plan of a workspace with these calls, and its files. */
async function planning(rows: Partial<PlannedCall>[], files: Record<string, string> = {}) {
  const store = memoryStore();
  const kept = new Map(["one", "two", "three", ""].map((each) => [hash(each) as string, bytes(each)]));
  for (const [index, row] of rows.entries())
    await store.plan(
      {
        ...{ id: `r${index + 1}`, call: `c${index + 1}`, session: "s", message: "m", agent: "main", workspace: "/ws" },
        ...{ tool: "write_file", args: {}, at: index, touches: [], changes: [], diff: "", state: "planned" },
        ...row,
      },
      kept,
    );
  const map: FileMap = new Map(Object.entries(files).map(([name, content]) => [name, { text: content }]));
  const patched: Change[][] = [];
  const patch = (changes: readonly Change[]) => {
    patched.push([...changes]);
    return "the patch";
  };
  const { station } = tripIn({ files: map, parts: { store, patch }, workspace: { roots: ["/ws", "/more"] } });
  const plans = new GatePlans(station, {} as never);
  return { plans, store, patched };
}

test.each<[object, string[] | "NOT_FOUND"]>([
  [{}, ["r1", "r2", "r3"]],
  [{ ids: ["r2"] }, ["r2"]],
  [{ ids: ["c3", "1"] }, ["r1", "r3"]],
  [{ session: "s" }, ["r1", "r3"]],
  [{ session: "child" }, ["r3"]],
  [{ session: "other", ids: ["r2"] }, ["r2"]],
  [{ session: "s", ids: ["r2"] }, "NOT_FOUND"],
  [{ ids: ["r2", "9"] }, "NOT_FOUND"],
  [{ ids: [] }, []],
])("which calls are meant by %j", async (choice, wanted) => {
  const { plans } = await planning([{}, { session: "other" }, { session: "child", above: ["s"] }]);
  const found = await plans.list(choice).then(
    (calls) => calls.map(({ id }) => id),
    ({ code }) => code,
  );
  expect(found).toEqual(wanted);
});

test.each<[string, string[] | string]>([
  ["2", ["r2"]],
  ["3", "NOT_FOUND"],
  ["twice", "VALIDATION_ERROR"],
  ["r2", ["r2"]],
])("an id that a model chose for its call is not taken for the number or the id of another: %s", async (id, wanted) => {
  const rows = [{ call: "2" }, { id: "r2", call: "3" }];
  const { plans } = await planning(
    id === "twice" ? [{ call: id }, { call: id }] : [...rows, ...(id === "r2" ? [{ call: id }] : [])],
  );
  const found = await plans.list({ ids: [id] }).then(
    (calls) => calls.map((call) => call.id),
    ({ code }) => code,
  );
  expect(found).toEqual(wanted);
});

describe("all changes together", () => {
  const rows: [string, PlannedChange[][], (string | number | null | undefined)[][]][] = [
    ["one file", [[change("a", "one", "two")]], [["a", "one", "two", undefined, undefined]]],
    [
      "a file twice",
      [[change("a", "one", "two")], [change("a", "two", "three")]],
      [["a", "one", "three", undefined, undefined]],
    ],
    ["a file that ends as it was", [[change("a", "one", "two")], [change("a", "two", "one")]], []],
    ["a file that comes and goes", [[change("a", null, "two")], [change("a", "two", null)]], []],
    [
      "a file that ends as it was, with another mode",
      [
        [change("a", "one", "two", { modeBefore: 0o644 })],
        [change("a", "two", "one", { modeBefore: 0o644, mode: 0o755 })],
      ],
      [["a", "one", "one", 0o644, 0o755]],
    ],
    [
      "a mode that is given and taken",
      [
        [change("a", "one", "two", { modeBefore: 0o644, mode: 0o755 })],
        [change("a", "two", "one", { modeBefore: 0o755, mode: 0o644 })],
      ],
      [],
    ],
    [
      "a file that comes and goes, with its mode",
      [[change("a", null, "two", { mode: 0o600 })], [change("a", "two", null, { modeBefore: 0o600 })]],
      [],
    ],
    ["a new file", [[change("a", null, "one", { mode: 0o600 })]], [["a", null, "one", undefined, 0o600]]],
    ["a file that goes", [[change("a", "one", null, { modeBefore: 0o644 })]], [["a", "one", null, 0o644, 0o644]]],
    ["an empty file", [[change("a", null, "")]], [["a", null, "", undefined, undefined]]],
    [
      "two files",
      [[change("a", "one", "two"), change("b", "one", "three")]],
      [
        ["a", "one", "two", undefined, undefined],
        ["b", "one", "three", undefined, undefined],
      ],
    ],
  ];
  test.each(rows)("%s", async (_, changes, wanted) => {
    const { plans, patched } = await planning(
      changes.map((each) => ({ changes: each })),
      { a: "one", b: "one" },
    );
    const view = await plans.show();
    expect([view.diff, view.elsewhere]).toEqual(["the patch", []]);
    expect(
      patched[0]!.map(({ place, before, after, modeBefore, mode }) => [
        place.shown,
        text(before),
        text(after),
        modeBefore,
        mode,
      ]),
    ).toEqual(wanted);
    for (const each of patched[0]!) expect(Object.values(each)).not.toContain(undefined);
  });

  test("files outside of the workspace's own folder are named and not in the diff", async () => {
    const changes = [change("/more/x", null, "one"), change("/else/y", null, "one"), change("a", null, "one")];
    const { plans, patched } = await planning([{ changes }]);
    expect((await plans.show()).elsewhere).toEqual(["/more/x", "/else/y"]);
    expect(patched[0]!.map(({ place }) => place.shown)).toEqual(["a"]);
  });

  test("what is not kept any more is said", async () => {
    const { plans } = await planning([{ changes: [change("a", null, "pruned")] }]);
    await expect(plans.show()).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: "The plan is no longer complete.",
    });
  });

  test("calls of which nobody knows what they would change are named", async () => {
    const { plans } = await planning([{}, { blind: true }]);
    expect((await plans.show()).blind.map(({ id }) => id)).toEqual(["r2"]);
  });
});

describe("why a call could not be made as things stand", () => {
  const CHANGED = "has changed since it was planned";
  const BUILT = "was planned for different content than the planned call before it would leave";
  test.each<[string, Partial<PlannedCall>[], Record<string, string>, [string, string, string][]]>([
    ["all is as it was", [{ changes: [change("a", "one", "two")] }], { a: "one" }, []],
    ["a file has changed", [{ changes: [change("a", "one", "two")] }], { a: "three" }, [["r1", "a", CHANGED]]],
    [
      "a call builds on the one before",
      [{ changes: [change("a", "one", "two")] }, { changes: [change("a", "two", "three")] }],
      { a: "one" },
      [],
    ],
    [
      "a call builds on another text",
      [{ changes: [change("a", "one", "two")] }, { changes: [change("a", "one", "three")] }],
      { a: "one" },
      [["r2", "a", BUILT]],
    ],
    [
      "one builds on what the one before removes",
      [{ changes: [change("a", "one", null)] }, { changes: [change("a", "one", "three")] }],
      { a: "one" },
      [["r2", "a", BUILT]],
    ],
    [
      "one builds on what is gone",
      [{ changes: [change("a", "one", null)] }, { changes: [change("a", null, "three")] }],
      { a: "one" },
      [],
    ],
    [
      "a call that is being made may have changed it itself",
      [{ state: "running", changes: [change("a", "one", "two")] }],
      { a: "two" },
      [],
    ],
  ])("%s", async (_, rows, files, wanted) => {
    const { plans, store } = await planning(rows, files);
    // as long as somebody runs the plan, nobody settles what is being made
    await store.lock(["plan:/ws"], { token: "theirs", call: "theirs", ancestors: [] });
    expect((await plans.show()).conflicts.map(({ id, file, why }) => [id, file, why])).toEqual(wanted);
  });
});

describe("a person's yes and no", () => {
  const states = ["planned", "approved", "interrupted", "dropped", "done", "failed"] as const;
  const rows = () => states.map((state) => ({ state }));
  test("a yes is for what waits for one", async () => {
    const { plans, store } = await planning(rows());
    expect((await plans.approve()).map(({ id, state }) => [id, state])).toEqual([["r1", "approved"]]);
    expect((await store.planned({})).map(({ state }) => state)).toEqual([
      "approved",
      "approved",
      "interrupted",
      "dropped",
      "done",
      "failed",
    ]);
  });

  test("a no is for all that is open and not being made", async () => {
    const { plans, store } = await planning(rows());
    expect((await plans.drop()).map(({ id, state }) => [id, state])).toEqual([
      ["r1", "dropped"],
      ["r2", "dropped"],
      ["r3", "dropped"],
    ]);
    expect((await store.planned({})).map(({ state }) => state)).toEqual([
      "dropped",
      "dropped",
      "dropped",
      "dropped",
      "done",
      "failed",
    ]);
  });
});

test("a dry run that nobody came back to is forgotten; plans, young ones and those that were approved are not", async () => {
  const { store } = await planning([
    { kind: "dry-run", at: 1 },
    { kind: "plan", at: 1 },
    { kind: "dry-run", at: 10 },
    { kind: "dry-run", at: 1, state: "approved" },
    { kind: "dry-run", at: 1, workspace: "/other" },
  ]);
  await forgetDryRuns(store, "/ws", 10);
  expect((await store.planned({})).map(({ state }) => state)).toEqual([
    "dropped",
    "planned",
    "planned",
    "approved",
    "planned",
  ]);
});
