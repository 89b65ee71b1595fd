import fc from "fast-check";
import { expect, test } from "vitest";
import { callRecord } from "../../../../test/contracts/store-samples.ts";
import type { CallRecord } from "../../../core/contracts/store/records.ts";
import type { Touch } from "../../../core/words/touch.ts";
import { fromPage, toPage } from "./record-pages.ts";

const common = { session: "s1", workspace: "/w", first: 7 };
const few = fc.constantFrom("", "a", "b");
const place = fc.record({
  shown: few,
  real: fc.constantFrom("/w/a", "/w/b", "/w/", "/elsewhere", "//a"),
  root: fc.constantFrom("/w", "/", ""),
  exists: fc.boolean(),
});
const touch: fc.Arbitrary<Touch> = fc.oneof(
  fc.record({ action: fc.constantFrom("read" as const, "delete" as const), place, certain: fc.boolean() }),
  place.map((at) => ({ action: "write" as const, place: { ...at, link: true as const }, certain: true })),
  place.map((at) => ({ action: "list" as const, place: at, certain: true, scope: "**" })),
  few.map((target) => ({ action: "ask" as const, target })),
);
const mark = fc.oneof(
  fc.record({ stage: few, microseconds: fc.nat(9) }),
  fc.record({ stage: few, microseconds: fc.nat(9), verdict: few }),
);
const verdict = fc.record({ answer: few, by: few, reason: few });

/** Fields that are there or not, of few values, so that neighbours often have the same. */
const record = fc
  .record(
    {
      ...{ id: few, call: few, message: few, agent: few, tool: few, target: few, parent: few },
      ...{ at: fc.nat(3), microseconds: fc.nat(2), input: fc.constantFrom(null, {}, 0, "x"), changed: fc.boolean() },
      ...{ touches: fc.array(touch, { maxLength: 2 }), trace: fc.array(mark, { maxLength: 3 }), verdict },
      status: fc.constantFrom("done" as const, "failed" as const),
      error: fc.constant({ code: "IO_ERROR" as const, message: "no" }),
      output: fc.constant({ bytes: 3, head: "abc" }),
      ceiling: fc.constant({ mode: "yolo" as const }),
      ...{ told: fc.nat(2), answer: few },
    },
    { requiredKeys: [] },
  )
  .map((more) => callRecord("id", more));

test("what goes into a page comes out of it", () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records: CallRecord[]) => {
      const at = Math.min(...records.map((each) => each.at));
      const numbered = records.map((each, index) => ({ ...each, seq: 7 + index }));
      expect(fromPage(toPage(records, at), common)).toEqual(numbered);
    }),
    { numRuns: 300 },
  );
});

test("a page of an earlier version is read as it was meant", () => {
  const row = (id: string, told: unknown) => [
    ...[id, "c", "m", "main", "t", 5000, 3, "done", "a", {}, [], ["touches", 1, null, "judged", 2, "allow"], told],
  ];
  const page = JSON.stringify([row("1", { answer: "allow", by: "mode", reason: "yes" }), row("2", 0), row("3", null)]);
  const [first, second, third] = fromPage(page, common);
  expect(first).toMatchObject({ id: "1", seq: 7, at: 5000, verdict: { by: "mode" }, message: "m" });
  expect(first?.trace).toEqual([
    { stage: "touches", microseconds: 1 },
    { stage: "judged", microseconds: 2, verdict: "allow" },
  ]);
  expect([second?.verdict, third?.verdict]).toEqual([first?.verdict, undefined]);
});

test("a page of rows that count their times and stages, too", () => {
  const row = (id: string, message: unknown, told: unknown, ...rare: unknown[]) => [
    ...[id, "c", message, "main", "t", 5, 3, "done", "a", {}, [["read", "a"]], [0, 1, 1, 2, "allow"], told, ...rare],
  ];
  const verdict = { answer: "allow", by: "mode", reason: "yes" };
  const rows = [row("1", "m", verdict), row("2", 0, 0, null, null, "above")];
  const [first, second] = fromPage(
    JSON.stringify({ at: 5000, stages: ["touches", "judged"], rows, told: [4, null], answers: [null, "x"] }),
    common,
  );
  const place = { shown: "a", real: "/w/a", root: "/w", exists: true };
  expect(first).toMatchObject({
    seq: 7,
    at: 5005,
    told: 4,
    touches: [{ action: "read", place, certain: true }],
    verdict,
  });
  expect(first?.trace).toEqual([
    { stage: "touches", microseconds: 1 },
    { stage: "judged", microseconds: 2, verdict: "allow" },
  ]);
  expect(second).toMatchObject({ id: "2", seq: 8, message: "m", verdict, parent: "above", answer: "x" });
  expect(second).not.toHaveProperty("told");
});

test("every text that a query may ask for stands in the page as JSON says it", () => {
  const page = toPage([callRecord("1"), callRecord("2"), callRecord("3", { tool: "b", status: "failed" })], 1000);
  for (const text of ["m1", "call-2", "read_file", "b", "done", "failed"]) expect(page).toContain(JSON.stringify(text));
});
