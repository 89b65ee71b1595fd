import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Reserved, Take } from "../../src/core/contracts/store/reservations.ts";
import { type Opened, withStore } from "./store-suite.ts";

const take = (key: string, limit: number, more: Partial<Take> = {}): Take => ({ key, limit, amount: 1, ...more });
const tokenOf = (reserved: Reserved): string => {
  if ("token" in reserved) return reserved.token;
  throw new Error(`there was no room: ${JSON.stringify(reserved)}`);
};

type Step =
  | { do: "reserve"; takes: { key: string; limit: number; amount: number; window?: number }[] }
  | { do: "give back"; which: number }
  | { do: "wait"; milliseconds: number };

const takeSteps = fc.record(
  {
    key: fc.constantFrom("a", "b"),
    limit: fc.integer({ min: 0, max: 5 }),
    // binary fractions: the model adds them up in another order
    amount: fc.constantFrom(0, 0.25, 0.5, 1, 2),
    window: fc.constantFrom(1, 100, 1000),
  },
  { requiredKeys: ["key", "limit", "amount"] },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("reserve" as const), takes: fc.array(takeSteps, { minLength: 1, maxLength: 3 }) }),
    fc.record({ do: fc.constant("give back" as const), which: fc.nat(20) }),
    fc.record({ do: fc.constant("wait" as const), milliseconds: fc.constantFrom(0, 1, 50, 99, 100, 1000) }),
  ),
  { maxLength: 25 },
);

