import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { fits, walk } from "./fits.ts";
import type { Compile } from "./messages.ts";
import { parser } from "./parse.ts";

const compile: Compile = (schema) => (value) =>
  fits(walk(schema), schema, value) ? [] : [{ path: "", expected: "what fits", got: "what does not" }];

const todo = z.object({ content: z.string(), status: z.enum(["open", "done"]) });
const closed = z.object({
  path: z.string(),
  count: z.int().optional(),
  flag: z.boolean().optional(),
  mode: z.union([z.literal("a"), z.number()]).optional(),
  todos: z.array(todo).optional(),
  env: z.record(z.string(), z.string()).optional(),
  note: z.string().nullable().optional(),
});
const valid = fc.record(
  {
    path: fc.string(),
    count: fc.integer(),
    flag: fc.boolean(),
    mode: fc.oneof(fc.constant("a"), fc.integer()),
    todos: fc.array(
      fc.record({ content: fc.string(), status: fc.constantFrom("open", "done") }, { noNullPrototype: true }),
      { maxLength: 3 },
    ),
    env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,5}$/), fc.string(), { noNullPrototype: true }),
    note: fc.option(fc.string()),
  },
  { requiredKeys: ["path"], noNullPrototype: true },
);
const aliases = { args: { path: ["file_path", "file"], count: ["limit"] } };
const parse = parser({ name: "tool", input: closed, aliases }, compile);
const known = Object.keys(closed.shape);

const plain = { type: "object", properties: { path: { type: "string" }, n: { type: "integer" } }, required: ["path"] };
const node = z.object({
  path: z.string(),
  get inner() {
    return z.array(node).optional();
  },
});
const every = {
  closed: parse,
  plain: parser({ name: "tool", input: plain, aliases }, compile),
  none: parser({ name: "tool" }, compile),
  any: parser({ name: "tool", input: z.any() }, compile),
  record: parser({ name: "tool", input: z.record(z.string(), z.number()) }, compile),
  json: parser({ name: "tool", input: z.object({ path: z.json() }) }, compile),
  recursive: parser({ name: "tool", input: node }, compile),
  union: parser({ name: "tool", input: z.union([closed, z.looseObject({ other: z.string() })]) }, compile),
};
const keys = fc.oneof(
  fc.constantFrom(...known, "file_path", "filePath", "file", "limit", "approved", "__proto__", "constructor", "inner"),
  fc.string(),
);
const pieces = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("1", "true", '{"path":"x"}', null, "OPEN", 0));
const args = fc.oneof(
  fc.array(fc.tuple(keys, pieces), { maxLength: 8 }).map((entries) => Object.fromEntries(entries) as unknown),
  fc.jsonValue(),
  fc.json(),
);
const strange = fc.anything({
  key: keys,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
});

describe("arguments", () => {
  test("what is valid is left alone", () => {
    fc.assert(
      fc.property(valid, (value) => {
        expect(parse(value)).toStrictEqual({ ok: true, input: value, notes: [] });
      }),
    );
  });

  test("what is valid is found again in JSON text, under other names and in another spelling", () => {
    fc.assert(
      fc.property(valid, fc.constantFrom("file_path", "file", "filePath", "Path"), (value, name) => {
        const { path, ...rest } = value;
        expect(parse(JSON.stringify(value))).toMatchObject({ ok: true, input: JSON.parse(JSON.stringify(value)) });
        expect(parse({ [name]: path, ...rest })).toStrictEqual({ ok: true, input: value, notes: [] });
      }),
    );
  });

  test("what came out goes in again and stays the same", () => {
    fc.assert(
      fc.property(args, (value) => {
        const parsed = parse(value);
        if (parsed.ok) expect(parse(parsed.input)).toStrictEqual({ ok: true, input: parsed.input, notes: [] });
      }),
    );
  });

  test("a closed object gives declared keys only", () => {
    fc.assert(
      fc.property(args, (value) => {
        for (const [read, names] of [
          [parse, known],
          [every.plain, ["path", "n"]],
          [every.none, []],
        ] as const) {
          const parsed = read(value);
          const extra = parsed.ok
            ? Object.keys(parsed.input as object).filter((key) => !names.some((name) => name === key))
            : [];
          expect(extra).toStrictEqual([]);
        }
      }),
    );
  });

  test("another name never overrides the canonical one", () => {
    fc.assert(
      fc.property(
        valid,
        fc.dictionary(fc.constantFrom("file_path", "file", "filePath", "PATH"), pieces),
        (value, others) => {
          expect(parse({ ...others, ...value })).toMatchObject({ ok: true, input: value });
        },
      ),
    );
  });

  test.each(Object.entries(every))("%s: nothing is thrown and the arguments stay as they were", (_, read) => {
    fc.assert(
      fc.property(args, (value) => {
        const before = JSON.stringify(value);
        const parsed = read(value);
        expect(JSON.stringify(value)).toBe(before);
        if (!parsed.ok) expect(parsed.issues.length).toBeGreaterThan(0);
      }),
    );
    fc.assert(fc.property(strange, (value) => void read(value)));
  });
});
