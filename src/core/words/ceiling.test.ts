import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AUTONOMIES, type Ceiling, MODES, meet, type Narrowing, strictest } from "./ceiling.ts";
import { PERMISSIONS } from "./touch.ts";

const tools = fc.subarray(["a", "b", "c", "d"]);
const permissions = fc.subarray([...PERMISSIONS]);
const part = fc.record(
  {
    mode: fc.constantFrom(...MODES),
    autonomy: fc.constantFrom(...AUTONOMIES),
    tools,
    permissions,
    gates: fc.subarray(["Patch", "Delegate", "Finalize"] as const),
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
    asFew(a.gates, b.gates) &&
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
        expect(meet(ceiling, ceiling as unknown as Narrowing)).toEqual(plain);
        expect(meet(ceiling, {})).toEqual(plain);
      }),
    );
  });
});

describe("what is put together", () => {
  test("from the loosest to the strictest", () => {
    expect(MODES).toEqual(["yolo", "confirm-sensitive", "confirm-all"]);
    expect(AUTONOMIES).toEqual(["full", "supervised", "readonly"]);
  });

  test.each<[what: string, a: Ceiling, b: Narrowing, met: Ceiling]>([
    ["nothing more", { mode: "yolo" }, {}, { mode: "yolo" }],
    ["a stricter mode", { mode: "yolo" }, { mode: "confirm-all" }, { mode: "confirm-all" }],
    ["a looser one", { mode: "confirm-all" }, { mode: "yolo" }, { mode: "confirm-all" }],
    ["one that is not understood", { mode: "yolo" }, { mode: "YOLO" as "yolo" }, { mode: "confirm-all" }],
    ["autonomy", { mode: "yolo", autonomy: "supervised" }, {}, { mode: "yolo", autonomy: "supervised" }],
    [
      "less of it",
      { mode: "yolo", autonomy: "full" },
      { autonomy: "readonly" },
      { mode: "yolo", autonomy: "readonly" },
    ],
    ["odd autonomy", { mode: "yolo" }, { autonomy: "Full" as "full" }, { mode: "yolo", autonomy: "readonly" }],
    ["commands", { mode: "yolo", commands: ["safe", "dev"] }, {}, { mode: "yolo", commands: ["safe", "dev"] }],
    ["fewer", { mode: "yolo", commands: ["safe", "dev"] }, { commands: ["dev"] }, { mode: "yolo", commands: ["dev"] }],
    ["none in common", { mode: "yolo", tools: ["a"] }, { tools: ["b"] }, { mode: "yolo", tools: [] }],
    [
      "paths of both",
      { mode: "yolo", paths: [["a/**"]] },
      { paths: ["b"] },
      { mode: "yolo", paths: [["a/**"], ["b"]] },
    ],
    ["paths of one", { mode: "yolo", paths: [["a"]] }, {}, { mode: "yolo", paths: [["a"]] }],
    ["hosts of both", { mode: "yolo", hosts: [["a"]] }, { hosts: ["b"] }, { mode: "yolo", hosts: [["a"], ["b"]] }],
    ["hosts of the other", { mode: "yolo" }, { hosts: [] }, { mode: "yolo", hosts: [[]] }],
  ])("%s", (_, a, b, met) => {
    expect(meet(a, b)).toStrictEqual(met);
  });

  test("the smallest of each limit holds", () => {
    expect(strictest([])).toEqual({});
    expect(strictest([{ maxCalls: 3 }, { maxCalls: 2, maxCost: 1 }, { maxCalls: 5, maxCost: 2 }])).toEqual({
      ...{ maxCalls: 2, maxCost: 1 },
    });
  });
});
