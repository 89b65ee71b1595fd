import { describe, expect, test } from "vitest";
import { at } from "../../../test/judging.ts";
import type { Facts, Policy } from "../contracts/policy.ts";
import type { Change } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import type { Touch } from "../words/touch.ts";
import type { Condition, Reserve, Verdict } from "../words/verdict.ts";
import { judge, type Opinion, restricting } from "./opinions.ts";

const facts = {} as Facts;
const callOf = (touches: Touch[], changes: Change[] = []) => ({ touches, changes }) as unknown as Ready;
const saying = (said: Opinion): Policy => ({ name: said.by, judge: () => said });
const allow: Verdict = { answer: "allow", by: "mode", reason: "allowed" };

describe("limits that a call counts against", () => {
  const counted = (by: string, ...reserve: Reserve[]): Condition => ({ by, reserve });

  test("of all policies, each with its name; none of them answers the call", () => {
    const said: Opinion[] = [];
    const policies = [counted("budget", { key: "calls", limit: 1 }), allow, counted("danger", { key: "x", limit: 2 })];
    expect(judge(policies.map(saying), callOf([]), facts, said)).toEqual({
      ...allow,
      reserve: [
        { key: "calls", limit: 1, by: "budget" },
        { key: "x", limit: 2, by: "danger" },
      ],
    });
    expect(said).toEqual(policies);
    expect(judge([saying(counted("budget", { key: "calls", limit: 1 }))], callOf([]), facts).answer).toBe("ask");
  });

  test("a verdict that counts, too, says once what it counts", () => {
    const both: Verdict = { ...allow, reserve: [{ key: "calls", limit: 1 }] };
    expect(judge([saying(both)], callOf([]), facts).reserve).toEqual([{ key: "calls", limit: 1, by: "mode" }]);
  });

  test.each<[what: string, reserve: unknown, answer: string]>([
    ["none at all", [], "allow"],
    ["nothing may be taken", [{ key: "calls", limit: 0 }], "allow"],
    ["nothing is taken", [{ key: "calls", limit: 1, amount: 0 }], "allow"],
    ["within a window", [{ key: "calls", limit: 1, window: 1 }], "allow"],
    ["a limit below nothing", [{ key: "calls", limit: -1 }], "deny"],
    ["a limit that is no number", [{ key: "calls", limit: Number.NaN }], "deny"],
    ["no limit", [{ key: "calls" }], "deny"],
    ["a window of nothing", [{ key: "calls", limit: 1, window: 0 }], "deny"],
    ["a window that is no number", [{ key: "calls", limit: 1, window: Number.NaN }], "deny"],
    ["something is given back", [{ key: "calls", limit: 1, amount: -1 }], "deny"],
    ["an amount that is no number", [{ key: "calls", limit: 1, amount: Number.NaN }], "deny"],
    ["nothing that has a name", [{ limit: 1 }], "deny"],
    ["one of two is wrong", [{ key: "calls", limit: 1 }, { limit: 1 }], "deny"],
  ])("%s: %j", (_, reserve, answer) => {
    const policies = [saying(allow), saying({ by: "budget", reserve } as Condition)];
    expect(judge(policies, callOf([]), facts).answer).toBe(answer);
  });
});

describe("of two that are equally strict the first decides", () => {
  const named = (by: string, more: Partial<Verdict>): Verdict => ({ answer: "ask", by, reason: by, ...more });
  test.each<[what: string, first: Partial<Verdict>, second: Partial<Verdict>, by: string]>([
    ["two firm asks", {}, {}, "first"],
    ["two that a grant can answer", { grantable: true }, { grantable: true }, "first"],
    ["a firm ask before one that a grant can answer", { grantable: true }, {}, "second"],
    ["two denials", { answer: "deny", grantable: true }, { answer: "deny" }, "first"],
    [
      "an ask before what is allowed, whatever that says of grants",
      { answer: "allow", grantable: true },
      { grantable: true },
      "second",
    ],
    ["two that allow", { answer: "allow", grantable: true }, { answer: "allow" }, "first"],
  ])("%s", (_, first, second, by) => {
    expect(judge([named("first", first), named("second", second)].map(saying), callOf([]), facts).by).toBe(by);
  });

  test("what an ask says it covers answers no other ask", () => {
    const touch = at("write", "a");
    const covering = (answer: "ask" | "deny", covers: Touch[]) => ({
      ...{ answer, by: "sly", reason: "sly", grantable: true, covers: new Set(covers), about: [at("read", "b")] },
    });
    const mode = named("mode", { grantable: true });
    expect(judge([mode, covering("ask", [touch])].map(saying), callOf([touch]), facts)).toMatchObject({
      answer: "ask",
    });
    expect(judge([mode, covering("ask", [touch])].map(saying), callOf([touch]), facts).by).toBe("mode");
  });
});

test("why a policy failed is told", () => {
  const failing: Policy = {
    name: "broken",
    judge: () => {
      throw new Error("no such table");
    },
  };
  expect(judge([failing], callOf([]), facts).reason).toBe("the policy failed: no such table");
});

describe("a policy that speaks of some touches alone", () => {
  const change = {} as Change;
  const run: Touch = { action: "run", command: "x", class: "dev", inner: [] };
  test.each<[what: string, touches: Touch[], changes: Change[], isAsked: boolean]>([
    ["is asked about one of them", [at("write", "a")], [], true],
    ["about the other one", [at("delete", "a")], [], true],
    ["not about another one", [at("read", "a")], [], false],
    ["not about several others of one kind", [at("read", "a"), at("read", "b")], [], false],
    ["about several kinds", [at("read", "a"), at("list", "b")], [], true],
    ["about one of them after another kind", [run, at("write", "b")], [], true],
    ["about changes, whatever the touches are", [at("read", "a")], [change], true],
    ["not about nothing", [], [], false],
  ])("%s", (_, touches, changes, isAsked) => {
    let asked = 0;
    const judges = { judge: () => void asked++ };
    const policies: Policy[] = [{ name: "some", speaksOf: ["write", "delete"], ...judges }, saying(allow)];
    for (const _ of [1, 2]) judge(policies, callOf(touches, changes), facts);
    expect(asked).toBe(isAsked ? 2 : 0);
  });
});

describe("somebody's own policy", () => {
  const ready = callOf([at("write", "a")]);
  const limits: Reserve[] = [{ key: "x", limit: 1 }];
  const whole: Policy = {
    ...{ name: "own", content: true, speaksOf: ["write"] },
    judge: () => ({ ...allow, notes: ["noted"], covers: new Set(ready.touches) }),
    found: () => limits,
    minds: () => true,
  };
  test("keeps what it is asked about and what it counts, and answers no question of another one", () => {
    const own = restricting(whole);
    expect(own).toMatchObject({
      name: "own",
      content: true,
      speaksOf: ["write"],
      found: whole.found,
      minds: whole.minds,
    });
    expect(own.judge(ready, facts)).toEqual({ ...allow, notes: ["noted"] });
    const plain = restricting(saying(allow));
    expect(Object.keys(plain).sort()).toEqual(["judge", "name"]);
    expect(plain.judge(ready, facts)).toBe(allow);
    expect(restricting({ name: "silent", judge: () => undefined }).judge(ready, facts)).toBeUndefined();
  });
});
