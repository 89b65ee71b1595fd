import vm from "node:vm";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../core/words/json-schema.ts";
import {
  argumentsOf,
  asSchema,
  isPlain,
  itemAt,
  listOf,
  mapInside,
  mapOf,
  matches,
  namesOf,
  own,
  propertyAt,
  resolve,
  schemaAt,
  typesOf,
  valuesOf,
} from "./json-schema.ts";

/** A literal key of this name would make an object look like a promise. */
const THEN = "then";

describe("reading a stranger's schema", () => {
  class Made {}
  const withProto = (prototype: object | null) => Object.create(prototype) as object;
  test.each<[what: string, value: unknown, plain: boolean]>([
    ["an object", {}, true],
    ["one without a prototype", withProto(null), true],
    ["one of another realm", vm.runInNewContext("({})"), true],
    ["one whose prototype has none and nothing of Object", withProto(withProto(null)), false],
    ["one of a class", new Made(), false],
    ["one whose prototype only looks like Object's", withProto({ hasOwnProperty: 1 }), false],
    ["a list without a prototype", Object.setPrototypeOf([], null), false],
    ["a list", [], false],
    ["null", null, false],
    ["a text", "x", false],
    ["a date", new Date(0), false],
  ])("%s is plain: %s", (_, value, plain) => expect(isPlain(value)).toBe(plain));

  test("true means anything, false nothing, and what is no schema is left out", () => {
    expect(asSchema(true)).toEqual({});
    expect(asSchema(false)).toEqual({ enum: [] });
    for (const odd of [null, 1, "x", [], undefined]) expect(asSchema(odd)).toBeUndefined();
    expect(mapOf({ properties: { a: { type: "string" }, b: true, c: 1 } }, "properties")).toEqual([
      ["a", { type: "string" }],
      ["b", {}],
    ]);
    expect(mapOf({ properties: [] }, "properties")).toEqual([]);
    expect(listOf({ anyOf: [{ type: "string" }, false, 1] }, "anyOf")).toEqual([{ type: "string" }, { enum: [] }]);
    expect(listOf({ anyOf: {} }, "anyOf")).toEqual([]);
    expect(namesOf({ required: ["a", 1, "b"] }, "required")).toEqual(["a", "b"]);
    expect(namesOf({ required: "a" }, "required")).toEqual([]);
  });

  test("nothing is found by inheritance", () => {
    expect(own({}, "constructor")).toBeUndefined();
    expect(own({ a: 1 }, "a")).toBe(1);
    expect(propertyAt({ properties: {} }, "constructor")).toBeUndefined();
    expect(valuesOf(Object.create({ const: 1 }) as JsonSchema)).toBeUndefined();
  });

  test.each<[schema: JsonSchema, types: string[]]>([
    [{ type: "string" }, ["string"]],
    [{ type: ["string", 1, "null"] }, ["string", "null"]],
    [{ properties: {} }, ["object"]],
    [{ items: {} }, ["array"]],
    [{ prefixItems: [] }, ["array"]],
    [{ items: true }, []],
    [{}, []],
    [{ type: "integer", properties: {} }, ["integer"]],
  ])("the types of %j", (schema, types) => expect(typesOf(schema)).toEqual(types));

  const ROOT: JsonSchema = {
    $defs: { a: { type: "string" }, "b/c": { type: "integer" }, "d e": { type: "null" }, "%": true, t: 7, nil: null },
  };
  test.each<[ref: unknown, found: JsonSchema | undefined]>([
    ["#", ROOT],
    ["other.json#/$defs/a", undefined],
    ["#/none/deeper", undefined],
    ["#/$defs/nil/deeper", undefined],
    ["#/$defs/t/deeper", undefined],
    ["#/$defs/a", { type: "string" }],
    ["#/$defs/b~1c", { type: "integer" }],
    ["#/$defs/d%20e", { type: "null" }],
    ["#/$defs/%", {}],
    ["#/$defs/nowhere", undefined],
    ["#/$defs/a/type/x", undefined],
    ["#/$defs/constructor", undefined],
    ["#/$defs/t", undefined],
    ["other.json#/a", undefined],
    [1, undefined],
    [undefined, undefined],
  ])("where %j points", (ref, found) => expect(resolve(ROOT, ref)).toEqual(found));

  test.each<[pattern: string, text: string, is: boolean]>([
    ["^a+$", "aaa", true],
    ["^a+$", "ab", false],
    ["(", "x", true],
    ["^(a+)+$", `${"a".repeat(15)}!`, false],
    ["^(a+)+$", `${"a".repeat(40)}!`, true],
    ["^a*b*c*$", `${"x".repeat(20)}`, true],
    ["^a*b*$", `${"x".repeat(20)}`, false],
    ["^a{2,}b{1,}$", `${"x".repeat(20)}`, false],
    ["^(?:ab)*$", `${"x".repeat(17)}`, true],
    ["^(?:ab){2}$", `${"x".repeat(17)}`, true],
    ["^(?:ab)$", `${"x".repeat(17)}`, false],
    ["^a$", "x".repeat(2000), false],
    ["^a$", "x".repeat(2001), true],
    ["^(?:a)*$", "x".repeat(16), false],
  ])("%s is taken to match %s: %s", (pattern, text, is) => expect(matches(pattern, text)).toBe(is));
});

