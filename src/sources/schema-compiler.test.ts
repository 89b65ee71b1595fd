import { describe, expect, test } from "vitest";
import { parser } from "../arguments/parse.ts";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { compileJsonSchema } from "./schema-compiler.ts";

const one = (v: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties: { v }, ...more });
const check = (schema: JsonSchema, value: unknown) => compileJsonSchema(schema)(value);

test.each<[string, JsonSchema, unknown]>([
  ["a type", one({ type: "number" }), { v: 1 }],
  ["nothing", one({ type: "number" }), {}],
  ["formats are not checked", one({ type: "string", format: "email" }), { v: "x" }],
  ["keywords that nobody knows", one({ type: "string", "x-shown": true }), { v: "x" }],
  ["a reference", one({ $ref: "#/$defs/a" }, { $defs: { a: { type: "string" } } }), { v: "x" }],
  ["2020-12", { $schema: "https://json-schema.org/draft/2020-12/schema", ...one({ prefixItems: [{}] }) }, { v: [1] }],
  ["an unknown dialect", { $schema: "https://example.test/mine", ...one({}) }, { v: 1 }],
])("%s is accepted", (_, schema, value) => {
  expect(check(schema, value)).toStrictEqual([]);
});

test.each<[string, JsonSchema, unknown, string, string, string]>([
  ["missing", one({ type: "number" }, { required: ["v"] }), {}, "v", "number", "nothing"],
  ["inherited", { required: ["toString"] }, {}, "toString", "any value", "nothing"],
  ["type", one({ type: "integer", minimum: 1 }), { v: "x" }, "v", "integer from 1", '"x"'],
  ["listed", one({ enum: ["a", "b"] }), { v: "c" }, "v", "one of a, b", '"c"'],
  ["union", one({ anyOf: [{ type: "string" }, { type: "null" }] }), { v: 1 }, "v", "string or null", "1"],
  ["too many keys", one(one({}, { additionalProperties: false })), { v: { x: 1 } }, "v.x", "nothing", "1"],
  ["item", one({ type: "array", items: one({ type: "string" }) }), { v: [{ v: 1 }] }, "v[0].v", "string", "1"],
  ["odd key", { additionalProperties: { type: "string" } }, { "a/b~c": 1 }, '["a/b~c"]', "string", "1"],
  [
    "what has no words of ours",
    one({ type: "array", uniqueItems: true }),
    { v: [1, 1] },
    "v",
    "list: must NOT have duplicate items (items ## 0 and 1 are identical)",
    "[1,1]",
  ],
])("an issue tells: %s", (_, schema, value, path, expected, got) => {
  expect(check(schema, value)).toStrictEqual([{ path, expected, got }]);
});

describe("dialects", () => {
  const tuple = one({ type: "array", items: [{ type: "string" }] });

  test("draft-07 lists items", () => {
    const schema = { $schema: "http://json-schema.org/draft-07/schema#", ...tuple };
    expect(check(schema, { v: ["a", 1] })).toStrictEqual([]);
    expect(check(schema, { v: [1] })).toMatchObject([{ path: "v[0]", expected: "string" }]);
  });

  test("2020-12 does not", () => {
    expect(check(tuple, { v: ["a"] })).toMatchObject([{ expected: expect.stringContaining("schema is invalid") }]);
  });
});

test.each<[string, unknown]>([
  ["an unknown type", { type: "foo" }],
  ["a reference to nothing", one({ $ref: "#/$defs/none" })],
  ["a reference to elsewhere", one({ $ref: "https://example.test/a.json" })],
  ["a pattern that is none", one({ type: "string", pattern: "(" })],
  ["a promise", { $async: true, type: "object" }],
  ["no schema", new Date(0)],
])("a wrong schema refuses everything and says why: %s", (_, schema) => {
  const issues = check(schema as JsonSchema, { v: "x" });
  expect(issues).toMatchObject([
    { path: "", expected: expect.stringMatching(/^something its schema can check \(.+\)$/) },
  ]);
});

test("two schemas of the same id are two schemas", () => {
  expect(check({ $id: "same", ...one({ type: "string" }) }, { v: "x" })).toStrictEqual([]);
  expect(check({ $id: "same", ...one({ type: "number" }) }, { v: "x" })).toHaveLength(1);
});

test("a plain tool's arguments are read with it", () => {
  const input = one({ type: "number" }, { required: ["v"] });
  const parse = parser({ name: "raw", input }, compileJsonSchema);
  expect(parse({ v: 4 })).toStrictEqual({ ok: true, input: { v: 4 }, notes: [] });
  expect(parse({ V: "4", approved: true })).toStrictEqual({ ok: true, input: { v: 4 }, notes: [] });
  expect(parse({})).toMatchObject({ ok: false, message: "Invalid arguments for raw: v is required (number)." });
});
