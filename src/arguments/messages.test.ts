import { expect, describe as group, test } from "vitest";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { describe, got, kind, pathText, sentence, valueAt, withMore } from "./messages.ts";

const many = (count: number) => Array.from({ length: count }, (_, n) => `v${n}`);

group("what is expected, in words", () => {
  test.each<[schema: JsonSchema, described: string, kind: string]>([
    [{}, "any value", "any value"],
    [{ type: "string" }, "string", "string"],
    [{ type: "string", minLength: 0 }, "string", "string"],
    [{ type: "string", minLength: "3", maxLength: "5" }, "string", "string"],
    [{ type: "boolean", required: ["a"] }, "boolean", "boolean"],
    [{ type: ["string", "null"], enum: ["a"] }, '"a"', "a"],
    [{ type: "string", minLength: 1 }, "string of at least 1 character", "string"],
    [{ type: "string", minLength: 2 }, "string of at least 2 characters", "string"],
    [{ type: "string", maxLength: 5 }, "string of at most 5 characters", "string"],
    [{ type: "string", minLength: 2, maxLength: 5 }, "string of 2 to 5 characters", "string"],
    [{ type: "string", minLength: 5, maxLength: 5 }, "string of 5 characters", "string"],
    [{ type: "string", minLength: 0, maxLength: 0 }, "string of at most 0 characters", "string"],
    [{ type: "string", format: "date", pattern: "x" }, "string in the form date", "string"],
    [{ type: "string", pattern: "^a$" }, "string that matches ^a$", "string"],
    [{ type: "string", pattern: "a".repeat(81) }, `string that matches ${"a".repeat(80)}…`, "string"],
    [{ type: "integer" }, "integer", "integer"],
    [{ type: "integer", minimum: 1 }, "integer from 1", "integer"],
    [{ type: "integer", minimum: 1, maximum: 600 }, "integer from 1 to 600", "integer"],
    [{ type: "number", maximum: 6 }, "number up to 6", "number"],
    [{ type: "number", exclusiveMinimum: 0 }, "number greater than 0", "number"],
    [{ type: "number", exclusiveMinimum: 0, maximum: 6 }, "number greater than 0 and up to 6", "number"],
    [{ type: "number", minimum: 1, exclusiveMaximum: 6 }, "number from 1 and less than 6", "number"],
    [
      { type: "number", minimum: 1, maximum: 6, exclusiveMaximum: 5 },
      "number from 1 and up to 6 and less than 5",
      "number",
    ],
    [{ type: "integer", multipleOf: 5 }, "integer, a multiple of 5", "integer"],
    [{ type: "integer", minimum: 0, multipleOf: 5 }, "integer from 0, a multiple of 5", "integer"],
    [{ type: "boolean" }, "boolean", "boolean"],
    [{ enum: ["a", "b"] }, "one of a, b", "a | b"],
    [{ type: "string", enum: ["a", 1, null] }, "one of a, 1, null", "a | 1 | null"],
    [{ const: "a" }, '"a"', "a"],
    [{ enum: ["a"] }, '"a"', "a"],
    [{ enum: many(30) }, `one of ${many(30).join(", ")}`, many(30).join(" | ")],
    [{ enum: many(31) }, `one of ${many(30).join(", ")}, …`, `${many(30).join(" | ")} | …`],
    [{ type: "array" }, "list", "list"],
    [{ type: "array", items: { type: "integer", minimum: 1 } }, "list of integer from 1", "list of integer"],
    [{ type: "array", items: {} }, "list", "list"],
    [{ type: "array", minItems: 1, maxItems: 3 }, "list with 1 to 3 items", "list"],
    [{ type: "object" }, "object", "object"],
    [{ type: "object", required: ["a", "b"] }, "object with a, b", "object"],
    [{ properties: { a: {} } }, "object", "object"],
    [{ type: ["string", "null"] }, "string or null", "string or null"],
    [{ anyOf: [{ type: "string" }, { type: "integer" }] }, "string or integer", "string or integer"],
    [{ oneOf: [{ type: "string" }, { type: "string" }] }, "string", "string"],
    [{ anyOf: [{ type: "string" }], enum: ["a", "b"] }, "one of a, b", "a | b"],
    [
      { anyOf: many(6).map((value) => ({ const: value })) },
      many(6)
        .map((value) => `"${value}"`)
        .join(" or "),
      many(6).join(" or "),
    ],
    [
      { anyOf: many(7).map((value) => ({ const: value })) },
      `${many(6)
        .map((value) => `"${value}"`)
        .join(" or ")} or something else`,
      `${many(6).join(" or ")} or something else`,
    ],
    [{ allOf: [{ type: "string", minLength: 2 }] }, "string of at least 2 characters", "string"],
    [{ type: "integer", allOf: [{ type: "string" }] }, "integer", "integer"],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "boolean" } } }, "boolean", "boolean"],
  ])("%j", (schema, described, short) => {
    expect(describe(schema, schema)).toBe(described);
    expect(kind(schema, schema)).toBe(short);
  });

  test("what goes round in circles ends", () => {
    const circle = { type: "array", items: { $ref: "#" } };
    expect(describe(circle, circle)).toBe("list");
    const deep = { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, { type: "string" }] } } };
    expect(describe(deep, deep)).toContain("value");
    const lists = (levels: number): JsonSchema =>
      Array.from({ length: levels }).reduce<JsonSchema>((items) => ({ type: "array", items }), { type: "string" });
    const [most, more] = [lists(4), lists(5)];
    expect(describe(most, most)).toBe("list of list of list of list of string");
    expect(describe(more, more)).toBe("list of list of list of list of list of value");
  });
});

