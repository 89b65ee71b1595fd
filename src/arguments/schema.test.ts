import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Format, JsonSchema } from "../core/words/json-schema.ts";
import { forModel, isZod, shownSchema, summarise, toJsonSchema } from "./schema.ts";

const field = (schema: z.ZodType) => (toJsonSchema(z.object({ v: schema })).properties as { v: JsonSchema }).v;

describe("toJsonSchema", () => {
  test.each<[string, z.ZodType, JsonSchema]>([
    ["string", z.string().describe("A path"), { type: "string", description: "A path" }],
    ["number", z.number(), { type: "number" }],
    ["integer", z.int(), { type: "integer" }],
    ["integer with one limit", z.int().min(1), { type: "integer", minimum: 1 }],
    ["integer with two limits", z.int().min(1).max(600), { type: "integer", minimum: 1, maximum: 600 }],
    ["boolean", z.boolean(), { type: "boolean" }],
    ["array", z.array(z.string()), { type: "array", items: { type: "string" } }],
    ["enum", z.enum(["low", "high"]), { type: "string", enum: ["low", "high"] }],
    ["default", z.string().default("utf-8"), { type: "string", default: "utf-8" }],
    ["literal", z.literal("only"), { type: "string", const: "only" }],
    ["union", z.union([z.string(), z.number()]), { type: ["string", "number"] }],
    ["record", z.record(z.string(), z.number()), { type: "object", additionalProperties: { type: "number" } }],
    ["email", z.email(), { type: "string", format: "email" }],
    ["time", z.iso.datetime(), { type: "string", format: "date-time" }],
    ["own pattern", z.string().regex(/^a/), { type: "string", pattern: "^a" }],
    ["what JSON can't say", z.date(), {}],
    ["transformed", z.string().transform(Number), { type: "string" }],
    [
      "an object with a property named like a keyword",
      z.object({ pattern: z.email(), minimum: z.int() }),
      {
        type: "object",
        properties: { pattern: { type: "string", format: "email" }, minimum: { type: "integer" } },
        required: ["pattern", "minimum"],
      },
    ],
    [
      "an object that takes nothing else",
      z.strictObject({ a: z.string() }),
      { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
    ],
  ])("%s", (_, schema, expected) => {
    expect(field(schema)).toStrictEqual(expected);
  });

  test("required are those without a default that are not optional", () => {
    const schema = z.object({
      a: z.string(),
      b: z.string().optional(),
      c: z.string().default("x"),
      d: z.string().catch("y"),
    });
    expect(toJsonSchema(schema).required).toStrictEqual(["a"]);
    expect(toJsonSchema(z.object({ a: z.string().optional() }))).not.toHaveProperty("required");
  });

  test("noise at the top is gone", () => {
    expect(toJsonSchema(z.strictObject({}))).toStrictEqual({ type: "object", properties: {} });
    expect(toJsonSchema(z.looseObject({}))).toHaveProperty("additionalProperties");
    expect(toJsonSchema({ $schema: "x", type: "object" })).toStrictEqual({ type: "object" });
  });

  test("a tool without input takes nothing", () => {
    expect(toJsonSchema(undefined)).toStrictEqual({ type: "object", properties: {} });
  });

  test("made once a schema", () => {
    const schema = z.object({});
    expect(toJsonSchema(schema)).toBe(toJsonSchema(schema));
  });

  test("a recursive schema", () => {
    const node = z.object({
      name: z.string(),
      get inner() {
        return z.array(node).optional();
      },
    });
    expect(JSON.stringify(toJsonSchema(node))).toContain('"$ref":"#"');
  });
});

test.each([
  [z.object({}), true],
  [z.any(), true],
  [{ type: "object" }, false],
  [{ _zod: {} }, false],
  [{ safeParse: () => {} }, false],
  [null, false],
  ["zod", false],
])("isZod %#", (value, expected) => {
  expect(isZod(value)).toBe(expected);
});

describe("shownSchema", () => {
  const schema = toJsonSchema(z.object({ path: z.string(), limit: z.int(), line_range: z.string() }));

  test("rare arguments are left out", () => {
    expect(shownSchema(schema, ["line_range"])).toStrictEqual({
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "integer" } },
      required: ["path", "limit"],
    });
    expect(schema.required).toHaveLength(3);
  });

  test("without required ones nothing is said of any", () => {
    expect(shownSchema(schema, ["path", "limit", "line_range"])).toStrictEqual({ type: "object", properties: {} });
    expect(shownSchema({ properties: { a: {} } }, [])).toStrictEqual({ type: "object", properties: { a: {} } });
    expect(shownSchema({ properties: [] }, [])).toStrictEqual({ type: "object", properties: {} });
  });

  test("arguments have the names of the dialect", () => {
    const shown = shownSchema(schema, ["limit"], { path: "file_path", constructor: "never" });
    expect(shown.properties).toStrictEqual({ file_path: { type: "string" }, line_range: { type: "string" } });
    expect(shown.required).toStrictEqual(["file_path", "line_range"]);
  });

  test("definitions that only a rare argument used go with it", () => {
    const given = { properties: { a: {}, b: { $ref: "#/$defs/x" } }, $defs: { x: { type: "string" } } };
    expect(shownSchema(given, ["b"])).not.toHaveProperty("$defs");
    expect(shownSchema(given, ["a"])).toHaveProperty("$defs");
  });
});

