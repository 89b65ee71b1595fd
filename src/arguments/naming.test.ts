import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Parsed, Shape } from "../core/contracts/arguments.ts";
import { fits, walk } from "./fits.ts";
import type { Compile } from "./messages.ts";
import { parser } from "./parse.ts";

const compile: Compile = (schema) => (value) =>
  fits(walk(schema), schema, value) ? [] : [{ path: "", expected: "what fits", got: "what does not" }];
type Given = Omit<Shape, "name">;
const read = (shape: Given, args: unknown, calledAs?: string): Parsed =>
  parser({ name: "tool", ...shape }, compile)(args, calledAs);
/** What was understood, with what is said about it; or what is refused. */
const told = (parsed: Parsed): unknown => (parsed.ok ? [parsed.input, ...parsed.notes] : parsed.issues);

const refused = (path: string, got: string, why: string) => ({ path, expected: "nothing", got, refused: why });
const UNKNOWN = "it is not known here, and without it the call would do more than you asked for";
const IGNORED = "Ignored unknown argument";

const readings = {
  start_line: (value: unknown) => ({ limit: Number(value) }),
  danger: () => "it cannot be done",
  odd: () => ({ nowhere: 1 }),
  limit: (value: unknown, args: Readonly<Record<string, unknown>>) => ({
    limit: Number(value),
    text: args.text ?? "?",
  }),
};
const fields = { path: z.string(), text: z.string().optional(), limit: z.number().optional() };
const closed: Given = {
  input: z.object({ ...fields, mode: z.enum(["overwrite", "append"]).nullable().optional() }),
  aliases: {
    names: ["Write", { name: "append", preset: { mode: "append" } }],
    args: { path: ["file", "text", "long_name"], text: ["file", "content"], ghost: ["phantom"] },
    readings,
  },
};
const open: Given = {
  input: z.looseObject({ path: z.string(), Approved: z.boolean().optional() }),
  aliases: { args: { path: ["file"], ghost: ["phantom"] }, readings },
};
const TAKES = "tool takes path, text, limit, mode.";

describe("arguments by other names", () => {
  test.each<[what: string, shape: Given, args: unknown, expected: unknown[], calledAs?: string]>([
    ["another name", closed, { file: "a" }, [{ path: "a" }]],
    ["another name in another spelling", closed, { longName: "a" }, [{ path: "a" }]],
    ["a name of ours that is listed as another's", closed, { path: "a", text: "b" }, [{ path: "a", text: "b" }]],
    ["the first who claims a name has it", closed, { file: "a", content: "b" }, [{ path: "a", text: "b" }]],
    [
      "another name of nothing that is taken",
      closed,
      { path: "a", phantom: 1 },
      [{ path: "a" }, `${IGNORED} "phantom"; ${TAKES}`],
    ],
    ["another name of what an open tool takes", open, { path: "a", phantom: 1 }, [{ path: "a", ghost: 1 }]],
    ["our own name, undefined, does not stand in the way", closed, { path: undefined, file: "b" }, [{ path: "b" }]],
    ["what a reading means", closed, { path: "a", start_line: "3" }, [{ path: "a", limit: 3 }]],
    ["a reading in another spelling", closed, { path: "a", startLine: 3 }, [{ path: "a", limit: 3 }]],
    ["a reading of null", closed, { path: "a", start_line: null }, [{ path: "a" }]],
    [
      "a reading of nothing",
      closed,
      { path: "a", start_line: undefined, x: 1 },
      [{ path: "a" }, `${IGNORED} "x"; ${TAKES}`],
    ],
    ["a reading that is refused", closed, { path: "a", danger: 1 }, [refused("danger", "1", "it cannot be done")]],
    ["a reading of what is not taken", closed, { path: "a", odd: 1 }, [refused("odd", "1", UNKNOWN)]],
    ["a reading of what an open tool takes", open, { path: "a", odd: 1 }, [{ path: "a", nowhere: 1 }]],
    ["an unknown one that asks for less", closed, { path: "a", dry_run: true }, [refused("dry_run", "true", UNKNOWN)]],
    [
      "two that are refused",
      closed,
      { path: "a", dry_run: true, danger: 2 },
      [refused("danger", "2", "it cannot be done"), refused("dry_run", "true", UNKNOWN)],
    ],
    ["a call that approves itself", closed, { path: "a", approved: true }, [{ path: "a" }]],
    ["one that approves itself by another spelling", open, { path: "a", approved: true }, [{ path: "a" }]],
    ["a preset", closed, { path: "a" }, [{ path: "a", mode: "append" }], "append"],
    [
      "null where null is meant stays beside a preset",
      closed,
      { path: "a", mode: null },
      [{ path: "a", mode: null }],
      "append",
    ],
    ["another name of the tool has no preset", closed, { path: "a" }, [{ path: "a" }], "Write"],
  ])("%s", (_, shape, args, expected, calledAs) => {
    expect(told(read(shape, args, calledAs))).toEqual(expected);
  });

  test.each([
    [9, ""],
    [10, ""],
    [11, " and 1 more"],
  ])("of %i unknown ones at most ten are named", (count, more) => {
    const names = Array.from({ length: count }, (_, n) => `x${n}`);
    const listed = names.slice(0, 10).map((name) => `"${name}"`);
    const args = { path: "a", ...Object.fromEntries(names.map((name) => [name, 1])) };
    expect(told(read(closed, args))).toEqual([{ path: "a" }, `${IGNORED}s ${listed.join(", ")}${more}; ${TAKES}`]);
  });

  test.each([
    ["x".repeat(60), "x".repeat(60)],
    ["x".repeat(61), `${"x".repeat(60)}…`],
  ])("a long name is cut", (name, shown) => {
    expect(told(read(closed, { path: "a", [name]: 1 }))).toEqual([{ path: "a" }, `${IGNORED} "${shown}"; ${TAKES}`]);
  });

  test("a key named __proto__ stays a key beside another name", () => {
    const shape: Given = { input: { type: "object", additionalProperties: true }, aliases: { args: { a: ["b"] } } };
    const parsed = read(shape, JSON.parse('{"b": 1, "__proto__": {"evil": true}}'));
    const input = (parsed as { input: object }).input;
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.keys(input).sort()).toEqual(["__proto__", "a"]);
  });
});

