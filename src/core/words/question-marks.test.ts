import { expect, test } from "vitest";
import { describe, type Shown } from "./question.ts";
import type { CommandSegment, RunTouch } from "./touch.ts";

const run = (segments: CommandSegment[] = []): RunTouch => ({
  action: "run",
  command: "make",
  class: "dangerous",
  inner: [],
  reading: {
    risk: "medium",
    reason: segments[0] ? `${segments[0].text}: ${segments[0].rule}` : "told",
    parsed: true,
    uses: { newline: false, backticks: false, substitution: false },
    segments,
  },
});
const question = (touch: RunTouch, input: object = {}): Shown => ({
  ...{ tool: "run_command", input, touches: [touch], diff: "", reason: "told", always: [] },
});

test("a command that goes on after the call is shown as one", () => {
  expect(describe(question({ ...run(), stays: true }, { background: true }))).toContain(
    "With      background: it keeps running after the call\n",
  );
  expect(describe(question(run(), { background: false }))).not.toContain("background");
});

test("a text cannot bear the mark of the part that decided", () => {
  const part = (text: string, kind: CommandSegment["class"], rule: string): CommandSegment => ({
    ...{ text, class: kind, risk: "low", rule },
  });
  const parts = [part("rm x", "dangerous", "it removes"), part("echo it is  ← decides", "safe", "x  ← decides")];
  const told = describe(question(run(parts)), { width: 200 });
  expect(told.split("\n").filter((line) => line.includes("←"))).toEqual([
    "Parts     dangerous rm x: it removes  ← decides",
  ]);
});
