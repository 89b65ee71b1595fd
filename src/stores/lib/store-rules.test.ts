import { describe, expect, test } from "vitest";
import type { Hold, HoldMode } from "../../core/contracts/store/holds.ts";
import { OPEN_PLANS, type PlannedCall } from "../../core/contracts/store/plans.ts";
import type { RecordQuery } from "../../core/contracts/store/records.ts";
import { checkTime, holdInTheWay, mayLetGo, sameHold } from "./hold-conflicts.ts";
import { movedPlan } from "./moved-plan.ts";
import { matcherOf, type Numbered } from "./record-query.ts";
import { checkTakes, firstFull, sumOf, unfolded } from "./room.ts";

describe("holds", () => {
  const hold = (mode: HoldMode, resources = ["/a/**"], more: Partial<Hold> = {}): Hold => ({
    ...{ token: "t", space: "paths", resources, shown: "a", mode, session: "s", agent: "x", since: 0, until: 9 },
    ...more,
  });
  const you = { session: "s", agent: "y" };
  const inWay = (
    existing: Hold[],
    mode: HoldMode,
    resources = ["/a/b"],
    by: object = you,
    space: "paths" | "names" = "paths",
  ) => holdInTheWay(space, { resources, mode }, by as typeof you, existing) !== undefined;

  test.each<[HoldMode, HoldMode, boolean]>([
    ["read", "read", false],
    ["read", "write", false],
    ["write", "read", false],
    ["write", "write", true],
    ["exclusive", "read", true],
    ["read", "exclusive", true],
    ["exclusive", "exclusive", true],
  ])("%s of another and %s: in the way is %s", (theirs, mine, isInTheWay) =>
    expect(inWay([hold(theirs)], mine)).toBe(isInTheWay),
  );

  test("only of others: an agent in its session, and those it works for, are passed", () => {
    const own = [hold("exclusive")];
    expect(inWay(own, "write", ["/a/b"], { session: "s", agent: "x" })).toBe(false);
    expect(inWay(own, "write", ["/a/b"], { session: "other", agent: "x" })).toBe(true);
    expect(inWay(own, "write", ["/a/b"], { ...you, above: [{ session: "s", agent: "x" }] })).toBe(false);
    expect(inWay(own, "write", ["/a/b"], { ...you, above: [{ session: "s", agent: "z" }] })).toBe(true);
  });

  test("only where they meet: globs for paths, the very same for names", () => {
    expect(inWay([hold("write")], "write", ["/b", "/a/c"])).toBe(true);
    expect(inWay([hold("write")], "write", ["/b"])).toBe(false);
    const name = hold("write", ["a*"], { space: "names" });
    expect(inWay([name], "write", ["ab"], you, "names")).toBe(false);
    expect(inWay([name], "write", ["a*"], you, "names")).toBe(true);
    expect(inWay([name], "write", ["a*"], you, "paths")).toBe(false);
  });

  test("the same one is by the same keeper, of the same space and on all of the same", () => {
    const theirs = hold("write", ["/a", "/b"]);
    const same = (resources: string[], by = { session: "s", agent: "x" }, space: "paths" | "names" = "paths") =>
      sameHold(space, { resources, shown: "", mode: "read" }, by, [theirs]) === theirs;
    expect(same(["/b", "/a"])).toBe(true);
    expect([same(["/a"]), same(["/a", "/b", "/c"]), same(["/a", "/c"])]).toEqual([false, false, false]);
    expect([same(["/a", "/b"], you), same(["/a", "/b"], undefined, "names")]).toEqual([false, false]);
  });

  test("are let go of by their keeper, or by a person", () => {
    expect(mayLetGo(hold("read"), undefined)).toBe(true);
    expect(mayLetGo(hold("read"), { session: "s", agent: "x" })).toBe(true);
    expect(mayLetGo(hold("read"), you)).toBe(false);
    expect(mayLetGo(hold("read"), { session: "other", agent: "x" })).toBe(false);
  });

  test.each([0, -1, Number.NaN])("%d ms is no time", (time) => expect(() => checkTime(time)).toThrow(RangeError));
  test("a millisecond is", () => expect(() => checkTime(1)).not.toThrow());
});

describe("a planned call in its next state", () => {
  const TOKEN = `ghp_${"a1B2".repeat(9)}`;
  const call = {
    id: "p",
    state: "planned",
    args: { text: TOKEN },
    touches: [],
    diff: `+${TOKEN}`,
  } as unknown as PlannedCall;

  test.each(OPEN_PLANS)("%s: it will be run as it was planned", (state) =>
    expect(movedPlan(call, state)).toMatchObject({ state, args: { text: TOKEN }, diff: `+${TOKEN}` }),
  );

  test("that is over keeps no secrets", () => {
    const over = movedPlan(call, "done" as PlannedCall["state"]);
    expect(JSON.stringify(over)).not.toContain(TOKEN);
    expect(over.state).toBe("done");
  });

  test("keeps what went wrong until it is told that nothing did", () => {
    const failed = movedPlan(call, OPEN_PLANS[0] as PlannedCall["state"], { error: { code: "X" } } as never);
    expect(failed).toMatchObject({ error: { code: "X" } });
    expect(movedPlan(failed, OPEN_PLANS[0] as PlannedCall["state"])).toMatchObject({ error: { code: "X" } });
    expect(movedPlan(failed, OPEN_PLANS[0] as PlannedCall["state"], { error: null } as never)).not.toHaveProperty(
      "error",
    );
  });
});