describe("going through a schema", () => {
  test("every schema inside is changed once, and names of properties are no keywords", () => {
    const inner = { type: "x" };
    const schema: JsonSchema = {
      ...{ properties: { items: inner, a: true }, patternProperties: { b: inner }, $defs: { c: inner } },
      ...{ definitions: { d: inner }, dependentSchemas: { e: inner } },
      ...{ anyOf: [inner, true], oneOf: [inner], allOf: [inner], prefixItems: [inner] },
      ...{ items: inner, additionalProperties: inner, unevaluatedProperties: inner, propertyNames: inner },
      ...{ contains: inner, not: inner, if: inner, [THEN]: inner, else: inner },
      ...{ enum: [inner], const: inner, default: inner },
    };
    const changed = mapInside(schema, () => ({ done: 1 }));
    const done = { done: 1 };
    expect(changed).toEqual({
      ...{ properties: { items: done, a: true }, patternProperties: { b: done }, $defs: { c: done } },
      ...{ definitions: { d: done }, dependentSchemas: { e: done } },
      ...{ anyOf: [done, true], oneOf: [done], allOf: [done], prefixItems: [done] },
      ...{ items: done, additionalProperties: done, unevaluatedProperties: done, propertyNames: done },
      ...{ contains: done, not: done, if: done, [THEN]: done, else: done },
      ...{ enum: [inner], const: inner, default: inner },
    });
    expect(mapInside({ items: [inner, false] }, () => done)).toEqual({ items: [done, false] });
    expect(mapInside({ properties: [], anyOf: {}, not: true }, () => done)).toEqual({
      properties: [],
      anyOf: {},
      not: true,
    });
  });

  test.each<[schema: JsonSchema, index: number, found: JsonSchema | undefined]>([
    [{ items: { type: "string" } }, 5, { type: "string" }],
    [{ prefixItems: [{ type: "string" }], items: { type: "null" } }, 0, { type: "string" }],
    [{ prefixItems: [{ type: "string" }], items: { type: "null" } }, 1, { type: "null" }],
    [{ prefixItems: [{ type: "string" }] }, 1, undefined],
    [{ items: [{ type: "string" }] }, 0, { type: "string" }],
    [{ items: [{ type: "string" }] }, 1, undefined],
    [{}, 0, undefined],
  ])("the item of %j at %d", (schema, index, found) => expect(itemAt(schema, index)).toEqual(found));

  test.each<[schema: JsonSchema, name: string, found: JsonSchema | undefined]>([
    [{ properties: { a: { type: "string" } } }, "a", { type: "string" }],
    [{ properties: { a: true } }, "a", {}],
    [{ properties: {}, additionalProperties: { type: "null" } }, "b", { type: "null" }],
    [{ patternProperties: { "^x": { type: "string" } } }, "xy", { type: "string" }],
    [{ patternProperties: { "^x": { type: "string" } } }, "yx", undefined],
    [{ patternProperties: { "^x": { type: "string" } }, properties: { xy: { type: "null" } } }, "xy", { type: "null" }],
    [{ additionalProperties: true }, "b", undefined],
  ])("the property of %j named %s", (schema, name, found) => expect(propertyAt(schema, name)).toEqual(found));
});

