import { describe, expect, test } from "vitest";
import { at, ready as readyFor } from "../../../test/judging.ts";
import { bytes, placeOf, sha256, tripIn } from "../../../test/tripping.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Policy } from "../contracts/policy.ts";
import type { PlannedCall } from "../contracts/store/plans.ts";
import type { Workspace } from "../contracts/workspace.ts";
import type { Ceiling } from "../words/ceiling.ts";
import type { Ready } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { Proposed } from "../words/tool.ts";
import type { RunTouch, Touch } from "../words/touch.ts";
import { GateFacts, Session } from "./facts.ts";
import { PlanSoFar } from "./plan-so-far.ts";
import { keepAsPlanned } from "./planning.ts";
import type { Prepared } from "./stages.ts";

const run = (more: Partial<RunTouch> = {}): RunTouch => ({
  action: "run",
  command: "cat a",
  class: "safe",
  inner: [],
  ...more,
});
const unknown = (...permissions: ("read" | "write")[]): Touch => ({ action: "unknown", permissions });

type Given = {
  touches?: Touch[];
  changes?: Proposed[];
  preview?: boolean;
  ceiling?: Partial<Ceiling>;
  child?: boolean;
  sessions?: string[];
  seen?: string[];
  rehearse?: Workspace["rehearse"];
  policies?: Policy[];
  verdict?: Partial<Prepared["verdict"]>;
  notes?: string[];
  failing?: "plan" | "commit" | "stop";
  store?: ReturnType<typeof memoryStore>;
  withheld?: boolean;
};

const STAMP = { size: 3, mtimeMs: 1, ctimeMs: 1, ino: 1 };
const change = (name: string, more: Partial<Proposed> = {}): Proposed => ({
  ...{ place: placeOf(name), before: bytes("old"), after: bytes("new"), modeBefore: 0o644 },
  ...more,
});

/** A call that is planned, and what the store holds of it. */
async function planned(given: Given = {}) {
  const { touches = [at("write", "a")], changes = [], preview = true, ceiling = { plan: true }, seen = [] } = given;
  const inner = given.store ?? memoryStore();
  const store: typeof inner = {
    ...inner,
    plan: async (...row) => {
      await inner.plan(...row);
      if (given.failing === "plan") throw new Error("no room");
      if (given.failing === "stop") trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
    },
  };
  const committed: string[] = [];
  const laid = new PlanSoFar(store, { roots: ["/ws"], differs: () => false } as never, "session");
  const above = given.child ? [new Session("above")] : [];
  const facts = new GateFacts({ mode: "yolo", ...ceiling }, new Session("session"), [], above);
  for (const name of seen) facts.session.noteRead({ real: `/ws/${name}`, stamp: STAMP });
  const files = new Map([["a", { text: "new" }]]);
  const trip = tripIn({
    files,
    parts: {
      store,
      policies: given.policies ?? [],
      diff: (all) => all.map(({ place }) => `diff ${place.shown}\n`).join(""),
    },
    workspace: {
      ...(given.rehearse && {
        rehearse: async (touch: RunTouch) => {
          const told = await given.rehearse?.(touch);
          if (told !== ("stop" as unknown)) return told;
          trip.life.stop(new ToolFailure("CANCELLED", "stopped", "") as never);
          return undefined;
        },
      }),
    },
    station: { facts, plan: laid, ...(given.sessions && { sessions: given.sessions }) },
  });
  const trim = (text: string) => ({ text });
  Object.assign(trip.station.parts, { trim });
  Object.assign(trip.station.workspace.files, {
    commit: async (made: Proposed[], before: () => Promise<void>) => {
      await before();
      if (given.failing === "commit") throw new Error("no room");
      committed.push(...made.map(({ place }) => place.shown));
    },
  });
  const { tool: _, ...bare } = readyFor({ touches });
  const tool = { name: "thing", definition: { ...(preview && { preview: () => [] }) } } as never;
  const ready: Ready = { ...bare, tool, changes, call: trip.known.call, notes: given.notes ?? [] };
  const prepared: Prepared = {
    ready,
    verdict: { answer: "allow", by: "mode", reason: "so", ...given.verdict },
    ...(given.withheld && { withheld: { error: new ToolFailure("NOT_FOUND", "a does not match", "") } }),
  };
  const result = await keepAsPlanned(trip, prepared, laid);
  const [row] = await inner.planned({});
  return { result, row: row as PlannedCall, trip, store: inner, committed };
}

