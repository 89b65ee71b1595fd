import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { coerce } from "./coerce.ts";
import { fits, walk } from "./fits.ts";

const text = { type: "string" };
const number = { type: "number" };
const integer = { type: "integer" };
const boolean = { type: "boolean" };
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const object = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});
const either = (...anyOf: JsonSchema[]): JsonSchema => ({ anyOf });

describe("what becomes something else", () => {
  test.each<[string, JsonSchema, unknown, unknown]>([
    ["true as text", boolean, "true", true],
    ["false as text", boolean, "false", false],
    ["one as text", boolean, "1", true],
    ["zero as text", boolean, "0", false],
    ["truth in another case", boolean, "TRUE", true],
    ["one as a number", boolean, 1, true],
    ["zero as a number", boolean, 0, false],
    ["a number as text", number, "-1.5e2", -150],
    ["an integer as text", integer, "42", 42],
    ["a whole decimal for an integer", integer, "5.0", 5],
    ["a number for text", text, 42, "42"],
    ["truth for text", text, true, "true"],
    ["JSON of an object", object({ n: number }), '{"n":1}', { n: 1 }],
    ["JSON of an object, deep", object({ n: number }), ' {"n":"1"}', { n: 1 }],
    ["JSON of a list", list(text), '["a", 1]', ["a", "1"]],
    ["one item for a list", list(text), "a", ["a"]],
    ["one item for a list, itself eased", list(integer), "3", [3]],
    ["one object for a list", list(object({ a: text })), { a: 1 }, [{ a: "1" }]],
    ["JSON of one object for a list", list(object({ a: text })), '{"a":"x"}', [{ a: "x" }]],
    ["one item for a list of anything", { type: "array" }, 5, [5]],
    ["items of a list", list(boolean), ["true", 0, false], [true, false, false]],
    ["lists in a list", list(list(number)), [["1"], [2]], [[1], [2]]],
    ["a tuple", { type: "array", prefixItems: [text, number] }, [1, "2"], ["1", 2]],
    ["values of a record", { type: "object", additionalProperties: number }, { a: "1" }, { a: 1 }],
    ["by pattern", { type: "object", patternProperties: { "^n": number } }, { n1: "1", a: "1" }, { n1: 1, a: "1" }],
    [
      "null for an optional property",
      object({ a: text, b: text }, { required: ["b"] }),
      { a: null, b: "x" },
      { b: "x" },
    ],
    ["null, deep", list(object({ a: text })), [{ a: null }], [{}]],
    ["another case of a listed value", { type: "string", enum: ["low", "high"] }, "HIGH", "high"],
    ["another case of the only value", { const: "Only" }, "only", "Only"],
    ["text of a listed number", { enum: [1, 2] }, "2", 2],
    ["a number for a listed text", { enum: ["1", "2"] }, 2, "2"],
    ["the first branch that can be had", either(integer, boolean), "true", true],
    ["the first branch of two that can be had", either(integer, boolean), "1", 1],
    ["a branch by its only value", { oneOf: [{ const: "a" }, { const: "b" }] }, "B", "b"],
    [
      "a branch of objects",
      either(object({ k: { const: "a" }, n: number }, { required: ["k"] }), object({ k: { const: "b" }, n: text })),
      { k: "b", n: 1 },
      { k: "b", n: "1" },
    ],
    ["types in a list", { type: ["integer", "null"] }, "7", 7],
    ["all parts", { allOf: [object({ a: number }), object({ b: boolean })] }, { a: "1", b: "1" }, { a: 1, b: true }],
    ["a reference", object({ a: { $ref: "#/$defs/n" } }, { $defs: { n: number } }), { a: "1" }, { a: 1 }],
    [
      "a reference to the whole",
      object({ n: number, next: { $ref: "#" } }),
      { n: "1", next: { n: "2", next: { n: "3" } } },
      { n: 1, next: { n: 2, next: { n: 3 } } },
    ],
  ])("%s", (_, schema, value, expected) => {
    expect(coerce(schema, value)).toStrictEqual(expected);
  });
});