/** Limits that hold whoever counts. */
export function reservationContract(name: string, make: () => Promise<Opened>): void {
  withStore(`reservations of the store: ${name}`, make, (at) => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
    afterEach(() => void vi.useRealTimers());

    test("pass as long as there is room, and say how much is used", async () => {
      for (const used of [0, 1, 2]) {
        expect(await at.store.reserved("k")).toBe(used);
        expect(await at.store.reserve([take("k", 3)])).toEqual({ token: expect.any(String) });
      }
      expect(await at.store.reserve([take("k", 3)])).toEqual({ full: take("k", 3), used: 3 });
      expect(await at.store.reserve([take("k", 4)]), "a wider limit of the same").toHaveProperty("token");
      expect(await at.store.reserve([take("other", 3)])).toHaveProperty("token");
      expect(await at.store.reserve([])).toHaveProperty("token");
    });
    test.each([0, -1, Number.NaN])("a limit of %d lets none pass, not even nothing", async (limit) => {
      for (const amount of [1, 1e-12, 0])
        expect(await at.store.reserve([take("k", limit, { amount })])).toMatchObject({ used: 0 });
      expect(await at.store.reserve([take("k", limit, { window: 1000 })])).not.toHaveProperty("freeIn");
    });
    test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("an amount of %d is refused", async (amount) => {
      await expect(at.store.reserve([take("j", 5), take("k", 5, { amount })])).rejects.toThrow(/cannot be reserved/);
      await expect(at.store.reserve([take("k", 5, { window: Number.NaN })])).rejects.toThrow(/cannot be reserved/);
      expect(await at.store.reserved("j")).toBe(0);
    });
    test("all or none: what comes before one that is full is not taken", async () => {
      await at.store.reserve([take("b", 1)]);
      const answer = await at.store.reserve([take("a", 1), take("b", 1), take("c", 0)]);
      expect(answer).toEqual({ full: take("b", 1), used: 1 });
      expect(await at.store.reserved("a")).toBe(0);
      expect(await at.store.reserve([take("a", 1)])).toHaveProperty("token");
    });
    test("one key twice counts twice", async () => {
      expect(await at.store.reserve([take("k", 1), take("k", 1)])).toEqual({ full: take("k", 1), used: 1 });
      expect(await at.store.reserved("k")).toBe(0);
      await at.store.reserve([take("k", 2), take("k", 2)]);
      expect(await at.store.reserved("k")).toBe(2);
    });
    test("what counts once counts once, however often it is taken", async () => {
      const file = (once: string, limit = 2) => take("files", limit, { once });
      const a = tokenOf(await at.store.reserve([file("a"), file("a")]));
      expect(await at.store.reserved("files")).toBe(1);
      await at.store.reserve([file("a"), file("b"), file("a")]);
      expect(await at.store.reserved("files")).toBe(2);
      expect(await at.store.reserve([file("a"), file("c")])).toMatchObject({ used: 2, full: file("c") });
      expect(await at.store.reserve([file("b")]), "known").toHaveProperty("token");
      expect(await at.store.reserve([take("others", 2, { once: "a" })])).toHaveProperty("token");
      expect(await at.store.reserved("others"), "under another key it is something else").toBe(1);
      expect(await at.store.reserve([file("a", 1)]), "above a limit that is narrower now").toMatchObject({ used: 2 });
      expect(await at.store.reserve([file("a", 0)]), "where none is allowed").toMatchObject({ used: 2 });
      await at.store.giveBack(a);
      expect(await at.store.reserved("files")).toBe(1);
      expect(await at.store.reserve([file("c")]), "in its place").toHaveProperty("token");
      expect(await at.store.reserve([file("a")]), "given back, and so not counted").toMatchObject({ used: 2 });
    });
    test("what is taken without a limit counts against whoever has one", async () => {
      await at.store.reserve([take("k", Number.POSITIVE_INFINITY, { amount: 5 })]);
      expect(await at.store.reserve([take("k", 4)])).toMatchObject({ used: 5 });
      expect(await at.store.reserve([take("k", 6)])).toHaveProperty("token");
    });
    test("what is given back is free again, once", async () => {
      const first = tokenOf(await at.store.reserve([take("a", 2), take("b", 9, { amount: 3, window: 1000 })]));
      await at.store.reserve([take("a", 2)]);
      expect(await at.store.reserve([take("a", 2)])).toMatchObject({ used: 2 });
      await at.store.giveBack(first);
      await at.store.giveBack(first);
      await at.store.giveBack("nobody's");
      expect(await at.store.reserved("a")).toBe(1);
      expect(await at.store.reserved("b", 1000)).toBe(0);
      expect(await at.store.reserve([take("a", 2)])).toHaveProperty("token");
      expect(await at.store.reserve([take("a", 2)])).toMatchObject({ used: 2 });
    });
    test("a window slides, and says when there is room again", async () => {
      const one = take("k", 2, { window: 1000 });
      await at.store.reserve([one]);
      vi.advanceTimersByTime(400);
      await at.store.reserve([one]);
      vi.advanceTimersByTime(400);
      expect(await at.store.reserve([one])).toEqual({ full: one, used: 2, freeIn: 200 });
      expect(await at.store.reserve([{ ...one, amount: 2 }])).toMatchObject({ freeIn: 600 });
      expect(await at.store.reserve([{ ...one, amount: 3 }]), "never").not.toHaveProperty("freeIn");
      vi.advanceTimersByTime(199);
      expect(await at.store.reserve([one])).toMatchObject({ freeIn: 1 });
      vi.advanceTimersByTime(1);
      expect(await at.store.reserved("k", 1000)).toBe(1);
      expect(await at.store.reserve([one])).toHaveProperty("token");
      expect(await at.store.reserve([one])).toMatchObject({ used: 2, freeIn: 400 });
      expect(await at.store.reserved("k"), "in all").toBe(3);
    });
    test("a window of a week is kept for a week", async () => {
      const day = 24 * 3_600_000;
      const weekly = take("k", 1, { window: 7 * day });
      await at.store.reserve([weekly]);
      vi.advanceTimersByTime(6 * day);
      await at.store.reserve([take("other", 9)]);
      expect(await at.store.reserve([weekly])).toMatchObject({ used: 1, freeIn: day });
      vi.advanceTimersByTime(day);
      expect(await at.store.reserve([weekly])).toHaveProperty("token");
    });
    test("what is given back leaves the others' where they were, in a window too", async () => {
      const windowed = take("k", 2, { window: 1000 });
      const first = tokenOf(await at.store.reserve([windowed]));
      await at.store.reserve([windowed]);
      await at.store.giveBack(first);
      expect(await at.store.reserved("k", 1000)).toBe(1);
      expect(await at.store.reserve([windowed])).toHaveProperty("token");
      expect(await at.store.reserve([windowed])).toMatchObject({ used: 2 });
    });
    test("a window that is longer than all time counts all", async () => {
      const windowed = take("k", 3, { window: Number.MAX_SAFE_INTEGER });
      for (let round = 0; round < 3; round++) expect(await at.store.reserve([windowed])).toHaveProperty("token");
      expect(await at.store.reserved("k", Number.MAX_SAFE_INTEGER)).toBe(3);
      expect(await at.store.reserve([windowed])).toMatchObject({ used: 3 });
    });
    test.each([["within a day is taken from the total", -1, 1]])("what is given back %s", async (_, late, total) => {
      const first = tokenOf(await at.store.reserve([take("k", 9)]));
      vi.advanceTimersByTime(24 * 3_600_000 + late);
      await at.store.reserve([take("k", 9)]);
      await at.store.giveBack(first);
      expect(await at.store.reserved("k")).toBe(total);
    });
    test("a total outlives what is kept of windows", async () => {
      await at.store.reserve([take("k", 2)]);
      vi.advanceTimersByTime(400 * 24 * 3_600_000);
      await at.store.reserve([take("k", 2)]);
      expect(await at.store.reserve([take("k", 2)])).toMatchObject({ used: 2 });
    });
    test("fractions add up to the limit, and not beyond", async () => {
      for (let step = 0; step < 10; step++)
        expect(await at.store.reserve([take("k", 1, { amount: 0.1 })]), `step ${step}`).toHaveProperty("token");
      expect(await at.store.reserve([take("k", 1, { amount: 0.001 })])).toHaveProperty("full");
      for (const amount of [0.1, 0.2]) await at.store.reserve([take("sum", 0.3, { amount })]);
      expect(await at.store.reserved("sum")).toBeCloseTo(0.3);
    });
    test("of many at once exactly so many pass as there is room for", async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => at.store.reserve([take("k", 17)])));
      expect(answers.filter((answer) => "token" in answer)).toHaveLength(17);
    });

    test("do what a simple model does, whatever the order", async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(steps, async (sequence) => {
          run++;
          let rows: { token: string; key: string; amount: number; at: number }[] = [];
          const tokens: string[] = [];
          const used = (key: string, window: number | undefined): number =>
            rows
              .filter((row) => row.key === key && (window === undefined || Date.now() - row.at < window))
              .reduce((sum, { amount }) => sum + amount, 0);
          for (const step of sequence) {
            if (step.do === "wait") vi.advanceTimersByTime(step.milliseconds);
            else if (step.do === "give back") {
              const token = tokens[step.which];
              if (token) await at.store.giveBack(token);
              rows = rows.filter((row) => row.token !== token);
            } else {
              const takes = step.takes.map((each) => ({ ...each, key: `${run} ${each.key}` }));
              const answer = await at.store.reserve(takes);
              const before = rows;
              let full: Take | undefined;
              for (const each of takes) {
                full ??= each.limit > 0 && used(each.key, each.window) + each.amount <= each.limit ? undefined : each;
                if (!full) rows = [...rows, { ...each, token: "", at: Date.now() }];
              }
              if (full) rows = before;
              expect("full" in answer ? answer.full : undefined).toEqual(full);
              if (!("token" in answer)) continue;
              for (const row of rows) row.token ||= answer.token;
              tokens.push(answer.token);
            }
            for (const key of ["a", "b"])
              for (const window of [undefined, 1, 100, 1000])
                expect(await at.store.reserved(`${run} ${key}`, window)).toBe(used(`${run} ${key}`, window));
          }
        }),
        { numRuns: 60 },
      );
    });
  });
}
