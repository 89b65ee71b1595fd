import { expect, test } from "vitest";
import { at, factsUnder, ready } from "../../test/judging.ts";
import type { CallRecord } from "../core/contracts/store/records.ts";
import type { Touch } from "../core/words/touch.ts";
import { testsAfterEdits, untested } from "./tests-after-edits.ts";

const edit = { touches: [at("write", "a")], changed: true };
const command = (line: string, changed = false) => ({
  touches: [{ action: "run", command: line, class: "dev", inner: [] } as Touch],
  changed,
});
const tests = command("npm test");
const past = (...calls: { touches: Touch[]; changed: boolean; status?: string }[]) => {
  const facts = factsUnder({ mode: "yolo" });
  for (const each of calls) facts.noteEnd({ tool: "t", input: {}, status: "done", ...each } as unknown as CallRecord);
  return facts;
};
/** A command whose line says something else than its words. */
const read = (words: string, line: string): Touch => ({
  ...{ action: "run", command: line, class: "dev", inner: [] },
  reading: {
    ...{ risk: "low", reason: "", parsed: true, uses: { newline: false, backticks: false, substitution: false } },
    segments: [
      { text: words, program: words.split(" ")[0] ?? "", class: "dev", risk: "low", rule: "", words: words.split(" ") },
    ],
  },
});
const times = (count: number) => Array.from({ length: count }, () => edit);

test.each<[what: string, calls: Parameters<typeof past>, count: number]>([
  ["nothing was done", [], 0],
  ["edits", times(3), 3],
  ["edits, and the tests", [...times(3), tests], 0],
  ["the tests, then an edit", [...times(3), tests, edit], 1],
  ["tests that failed are tests", [edit, { ...tests, status: "failed" }], 0],
  ["tests that were refused are none", [edit, { ...tests, status: "refused" }], 1],
  ["another command", [edit, command("npm run build")], 1],
  ["a command that changed files", [command("sed -i s/a/b/ a", true)], 1],
  [
    "tests among other commands of a call",
    [edit, { touches: [...command("npm run build").touches, ...tests.touches], changed: false }],
    0,
  ],
  [
    "tests inside a command",
    [edit, { touches: [{ ...command("x").touches[0], inner: tests.touches } as Touch], changed: false }],
    0,
  ],
  ["tests by the words that were read", [edit, { touches: [read("npm test", "x")], changed: false }], 0],
  ["words of a test that are not run", [edit, { touches: [read("echo", "npm test")], changed: false }], 1],
  ["an edit that changed nothing", [{ ...edit, changed: false }], 0],
])("%s: %s", (_, calls, count) => expect(untested(past(...calls))).toBe(count));

test.each<[count: number, answer: "told" | "deny" | undefined]>([
  [4, undefined],
  [5, "told"],
  [19, "told"],
  [20, "deny"],
])("after %d changes: %s", (count, answer) => {
  const facts = past(...times(count));
  const verdict = testsAfterEdits(true).judge(ready({ touches: edit.touches }), facts);
  expect(verdict?.answer).toBe(answer === "deny" ? "deny" : undefined);
  expect(verdict?.notes !== undefined).toBe(answer === "told");
  for (const touches of [[at("delete", "a")], [at("read", "b"), at("write", "a")]])
    expect(testsAfterEdits(true).judge(ready({ touches }), facts)?.answer).toBe(answer === "deny" ? "deny" : undefined);
  for (const touches of [tests.touches, [at("read", "a")], []])
    expect(testsAfterEdits(true).judge(ready({ touches }), facts), "others are left alone").toBeUndefined();
  expect(testsAfterEdits(false).judge(ready({ touches: edit.touches }), facts)).toBeUndefined();
});