describe("forModel", () => {
  const told = (parameters: JsonSchema) => ({ name: "t", description: "Does it.", parameters });
  const plain = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

  test.each<[Format, Record<string, unknown>]>([
    ["openai", { type: "function", function: { name: "t", description: "Does it.", parameters: plain } }],
    ["anthropic", { name: "t", description: "Does it.", input_schema: plain }],
    ["gemini", { name: "t", description: "Does it.", parameters: plain }],
    ["mcp", { name: "t", description: "Does it.", inputSchema: plain }],
  ])("%s", (format, expected) => {
    expect(forModel(format, told(plain))).toStrictEqual(expected);
  });

  const [a, b] = [{ properties: { a: { type: "string" } }, required: ["a"] }, { properties: { b: {} } }];
  const both = { a: { type: "string" }, b: {} };
  test.each<[what: string, given: JsonSchema, shown: JsonSchema]>([
    ["anyOf", { anyOf: [a, b] }, { type: "object", properties: both }],
    ["oneOf", { oneOf: [a, a] }, { type: "object", properties: a!.properties, required: ["a"] }],
    ["allOf", { allOf: [a, b] }, { type: "object", properties: both, required: ["a"] }],
    [
      "a reference",
      { $ref: "#/$defs/a", $defs: { a } },
      { type: "object", properties: a!.properties, required: ["a"], $defs: { a } },
    ],
    [
      "an object stays as it is",
      { properties: { a: { default: 1 } }, required: ["a"], additionalProperties: true, anyOf: [] },
      { type: "object", properties: { a: { default: 1 } }, required: ["a"], additionalProperties: true, anyOf: [] },
    ],
    ["properties that are none", { properties: [] }, { type: "object", properties: {} }],
  ])("%s at the top", (_, given, shown) => {
    expect(forModel("mcp", told(given)).inputSchema).toStrictEqual(shown);
  });

  test("a union of objects becomes one object", () => {
    const union = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("cron"), expr: z.string() }),
      z.object({ kind: z.literal("at"), at: z.string() }),
    ]);
    expect(forModel("anthropic", told(toJsonSchema(union))).input_schema).toStrictEqual({
      type: "object",
      properties: { kind: { type: "string", enum: ["cron", "at"] }, expr: { type: "string" }, at: { type: "string" } },
      required: ["kind"],
    });
  });

  test("the top is always an object with properties", () => {
    expect(forModel("mcp", told({})).inputSchema).toStrictEqual({ type: "object", properties: {} });
  });

  const gemini = (v: JsonSchema, root: JsonSchema = {}) => {
    const found = forModel("gemini", told({ type: "object", properties: { v }, ...root }));
    return (found.parameters as { properties: { v: JsonSchema } }).properties.v;
  };
  test.each<[string, JsonSchema, JsonSchema]>([
    ["const", { const: "a" }, { type: "string", enum: ["a"] }],
    ["numbers that are listed", { enum: [1, 2] }, { type: "number", description: "One of 1, 2." }],
    ["default", { type: "string", default: "x" }, { type: "string" }],
    ["format", { type: "string", format: "uri" }, { type: "string" }],
    ["a format it knows", { type: "string", format: "date-time" }, { type: "string", format: "date-time" }],
    ["record", { type: "object", additionalProperties: { type: "string" } }, { type: "object" }],
    ["anything", {}, { type: "string" }],
    ["null beside a type", { type: ["string", "null"] }, { type: "string", nullable: true }],
    ["null as a branch", { anyOf: [{ type: "string" }, { type: "null" }] }, { type: "string", nullable: true }],
    [
      "anyOf and oneOf",
      { oneOf: [{ type: "string" }, { anyOf: [{ type: "number" }, { type: "boolean" }] }] },
      { anyOf: [{ type: "string" }, { anyOf: [{ type: "number" }, { type: "boolean" }] }] },
    ],
    [
      "tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], items: false, minItems: 2, maxItems: 2 },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] }, minItems: 2, maxItems: 2 },
    ],
    ["a list of anything", { type: "array" }, { type: "array", items: { type: "string" } }],
    [
      "parts of one object",
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
          { type: "object", properties: { b: { type: "number" } } },
        ],
      },
      { type: "object", properties: { a: { type: "string" }, b: { type: "number" } }, required: ["a"] },
    ],
    ["parts of a text", { allOf: [{ type: "string" }, { minLength: 1 }] }, { type: "string", minLength: 1 }],
    ["limits", { type: "integer", exclusiveMinimum: 0, maximum: 9 }, { type: "integer", minimum: 1, maximum: 9 }],
    [
      "closed objects",
      { type: "object", properties: { a: true }, required: ["a", "b"], additionalProperties: false },
      {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
      },
    ],
    [
      "all parts",
      { allOf: [{ properties: { a: { type: "string" } } }, { required: ["a"] }] },
      {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
      },
    ],
  ])("gemini: %s", (_, schema, expected) => {
    expect(gemini(schema)).toStrictEqual(expected);
  });

  test("gemini: a reference is replaced, and an endless one ends", () => {
    expect(gemini({ $ref: "#/$defs/n", description: "n" }, { $defs: { n: { type: "number" } } })).toStrictEqual({
      type: "number",
      description: "n",
    });
    const endless = JSON.stringify(gemini({ $ref: "#" }));
    expect(endless).not.toContain("$ref");
    expect(JSON.stringify(gemini({ $ref: "#/$defs/a" }, { $defs: { a: { $ref: "#/$defs/a" } } }))).not.toContain(
      "$ref",
    );
  });

  test("gemini: a tool that takes nothing has no parameters", () => {
    expect(forModel("gemini", told(toJsonSchema(undefined)))).toStrictEqual({ name: "t", description: "Does it." });
  });
});

