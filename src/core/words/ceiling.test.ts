import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AUTONOMIES, type Ceiling, type Limits, MODES, meet, Purse } from "./ceiling.ts";
import { PERMISSIONS } from "./touch.ts";

const tools = fc.subarray(["a", "b", "c", "d"]);
const permissions = fc.subarray([...PERMISSIONS]);
const part = fc.record(
  {
    mode: fc.constantFrom(...MODES),
    autonomy: fc.constantFrom(...AUTONOMIES),
    tools,
    permissions,
    plan: fc.boolean(),
    dryRun: fc.boolean(),
  },
  { requiredKeys: [] },
);
const whole = fc.tuple(fc.constantFrom(...MODES), part).map(([mode, rest]): Ceiling => ({ mode, ...rest }));

/** Whether the first allows nothing that the second does not. */
function isWithin(a: Ceiling, b: Partial<Ceiling>): boolean {
  const asStrict = <T>(order: readonly T[], own: T | undefined, least: T | undefined) =>
    least === undefined || (own !== undefined && order.indexOf(own) >= order.indexOf(least));
  const asFew = <T>(own: readonly T[] | undefined, most: readonly T[] | undefined) =>
    most === undefined || (own?.every((each) => most.includes(each)) ?? false);
  return (
    asStrict(MODES, a.mode, b.mode) &&
    asStrict(AUTONOMIES, a.autonomy, b.autonomy) &&
    asFew(a.tools, b.tools) &&
    asFew(a.permissions, b.permissions) &&
    (!b.plan || a.plan === true) &&
    (!b.dryRun || a.dryRun === true)
  );
}

describe("what stands below", () => {
  test("is within every ceiling above it, however they are put together", () => {
    fc.assert(
      fc.property(whole, fc.array(part, { maxLength: 6 }), (first, below) => {
        let met = first;
        const above: Partial<Ceiling>[] = [first];
        for (const own of below) {
          met = meet(met, own);
          above.push(own);
          for (const each of above) expect(isWithin(met, each)).toBe(true);
        }
      }),
    );
  });

  test("has all that both allow, and no more strictness than either brings", () => {
    fc.assert(
      fc.property(whole, part, (a, b) => {
        const met = meet(a, b);
        expect([a.mode, b.mode]).toContain(met.mode);
        expect([a.autonomy, b.autonomy]).toContain(met.autonomy);
        const both = (a.tools ?? b.tools)?.filter((each) => (b.tools ?? [each]).includes(each));
        expect(met.tools).toEqual(both);
        expect(met.plan ?? false).toBe(Boolean(a.plan || b.plan));
        expect(met.dryRun ?? false).toBe(Boolean(a.dryRun || b.dryRun));
      }),
    );
  });

  test("the same ceiling twice, or none, changes nothing", () => {
    fc.assert(
      fc.property(whole, (ceiling) => {
        const { plan, dryRun, ...rest } = ceiling;
        const plain = { ...rest, ...(plan && { plan }), ...(dryRun && { dryRun }) };
        expect(meet(ceiling, ceiling)).toEqual(plain);
        expect(meet(ceiling, {})).toEqual(plain);
      }),
    );
  });
});

describe("what may be spent", () => {
  test("is never more than any purse above allows, and what is given back can be spent again", () => {
    const limits = fc.record(
      { maxCalls: fc.nat(6), maxChanges: fc.nat(4), maxActionsPerHour: fc.nat(4) },
      { requiredKeys: [] },
    );
    const step = fc.record({ purse: fc.nat(3), changes: fc.boolean(), back: fc.boolean() });
    fc.assert(
      fc.property(fc.array(limits, { minLength: 4, maxLength: 4 }), fc.array(step, { maxLength: 40 }), (all, steps) => {
        // 0 <- 1 <- 2, and 3 beside 1
        const parents = [undefined, 0, 1, 0];
        const purses: Purse[] = [];
        for (const [index, own] of all.entries())
          purses.push(new Purse(own, parents[index] === undefined ? undefined : purses[parents[index]]));
        const spent = all.map(() => ({ calls: 0, changes: 0 }));
        const upwards = (index: number): number[] =>
          parents[index] === undefined ? [index] : [index, ...upwards(parents[index])];
        const open: { purse: number; changes: boolean }[] = [];
        for (const { purse, changes, back } of steps) {
          const last = back ? open.pop() : undefined;
          if (last) {
            purses[last.purse]!.release(last.changes);
            for (const index of upwards(last.purse)) count(spent[index]!, last.changes, -1);
            continue;
          }
          const fits = upwards(purse).every((index) => hasRoom(all[index]!, spent[index]!, changes));
          expect(purses[purse]!.reserve(changes, 0) === undefined).toBe(fits);
          if (!fits) continue;
          open.push({ purse, changes });
          for (const index of upwards(purse)) count(spent[index]!, changes, 1);
        }
      }),
    );
  });

  test("says what is used up", () => {
    const parent = new Purse({ maxChanges: 1 });
    const child = new Purse({ maxCalls: 3 }, parent);
    expect(child.reserve(true, 0)).toBeUndefined();
    expect(child.reserve(true, 0)).toBe("all 1 changes of this session are used up");
    expect(child.reserve(false, 0)).toBeUndefined();
    expect(child.reserve(false, 0)).toBeUndefined();
    expect(child.reserve(false, 0)).toBe("all 3 calls of this session are used up");
  });

  test("actions of more than an hour ago count no more; reads are no actions", () => {
    const hour = 3_600_000;
    const child = new Purse({}, new Purse({ maxActionsPerHour: 2 }));
    const told = ([changes, at]: [boolean, number]) => child.reserve(changes, at) ?? "ok";
    const used = "all 2 actions of this hour are used up";
    expect(
      (
        [
          [true, 0],
          [true, 10],
          [true, hour - 1],
          [false, hour - 1],
          [true, hour],
          [true, hour + 9],
          [true, hour + 10],
        ] as [boolean, number][]
      ).map(told),
    ).toEqual(["ok", "ok", used, "ok", "ok", used, "ok"]);
  });
});

type Spent = { calls: number; changes: number };

function count(spent: Spent, changes: boolean, by: number): void {
  spent.calls += by;
  if (changes) spent.changes += by;
}

function hasRoom(limits: Limits, spent: Spent, changes: boolean): boolean {
  const { maxCalls = Infinity, maxChanges = Infinity, maxActionsPerHour = Infinity } = limits;
  return spent.calls < maxCalls && (!changes || spent.changes < Math.min(maxChanges, maxActionsPerHour));
}
