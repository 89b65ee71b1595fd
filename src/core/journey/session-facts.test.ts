import { describe, expect, test } from "vitest";
import { callRecord } from "../../../test/contracts/store-samples.ts";
import { at } from "../../../test/judging.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { CallRecord } from "../contracts/store/records.ts";
import type { Workspace } from "../contracts/workspace.ts";
import type { Permission, RunTouch, Touch } from "../words/touch.ts";
import { forgetSession, GateFacts, Session, Sessions } from "./facts.ts";

const unknown = (...permissions: Permission[]): Touch => ({ action: "unknown", permissions });
const run = (kind: RunTouch["class"], ...inner: Touch[]): Touch => ({
  action: "run",
  command: "x",
  class: kind,
  inner,
});
const fetched: Touch = { action: "fetch", url: "http://x/", method: "GET" };
const record = (touches: Touch[], more: Partial<CallRecord> = {}): CallRecord => ({
  ...callRecord("1"),
  ...{ touches, status: "done", changed: false },
  ...more,
});
const sessionAfter = (...records: CallRecord[]): Session => {
  const session = new Session("s");
  for (const each of records) session.noteEnd(each);
  return session;
};

describe("whether text from outside has come in, or may have", () => {
  test.each<[what: string, records: CallRecord[], outside: boolean, reachedOut: boolean]>([
    ["nothing was done", [], false, false],
    ["a file was read", [record([at("read", "a")])], false, false],
    ["a page was fetched", [record([fetched])], true, false],
    ["a command fetched it", [record([run("dev", fetched)])], true, false],
    ["another server's tool was used", [record([{ action: "use", source: "mcp", name: "a" }])], true, false],
    ["a tool said so", [record([], { outside: true })], true, false],
    ["it was refused", [record([fetched], { status: "refused" })], false, false],
    ["it was planned", [record([fetched], { status: "planned" })], false, false],
    ["it failed, and may have come in", [record([fetched], { status: "failed" })], true, false],
    ["a tool that does not say what it needs", [record([unknown()])], true, false],
    ["a tool that needs a network", [record([unknown("read", "network")])], true, false],
    ["a tool of which one touch may", [record([at("read", "a"), unknown("network")])], true, false],
    ["a command of which one part may", [record([run("dev", at("read", "a"), unknown("network"))])], false, true],
    ["a tool that does not", [record([unknown("read", "write")])], false, false],
    ["a command of which only the network is known", [record([run("dev", unknown("network"))])], false, true],
    ["a tool of development that runs others", [record([run("dev", unknown("network", "execute"))])], false, false],
    ["a dangerous one", [record([run("dangerous", unknown("network", "execute"))])], false, true],
    ["one without a network", [record([run("dangerous", unknown("execute"))])], false, false],
    ["one that only reads", [record([run("safe", at("read", "a"))])], false, false],
  ])("%s", (_, records, outside, reachedOut) => {
    const session = sessionAfter(...records);
    expect([session.outside, session.reachedOut]).toEqual([outside, reachedOut]);
  });

  test("what was done, a command's own doings included", () => {
    const session = sessionAfter(
      record([run("dev", at("write", "a"))]),
      record([at("delete", "b")], { status: "refused" }),
    );
    expect((["run", "write", "delete", "read"] as const).map((action) => session.did(action))).toEqual([
      ...[true, true, false, false],
    ]);
  });
});

describe("the last calls", () => {
  const input = (n: number) => ({ input: { n } });
  test("a call that is made again and answered the same takes no place of its own", () => {
    const same = (more: Partial<CallRecord> = {}) => record([], { ...input(1), answer: "a", ...more });
    const rows: [what: string, next: CallRecord, places: number][] = [
      ["the same", same(), 1],
      ["another answer", same({ answer: "b" }), 2],
      ["another input", same(input(2)), 2],
      ["another tool", same({ tool: "other" }), 2],
      ["it changed something", same({ changed: true }), 2],
    ];
    for (const [what, next, places] of rows) expect(sessionAfter(same(), next).recent.length, what).toBe(places);
    expect(sessionAfter(same(), same(), same()).recent).toMatchObject([{ times: 3 }]);
    const { answer: _, ...untold } = same();
    expect(sessionAfter(untold, untold).recent).toHaveLength(2);
  });

  test("are twenty or a few more, and those that changed or ran something sixty-four", () => {
    const session = new Session("s");
    for (let n = 0; n < 70; n++) session.noteEnd(record([run("dev")], input(n)));
    expect([session.recent.length, session.deeds.length]).toEqual([20, 64]);
    expect([session.recent[0]?.input, session.deeds[0]?.input]).toEqual([{ n: 50 }, { n: 6 }]);
    for (let n = 70; n < 74; n++) session.noteEnd(record([run("dev")], input(n)));
    expect([session.recent.length, session.recent[0]?.input, session.recent[23]?.input]).toEqual([
      24,
      { n: 50 },
      { n: 73 },
    ]);
  });

  test.each<[what: string, record: CallRecord, isDeed: boolean]>([
    ["changed files", record([at("write", "a")], { changed: true }), true],
    ["ran something", record([run("safe")]), true],
    ["ran something and failed", record([run("safe")], { status: "failed" }), true],
    ["would have run something", record([run("safe")], { status: "refused" }), false],
    ["was refused, and changed something all the same", record([], { status: "refused", changed: true }), true],
    ["read", record([at("read", "a")]), false],
  ])("one that %s is a deed: %s", (_, each, isDeed) => expect(sessionAfter(each).deeds).toHaveLength(isDeed ? 1 : 0));

  test("say who refused them, and no other", () => {
    const verdict = { answer: "deny", by: "paths", reason: "" } as const;
    const session = sessionAfter(
      record([], { status: "refused", verdict }),
      record([], { ...input(2), verdict, outside: true }),
    );
    expect(session.recent[0]).toMatchObject({ refusedBy: "paths" });
    expect(session.recent[1]).toMatchObject({ outside: true });
    expect(session.recent[1]).not.toHaveProperty("refusedBy");
    expect(session.recent[0]).not.toHaveProperty("outside");
  });
});