describe("which records a query means", () => {
  const record = {
    session: "s",
    workspace: "w",
    tool: "t",
    status: "ok",
    at: 10,
    seq: 5,
    message: "m",
    call: "c",
    parent: "p",
  };
  test.each<[query: RecordQuery, meets: boolean]>([
    [{}, true],
    [{ since: 9 }, true],
    [{ since: 10 }, false],
    [{ until: 11 }, true],
    [{ until: 10 }, false],
    [{ after: 4 }, true],
    [{ after: 5 }, false],
    [{ before: 6 }, true],
    [{ before: 5 }, false],
    ...(["session", "workspace", "message", "call", "parent", "status", "tool"] as const).flatMap(
      (field): [RecordQuery, boolean][] => [
        [{ [field]: record[field] }, true],
        [{ [field]: "other" }, false],
      ],
    ),
    [{ session: "s", tool: "other" }, false],
    [{ session: "s", since: 10 }, false],
  ])("%j: %s", (query, meets) => expect(matcherOf(query)(record as unknown as Numbered)).toBe(meets));
});

describe("room within limits", () => {
  const full = (
    takes: Parameters<typeof firstFull>[0],
    used: number,
    taken: { amount: number; at: number }[] = [],
    now = 100,
  ) => firstFull(takes, () => ({ used, taken: () => taken }), now);

  test.each([
    [10, 9, 1, true],
    [10, 10, 1, false],
    [10, 9, 1.5, false],
    [10, 10, 0, true],
    [0, 0, 0, false],
    [0, 0, 1, false],
    [-1, 0, 0, false],
    [0.3, 0.2, 0.1, true],
  ])("a limit of %d with %d used has room for %d: %s", (limit, used, amount, room) =>
    expect(full([{ key: "k", limit, amount }], used) === undefined).toBe(room),
  );

  test("takes of one key count together, those of others do not", () => {
    const take = (key: string) => ({ key, limit: 2, amount: 1 });
    expect(full([take("a"), take("a")], 0)).toBeUndefined();
    expect(full([take("a"), take("a"), take("a")], 0)).toMatchObject({ used: 2, full: { key: "a" } });
    expect(full([take("a"), take("b"), take("c")], 0)).toBeUndefined();
  });

  test("when there is room again is told where a window passes", () => {
    const taken = [
      { amount: 1, at: 50 },
      { amount: 1, at: 60 },
    ];
    const take = { key: "k", limit: 2, amount: 1 };
    expect(full([{ ...take, window: 70 }], 2, taken)).toMatchObject({ used: 2, freeIn: 20 });
    expect(full([{ ...take, amount: 2, window: 70 }], 2, taken)).toMatchObject({ freeIn: 30 });
    expect(full([{ ...take, window: 10 }], 2, taken)).toMatchObject({ freeIn: 0 });
    expect(full([take], 2, taken)).not.toHaveProperty("freeIn");
    expect(full([{ ...take, amount: 3, window: 70 }], 2, taken)).not.toHaveProperty("freeIn");
    // what is taken along with it counts from now on
    expect(
      full(
        [
          { ...take, window: 70 },
          { ...take, window: 70 },
        ],
        1,
        [{ amount: 1, at: 50 }],
      ),
    ).toMatchObject({
      ...{ used: 2, freeIn: 20 },
    });
    const along = [
      { ...take, window: 70 },
      { ...take, amount: 2, window: 70 },
    ];
    expect(full(along, 1, [{ amount: 1, at: 50 }])).toMatchObject({ used: 2, freeIn: 70 });
    expect(sumOf(taken)).toBe(2);
  });

  test("what counts once counts once, by its own key", () => {
    const take = { key: "k", limit: 5, amount: 2, once: "x" };
    const none = () => 0;
    expect(unfolded([take], none)).toEqual([take, { key: "k once x", limit: 1, amount: 1 }]);
    expect(unfolded([take, take], none).map(({ amount }) => amount)).toEqual([2, 1, 0]);
    expect(unfolded([take], (key) => (key === "k once x" ? 1 : 0)).map(({ amount }) => amount)).toEqual([0]);
    const { once, ...plain } = take;
    expect(unfolded([plain], () => 9)).toEqual([plain]);
  });

  test.each<[amount: number, window: number | undefined, ok: boolean]>([
    [0, undefined, true],
    [1, 0, true],
    [-1, undefined, false],
    [Number.NaN, undefined, false],
    [Number.POSITIVE_INFINITY, undefined, false],
    [1, -1, false],
    [1, Number.NaN, false],
  ])("%d within %s ms can be reserved: %s", (amount, window, ok) => {
    const check = () => checkTakes([{ key: "k", limit: 1, amount, ...(window !== undefined && { window }) }]);
    if (ok) expect(check).not.toThrow();
    else {
      const within = window === undefined ? "" : ` within ${window} ms`;
      const message = `${amount} of k cannot be reserved${within}.`;
      expect(check).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", message }));
    }
  });
});
