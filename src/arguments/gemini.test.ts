import { expect, test } from "vitest";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { geminiSchema } from "./gemini.ts";

const text = { type: "string" };
const words = { title: "t", description: "d" };

test.each<[what: string, schema: JsonSchema, reduced: JsonSchema]>([
  ["words of a choice", { ...words, anyOf: [text, { type: "null" }] }, { ...text, ...words, nullable: true }],
  [
    "words of several choices",
    { ...words, anyOf: [text, { type: "number" }] },
    { anyOf: [text, { type: "number" }], ...words },
  ],
  ["a choice without words", { anyOf: [text, { type: "number" }] }, { anyOf: [text, { type: "number" }] }],
  ["a list of values with nothing among them", { enum: ["a", null] }, { ...text, enum: ["a"], nullable: true }],
  ["a list of texts", { enum: ["a", "b"] }, { ...text, enum: ["a", "b"] }],
  ["numbers with words", { enum: [1, 2], description: "d" }, { type: "number", description: "d One of 1, 2." }],
  ["truths", { enum: [true, false] }, { type: "boolean", description: "One of true, false." }],
  ["truths and numbers", { enum: [1, true] }, { type: "boolean", description: "One of 1, true." }],
  ["integers that are listed", { type: "integer", enum: [1] }, { type: "integer", description: "One of 1." }],
  ["a list", { type: "array", items: { type: "number" } }, { type: "array", items: { type: "number" } }],
  ["an old tuple", { type: "array", items: [{ type: "number" }] }, { type: "array", items: { type: "number" } }],
  [
    "a tuple with more of another kind",
    { type: "array", prefixItems: [text], items: { type: "number" } },
    { type: "array", items: { anyOf: [text, { type: "number" }] } },
  ],
  ["a tuple and no more", { type: "array", prefixItems: [text], items: false }, { type: "array", items: text }],
  ["an object", { properties: { a: text } }, { type: "object", properties: { a: text } }],
  [
    "an object with required ones",
    { properties: { a: text }, required: ["a", "b"] },
    { type: "object", properties: { a: text }, required: ["a"] },
  ],
  [
    "limits of numbers",
    { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9 },
    { type: "number", minimum: 0, maximum: 9 },
  ],
  ["limits of integers", { type: "integer", exclusiveMaximum: 9 }, { type: "integer", maximum: 8 }],
  ...["date-time", "enum", "float", "double", "int32", "int64"].map((format): [string, JsonSchema, JsonSchema] => [
    format,
    { ...text, format },
    { ...text, format },
  ]),
  ["another format", { ...text, format: "uri" }, text],
  [
    "what is kept",
    {
      ...{ ...text, ...words, minimum: 1, maximum: 2, minLength: 3, maxLength: 4, pattern: "p" },
      ...{ minItems: 5, maxItems: 6, minProperties: 7, maxProperties: 8, examples: [], $comment: "c", default: "x" },
    },
    {
      ...{ ...text, ...words, minimum: 1, maximum: 2, minLength: 3, maxLength: 4, pattern: "p" },
      ...{ minItems: 5, maxItems: 6, minProperties: 7, maxProperties: 8 },
    },
  ],
  [
    "an object that may be nothing",
    { type: ["object", "null"], properties: { a: text } },
    { type: "object", properties: { a: text }, nullable: true },
  ],
  [
    "an object that may be nothing, as a lone part",
    { allOf: [{ type: ["object", "null"], properties: { a: text } }] },
    { type: "object", properties: { a: text }, nullable: true },
  ],
  ["a format that is no text", { ...text, format: 5 }, text],
  ["a lone part", { allOf: [{ ...text, minLength: 1 }] }, { ...text, minLength: 1 }],
])("%s", (_, schema, reduced) => expect(geminiSchema(schema)).toStrictEqual(reduced));

test("what goes deeper than eight levels is a text", () => {
  const nested = (levels: number): JsonSchema =>
    levels === 0 ? { type: "boolean" } : { type: "array", items: nested(levels - 1) };
  const leaf = (levels: number) => {
    let found = geminiSchema(nested(levels));
    for (let level = 0; level < levels && found.items; level++) found = found.items as JsonSchema;
    return found;
  };
  expect(leaf(8)).toEqual({ type: "boolean" });
  expect(leaf(9)).toEqual({ type: "string", description: "JSON text." });
});

test("references that multiply are written out a thousand times and no more", () => {
  const properties = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: "boolean" }]));
  const kinds = (count: number) =>
    Object.values(geminiSchema({ properties: properties(count) }).properties as Record<string, JsonSchema>).filter(
      ({ type }) => type === "string",
    ).length;
  expect(kinds(999)).toBe(0);
  expect(kinds(1000)).toBe(1);
});