describe("what stays as it was sent", () => {
  const same = { n: "1" };
  test.each<[string, JsonSchema, unknown]>([
    ["yes", boolean, "yes"],
    ["two", boolean, 2],
    ["empty text for truth", boolean, ""],
    ["empty text for a number", number, ""],
    ["blank text for a number", number, " 5 "],
    ["leading zeros", number, "007"],
    ["a plus sign", number, "+5"],
    ["hexadecimal", number, "0x10"],
    ["digit groups", number, "1,000"],
    ["Infinity", number, "Infinity"],
    ["more than a number holds", number, "1e400"],
    ["digits that would be lost", integer, "9007199254740993"],
    ["a fraction for an integer", integer, "5.5"],
    ["truth for a number", number, true],
    ["NaN for text", text, Number.NaN],
    ["null for text", text, null],
    ["an object for text", text, same],
    ["a list for text", text, ["a"]],
    ["text that is no JSON", object({}), "{oops"],
    ["JSON of a list for an object", object({}), "[1]"],
    ["one item that does not fit", list(integer), "many"],
    ["null for a list", list(text), null],
    ["null for a list of anything", { type: "array" }, null],
    ["nothing for a list of anything", { type: "array" }, undefined],
    ["null for a list of what may be null", list({ type: ["string", "null"] }), null],
    ["what is of the second type", { type: ["string", "integer"] }, 5],
    ["one item for a tuple", { type: "array", prefixItems: [text] }, "a"],
    ["a list for a list of lists", list(list(number)), [1, 2]],
    ["null for a required property", object({ a: text }, { required: ["a"] }), { a: null }],
    ["null in a list", list(text), [null]],
    ["null in a record", { type: "object", additionalProperties: number }, { a: null }],
    ["null where it is allowed", object({ a: { type: ["string", "null"] } }), { a: null }],
    ["null where anything is allowed", object({ a: {} }), { a: null }],
    ["null where the schema says nothing readable", { type: "object", properties: { a: 7 } }, { a: null }],
    ["a listed value", { enum: ["ab", "AB"] }, "ab"],
    ["a listed number beside its text", { enum: ["1", 1] }, 1],
    ["two values that differ in case only", { enum: ["ab", "AB"] }, "Ab"],
    ["what fits the second branch", either(integer, text), "1"],
    ["what fits no branch", either(integer, boolean), "many"],
    ["JSON text where text is allowed too", either(text, object({})), '{"a":1}'],
    ["anything where anything is expected", {}, "1"],
    ["what only another document knows", { $ref: "other.json" }, "1"],
    ["a reference to itself", { $ref: "#" }, "1"],
    ["a reference to nothing", { $ref: "#/$defs/none" }, "1"],
    ["nothing is ever right", { anyOf: [false] as unknown as JsonSchema[] }, "1"],
  ])("%s", (_, schema, value) => {
    expect(coerce(schema, value)).toBe(value);
  });

  test("a value of a class", () => {
    const date = new Date(0);
    expect(coerce(object({ n: number }), date)).toBe(date);
  });
});

test("the input is never changed", () => {
  const value = Object.freeze({ a: Object.freeze(["1"]), b: null, c: "x" });
  const schema = object({ a: list(number), b: text, c: text });
  expect(coerce(schema, value)).toStrictEqual({ a: [1], c: "x" });
  expect(value).toStrictEqual({ a: ["1"], b: null, c: "x" });
});

test("a key named __proto__ stays a key", () => {
  const schema = object({ n: number }, { additionalProperties: object({ deep: number }) });
  const eased = coerce(schema, JSON.parse('{"n":"1","__proto__":{"deep":"1"}}')) as object;
  expect(Object.getPrototypeOf(eased)).toBe(Object.prototype);
  expect(JSON.stringify(eased)).toBe('{"n":1,"__proto__":{"deep":1}}');
  expect(coerce(schema, '{"n":1,"__proto__":{"deep":"1"}}')).not.toHaveProperty("deep");
  expect({}).not.toHaveProperty("deep");
});

test("deep nesting and overlapping unions come to an end", () => {
  const node: JsonSchema = { anyOf: [object({ a: { $ref: "#" } }), object({ a: { $ref: "#" }, b: number })] };
  let deep: unknown = { a: "wrong" };
  for (let level = 0; level < 5000; level++) deep = { a: deep };
  expect(() => coerce(node, deep)).not.toThrow();
  let shallow: unknown = { a: 1 };
  for (let level = 0; level < 40; level++) shallow = { a: shallow, b: "many" };
  expect(() => coerce(node, shallow)).not.toThrow();
});