group("what came instead", () => {
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  test.each<[value: unknown, shown: string]>([
    [undefined, "nothing"],
    [null, "null"],
    ["a", '"a"'],
    [12n, "12n"],
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    [1.5, "1.5"],
    [() => 1, "a function"],
    [Symbol("x"), "a symbol"],
    [{ a: [1] }, '{"a":[1]}'],
    [circle, "something that is not JSON"],
    [{ toJSON: () => undefined }, "object"],
    ["x".repeat(78), `"${"x".repeat(78)}"`],
    ["x".repeat(79), `"${"x".repeat(79)}…`],
    [`${"x".repeat(78)}😀`, `"${"x".repeat(78)}…`],
  ])("%s", (value, shown) => expect(got(value)).toBe(shown));

  test("a megabyte is not written out to show its beginning", () => {
    const { stringify } = JSON;
    let longest = 0;
    JSON.stringify = ((value: unknown) => {
      if (typeof value === "string") longest = Math.max(longest, value.length);
      return stringify(value);
    }) as typeof JSON.stringify;
    try {
      got("x".repeat(1_000_000));
    } finally {
      JSON.stringify = stringify;
    }
    expect(longest).toBeLessThan(1000);
  });
});

test.each<[issue: Parameters<typeof sentence>[0], text: string]>([
  [{ path: "path", expected: "string", got: "nothing" }, "path is required (string)"],
  [{ path: "", expected: "object", got: "nothing" }, "the arguments are required (object)"],
  [{ path: "a", expected: "nothing", got: "1" }, "a is not accepted (got 1)"],
  [{ path: "a", expected: "nothing", got: "1", refused: "it is unknown" }, "a is not accepted: it is unknown (got 1)"],
  [{ path: "a", expected: "string", got: "1" }, "a must be a string (got 1)"],
  [{ path: "a", expected: "integer from 1", got: '"x"' }, 'a must be an integer from 1 (got "x")'],
  [{ path: "a", expected: "object", got: "1" }, "a must be an object (got 1)"],
  [{ path: "a", expected: "one of b, c", got: "1" }, "a must be one of b, c (got 1)"],
  [{ path: "", expected: "list", got: "1" }, "the arguments must be a list (got 1)"],
])("%j", (issue, text) => expect(sentence(issue)).toBe(text));

test.each<[words: string, all: string]>([
  ["", "valid: more"],
  ["any value", "valid: more"],
  ["string", "string: more"],
])("%j with what its author says", (words, all) => expect(withMore(words, "more")).toBe(all));

test.each<[path: PropertyKey[], text: string, value: unknown]>([
  [[], "", { a: [{ b: 1 }], "x y": 2, text: "word" }],
  [["a"], "a", [{ b: 1 }]],
  [["a", 0, "b"], "a[0].b", 1],
  [["x y"], '["x y"]', 2],
  [["a", 0, "x y"], 'a[0]["x y"]', undefined],
  [["a", 7], "a[7]", undefined],
  [["constructor"], "constructor", undefined],
  [["a", 0, "b", "c"], "a[0].b.c", undefined],
  [["text", "length"], "text.length", undefined],
  [["text", 0], "text[0]", undefined],
])("the place %j", (path, text, value) => {
  expect(pathText(path)).toBe(text);
  expect(valueAt({ a: [{ b: 1 }], "x y": 2, text: "word" }, path)).toEqual(value);
  expect(valueAt(null, ["a"])).toBeUndefined();
});
