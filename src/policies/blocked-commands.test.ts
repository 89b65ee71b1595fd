import { expect, test } from "vitest";
import { at, factsUnder, ready, run } from "../../test/judging.ts";
import type { Touch } from "../core/words/touch.ts";
import { runClaim } from "../tools/lib/run-claim.ts";
import { boundedPatterns } from "../workspaces/bounded-patterns.ts";
import { blockedCommands } from "./blocked-commands.ts";

const PATTERNS = ["git\\s+push.*--force", "^npm publish\\b", "drop\\s+table", "x(?!y)z"];
const policy = blockedCommands({ blockedCommands: PATTERNS, tryPatterns: boundedPatterns });

test.each<[command: string, blocked: boolean]>([
  ["git push --force", true],
  ["GIT PUSH origin main --FORCE", true],
  ["git push", false],
  ["ls && git push origin --force", true],
  ["git  'push' origin \"--force\"", true],
  ["git push \\\n  --force", true],
  ["g=git; $g push --force", true],
  ["bash -c 'git push --force'", true],
  ["cd x; npm publish", true],
  ["env A=1 npm publish", true],
  ["npm publisher", false],
  ["psql -c 'DROP   TABLE users'", true],
  ["xz", true],
  ["ls -la", false],
])("%s: %s", async (command, blocked) => {
  const claim = await runClaim({}, command);
  const touch = { ...claim, inner: [] } as unknown as Touch;
  const verdict = policy.judge(ready({ touches: [at("read", "a"), touch] }), factsUnder({ mode: "yolo" }));
  expect(verdict?.answer).toBe(blocked ? "deny" : undefined);
  if (blocked) expect(verdict?.reason).toMatch(/^Command blocked by guardrail: matches '.+'$/);
});

test("a pattern that takes forever refuses what it is tried on", () => {
  const slow = blockedCommands({ blockedCommands: ["(a+)+$"], tryPatterns: boundedPatterns });
  const touch = { ...run(), command: `${"a".repeat(40)}!` } as Touch;
  expect(slow.judge(ready({ touches: [touch] }), factsUnder({ mode: "yolo" }))).toMatchObject({
    answer: "deny",
    reason: "it takes too long to match against guardrails.blocked_commands",
  });
});

test("a command whose words nobody knows is held against its text", () => {
  const segments = [{ text: "npm publish", class: "dev", risk: "low", rule: "" }];
  const touch = { ...run(), command: "cd x; npm publish", reading: { segments } } as unknown as Touch;
  expect(policy.judge(ready({ touches: [touch] }), factsUnder({ mode: "yolo" }))?.answer).toBe("deny");
});

test.each<[pattern: string, command: string, blocked: boolean]>([
  ["drop\\s+table", "drop \\\n  table", true],
  ["one\\ntwo", "one\ntwo", true],
  ["one two", "one\ntwo", true],
  ["one two", "one\n\ttwo", true],
  ["one two", "one three", false],
])("%j and a command that nobody read, %j", (pattern, command, blocked) => {
  const made = blockedCommands({ blockedCommands: [pattern], tryPatterns: boundedPatterns });
  const touch = { ...run(), command } as Touch;
  expect(made.judge(ready({ touches: [touch] }), factsUnder({ mode: "yolo" }))?.answer).toBe(
    blocked ? "deny" : undefined,
  );
});
