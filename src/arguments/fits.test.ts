import { Ajv } from "ajv";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { allows, fits, isOfType, walk } from "./fits.ts";
import { DEEPEST } from "./json-schema.ts";
import { rebuildsAll } from "./schema-check.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];
const small = fc.integer({ min: 0, max: 3 });
const literal = fc.constantFrom<unknown>("a", "ab", "", 0, 1, 2.5, true, false, null);

const $defs: Record<string, JsonSchema> = {
  text: { type: "string", minLength: 1 },
  count: { type: "integer", minimum: 0 },
};

/** What models' tools are described with. */
const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...TYPES).map((type): JsonSchema => ({ type })),
      fc.subarray(TYPES, { minLength: 1 }).map((type) => ({ type }) as JsonSchema),
      fc
        .array(literal, { minLength: 1, maxLength: 3 })
        .map((values): JsonSchema => ({ enum: [...new Set(values)] as never })),
      literal.map((value) => ({ const: value }) as JsonSchema),
      fc.constantFrom("text", "count").map((name): JsonSchema => ({ $ref: `#/$defs/${name}` })),
      fc
        .record({ minLength: small, maxLength: small }, { requiredKeys: [] })
        .map((own) => ({ type: "string", ...own })),
      fc.constantFrom("^a", "b$", "^[a-b]*$").map((pattern): JsonSchema => ({ type: "string", pattern })),
      fc
        .record(
          { minimum: small, maximum: small, exclusiveMinimum: small, exclusiveMaximum: small },
          { requiredKeys: [] },
        )
        .map((own) => ({ type: "number", ...own })),
      list.map((anyOf): JsonSchema => ({ anyOf })),
      list.map((oneOf): JsonSchema => ({ oneOf })),
      list.map((allOf): JsonSchema => ({ allOf })),
      fc
        .record({ items: tie("schema"), minItems: small, maxItems: small }, { requiredKeys: ["items"] })
        .map((own) => ({ type: "array", ...own })),
      fc
        .record({
          properties: fc.dictionary(fc.constantFrom("p", "q"), tie("schema"), { maxKeys: 2 }),
          required: fc.subarray(["p", "q"]),
          additionalProperties: fc.boolean(),
        })
        .map((own) => ({ type: "object", ...own })),
    ),
  };
});

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    literal,
    fc.integer({ min: -1, max: 4 }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("p", "q", "r"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

/** Whoever sends a value means one branch of it, so that a second one which fits too is no reason against it. */
const loosened = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(loosened);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, each]) => [key === "oneOf" ? "anyOf" : key, loosened(each)]),
  );
};

const ajv = new Ajv({ strict: false, addUsedSchema: false, validateSchema: false });
const isRight = (schema: JsonSchema, value: unknown): boolean => ajv.validate(loosened(schema) as object, value);

