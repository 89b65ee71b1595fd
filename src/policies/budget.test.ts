import { describe, expect, test } from "vitest";
import { at, factsUnder, ready } from "../../test/judging.ts";
import type { Limits } from "../core/words/ceiling.ts";
import { budget } from "./budget.ts";

const reads = [at("read", "a.txt")];
const writes = [at("write", "a.txt")];

const wanted = (touches: typeof reads, ...limits: Limits[]) =>
  budget
    .judge(
      ready({ touches }),
      factsUnder(
        { mode: "yolo" },
        limits.map((each, index) => ({ session: `s${index}`, limits: each })),
      ),
    )
    ?.reserve?.map(({ session, key, limit, window }) => [session, key, limit, window]);

describe("what a call counts against", () => {
  test.each([
    ["nothing without limits", reads, [], undefined],
    ["nothing where no limit is set", writes, [{}], undefined],
    [
      "a read counts as a call alone",
      reads,
      [{ maxCalls: 3, maxChanges: 2, maxActionsPerHour: 1 }],
      [["s0", "calls", 3, undefined]],
    ],
    [
      "a change counts as call, change and action",
      writes,
      [{ maxCalls: 3, maxChanges: 2, maxActionsPerHour: 1 }],
      [
        ["s0", "calls", 3, undefined],
        ["s0", "changes", 2, undefined],
        ["s0", "actions", 1, 3_600_000],
      ],
    ],
    [
      "on its own session and on those above",
      writes,
      [{ maxCalls: 0 }, { maxChanges: 1 }],
      [
        ["s0", "calls", 0, undefined],
        ["s1", "changes", 1, undefined],
      ],
    ],
  ] as [string, typeof reads, Limits[], unknown][])("%s", (_, touches, limits, expected) => {
    expect(wanted(touches, ...limits)).toEqual(expected);
  });

  test("it never says that a call may be made", () => {
    const facts = factsUnder({ mode: "yolo" }, [{ session: "s", limits: { maxCalls: 1 } }]);
    expect(budget.judge(ready({ touches: reads }), facts)?.answer).toBeUndefined();
  });

  test("says what is used up, what is not open at all, and what a model may still take", () => {
    const full = (limits: Limits) =>
      budget
        .judge(ready({ touches: writes }), factsUnder({ mode: "yolo" }, [{ session: "s", limits }]))
        ?.reserve?.map((each) => [each.key, each.full]);
    expect(full({ maxCalls: 3, maxChanges: 2, maxActionsPerHour: 1 })).toEqual([
      ["calls", "all 3 calls of this session are used up"],
      ["changes", "all 2 changes of this session are used up"],
      ["actions", "rate limit exceeded: the limit is 1 per hour for calls that change something"],
    ]);
    expect(full({ maxCalls: 0, maxChanges: 0 })).toEqual([
      ["calls", "this session may make no calls"],
      ["changes", "this session may make no changes"],
    ]);
    expect(full({ maxTokens: 5, maxCost: 2 })?.map(([key]) => key)).toEqual(["tokens", "cost"]);
  });
});
