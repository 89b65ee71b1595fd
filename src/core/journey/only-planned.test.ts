import { describe, expect, test } from "vitest";
import { at, ready as readyFor } from "../../../test/judging.ts";
import type { PlannedCall } from "../contracts/store/plans.ts";
import type { Ready } from "../words/ready.ts";
import type { RunTouch, Touch } from "../words/touch.ts";
import type { PlanSoFar } from "./plan-so-far.ts";
import { isOnlyPlanned, withDoubt } from "./planning.ts";
import type { Prepared } from "./stages.ts";

type Plan = Pick<PlanSoFar, "blind" | "isSeen" | "differs">;
const planOf = (changed: readonly string[] = [], blind: object[] = []): PlanSoFar =>
  ({
    blind: blind as PlannedCall[],
    isSeen: changed.length > 0,
    differs: ({ shown }) => changed.includes(shown),
  }) satisfies Plan as unknown as PlanSoFar;
const run = (more: Partial<RunTouch> = {}): RunTouch => ({
  action: "run",
  command: "cat a",
  class: "safe",
  inner: [],
  ...more,
});
const followsLinks = { reading: { followsLinks: true } as never };
const unknown = (...permissions: ("read" | "write")[]): Touch => ({ action: "unknown", permissions });

describe("what is kept instead of being done", () => {
  test.each<[string, Touch[], Partial<Ready>, changed: string[], kept: boolean]>([
    ["a change", [at("write", "a")], {}, [], true],
    ["a read", [at("read", "a")], {}, ["a"], false],
    ["nothing at all", [], {}, ["a"], false],
    ["what nobody knows", [unknown()], { danger: "moderate" }, [], true],
    ["what nobody knows, called safe by its tool", [unknown()], { danger: "safe" }, [], false],
    ["the same beside a change", [unknown(), at("write", "a")], { danger: "safe" }, [], true],
    ["a command that changes something", [run({ class: "dev" })], {}, [], true],
    ["a command that only reads", [run({ inner: [at("read", "a")] })], {}, [], false],
    ["a command that only reads, and goes on", [run({ stays: true })], {}, [], true],
    ["one that reads what is planned", [run({ inner: [at("read", "a")] })], {}, ["a"], true],
    ["one that reads other files", [run({ inner: [at("read", "b")] })], {}, ["a"], false],
    ["one that runs one that reads it", [run({ inner: [run({ inner: [at("read", "a")] })] })], {}, ["a"], true],
    ["one behind links", [run({ ...followsLinks, inner: [at("read", "b")] })], {}, ["a"], true],
    ["one behind links, and nothing is planned", [run({ ...followsLinks, inner: [at("read", "b")] })], {}, [], false],
    ["one of git", [run({ command: "git log", inner: [at("read", "b")] })], {}, ["a"], true],
    ["one that looks at whatever it finds", [run({ inner: [at("read", "b"), unknown("read")] })], {}, ["a"], true],
    ["one of git that reads nothing", [run({ command: "git --version" })], {}, ["a"], false],
    ["one beside another", [at("read", "b"), run({ inner: [at("read", "a")] })], {}, ["a"], true],
  ])("%s", (_, touches, more, changed, kept) => {
    expect(isOnlyPlanned({ ...readyFor({ touches }), ...more }, planOf(changed))).toBe(kept);
  });
});

describe("what nobody can know because of what is planned", () => {
  const deed = (tool: string, ...touches: Touch[]) => ({ tool, touches });
  const make = deed("run_command", run({ command: "make all\n# more", class: "dev" }));
  const DOUBT = "What that would change is not known and not shown here.]";
  test.each<[string, Touch[], object[], string[]]>([
    ["nothing is planned", [at("read", "a")], [], []],
    ["a read", [at("read", "a")], [make], [`[Planned and not run: make all. ${DOUBT}`]],
    [
      "a read beside something else",
      [unknown("read"), at("read", "a")],
      [make],
      [`[Planned and not run: make all. ${DOUBT}`],
    ],
    ["a command", [run()], [make], [`[Planned and not run: make all. ${DOUBT}`]],
    ["what looks at no files", [unknown("read")], [make], []],
    ["a tool by its name", [at("list", ".")], [deed("deploy", unknown())], [`[Planned and not run: deploy. ${DOUBT}`]],
    ["a tool without touches", [at("list", ".")], [deed("deploy")], [`[Planned and not run: deploy. ${DOUBT}`]],
    [
      "three of them",
      [at("read", "a")],
      [make, deed("x"), deed("y")],
      [`[Planned and not run: make all; x; y. ${DOUBT}`],
    ],
    [
      "many of them",
      [at("read", "a")],
      [make, deed("x"), deed("y"), deed("z"), deed("w")],
      [`[Planned and not run: make all; x; y and 2 more. ${DOUBT}`],
    ],
  ])("%s", (_, touches, blind, notes) => {
    const ready = { ...readyFor({ touches }), notes: ["before"] };
    const prepared: Prepared = { ready, verdict: { answer: "allow", by: "", reason: "" } };
    expect(withDoubt(prepared, planOf([], blind)).ready.notes).toEqual(["before", ...notes]);
  });
});
