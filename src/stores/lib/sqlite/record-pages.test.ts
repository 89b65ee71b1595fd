import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callRecord } from "../../../../test/contracts/store-samples.ts";
import type { CallRecord } from "../../../core/contracts/store/records.ts";
import { turnOf } from "../../../core/words/call.ts";
import type { Touch } from "../../../core/words/touch.ts";
import { fromPage, toPage } from "./record-pages.ts";

const common = { session: "s1", workspace: "/w", first: 7 };
const few = fc.constantFrom("", "a", "b");
/** Ids that follow each other, and some that only seem to. */
const id = fc.constantFrom("", "a", "x8", "x9", "xa", "xb", "xz", "x{", "y0", "10", "/", "0", "Z", "[");
const value = fc.constantFrom<unknown>("x", 1, null, true, undefined, { a: 1 }, [1]);
const input = fc.oneof(
  fc.constantFrom<unknown>(null, {}, 0, "x", [], [1], JSON.parse('{"__proto__":1}')),
  fc.record({ a: value, b: value }, { requiredKeys: [] }),
  fc.record({ b: value, a: value }),
);
/** What JSON makes of it. */
const asJson = (of: unknown): unknown => JSON.parse(JSON.stringify(of));
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
      ...{ id, call: few, message: fc.oneof(few, few.map(turnOf)), agent: few, tool: few, target: few, parent: few },
      ...{ at: fc.nat(3), microseconds: fc.nat(2), input, changed: fc.boolean() },
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
      const numbered = records.map((each, index) => ({ ...each, input: asJson(each.input), seq: 7 + index }));
      expect(fromPage(toPage(records, at), common)).toEqual(numbered);
    }),
    { numRuns: 1000 },
  );
});

const path = { action: "read" as const, place: { shown: "a", real: "/w/a", root: "/w", exists: true } };
test.each<[what: string, more: Partial<CallRecord>]>([
  ["nothing more", {}],
  ["an error", { error: { code: "IO_ERROR", message: "no" } }],
  ["an alert", { alerts: [{ kind: "secret", message: "m" }] as never }],
  ["a parent", { parent: "above" }],
  ["an empty parent", { parent: "" }],
  ["an output", { output: { bytes: 3, head: "abc" } }],
  ["what was seen", { seen: [{ real: "/w/a", stamp: "1" as never }] }],
  ["that it changed something", { changed: true }],
  ["that it changed nothing", { changed: false }],
  ["a ceiling", { ceiling: { mode: "yolo" } }],
  ["text from outside", { outside: true }],
  ["the number that was told", { told: 0 }],
  ["an answer", { answer: "" }],
  ["a verdict", { verdict: { answer: "allow", by: "mode", reason: "yes" } }],
  ["no touch", { touches: [] }],
  ["a touch that is certain", { touches: [{ ...path, certain: true }] }],
  ["a touch that is not", { touches: [{ ...path, certain: false }] }],
  ["a touch with a scope", { touches: [{ ...path, certain: true, scope: "**" }] }],
  ["a question", { touches: [{ action: "ask", target: "me" }] }],
])("a record with %s comes back with that and nothing else", (_, more) => {
  const records = [callRecord("1"), callRecord("2", more), callRecord("3")];
  const numbered = records.map((each, index) => ({ ...each, seq: 7 + index }));
  expect(fromPage(toPage(records, 1000), common)).toStrictEqual(numbered);
});

test.each<[what: string, one: Partial<CallRecord>, other: Partial<CallRecord>]>([
  [
    "who judged",
    { verdict: { answer: "a", by: "x", reason: "r" } },
    { verdict: { answer: "a", by: "y", reason: "r" } },
  ],
  ["why", { verdict: { answer: "a", by: "x", reason: "r" } }, { verdict: { answer: "a", by: "x", reason: "s" } }],
  ["how", { verdict: { answer: "a", by: "x", reason: "r" } }, { verdict: { answer: "b", by: "x", reason: "r" } }],
  ["whether", { verdict: { answer: "a", by: "x", reason: "r" } }, {}],
  ["a stage", { trace: [{ stage: "a", microseconds: 1 }] }, { trace: [{ stage: "b", microseconds: 1 }] }],
  ["a stage's time", { trace: [{ stage: "a", microseconds: 1 }] }, { trace: [{ stage: "a", microseconds: 2 }] }],
  [
    "a stage's verdict",
    { trace: [{ stage: "a", microseconds: 1, verdict: "v" }] },
    { trace: [{ stage: "a", microseconds: 1 }] },
  ],
  ["a stage more", { trace: [{ stage: "a", microseconds: 1 }] }, { trace: [] }],
] as never)("neighbours that differ in %s", (_, one, other) => {
  for (const pair of [
    [one, other],
    [other, one],
    [one, one],
  ] as const) {
    const records = pair.map((more, index) => callRecord(`${index}`, more));
    const numbered = records.map((each, index) => ({ ...each, seq: 7 + index }));
    expect(fromPage(toPage(records, 1000), common)).toStrictEqual(numbered);
  }
});

test("what neighbours have in common is written once", () => {
  const verdict = { answer: "allow" as const, by: "mode", reason: "because of something" };
  const trace = [{ stage: "a long name of a stage", microseconds: 1 }];
  const page = toPage([callRecord("1", { verdict, trace }), callRecord("2", { verdict: { ...verdict }, trace })], 1000);
  for (const text of [verdict.reason, "a long name of a stage"]) expect(page.split(text)).toHaveLength(2);
  expect(toPage([callRecord("1")], 1000)).toContain('"rare":[]');
  expect(toPage([callRecord("1", { error: { code: "IO_ERROR", message: "no" } })], 1000)).not.toContain("null,null");
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
  expect(first).not.toHaveProperty("answer");
});