test("references that multiply come to an end", () => {
  const chain = Array.from({ length: 30 }, (_, n): [string, JsonSchema] => [
    `d${n}`,
    { anyOf: Array.from({ length: 8 }, () => ({ $ref: `#/$defs/d${n + 1}` })) },
  ]);
  const schema = object({ a: { $ref: "#/$defs/d0" } }, { $defs: { ...Object.fromEntries(chain), d30: boolean } });
  expect(coerce(schema, { a: null })).toStrictEqual({});
  expect(coerce(schema, { a: "many" })).toStrictEqual({ a: "many" });
});

describe("properties", () => {
  const leaf = fc.constantFrom<JsonSchema>(
    text,
    number,
    integer,
    boolean,
    {},
    { enum: ["a", "B", 1] },
    { type: ["string", "null"] },
    { type: "string", pattern: "^a" },
  );
  const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      tie("schema").map(list),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc
        .tuple(tie("schema"), tie("schema"), fc.subarray(["a", "b"]))
        .map(([a, b, required]) => object({ a, b }, { required })),
      tie("schema").map((additionalProperties) => ({ type: "object", additionalProperties })),
    ),
  })).schema;
  const scalar = fc.oneof(
    fc.constantFrom<unknown>("a", "b", "A", "1", 1, 0, "true", false, null, "[1]", '{"a":"1"}', "abc", 2.5),
    fc.string(),
  );
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { maxKeys: 3 }),
    ),
  })).value;

  test("what fits is left alone", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        if (fits(walk(schema), schema, value)) expect(coerce(schema, value)).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });

  test("once is enough", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const eased = coerce(schema, value);
        expect(coerce(schema, eased)).toStrictEqual(eased);
      }),
      { numRuns: 1000 },
    );
  });

  test("it never throws", () => {
    fc.assert(
      fc.property(
        schemas,
        fc.anything({ withBigInt: true, withDate: true }),
        (schema, value) => void coerce(schema, value),
      ),
    );
  });
});

describe("where nobody may guess", () => {
  test.each<[what: string, schema: JsonSchema, value: unknown, becomes: unknown]>([
    ["all parts have a say", { $ref: "#/$defs/a", allOf: [{ type: "integer" }], $defs: { a: {} } }, "7", 7],
    ["a branch that it cannot be made to fit", either(integer, boolean), "7.5", "7.5"],
    ["a branch that it fits only in another spelling", either({ type: "integer", minimum: 10 }, text), 7, "7"],
    ["a value that is on the list as it is", { enum: ["A", "a"] }, "a", "a"],
    ["two values that are spelled alike", { enum: ["A", "a"] }, "á", "á"],
    ["a value of a list that holds no text", { enum: [{ a: 1 }, "x"] }, "[object Object]", "[object Object]"],
    ["a number that is none", text, Number.NaN, Number.NaN],
    ["digits that a number cannot hold", integer, "9007199254740993", "9007199254740993"],
    ["a number beyond all", number, "1e999", "1e999"],
    ["a fraction", number, "1.25", 1.25],
    ["nothing, where a list is due", list(text), null, null],
    ["a list of lists", list(list(integer)), [1, 2], [1, 2]],
    ["a list of lists as text", list(list(integer)), ["[1]", [2]], [[1], [2]]],
    ["text that only begins like a list", list(text), "[a", ["[a"]],
    ["an object that only begins like one", object({ a: text }), "{a", "{a"],
    ["nothing for an argument of no name", object({}, { additionalProperties: text }), { a: null }, { a: null }],
    ["nothing for one that may be absent", object({ a: text }), { a: null }, {}],
    ["nothing for one that must be there", object({ a: text }, { required: ["a"] }), { a: null }, { a: null }],
    ["nothing where that is a value", object({ a: { type: ["string", "null"] } }), { a: null }, { a: null }],
  ])("%s", (_, schema, value, becomes) => expect(coerce(schema, value)).toEqual(becomes));
});
