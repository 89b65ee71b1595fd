import { expect, test } from "vitest";
import { factsUnder, ready } from "../../test/judging.ts";
import type { Change } from "../core/contracts/workspace.ts";
import type { Proposed } from "../core/words/tool.ts";
import { codeRules } from "./code-rules.ts";

const policy = codeRules([
  { pattern: "console\\.log\\(", message: "use the logger", severity: "warn" },
  { pattern: "\\beval\\(", message: "no eval", severity: "block" },
  { pattern: "except:\\s+pass", message: "handle it", severity: "block" },
]);
const bytes = (text: string | null) => (text === null ? null : new TextEncoder().encode(text));
const change = (before: string | null, after: string | null, shown = "a.ts"): Change => ({
  ...{ before: bytes(before), after: bytes(after) },
  place: { shown, real: `/ws/${shown}`, root: "/ws", exists: before !== null },
});
const judge = (...changes: Proposed[]) => policy.judge({ ...ready({}), changes }, factsUnder({ mode: "yolo" }));

test.each<[what: string, before: string | null, after: string | null, answer: "deny" | "told" | undefined]>([
  ["a new file", null, "x = eval(1)\n", "deny"],
  ["a new file that is fine", null, "x = evaluate(1)\n", undefined],
  ["a new line", "a\n", "a\neval(1)\n", "deny"],
  ["what was there before", "eval(1)\na\n", "eval(1)\nb\n", undefined],
  ["what was there, further down now", "eval(1)\n", "a\nb\neval(1)\n", undefined],
  ["what was there, indented", "eval(1)\n", "if (x) {\n  eval(1)\n}\n", undefined],
  ["what was there, in a line that is changed elsewhere", "eval(1) // a\n", "eval(1) // b\n", undefined],
  ["a comment that is none any more", "//eval(1)\n", "eval(1)\n", "deny"],
  ["over two lines, of which one was there", "except:\n", "except:\n  pass\n", "deny"],
  ["a file that goes", "eval(1)\n", null, undefined],
  ["behind a NUL byte, which makes a file binary", null, "\0\0\u0001\0eval(1)", "deny"],
  ["binary as before", "\0eval(1)", "\0\u0001eval(1)", undefined],
  ["a warning", "a\n", "a\nconsole.log(1)\n", "told"],
])("%s", (_, before, after, answer) => {
  const verdict = judge(change(before, after));
  expect(verdict?.answer).toBe(answer === "deny" ? "deny" : undefined);
  expect(verdict?.notes?.length).toBe(answer === "told" ? 1 : undefined);
});

test("an undo is told what it brings back, and not refused; a redo is a write", () => {
  const undone = { ...change("a\n", "eval(1)\n"), undoes: [1] };
  expect(judge(undone)).toEqual({ by: "guardrails", notes: [expect.stringContaining("a.ts:1: no eval")] });
  expect(judge({ ...undone, undoes: undefined, redoes: [1] } as never)).toMatchObject({ answer: "deny" });
  expect(judge(undone, change(null, "eval(1)", "b.ts")), "beside a write").toMatchObject({ answer: "deny" });
  expect(judge({ ...change("a\n", `eval(1)\n${"x".repeat(1_000_000)}`), undoes: [1] }), "too long").toBeUndefined();
  const longest = `eval(1)\n${"x".repeat(1_000_000 - 8)}`;
  expect(judge({ ...change("a\n", longest), undoes: [1] })?.notes, "of the greatest length").toHaveLength(1);
});

test("a refusal says what to do about it", () => {
  expect(judge(change(null, "eval(1)"))).toMatchObject({ next: "Write it in a way that follows the rule." });
});

test("says where, what and why, for every file", () => {
  expect(judge(change(null, "a\n\neval(1)"))?.reason).toBe(
    "Code rule blocked by guardrail: a.ts:3: no eval (pattern: \\beval\\()",
  );
  const verdict = judge(change(null, "console.log(1)"), change("x", "x\nconsole.log(2)\n", "b.ts"));
  expect(verdict?.notes).toEqual([
    "[Code rule: a.ts:1: use the logger (pattern: console\\.log\\()]",
    "[Code rule: b.ts:2: use the logger (pattern: console\\.log\\()]",
  ]);
});

test("what is too long to be looked through is not let through", () => {
  expect(judge(change(null, "a".repeat(1_000_001)))).toMatchObject({
    answer: "deny",
    reason: "a.ts is too long to check against guardrails.code_rules",
    next: "Write it in smaller pieces.",
  });
  expect(judge(change(null, "a".repeat(1_000_000)))).toBeUndefined();
  const warns = codeRules([{ pattern: "a", message: "m", severity: "warn" }]);
  expect(
    warns.judge({ ...ready({}), changes: [change(null, "a".repeat(1_000_001))] }, factsUnder({ mode: "yolo" })),
  ).toBeUndefined();
});