test("every text that a query may ask for stands in the page as JSON says it", () => {
  const page = toPage([callRecord("1"), callRecord("2"), callRecord("3", { tool: "b", status: "failed" })], 1000);
  for (const text of ["m1", "call-2", "read_file", "b", "done", "failed"]) expect(page).toContain(JSON.stringify(text));
});

test("what no record has takes no room, and a file of the workspace is told by its action and its name", () => {
  const none = JSON.parse(toPage([callRecord("1", { touches: [] }), callRecord("2", { touches: [] })], 1000));
  expect(none).toMatchObject({ verdict: [], touches: [], told: [], answer: [], rare: [] });
  const touches = [
    { ...path, certain: true },
    { ...path, certain: false },
  ];
  expect(JSON.parse(toPage([callRecord("1", { touches })], 1000)).touches).toEqual([0, [["read", "a"], touches[1]]]);
});

describe("what can be told from the record before is not written", () => {
  const columnsOf = (...records: Partial<CallRecord>[]) =>
    JSON.parse(toPage(records.map((more, index) => callRecord(`${index}`, more)) as [CallRecord], 1000));

  test.each<[ids: string[], sequences: unknown[]]>([
    [
      ["x8", "x9", "xa", "xb"],
      [0, "x8"],
    ],
    [
      ["xy", "xz", "y0"],
      [0, "xy", 2, "y0"],
    ],
    [
      ["x1", "x3"],
      [0, "x1", 1, "x3"],
    ],
    [
      ["x1", "x1"],
      [0, "x1", 1, "x1"],
    ],
    [
      ["x2", "x1"],
      [0, "x2", 1, "x1"],
    ],
    [
      ["x1", "y2"],
      [0, "x1", 1, "y2"],
    ],
    [
      ["x1", "2"],
      [0, "x1", 1, "2"],
    ],
    [
      ["x9", "x:"],
      [0, "x9", 1, "x:"],
    ],
    [
      ["xz", "x{"],
      [0, "xz", 1, "x{"],
    ],
    [
      ["x`", "xa"],
      [0, "x`", 1, "xa"],
    ],
    [
      ["x/", "x0"],
      [0, "x/", 1, "x0"],
    ],
    [
      ["xA", "xB"],
      [0, "xA", 1, "xB"],
    ],
    [
      ["", "0"],
      [1, "0"],
    ],
  ])("ids that count up: %j", (ids, sequences) => {
    expect(columnsOf(...ids.map((each) => ({ id: each }))).ids.slice(ids[0] === "" ? -2 : 0)).toEqual(sequences);
  });

  test("the names of arguments, the turn of a call alone, and the time of the whole", () => {
    const own = { call: "c", message: "turn_c", trace: [{ stage: "end", microseconds: 5 }], microseconds: 5 };
    const page = columnsOf(
      { ...own, input: { text: "a", count: 1 } },
      { ...own, input: { text: "b", count: 2 } },
      { ...own, input: { count: 3, text: "c" }, message: "turn_of_another" },
      { ...own, input: { count: 3, text: "c", deep: {} }, microseconds: 6 },
      { ...own, input: "text" },
    );
    expect(page.names).toEqual([0, ["text", "count"], 2, ["count", "text"], 3, null]);
    expect(page.input).toEqual(["a", 1, "b", 2, 3, "c", { count: 3, text: "c", deep: {} }, "text"]);
    expect(page.message).toEqual([0, null, 2, "turn_of_another", 3, null]);
    expect(page.microseconds).toEqual([3, 6]);
  });

  test("an input that cannot be read is not lost with its neighbours", () => {
    const input = {
      get trap(): never {
        throw new Error("read");
      },
    };
    const [one, other] = fromPage(toPage([callRecord("1", { input }), callRecord("2")], 1000), common);
    expect([one?.input, other?.id]).toEqual([{ trap: "[unreadable]" }, "2"]);
  });
});

test("a page in the first format of columns is read as it was meant", () => {
  const columns = {
    ...{ start: 1000, id: ["x1", "x2"], call: ["c", "d"], at: [0, 4], microseconds: [3, 9] },
    ...{ input: [{ a: 1 }, "x"], message: [0, "m", 1, "turn_d"], agent: [0, "main"], tool: [0, "t"] },
    ...{ status: [0, "done"], target: [0, "a"], verdict: [0, null], told: [0, 2], answer: [0, null] },
    ...{ stages: [0, ["end"]], marks: [3, 8], touches: [0, [["read", "a"]]], rare: [1, [null, null, "above"]] },
  };
  const [first, second] = fromPage(JSON.stringify(columns), common);
  expect(first).toMatchObject({
    id: "x1",
    seq: 7,
    call: "c",
    message: "m",
    at: 1000,
    microseconds: 3,
    input: { a: 1 },
  });
  expect(first?.touches).toHaveLength(1);
  expect(second).toMatchObject({ id: "x2", seq: 8, message: "turn_d", at: 1004, microseconds: 9, input: "x" });
  expect(second).toMatchObject({ parent: "above", trace: [{ stage: "end", microseconds: 8 }], touches: [] });
});