describe("what a tool takes", () => {
  const text = { type: "string" };
  const takes = (schema: JsonSchema) => {
    const { schemas, required, open } = argumentsOf(schema);
    return { names: [...schemas.keys()], required: [...required], open };
  };
  test.each<[what: string, schema: JsonSchema, names: string[], required: string[], open: boolean]>([
    ["properties", { properties: { a: text, b: text }, required: ["a"] }, ["a", "b"], ["a"], false],
    ["one with a default", { properties: { a: { default: 1 } }, required: ["a"] }, ["a"], [], false],
    ["anything", {}, [], [], true],
    ["others, too", { properties: { a: text }, additionalProperties: true }, ["a"], [], true],
    ["others of a kind", { properties: { a: text }, additionalProperties: text }, ["a"], [], true],
    ["no others", { properties: { a: text }, additionalProperties: false }, ["a"], [], false],
    ["others, said otherwise", { properties: { a: text }, unevaluatedProperties: true }, ["a"], [], true],
    ["others by pattern", { properties: { a: text }, patternProperties: { b: text } }, ["a"], [], true],
    [
      "all of",
      {
        allOf: [
          { properties: { a: text }, required: ["a"] },
          { properties: { b: text }, required: ["b"] },
        ],
      },
      ["a", "b"],
      ["a", "b"],
      false,
    ],
    [
      "a reference",
      { $ref: "#/$defs/x", $defs: { x: { properties: { a: text }, required: ["a"] } } },
      ["a"],
      ["a"],
      false,
    ],
    [
      "any of, which agree on one",
      {
        anyOf: [
          { properties: { a: text, b: text }, required: ["a", "b"] },
          { properties: { a: text }, required: ["a"] },
        ],
      },
      ["a", "b"],
      ["a"],
      false,
    ],
    [
      "one of, of which one is open",
      { oneOf: [{ properties: { a: text } }, { additionalProperties: true }] },
      ["a"],
      [],
      true,
    ],
    [
      "a condition",
      { properties: { a: text }, [THEN]: { properties: { b: text }, required: ["b"] } },
      ["a", "b"],
      [],
      false,
    ],
    ["the other condition", { properties: { a: text }, else: { properties: { c: text } } }, ["a", "c"], [], false],
    ["circles", { properties: { a: text }, allOf: [{ $ref: "#" }] }, ["a"], [], false],
  ])("%s", (_, schema, names, required, open) => expect(takes(schema)).toEqual({ names, required, open }));

  test("one argument of several branches may be any of theirs", () => {
    const a = (schema: JsonSchema) => ({ properties: { a: schema } });
    const at = (...branches: JsonSchema[]) => argumentsOf({ anyOf: branches.map(a) }).schemas.get("a");
    expect(at(text, text)).toEqual(text);
    expect(at(text, { type: "null" })).toEqual({ anyOf: [text, { type: "null" }] });
    expect(at(text, { type: "null" }, { type: "integer" })).toEqual({
      anyOf: [text, { type: "null" }, { type: "integer" }],
    });
    expect(at({ const: "a", title: "t" }, { const: "b" })).toEqual({ title: "t", enum: ["a", "b"] });
    expect(at({ enum: ["a", "b"] }, { enum: ["b", "c"] })).toEqual({ enum: ["a", "b", "c"] });
    expect(at({ const: "a" }, text)).toEqual({ anyOf: [{ const: "a" }, text] });
    expect(at(text, { const: "a" })).toEqual({ anyOf: [text, { const: "a" }] });
    expect(valuesOf({ enum: "a" })).toBeUndefined();
  });

  test.each<[path: PropertyKey[], found: JsonSchema | undefined]>([
    [[], undefined],
    [["list", 0], text],
    [["list", "x"], undefined],
    [["far", "deep"], { type: "null" }],
    [["both"], { anyOf: [text, { type: "integer" }] }],
    [["nowhere"], undefined],
    [["one"], text],
    [["self", "self", "list", 1], text],
  ])("what is expected at %j", (path, found) => {
    const root: JsonSchema = {
      properties: {
        list: { type: "array", items: text },
        far: { $ref: "#/$defs/far" },
        both: text,
        self: { $ref: "#" },
      },
      oneOf: [{ properties: { one: text } }],
      anyOf: [{ properties: { both: { type: "integer" } } }],
      $defs: { far: { allOf: [{ properties: { deep: { type: "null" } } }, { $ref: "#/$defs/far" }] } },
    };
    expect(schemaAt(root, path)).toEqual(path.length === 0 ? root : found);
  });
});