describe("what fits a schema", () => {
  test("is what a validator takes, and of a type that the schema allows", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const whole = { ...schema, $defs };
        const right = isRight(whole, value);
        expect(fits(walk(whole), whole, value)).toBe(right);
        const types = TYPES.filter((type) => isOfType(type, value));
        if (right) expect(types.some((type) => allows(whole, whole, type))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test.each<[schema: JsonSchema, right: unknown[], wrong: unknown[]]>([
    [{ type: "string", minLength: 2, maxLength: 3 }, ["ab", "abc"], ["a", "abcd", 2]],
    [{ type: "string", minLength: "3", maxLength: "1" }, ["ab"], [1]],
    [{ type: "string", pattern: "^a" }, ["ab"], ["ba"]],
    [{ type: "number", minimum: 1, maximum: 2 }, [1, 2], [0.9, 2.1]],
    [{ type: "number", exclusiveMinimum: 1, exclusiveMaximum: 2 }, [1.1, 1.9], [1, 2, 0, 3]],
    [{ type: "number", minimum: 1, exclusiveMinimum: true }, [1, 2], [0]],
    [{ type: "number", maximum: 5, exclusiveMaximum: true }, [5, 1], [6]],
    [{ type: "array", minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
    [{ type: "array", items: { type: "string" } }, [[], ["a"]], [["a", 1]]],
    [{ enum: [{ a: 1 }, [1], null] }, [{ a: 1 }, [1], null], [{ a: 2 }, [2], "null", undefined, {}]],
    [{ enum: [null] }, [null], [Number.NaN, "null", 0]],
    [{ enum: [Number.NaN] as never }, [], [null]],
    [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [2] }, '{"a":[1]}', null]],
    [
      { type: "object", required: ["a"], additionalProperties: false, properties: { a: {} } },
      [{ a: 1 }],
      [{}, { b: 1 }],
    ],
    [{ properties: { a: { type: "string" } } }, [{ a: "x", b: 1 }, { a: undefined }, {}], [{ a: 1 }]],
    [{ anyOf: [{ type: "string" }, { $ref: "#/$defs/count" }] }, ["a", 1], [-1, true]],
    [{ allOf: [{ type: "number" }, { minimum: 2 }] }, [2], [1, "2"]],
  ])("%j: %j and not %j", (schema, right, wrong) => {
    const whole = { ...schema, $defs };
    for (const value of right) expect(fits(walk(whole), whole, value), JSON.stringify(value)).toBe(true);
    for (const value of wrong) expect(fits(walk(whole), whole, value), JSON.stringify(value)).toBe(false);
  });

  test("is no longer looked for where that takes too many steps, or goes too deep", () => {
    const doubled = (times: number): JsonSchema => {
      const part: JsonSchema = times === 0 ? { type: "string" } : doubled(times - 1);
      return { allOf: [part, part] };
    };
    for (const [times, found] of [[10, true] as const, [17, false] as const])
      expect(fits(walk({}), doubled(times), "a"), `doubled ${times} times`).toBe(found);
    const lists = (depth: number): JsonSchema => (depth === 0 ? {} : { type: "array", items: lists(depth - 1) });
    const value = (depth: number): unknown => (depth === 0 ? 1 : [value(depth - 1)]);
    for (const [depth, found] of [[DEEPEST, true] as const, [DEEPEST + 1, false] as const])
      expect(fits(walk({}), lists(depth), value(depth)), `${depth} deep`).toBe(found);
  });

  const never: [schema: JsonSchema, type: string][] = [
    [{ type: "string" }, "number"],
    [{ enum: ["a", 1] }, "boolean"],
    [{ $ref: "#/$defs/text" }, "number"],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, "object"],
    [{ oneOf: [{ type: "string" }, { type: "number" }] }, "object"],
    [{ allOf: [{ type: ["string", "number"] }, { type: ["number", "null"] }] }, "string"],
    [{ anyOf: [{ type: "string" }], oneOf: [{ type: "number" }] }, "string"],
    [{ anyOf: [{ $ref: "#" }, { type: "string" }] }, "number"],
  ];
  test.each<[schema: JsonSchema, type: string]>([
    [{ type: "integer" }, "number"],
    [{ type: "number" }, "integer"],
    [{ allOf: [{ allOf: [{ type: "integer" }] }, { type: "number" }] }, "integer"],
  ])("%j allows a value of the type %s", (schema, type) => expect(allows(schema, schema, type)).toBe(true));

  test.each(never)("%j never allows a value of the type %s", (schema, type) => {
    const whole = { ...schema, $defs };
    expect(allows(whole, whole, type)).toBe(false);
  });
});

describe("whether what was checked is made anew", () => {
  const anew: [what: string, schema: z.ZodType][] = [
    ["texts", z.string()],
    ["numbers", z.number()],
    ["switches", z.boolean()],
    ["choices", z.enum(["a"])],
    ["one value", z.literal("a")],
    ["null", z.null()],
    ["undefined", z.undefined()],
    ["never", z.never()],
    ["objects", z.object({ a: z.boolean().optional(), b: z.array(z.string()) })],
    ["objects with more", z.object({}).catchall(z.string())],
    ["either", z.union([z.string(), z.number().nullable()])],
    ["with a default", z.string().default("a")],
  ];
  test.each(anew)("%s", (_, schema) => expect(rebuildsAll(schema)).toBe(true));

  const passedOn: [what: string, schema: z.ZodType][] = [
    ["anything", z.any()],
    ["unknown", z.unknown()],
    ["what a function looks at", z.custom(() => true)],
    ["a member of an object", z.object({ a: z.string(), b: z.any() })],
    ["what else an object holds", z.object({}).catchall(z.unknown())],
    ["a list", z.array(z.any())],
    ["one of two", z.union([z.string(), z.any()])],
    ["what may be missing", z.any().optional()],
  ];
  test.each(passedOn)("not: %s", (_, schema) => expect(rebuildsAll(schema)).toBe(false));
});
