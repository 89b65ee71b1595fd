import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Parsed, Shape } from "../core/contracts/arguments.ts";
import { fits, walk } from "./fits.ts";
import type { Compile } from "./messages.ts";
import { parser } from "./parse.ts";

const compile: Compile = (schema) => (value) =>
  fits(walk(schema), schema, value) ? [] : [{ path: "", expected: "what fits", got: "what does not" }];
const read = (shape: Omit<Shape, "name">, args: unknown, calledAs?: string): Parsed =>
  parser({ name: "tool", ...shape }, compile)(args, calledAs);
const good = (input: unknown, ...notes: string[]) => ({ ok: true, input, notes });

const file = {
  input: z.object({
    file_path: z.string(),
    text: z.string().optional(),
    mode: z.enum(["overwrite", "append"]).optional(),
  }),
  aliases: {
    names: ["Write", { name: "append", preset: { mode: "append" } }],
    args: { file_path: ["path", "file"], text: ["content", "file"] },
  },
};
const takes = "tool takes file_path, text, mode.";
const raw = {
  input: { type: "object", properties: { n: { type: "number" }, s: { type: "string" } }, required: ["n"] },
};
const open = { input: z.looseObject({ a: z.string() }), aliases: { args: { a: ["b"] } } };

describe("what is accepted", () => {
  test.each<[string, Omit<Shape, "name">, unknown, ReturnType<typeof good>]>([
    ["what is right", file, { file_path: "a" }, good({ file_path: "a" })],
    ["without a prototype", file, Object.assign(Object.create(null), { file_path: "a" }), good({ file_path: "a" })],
    ["JSON text of the arguments", file, ' {"path":"a"} ', good({ file_path: "a" })],
    ["a bare text for the one required argument", file, "a b", good({ file_path: "a b" })],
    ["a bare text that starts like a block", file, "{ ls; }", good({ file_path: "{ ls; }" })],
    ["a bare text for the only argument", { input: z.object({ q: z.string().optional() }) }, "x", good({ q: "x" })],
    ["a text with quotes is not JSON of an object", file, '"a"', good({ file_path: '"a"' })],
    ["another name", file, { path: "a" }, good({ file_path: "a" })],
    [
      "another name that two arguments claim",
      file,
      { file_path: "a", file: "b" },
      good({ file_path: "a" }, 'Ignored "file": "file_path" is the same argument and was sent too.'),
    ],
    [
      "the canonical name wins",
      file,
      { path: "b", file_path: "a" },
      good({ file_path: "a" }, 'Ignored "path": "file_path" is the same argument and was sent too.'),
    ],
    [
      "the first name in the list wins",
      file,
      { file: "b", path: "a" },
      good({ file_path: "a" }, 'Ignored "file": "path" is the same argument and was sent too.'),
    ],
    [
      "a listed name wins over a spelling",
      file,
      { filePath: "b", path: "a" },
      good({ file_path: "a" }, 'Ignored "filePath": "path" is the same argument and was sent too.'),
    ],
    ["nothing under the canonical name", file, { file_path: null, path: "a" }, good({ file_path: "a" })],
    ["camel case", file, { filePath: "a", TEXT: "b" }, good({ file_path: "a", text: "b" })],
    ["null for an optional argument", file, { file_path: "a", text: null }, good({ file_path: "a" })],
    ["undefined is absence", raw, { n: 1, s: undefined }, good({ n: 1, s: undefined })],
    [
      "an unknown argument",
      file,
      { file_path: "a", foo: 1 },
      good({ file_path: "a" }, `Ignored unknown argument "foo"; ${takes}`),
    ],
    [
      "an unknown argument that would narrow, left empty",
      { input: z.object({ file_path: z.string() }) },
      { file_path: "a", exclude: null, dry_run: false },
      good({ file_path: "a" }, `Ignored unknown arguments "exclude", "dry_run"; tool takes file_path.`),
    ],
    [
      "unknown arguments",
      file,
      { file_path: "a", foo: 1, bar: 2 },
      good({ file_path: "a" }, `Ignored unknown arguments "foo", "bar"; ${takes}`),
    ],
    [
      "an unknown argument of a strict object",
      { input: z.strictObject({}) },
      { foo: 1 },
      good({}, 'Ignored unknown argument "foo"; tool takes no arguments.'),
    ],
    [
      "a key named __proto__",
      file,
      JSON.parse('{"file_path":"a","__proto__":{"text":"x"}}'),
      good({ file_path: "a" }, `Ignored unknown argument "__proto__"; ${takes}`),
    ],
    ["an approval by the model itself", file, { file_path: "a", approved: true }, good({ file_path: "a" })],
    [
      "approved, where it is an argument",
      { input: z.object({ approved: z.boolean() }) },
      { approved: true },
      good({
        approved: true,
      }),
    ],
    ["coercion", file, { file_path: 1, mode: "APPEND" }, good({ file_path: "1", mode: "append" })],
    ["nothing for no input", {}, null, good({})],
    ["something for no input", {}, { a: 1 }, good({}, 'Ignored unknown argument "a"; tool takes no arguments.')],
    ["empty text", { input: z.object({}) }, " ", good({})],
    ["undefined", { input: z.object({}) }, undefined, good({})],
    ["others where they are welcome", open, { a: "x", c: 1, approved: true }, good({ a: "x", c: 1 })],
    ["another name where others are welcome", open, { b: "x" }, good({ a: "x" })],
    ["no guess about spelling where others are welcome", open, { a: "x", A: 1 }, good({ a: "x", A: 1 })],
    ["a record", { input: z.record(z.string(), z.number()) }, { a: 1, b: "2" }, good({ a: 1, b: 2 })],
    ["anything", { input: z.any() }, { a: 1 }, good({ a: 1 })],
    ["a list, where one is expected", { input: z.array(z.string()) }, ["a", 1], good(["a", "1"])],
    ["a text, where one is expected", { input: z.string() }, "a", good("a")],
    [
      "transforms and defaults",
      { input: z.object({ n: z.string().transform(Number), d: z.string().default("x") }) },
      {
        n: "5",
      },
      good({ n: 5, d: "x" }),
    ],
    [
      "null for an optional argument that models are shown as required",
      { input: z.object({ a: z.string(), b: z.string().optional() }).meta({ required: ["a", "b"] }) },
      { a: 1, b: null },
      good({ a: "1" }),
    ],
    ["a default for null", { input: z.object({ d: z.string().default("x") }) }, { d: null }, good({ d: "x" })],
    ["JSON Schema", raw, { n: 1 }, good({ n: 1 })],
    [
      "JSON Schema, eased",
      raw,
      { n: "1", s: 2, x: 0 },
      good({ n: 1, s: "2" }, 'Ignored unknown argument "x"; tool takes n, s.'),
    ],
    ["JSON Schema without properties", { input: { type: "object" } }, { a: 1 }, good({ a: 1 })],
    [
      "JSON Schema for more",
      { input: { properties: { n: true }, additionalProperties: true } },
      { n: 1, a: 1 },
      good({
        n: 1,
        a: 1,
      }),
    ],
    [
      "arguments of every branch",
      { input: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) },
      {
        b: 1,
        c: 1,
      },
      good({ b: "1" }, 'Ignored unknown argument "c"; tool takes a, b.'),
    ],
  ])("%s", (_, shape, args, expected) => {
    expect(read(shape, args)).toStrictEqual(expected);
  });

  test.each<[string, unknown, string, unknown]>([
    ["its arguments apply", { path: "a" }, "append", { file_path: "a", mode: "append" }],
    ["what was sent wins", { file_path: "a", mode: "overwrite" }, "append", { file_path: "a", mode: "overwrite" }],
    ["null is absence", { file_path: "a", mode: null }, "append", { file_path: "a", mode: "append" }],
    ["bare text", "a", "append", { file_path: "a", mode: "append" }],
    ["a name without any", { file_path: "a" }, "Write", { file_path: "a" }],
    ["the tool's own name", { file_path: "a" }, "tool", { file_path: "a" }],
  ])("a name that carries arguments: %s", (_, args, calledAs, input) => {
    expect(read(file, args, calledAs)).toStrictEqual(good(input));
  });

  test("what a name carries is not handed on itself", () => {
    const preset = { list: [1] };
    const shape = { input: { type: "object" }, aliases: { names: [{ name: "other", preset }] } };
    const parsed = read(shape, {}, "other");
    preset.list.push(2);
    expect(parsed).toStrictEqual(good({ list: [1] }));
  });

  test("what zod accepts is not coerced because of another argument", () => {
    const eager = z.preprocess((value) => (typeof value === "string" ? value.length : -1), z.number());
    expect(read({ input: z.object({ a: eager, b: z.number() }) }, { a: "12345", b: "1" })).toStrictEqual(
      good({ a: 5, b: 1 }),
    );
  });

  test("nothing of the caller's own is handed on", () => {
    for (const input of [z.object({ a: z.any() }), z.any(), { type: "object" }]) {
      const args = { a: { b: [1] } };
      const parsed = read({ input }, args);
      args.a.b.push(2);
      expect(parsed).toStrictEqual(good({ a: { b: [1] } }));
    }
  });
});