describe("what is sent in place of an object", () => {
  const two: Given = {
    input: z.object({ a: z.string(), b: z.string() }),
    aliases: { names: [{ name: "short", preset: { b: "x" } }] },
  };
  const optional: Given = { input: z.object({ a: z.string().optional(), b: z.string().optional() }) };
  const text: Given = { input: z.object({ a: z.string() }) };
  const list: Given = { input: z.array(z.string()) };
  const wrong = (expected: string, got: string) => [{ path: "", expected, got }];
  test.each<[what: string, shape: Given, args: unknown, expected: unknown[], calledAs?: string]>([
    ["a number where one is taken", { input: z.number() }, 5, [5]],
    ["a list where one is taken", list, ["a"], [["a"]]],
    ["a list whose items are eased", { input: z.array(z.number()) }, ["1"], [[1]]],
    ["JSON of a list where one is taken", list, '["a"]', [["a"]]],
    ["a text where a list is taken", list, "a", wrong("list of string", '"a"')],
    ["JSON of a list where a text is taken", text, '["a"]', [{ a: '["a"]' }]],
    ["JSON of a list of objects where a text is taken", text, '[{"a":1}]', [{ a: '[{"a":1}]' }]],
    ["half a list of objects", text, '[{"a":', wrong("valid JSON", String.raw`"[{\"a\":"`)],
    ["half an object", text, '{"a":', wrong("valid JSON", String.raw`"{\"a\":"`)],
    ["a text for two that are required", two, "t", wrong("object with a, b", '"t"')],
    ["a text for the one that is left beside a preset", two, "t", [{ a: "t", b: "x" }], "short"],
    ["a text for two that may be left out", optional, "t", wrong("object", '"t"')],
  ])("%s", (_, shape, args, expected, calledAs) => {
    expect(told(read(shape, args, calledAs))).toEqual(expected);
  });
});

describe("what a schema accepts as it is stays so", () => {
  test.each<[what: string, input: z.ZodType, args: unknown, expected: unknown]>([
    ["beside an unknown argument", z.object({ flag: z.coerce.boolean() }), { flag: "false", x: 1 }, { flag: true }],
    [
      "beside one that has to be eased",
      z.object({ a: z.coerce.string().optional(), b: z.number() }),
      { a: null, b: "5" },
      { a: "null", b: 5 },
    ],
  ])("%s", (_, input, args, expected) => {
    expect(read({ input }, args)).toMatchObject({ ok: true, input: expected });
  });
});

test.each([
  [new Error("boom"), "(boom)"],
  ["a text", "(a text)"],
])("a schema that cannot be made is told in its own words", (thrown, words) => {
  const parse = parser({ name: "tool", input: { type: "object" } }, () => {
    throw thrown;
  });
  expect(told(parse({}))).toMatchObject([{ expected: `something its schema can check ${words}` }]);
});
