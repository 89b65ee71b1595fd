import { expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Touch } from "../core/words/touch.ts";
import { type Rule, type RuleKind, readRule, type WrittenRule } from "../rules/rule.ts";
import { rules } from "./rules.ts";

const rule = (kind: RuleKind, written: WrittenRule): Rule => {
  const found = readRule(kind, written);
  if ("problem" in found) throw new Error(found.problem);
  return found;
};
const ALL = [
  rule("deny", { rule: "write(kept/**)", reason: "it is kept" }),
  rule("deny", "read(secret/**)"),
  rule("ask", "write(conf/**)"),
  rule("ask", { rule: "fetch(docs.test)", reason: "it leaves the machine" }),
  rule("allow", { rule: "write(src/**)", reason: "it is work" }),
  rule("allow", "write(test/**)"),
];
const judge = (touches: Touch[], all: readonly Rule[] = ALL) =>
  rules({ rules: all, now: () => 0 }).judge(ready({ touches, danger: "moderate" }), factsUnder({ mode: "yolo" }));

test.each<[what: string, touches: Touch[], answer: "allow" | "ask" | "deny" | undefined, reason: string]>([
  [
    "denied",
    [at("write", "kept/a")],
    "deny",
    'the rule "deny: write(kept/**)" forbids this (write kept/a): it is kept',
  ],
  ["denied without a reason", [at("read", "secret/a")], "deny", 'the rule "deny: read(secret/**)" forbids this (read'],
  ["denied after others", [at("write", "src/a"), at("write", "kept/a")], "deny", "forbids this"],
  ["asked about", [at("write", "conf/a")], "ask", 'the rule "ask: write(conf/**)" asks about this (write conf/a)'],
  [
    "asked about with a reason",
    [{ action: "fetch", url: "https://docs.test/", method: "GET" }],
    "ask",
    'the rule "ask: fetch(docs.test)" asks about this (fetch GET https://docs.test/): it leaves the machine',
  ],
  ["allowed", [at("write", "src/a")], "allow", 'the rule "allow: write(src/**)" allows it: it is work'],
  [
    "allowed by two",
    [at("write", "src/a"), at("write", "test/a")],
    "allow",
    'the rules "allow: write(src/**)" and "allow: write(test/**)" allow it',
  ],
  ["of no rule", [at("write", "a")], undefined, ""],
  ["read where writing is ruled", [at("read", "kept/a")], undefined, ""],
])("what is %s", (_, touches, answer, reason) => {
  const verdict = judge(touches);
  expect(verdict?.answer).toBe(answer);
  if (answer) expect(verdict?.reason).toContain(reason);
  if (answer) expect(verdict).not.toHaveProperty("exclude");
});

test("a reason ends where nothing more was written", () => {
  expect(judge([at("write", "conf/a")])?.reason).toBe('the rule "ask: write(conf/**)" asks about this (write conf/a)');
  expect(judge([at("write", "test/a")])?.reason).toBe('the rule "allow: write(test/**)" allows it');
});

test("a rule for commands says no more than the rule: the command is shown beside it", () => {
  const all = [rule("deny", "run(git push *)")];
  const touch = { ...run(), command: "git push origin" } as Touch;
  const verdict = judge([touch], all);
  expect(verdict?.answer).not.toBe("allow");
  expect(verdict?.reason).toContain('"deny: run(git push *)"');
  expect(verdict?.reason).not.toContain("run (dev)");
});

test("a rule for a tool is about the whole call", () => {
  expect(judge([at("write", "a")], [rule("deny", "thing")])?.reason).toBe('the rule "deny: thing" forbids this');
});

test("what may be denied and cannot be decided is asked about", () => {
  expect(judge([run(at("read", "/ws", { scope: "**" }))])).toEqual({
    answer: "ask",
    by: "rules",
    reason:
      'the rule "deny: read(secret/**)" may apply to this (read /ws/** (/ws)), and that cannot be decided for certain',
  });
});

test("a search leaves out what must not be read, whatever else is said of it", () => {
  expect(judge([at("list", ".", { scope: "**" })])).toEqual({
    answer: "allow",
    by: "rules",
    reason: "paths that a rule forbids are left out",
    exclude: ["secret/**"],
  });
  const search = at("read", ".", { scope: "**" });
  const more = (kind: RuleKind) => judge([search], [...ALL, rule(kind, "read(**)")]);
  expect(more("allow")).toMatchObject({ answer: "allow", exclude: ["secret/**"], covers: new Set([search]) });
  expect(more("ask")).toMatchObject({ answer: "ask", exclude: ["secret/**"] });
});
