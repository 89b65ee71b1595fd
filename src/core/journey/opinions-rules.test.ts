import { describe, expect, test } from "vitest";
import type { Facts, Policy } from "../contracts/policy.ts";
import type { Ready } from "../words/ready.ts";
import type { Touch } from "../words/touch.ts";
import type { Condition, Verdict } from "../words/verdict.ts";
import { judge } from "./opinions.ts";

const touch = (target: string): Touch => ({ action: "signal", target });
const [first, second] = [touch("first"), touch("second")];
const both = [first, second];

const saying = (...all: (Verdict | Condition)[]): Policy[] => all.map((each) => ({ name: each.by, judge: () => each }));
const verdictOf = (touches: readonly Touch[], ...all: (Verdict | Condition)[]) =>
  judge(saying(...all), { touches, changes: [] as unknown } as Ready, {} as Facts);

const mode: Verdict = { answer: "ask", by: "mode", reason: "not safe", grantable: true };
const firm: Verdict = { answer: "ask", by: "trust", reason: "firm" };
const deny: Verdict = { answer: "deny", by: "paths", reason: "no" };
const rule = (...covers: Touch[]): Verdict => ({
  answer: "allow",
  by: "rules",
  reason: "allowed",
  covers: new Set(covers),
});
const about = (...touches: Touch[]): Verdict => ({ ...mode, by: "secret-files", about: touches });

describe("what a person allowed by a rule", () => {
  const table: [name: string, touches: readonly Touch[], said: Verdict[], by: string][] = [
    ["answers a grantable ask about all it covers", both, [mode, rule(first, second)], "rules"],
    ["whatever the order", both, [rule(first, second), mode], "rules"],
    ["leaves the ask if one touch is not covered", both, [mode, rule(first)], "mode"],
    ["two rules may cover the call together", both, [mode, rule(first), rule(second)], "rules"],
    ["answers an ask about one touch by covering that one", both, [about(second), rule(second)], "rules"],
    ["but not by covering another", both, [about(second), rule(first)], "secret-files"],
    ["every touch of an ask must be covered", both, [about(first, second), rule(second)], "secret-files"],
    ["answers each ask by itself", both, [mode, about(first), rule(first, second)], "rules"],
    ["the ask that is left decides", both, [mode, about(touch("third")), rule(first, second)], "secret-files"],
    ["never a firm ask", both, [mode, firm, rule(first, second)], "trust"],
    ["never a deny", both, [mode, deny, rule(first, second)], "paths"],
  ];
  test.each(table)("%s", (_, touches, said, by) => {
    expect(verdictOf(touches, ...said)).toMatchObject({
      by,
      answer: said.find((each) => each.by === by)?.answer ?? "allow",
    });
  });

  test("what it covers stays inside the judgement", () => {
    const verdict = verdictOf(both, mode, rule(first, second));
    expect(Object.keys(verdict).sort()).toEqual(["answer", "by", "reason"]);
  });

  test("what is left to ask about is told, of all asks together", () => {
    expect(verdictOf(both, about(first), rule(second)).about).toEqual([first]);
    expect(verdictOf(both, mode, about(first)).about).toEqual([first, second]);
    expect(verdictOf(both, mode, about(first), rule(first)).about).toEqual([first, second]);
  });
});

describe("notes for the model", () => {
  test("of all policies, whatever the verdict", () => {
    const noted: Condition = { by: "code-rules", notes: ["no console.log"] };
    expect(verdictOf([], { ...mode, notes: ["one"] }, noted)).toMatchObject({
      answer: "ask",
      notes: ["one", "no console.log"],
    });
  });
  test("a policy that says neither an answer nor a condition has failed", () => {
    expect(verdictOf([], { by: "empty" })).toMatchObject({ answer: "deny", by: "empty" });
  });
});