describe("what is kept of a planned call", () => {
  test("the call, what it would touch and change, and how it was judged", async () => {
    const changes = [
      change("a", { undoes: [1], stamp: STAMP }),
      change("b", { before: null, redoes: [2], mode: 0o755, modeBefore: undefined as never }),
      change("c", { after: null }),
    ];
    const { row, store, committed, trip, result } = await planned({ changes, seen: ["a", "c"] });
    expect(row).toMatchObject({
      ...{ id: trip.recordID, call: trip.known.call.id, name: "thing", tool: "thing", session: "session" },
      ...{ agent: "main", workspace: "/ws", kind: "plan", state: "planned", message: trip.known.call.messageID },
      ...{ diff: "diff a\ndiff b\ndiff c\n", verdict: { answer: "allow", by: "mode", reason: "so" } },
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const [old, fresh] = [sha256(bytes("old")), sha256(bytes("new"))];
    expect(row.changes).toStrictEqual([
      { real: "/ws/a", shown: "a", before: old, after: fresh, modeBefore: 0o644, known: true, undoes: [1] },
      { real: "/ws/b", shown: "b", before: null, after: fresh, mode: 0o755, redoes: [2] },
      { real: "/ws/c", shown: "c", before: old, after: null, modeBefore: 0o644 },
    ]);
    for (const key of ["above", "ceiling", "blind"]) expect(row).not.toHaveProperty(key);
    const kept = [await store.plannedContent(old), await store.plannedContent(fresh)];
    expect(kept.map((each) => each && new TextDecoder().decode(each))).toEqual(["old", "new"]);
    expect(committed).toEqual(["a", "b", "c"]);
    expect(trip.deeds.known, "as the plan shows it").toMatchObject([{ real: "/ws/a", stamp: { size: 3 } }]);
    expect(trip.known.verdict).toEqual({ answer: "allow", by: "plan", reason: "nothing is changed" });
    expect(result).toMatchObject({
      ...{ success: true, status: "planned", title: "Planned: thing(a)" },
      output: "Planned: thing(a) would run; nothing was changed.\n\ndiff a\ndiff b\ndiff c",
      metadata: { id: trip.recordID, diff: row.diff },
    });
  });

  test("a file that was read otherwise, or never, is not known", async () => {
    const other = { ...STAMP, mtimeMs: 9 };
    const { row } = await planned({
      changes: [change("a", { stamp: other }), change("b", { stamp: STAMP })],
      seen: ["a"],
    });
    for (const each of row.changes) expect(each).not.toHaveProperty("known");
  });

  test.each<[string, Given, Partial<PlannedCall>]>([
    ["a dry run", { ceiling: { dryRun: true } }, { kind: "dry-run" }],
    ["the sessions above", { sessions: ["session", "top"] }, { above: ["top"] }],
    [
      "whose ceiling it is under",
      { child: true, ceiling: { plan: true, paths: [["x"]] } },
      { ceiling: { mode: "yolo", paths: [["x"]] } },
    ],
    ["a command changes what nobody knows", { touches: [run({ class: "dev" })] }, { blind: true }],
    ["a write that no preview shows", { preview: false }, { blind: true }],
    ["a removal that no preview shows", { preview: false, touches: [at("delete", "a")] }, { blind: true }],
    ["another's server", { touches: [{ action: "use", source: "mcp", name: "x" }] }, { blind: true }],
    ["work that is handed on", { touches: [{ action: "delegate", target: "x" }] }, { blind: true }],
    ["what nobody knows", { touches: [unknown("write")] }, { blind: true }],
    [
      "a command beside a request",
      { touches: [{ action: "fetch", url: "http://a/", method: "GET" }, run({ class: "dev" })] },
      { blind: true },
    ],
  ])("%s", async (_, given, wanted) => {
    expect((await planned(given)).row).toMatchObject(wanted);
  });

  test.each<[string, Given]>([
    ["a write that its preview shows", {}],
    ["a request", { touches: [{ action: "fetch", url: "http://a/", method: "POST" }] }],
    ["a command that only reads", { touches: [run()] }],
    ["a read without a preview", { preview: false, touches: [at("read", "a"), at("list", ".")] }],
  ])("%s is seen as it is", async (_, given) => {
    expect((await planned(given)).row).not.toHaveProperty("blind");
  });

  test("why a command that only reads is kept, too, and what is to be said besides", async () => {
    const { result } = await planned({ touches: [run()], notes: ["one"], verdict: { notes: ["two"] } });
    expect(result.output).toBe(
      "Planned: thing(cat a) would run; nothing was changed. It would not see what is planned: commands read the files on the disk.\n\none\n\ntwo",
    );
  });

  test.each<[string, Given, string]>([
    ["a file", {}, "Dry run: thing(a)"],
    ["a command", { touches: [run({ command: "touch q" })] }, "Dry run: thing(touch q)"],
    ["a command of several lines", { touches: [run({ command: "touch q\nls" })] }, "Dry run: thing(touch q⏎ls)"],
    [
      "a command that just fits",
      { touches: [run({ command: "x".repeat(200) })] },
      `Dry run: thing(${"x".repeat(200)})`,
    ],
    ["a long command", { touches: [run({ command: "x".repeat(300) })] }, `Dry run: thing(${"x".repeat(200)}…)`],
    ["what nobody knows", { touches: [unknown("write")] }, "Dry run: thing"],
  ])("a dry run names what would be done: %s", async (_, given, title) => {
    const { result } = await planned({ ceiling: { dryRun: true }, ...given });
    expect([result.title, result.output.split("; ", 1)[0]]).toEqual([title, `${title} would run`]);
  });
});

describe("a command that can be tried out", () => {
  const tried =
    (whole: boolean): Given["rehearse"] =>
    async () =>
      ({ changes: [change("made")], whole }) as never;
  const make = run({ command: "make", class: "dev" });

  test("is planned with what it changed there, and nothing is unknown about it", async () => {
    const { row, committed, trip } = await planned({ touches: [make], rehearse: tried(true) });
    expect(row.changes).toMatchObject([{ shown: "made" }]);
    expect(row).not.toHaveProperty("blind");
    expect(committed).toEqual(["made"]);
    expect(trip.known.ready?.changes).toHaveLength(1);
  });

  test("is unknown in part where not all of it could be seen", async () => {
    expect((await planned({ touches: [make], rehearse: tried(false) })).row).toMatchObject({ blind: true });
  });

  test.each<[string, Touch[]]>([
    ["two commands", [make, run({ command: "other", class: "dev" })]],
    ["one that changes nothing", [run()]],
    ["none", [at("write", "a")]],
  ])("%s: nothing is tried", async (_, touches) => {
    expect((await planned({ touches, rehearse: tried(true) })).row.changes).toEqual([]);
  });

  test("what it changed is judged: a no ends it, and nothing is kept", async () => {
    const policies: Policy[] = [
      {
        name: "no",
        judge: ({ changes }) => (changes.length > 0 ? { answer: "deny", by: "no", reason: "so" } : undefined),
      },
    ];
    const store = await planned({ touches: [make], rehearse: tried(true), policies }).catch((error) => error);
    expect(store).toMatchObject({ status: "refused", message: "Refused by no: so." });
    const asks: Policy[] = [{ name: "asks", judge: () => ({ answer: "ask", by: "asks", reason: "why" }) }];
    const { row } = await planned({ touches: [make], rehearse: tried(true), policies: asks });
    expect(row.verdict).toEqual({ answer: "ask", by: "asks", reason: "why" });
  });
});

describe("what could not be planned is not in the plan", () => {
  test("what does not fit is told as that", async () => {
    await expect(planned({ withheld: true })).rejects.toThrow("a does not match");
  });

  test.each(["plan", "commit"] as const)(
    "%s fails: whoever is told plans it again, so the row is dropped",
    async (failing) => {
      const store = memoryStore();
      await expect(planned({ failing, changes: [change("a")], store })).rejects.toThrow("no room");
      expect(await store.planned({})).toMatchObject([{ state: "dropped" }]);
    },
  );

  test("a call that was stopped while its command was tried out is not planned at all", async () => {
    const store = memoryStore();
    const rehearse: Given["rehearse"] = async () => "stop" as never;
    await expect(planned({ touches: [run({ class: "dev" })], rehearse, store })).rejects.toThrow("stopped");
    expect(await store.planned({})).toEqual([]);
  });

  test("nothing is laid over the files for a call that was stopped meanwhile", async () => {
    const store = memoryStore();
    await expect(planned({ failing: "stop", changes: [change("a")], store })).rejects.toThrow("stopped");
    expect(await store.planned({})).toMatchObject([{ state: "dropped" }]);
  });
});
