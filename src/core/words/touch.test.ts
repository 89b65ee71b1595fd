import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import { deedOf } from "./deed.ts";
import {
  belowRoot,
  changesSomething,
  type Danger,
  dangerOf,
  describeTouch,
  eachTouch,
  isDanger,
  isPathTouch,
  PERMISSIONS,
  type Permission,
  type RunTouch,
  readsUnknown,
  restore,
  runsReadOnly,
  runsSomething,
  type Touch,
  worse,
} from "./touch.ts";

const run = (kind: RunTouch["class"], ...inner: Touch[]): RunTouch => ({
  action: "run",
  command: "x",
  class: kind,
  inner,
});
const unknown = (...permissions: Permission[]): Touch => ({ action: "unknown", permissions });
const fetched = (method = "GET"): Touch => ({ action: "fetch", url: "http://x/", method });
const named = (action: "delegate" | "remember" | "schedule" | "ask" | "signal"): Touch => ({ action, target: "it" });
const used = (source: "mcp" | "skill"): Touch => ({ action: "use", source, name: "it" });
const reading = { reason: "make: a build" } as NonNullable<RunTouch["reading"]>;

describe("how dangerous a call is, whether it changes anything, and what it does in words", () => {
  const NOTHING = "it changes nothing";
  const table: [touches: Touch[], danger: Danger, changes: boolean, deed: string][] = [
    [[], "safe", false, NOTHING],
    [[at("read", "a")], "safe", false, NOTHING],
    [[at("list", "a")], "safe", false, NOTHING],
    [[at("write", "a")], "moderate", true, "it changes files"],
    [[at("read", "a"), at("write", "a")], "moderate", true, "it changes files"],
    [[at("delete", "a")], "moderate", true, "it deletes files"],
    [[at("write", "a"), at("delete", "b")], "moderate", true, "it deletes files"],
    [[fetched()], "moderate", true, "it reaches the network"],
    [[fetched("head")], "moderate", true, "it reaches the network"],
    [[fetched("OPTIONS")], "moderate", true, "it reaches the network"],
    [[fetched("POST")], "moderate", true, "it sends something over the network"],
    [[fetched(), fetched("PUT")], "moderate", true, "it sends something over the network"],
    [[at("write", "a"), fetched("PUT")], "moderate", true, "it sends something over the network"],
    [[at("write", "a"), fetched()], "moderate", true, "it changes files"],
    [[used("mcp")], "moderate", true, "it uses a tool of another server"],
    [[used("skill")], "moderate", true, "it uses a tool of a skill"],
    [[named("signal")], "moderate", true, "it ends a running command"],
    [[named("schedule")], "moderate", true, "it plans something for later"],
    [[named("remember")], "safe", true, NOTHING],
    [[named("delegate")], "safe", true, NOTHING],
    [[named("ask")], "safe", false, NOTHING],
    [[unknown()], "moderate", true, "it does not say what it touches"],
    [[unknown("read")], "safe", false, NOTHING],
    [[unknown("read", "write")], "moderate", true, "it does not say what it touches"],
    [[unknown("network", "read")], "moderate", true, "it does not say what it touches"],
    [[unknown("execute", "read")], "dangerous", true, "it does not say what it touches"],
    [[run("safe")], "safe", false, NOTHING],
    [[run("safe", at("write", "a"))], "safe", true, NOTHING],
    [[run("safe", run("dev"))], "moderate", true, "it runs a command that may change things"],
    [[run("dev")], "moderate", true, "it runs a development tool"],
    [[{ ...run("dev"), reading }], "moderate", true, "it runs a development tool (make: a build)"],
    [[run("dev", run("dangerous"))], "dangerous", true, "it runs a development tool"],
    [[run("dangerous")], "dangerous", true, "it runs a command that may change things"],
    [[run("blocked")], "dangerous", true, "it runs a command that may change things"],
    [
      [at("write", "a"), { ...run("dangerous"), reading }],
      "dangerous",
      true,
      "it runs a command that may change things (make: a build)",
    ],
  ];
  test.each(table)("%j", (touches, danger, changes, deed) => {
    expect([dangerOf(touches), changesSomething(touches), deedOf(touches, danger)]).toEqual([danger, changes, deed]);
  });

  test("a tool that says it is worse than what it touches is believed", () => {
    expect(deedOf([at("write", "a")], "dangerous")).toBe("its tool says that it is dangerous");
    expect(deedOf([at("read", "a")], "moderate")).toBe("its tool says that it is moderate");
  });

  test("only a safe command that touches nothing and is held by something runs read-only", () => {
    const rows = [
      run("safe"),
      run("safe", at("read", "a")),
      run("safe", at("delete", "a")),
      run("dev"),
      run("blocked"),
    ];
    expect(rows.map(runsReadOnly)).toEqual([true, true, false, false, false]);
    expect(runsReadOnly({ ...run("safe"), exposed: "no sandbox" })).toBe(false);
  });

  test("the worse of two", () => {
    expect([worse("safe", "moderate"), worse("dangerous", "moderate"), worse("safe", "safe")]).toEqual([
      ...["moderate", "dangerous", "safe"],
    ]);
    expect(["safe", "moderate", "dangerous", "Safe", undefined].map(isDanger)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

test("what it only reads, and nobody knows what", () => {
  const touches = [
    unknown("read"),
    unknown("write"),
    unknown(),
    unknown("read", "network"),
    unknown("network", "read"),
  ];
  expect([...touches, at("read", "a")].map(readsUnknown)).toEqual([true, false, false, false, false, false]);
  const words = (["read", "write"] as const).map((action) => at(action, "a", { brings: "words" }));
  expect(words.map(readsUnknown)).toEqual([true, false]);
});

test("every touch, those inside commands inside commands too", () => {
  const deep = [run("dev", at("read", "a"), run("safe", at("write", "b"))), at("list", "c")];
  expect(eachTouch(deep).map(({ action }) => action)).toEqual(["run", "read", "run", "write", "list"]);
  const flat = [at("read", "a")];
  expect(eachTouch(flat)).toEqual(flat);
  expect([deep, flat, []].map(runsSomething)).toEqual([true, false, false]);
  expect([at("read", "a"), run("dev"), unknown()].map(isPathTouch)).toEqual([true, false, false]);
});

test("one line for people", () => {
  const moved = { place: { shown: "a", real: "/ws/b", root: "/ws", exists: true } };
  const link = { place: { shown: "a", real: "/ws/a", root: "/ws", exists: true, link: true } };
  const rows: [touch: Touch, line: string][] = [
    [at("write", "a"), "write a"],
    [at("write", "sub", { scope: "*.md" }), "write sub/*.md"],
    [at("read", "a", moved), "read a (/ws/b)"],
    [at("delete", "a", link), "delete the link a"],
    [run("dev"), "run (dev) x"],
    [fetched("POST"), "fetch POST http://x/"],
    [used("mcp"), "use mcp it"],
    [unknown("read", "write"), "unknown target, permissions: read, write"],
    [unknown(), "unknown target, permissions: none declared"],
    [named("schedule"), "schedule it"],
  ];
  expect(rows.map(([touch]) => describeTouch(touch))).toEqual(rows.map(([, line]) => line));
});

test("the path from its root on", () => {
  const rows = [
    ["/ws/a/b", "/ws", "a/b"],
    ["/ws", "/ws", ""],
    ["/a", "/", "a"],
    ["/ws//a", "/ws", "a"],
  ];
  for (const [real = "", root = "", below] of rows) expect(belowRoot({ real, root })).toBe(below);
  expect(PERMISSIONS).toEqual(["read", "write", "execute", "network"]);
  expect(restore("a")).toEqual({ action: "write", target: "a", restores: true, itself: false });
});