test.each<[z.ZodType | JsonSchema | undefined, string]>([
  [undefined, "no arguments"],
  [z.any(), "any arguments"],
  [
    z.object({ path: z.string(), content: z.string(), mode: z.enum(["overwrite", "append"]).optional() }),
    "path (string), content (string), mode (overwrite | append, optional)",
  ],
  [z.object({ a: z.array(z.int()), b: z.literal("x").default("x") }), "a (list of integer), b (x, optional)"],
  [z.object({ a: z.string().nullable(), b: z.any() }), "a (string or null), b (any value)"],
  [z.object({ a: z.union([z.string(), z.array(z.string())]) }), "a (string or list of string)"],
  [z.object({ a: z.array(z.any()) }), "a (list)"],
  [z.looseObject({ a: z.string() }), "a (string), and others"],
])("summarise %#", (schema, expected) => {
  expect(summarise(toJsonSchema(schema))).toBe(expected);
});

test("a schema that multiplies itself is read in time", () => {
  const self = Array.from({ length: 8 }, () => ({ $ref: "#" }));
  const chain = Array.from({ length: 30 }, (_, n): [string, JsonSchema] => [
    `d${n}`,
    { anyOf: Array.from({ length: 8 }, () => ({ $ref: `#/$defs/d${n + 1}` })) },
  ]);
  const properties = { a: { $ref: "#/$defs/d0" }, b: { allOf: self }, c: { anyOf: self } };
  const schema = { type: "object", properties, allOf: self, oneOf: self, $defs: Object.fromEntries(chain) };
  expect(summarise(schema)).toMatch(/^a \(.*b \(.*c \(/s);
  expect(Object.keys(shownSchema(schema, []).properties as object)).toStrictEqual(["a", "b", "c"]);
  expect(JSON.stringify(forModel("gemini", { name: "t", description: "", parameters: schema }))).not.toContain("$ref");
});