describe("a session that others work in, too", () => {
  test("is read to its end, however much was added", async () => {
    const store = memoryStore();
    const all = Array.from({ length: 2500 }, (_, n) => ({ ...callRecord(`${n}`), id: `r${n}`, session: "s" }));
    await store.record(all);
    const session = new Session("s", store);
    await session.refresh();
    expect(session.calls).toBe(2500);
    await session.refresh();
    expect(session.calls).toBe(2500);
  });

  test("a call of this process in the name of another session is not its own", async () => {
    const store = memoryStore();
    const session = new Session("s", store);
    session.noteEnd({ ...record([]), id: "r", session: "other" });
    await store.record([{ ...record([]), id: "r", session: "s" }]);
    await session.refresh();
    expect(session.calls).toBe(2);
    expect([session.isShared, new Session("s").isShared]).toEqual([true, false]);
    await new Session("s").refresh();
  });

  test("the sixteen named last stay, and a new one begins anew", () => {
    const sessions = new Sessions(memoryStore());
    const first = sessions.named("a");
    for (let n = 0; n < 20; n++) sessions.named(`s${n}`);
    expect(sessions.named("a")).toBe(first);
    const fresh = sessions.fresh("b");
    expect([fresh.isShared, sessions.named("b")]).toEqual([false, fresh]);
  });
});

describe("what the policies of a gate know", () => {
  const limits = { maxCalls: 3 };
  const gate = (session = new Session("own"), above: Session[] = []) =>
    new GateFacts({ mode: "yolo" }, session, [{ session: session.id, limits }], above);

  test("what its own session and those above did", () => {
    const dirty = sessionAfter(record([fetched]), record([run("dangerous", unknown("network"))]));
    const below = gate(new Session("own"), [new Session("clean"), dirty]);
    expect([below.outside, below.reachedOut, below.did("fetch"), below.did("write")]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect([below.calls, below.recent.length, below.deeds.length, below.isChild]).toEqual([0, 0, 0, true]);
    const alone = gate(dirty);
    expect([alone.outside, alone.reachedOut, alone.did("run"), alone.isChild]).toEqual([true, true, true, false]);
    expect([alone.calls, alone.changes, alone.recent.length, alone.deeds.length]).toEqual([2, 0, 2, 1]);
    const clean = gate();
    expect([clean.outside, clean.reachedOut, clean.did("run")]).toEqual([false, false, false]);
  });

  test("what is done here is done for those above, and once for its own", () => {
    const [own, above] = [new Session("own"), new Session("above")];
    gate(own, [above, own]).noteEnd(record([run("dev")], { changed: true, seen: [{ real: "/a", stamp: STAMP }] }));
    expect([own.calls, own.deeds.length, above.calls, above.deeds.length, above.did("run")]).toEqual([
      1,
      1,
      0,
      1,
      true,
    ]);
    expect(gate(own).seen("/a")).toEqual(STAMP);
    expect(gate(own).changes).toBe(1);
  });

  test("for a call in the name of another session: its own limits count there, too", () => {
    const [own, above, named] = [new Session("own"), new Session("above"), new Session("named")];
    const budgets = [
      { session: "own", limits },
      { session: "above", limits: { maxCalls: 9 } },
    ];
    const facts = new GateFacts({ mode: "yolo" }, own, budgets, [above]).in(named);
    expect(facts.session).toBe(named);
    expect(facts.above).toEqual([own, above]);
    expect(facts.budgets).toEqual([{ session: "named", limits }, ...budgets]);
    expect(facts.isChild).toBe(true);
    expect(new GateFacts({ mode: "yolo" }, own, [], [above]).in(above).above).toEqual([own]);
    expect(gate(own).in(named).isChild, "it works for nobody else").toBe(false);
  });

  test("under a narrower ceiling it is the same gate", () => {
    const [own, above] = [new Session("own"), new Session("above")];
    const facts = gate(own, [above]).under({ mode: "confirm-all" });
    expect([facts.ceiling.mode, facts.session, facts.above, facts.isChild]).toEqual([
      "confirm-all",
      own,
      [above],
      true,
    ]);
    expect(facts.budgets).toEqual([{ session: "own", limits }]);
  });

  test("looks up what others did, in its own session and those above", async () => {
    const store = memoryStore();
    await store.record([{ ...record([fetched]), session: "above" }]);
    const above = new Session("above", store);
    const facts = gate(new Session("own"), [above]);
    expect([facts.isShared, gate().isShared]).toEqual([true, false]);
    await facts.refresh();
    expect(facts.outside).toBe(true);
  });
});

const STAMP = { size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1 };

test("what commands and pages of a session share ends with it", async () => {
  const forgotten: string[] = [];
  const forget = (what: string) => (session: string) => void forgotten.push(`${what} of ${session}`);
  const workspace = { processes: { forget: forget("processes") }, pages: { forget: forget("pages") } };
  await forgetSession(workspace as unknown as Workspace, "s");
  await forgetSession({} as Workspace, "s");
  expect(forgotten).toEqual(["processes of s", "pages of s"]);
});
