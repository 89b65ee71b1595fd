import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { allows, isOfType, spent, walk } from "./fits.ts";
import { argumentsOf, DEEPEST } from "./json-schema.ts";
import { parser } from "./parse.ts";
import { toJsonSchema } from "./schema.ts";
import { rebuildsAll, zodCheck } from "./schema-check.ts";

const noCompiler = () => () => [];
const issues = (schema: z.ZodType, value: unknown): string[] => {
  const checked = zodCheck(schema, () => toJsonSchema(schema))(value);
  return checked.ok ? [] : checked.issues.map(({ path, expected, got }) => `${path}: ${expected} <- ${got}`);
};

describe("how far a walk goes", () => {
  test.each([
    [99_999, 0, false],
    [100_000, 0, true],
    [0, DEEPEST, false],
    [0, DEEPEST + 1, true],
  ])("after %i steps, %i deep, it is given up: %s", (steps, depth, over) => {
    expect(spent({ ...walk({}), steps }, depth)).toBe(over);
  });
});

test.each([
  ["1", false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
  [[], false],
  [null, false],
  [1.5, true],
])("%j is a number: %s", (value, is) => expect(isOfType("number", value)).toBe(is));

test("a schema that is referred to twice is allowed both times", () => {
  const ref: JsonSchema = { $ref: "#/$defs/text" };
  const root: JsonSchema = { allOf: [ref, { ...ref }], $defs: { text: { type: "string" } } };
  expect(allows(root, root, "string")).toBe(true);
  expect(allows(root, root, "number")).toBe(false);
});

describe("what every branch of a union requires", () => {
  const needs = (...required: string[]): JsonSchema => ({
    properties: { a: {}, b: {}, c: {} },
    required,
  });
  test.each(["anyOf", "oneOf"])("is required, and nothing else: %s", (keyword) => {
    const root = { [keyword]: [needs("a", "b"), needs("b", "a"), needs("b", "c")] };
    expect([...argumentsOf(root).required]).toEqual(["b"]);
  });
});

test("an argument's own name is not another one's alias, however it is spelt", () => {
  const shape = {
    name: "tool",
    input: z.object({ file_path: z.string(), target: z.string().optional() }),
    aliases: { args: { target: ["file_path"] } },
  };
  for (const name of ["file_path", "filePath", "FILE-PATH"])
    expect(parser(shape, noCompiler)({ [name]: "a" }), name).toMatchObject({ ok: true, input: { file_path: "a" } });
});

test("an object is left to the schema, even if its JSON Schema names another type", () => {
  const input = z.preprocess((value) => JSON.stringify(value), z.string());
  expect(toJsonSchema(input).type).toBe("string");
  expect(parser({ name: "tool", input }, noCompiler)({ a: 1 })).toMatchObject({ ok: true, input: '{"a":1}' });
});

describe("what is said about a value that does not fit", () => {
  test("a union is told as a whole if its likely branch failed at the top too", () => {
    const schema = z.object({ a: z.union([z.string(), z.strictObject({ b: z.int() })]) });
    expect(issues(schema, { a: { b: "x", c: 1 } })).toEqual(['a: string or object with b <- {"b":"x","c":1}']);
  });

  test("the words of a union's author, and those of the authors of all its branches", () => {
    const name = z.string({ error: "a name" });
    const many = z.array(z.string(), { error: "or names" });
    expect(issues(z.object({ a: z.union([name, many]) }), { a: 1 })).toEqual([
      "a: string or list of string: a name, or names <- 1",
    ]);
  });

  test.each([
    [undefined, "nowhere: valid: Invalid input <- nothing"],
    ["must be here", "nowhere: valid: must be here <- nothing"],
  ])("at a place that the schema does not know, what the validator says: %s", (message, told) => {
    const schema = z.object({ a: z.string() }).check(({ issues: found, value }) => {
      found.push({ code: "custom", input: value, path: ["nowhere"], ...(message ? { message } : {}) });
    });
    expect(issues(schema, { a: "x" })).toEqual([told]);
  });

  test("of what is absent, what is expected, and not that it is invalid", () => {
    expect(issues(z.object({ a: z.unknown().refine((value) => value !== undefined) }), {})).toEqual([
      "a: any value <- nothing",
    ]);
  });
});

test.each<[string, z.ZodType]>([
  ["string", z.string()],
  ["number", z.number()],
  ["boolean", z.boolean()],
  ["enum", z.enum(["a"])],
  ["literal", z.literal("a")],
  ["null", z.null()],
  ["undefined", z.undefined()],
  ["never", z.never()],
])("a scalar has nothing inside: %s", (_, schema) => expect(rebuildsAll(schema)).toBe(true));
