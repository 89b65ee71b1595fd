import { describe, expect, test } from "vitest";
import * as z from "zod";
import { toJsonSchema } from "./schema.ts";
import { copied, rebuildsAll, zodCheck } from "./schema-check.ts";

describe("a copy of what was sent", () => {
  test("shares nothing with it, however deep", () => {
    const sent = { a: [{ b: 1 }], c: { d: [2] }, e: "x", f: null };
    const copy = copied(sent) as typeof sent;
    expect(copy).toEqual(sent);
    for (const [one, other] of [
      [copy, sent],
      [copy.a, sent.a],
      [copy.a[0], sent.a[0]],
      [copy.c.d, sent.c.d],
    ])
      expect(one).not.toBe(other);
    sent.a.push({ b: 2 });
    expect(copy.a).toHaveLength(1);
  });

  test("a key that would become the prototype stays a key", () => {
    const sent = JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": 1}}') as object;
    const copy = copied(sent) as Record<string, object>;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(copy, "a")).toMatchObject({ configurable: true, writable: true });
    expect(Object.keys(copy)).toEqual(["__proto__", "a"]);
    expect(Object.keys(copy.a as object)).toEqual(["__proto__"]);
    expect((copy as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("what contains itself is refused, and what is there twice is not", () => {
    const circle: Record<string, unknown> = {};
    circle.self = [circle];
    expect(() => copied(circle)).toThrow("a value contains itself");
    const list: unknown[] = [];
    list.push(list);
    expect(() => copied(list)).toThrow(TypeError);
    const twice = { a: 1 };
    expect(copied([twice, twice, { twice }])).toEqual([twice, twice, { twice }]);
  });

  test("what is no plain data is handed on", () => {
    const date = new Date(0);
    expect((copied({ date }) as { date: Date }).date).toBe(date);
    for (const value of [1, "x", null, undefined, true]) expect(copied(value)).toBe(value);
  });
});

describe("whether zod makes everything anew", () => {
  const circle: z.ZodType = z.object({
    get self() {
      return circle.optional();
    },
  });
  test.each<[what: string, schema: z.ZodType, rebuilds: boolean]>([
    ["scalars", z.object({ a: z.string(), b: z.int(), c: z.boolean(), d: z.enum(["x"]), e: z.literal(1) }), true],
    [
      "what may be absent",
      z.object({ a: z.string().optional(), b: z.number().nullable(), c: z.string().default("") }),
      true,
    ],
    ["lists of objects", z.array(z.object({ a: z.string() })), true],
    ["unions of such", z.union([z.string(), z.array(z.number())]), true],
    ["nothing else", z.strictObject({ a: z.null() }), true],
    ["itself", circle, true],
    ["anything", z.object({ a: z.any() }), false],
    ["something unknown", z.object({ a: z.unknown() }), false],
    ["a list of anything", z.array(z.any()), false],
    ["a union with anything", z.union([z.string(), z.any()]), false],
    ["others that are anything", z.looseObject({ a: z.string() }), false],
    ["others that are texts", z.object({ a: z.string() }).catchall(z.string()), true],
    ["what may be anything or absent", z.object({ a: z.any().optional() }), false],
    ["a record", z.record(z.string(), z.string()), false],
    ["a transformation", z.string().transform(() => ({})), false],
    ["one of several that is not", z.object({ a: z.string(), b: z.any() }), false],
  ])("%s: %s", (_, schema, rebuilds) => expect(rebuildsAll(schema)).toBe(rebuilds));
});

describe("what zod says is wrong, in our words", () => {
  const wrong = (schema: z.ZodType, value: unknown) => {
    const checked = zodCheck(schema, () => toJsonSchema(schema))(value);
    if (checked.ok) throw new Error("it was accepted");
    return checked;
  };
  const issues = (schema: z.ZodType, value: unknown) =>
    wrong(schema, value).issues.map(({ path, expected, got }) => `${path}: ${expected} <- ${got}`);

  test.each<[what: string, schema: z.ZodType, value: unknown, issues: string[]]>([
    ["missing", z.object({ a: z.string() }), {}, ["a: string <- nothing"]],
    ["of another type", z.object({ a: z.int().min(1) }), { a: "x" }, ['a: integer from 1 <- "x"']],
    ["deep inside", z.object({ a: z.array(z.object({ b: z.string() })) }), { a: [{ b: 1 }] }, ["a[0].b: string <- 1"]],
    ["not accepted, one by one", z.strictObject({}), { a: 1, b: 2 }, ["a: nothing <- 1", "b: nothing <- 2"]],
    [
      "of a union that failed in one branch alone",
      z.object({ a: z.union([z.string(), z.object({ b: z.int() })]) }),
      { a: { b: "x" } },
      ['a.b: integer <- "x"'],
    ],
    [
      "of a union that failed in all",
      z.object({ a: z.union([z.string(), z.int()]) }),
      { a: true },
      ["a: string or integer <- true"],
    ],
    [
      "with the words of who wrote the schema",
      z.object({ a: z.string().refine((text) => text.startsWith("/"), { error: "an absolute path" }) }),
      { a: "x" },
      ['a: string: an absolute path <- "x"'],
    ],
    [
      "in a way that JSON Schema cannot say",
      z.object({ a: z.string().refine(() => false) }),
      { a: "x" },
      ['a: string: Invalid input <- "x"'],
    ],
    [
      "with its author's words in a branch of a union",
      z.object({ a: z.union([z.string().min(3, { error: "three letters" }), z.int()]) }),
      { a: "x" },
      ['a: string of at least 3 characters or integer: three letters <- "x"'],
    ],
    [
      "with its author's words about a name",
      z.object({ a: z.record(z.string().regex(/^[a-z]$/, { error: "one letter" }), z.int()) }),
      { a: { bb: 1 } },
      ["a.bb: integer: one letter <- 1"],
    ],
  ])("%s", (_, schema, value, expected) => expect(issues(schema, value)).toEqual(expected));

  test("the arguments at fault are named, unless the whole is", () => {
    const schema = z.object({ a: z.string(), b: z.array(z.int()) });
    expect([...(wrong(schema, { a: 1, b: ["x"] }).fields ?? [])]).toEqual(["a", "b"]);
    expect(wrong(schema, "x").fields).toBeUndefined();
    const mixed = z.object({ a: z.string() }).check(({ issues, value }) => {
      issues.push({ code: "custom", input: value, path: ["a"] }, { code: "custom", input: value, path: [] });
    });
    expect(wrong(mixed, { a: "x" }).fields, "one of them is about the whole").toBeUndefined();
    const whole = schema.refine(() => false);
    expect(wrong(whole, { a: "x", b: [] }).fields).toBeUndefined();
  });

  test("no more is told than helps", () => {
    const schema = z.object({ a: z.array(z.int()) });
    expect(issues(schema, { a: Array(50).fill("x") })).toHaveLength(20);
    const keys = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 1]));
    expect(issues(z.strictObject({}), keys)).toHaveLength(20);
  });
});
