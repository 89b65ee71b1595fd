import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import type { Parsed, Shape } from "../core/contracts/arguments.ts";
import { fits, walk } from "./fits.ts";
import type { Compile } from "./messages.ts";
import { parser } from "./parse.ts";

const compile: Compile = (schema) => (value) =>
  fits(walk(schema), schema, value) ? [] : [{ path: "", expected: "what fits", got: "what does not" }];
const read = (shape: Omit<Shape, "name">, args: unknown): Parsed => parser({ name: "tool", ...shape }, compile)(args);
const messageOf = (parsed: Parsed) => (parsed.ok ? "" : parsed.message);

describe("what is refused", () => {
  const limits = {
    input: z.object({
      path: z.string(),
      n: z.int().min(1).max(600).optional(),
      size: z.number().gt(0).optional(),
      mode: z.enum(["overwrite", "append"]).optional(),
      nice: z
        .string()
        .refine((text) => text === "nice", "must be nice")
        .optional(),
      long: z.string().min(3, "write more").optional(),
      mail: z.email().optional(),
      todos: z.array(z.object({ status: z.enum(["open", "done"]) })).optional(),
      either: z.union([z.string(), z.object({ a: z.number() })]).optional(),
      inner: z.strictObject({ a: z.string().optional() }).optional(),
      far: z.string().transform(Number).pipe(z.number().min(5)).optional(),
      only: z.literal("this").optional(),
      listed: z.array(z.string()).min(2).optional(),
    }),
  };
  test.each<[string, unknown, string, string, string]>([
    ["missing", {}, "path", "string", "nothing"],
    ["null where it is required", { path: null }, "path", "string", "null"],
    ["text for an integer", { path: "a", n: "many" }, "n", "integer from 1 to 600", '"many"'],
    ["too small", { path: "a", n: 0 }, "n", "integer from 1 to 600", "0"],
    ["too small after coercion", { path: "a", size: "0" }, "size", "number greater than 0", "0"],
    ["not listed", { path: "a", mode: "x" }, "mode", "one of overwrite, append", '"x"'],
    ["a refinement's words", { path: "a", nice: "x" }, "nice", "string: must be nice", '"x"'],
    ["a limit's words", { path: "a", long: "x" }, "long", "string of at least 3 characters: write more", '"x"'],
    ["deep", { path: "a", todos: [{ status: "x" }] }, "todos[0].status", "one of open, done", '"x"'],
    ["in a branch", { path: "a", either: { a: "x" } }, "either.a", "number", '"x"'],
    ["no branch", { path: "a", either: [] }, "either", "string or object with a", "[]"],
    ["a key too many", { path: "a", inner: { b: 1 } }, "inner.b", "nothing", "1"],
    ["behind a transform", { path: "a", far: "3" }, "far", "string: Too small: expected number to be >=5", '"3"'],
    ["another literal", { path: "a", only: "that" }, "only", '"this"', '"that"'],
    ["too few", { path: "a", listed: ["a"] }, "listed", "list of string with at least 2 items", '["a"]'],
    ["long", { path: ["x".repeat(200)] }, "path", "string", `["${"x".repeat(78)}…`],
    ["a function", { path: () => 1 }, "path", "string", "a function"],
    ["a bigint", { path: 5n }, "path", "string", "5n"],
    ["a list of arguments", [1], "", "object with path", "[1]"],
    ["a number", 5, "", "object with path", "5"],
    ["a symbol", Symbol("s"), "", "object with path", "a symbol"],
    ["a call that was cut off", '{"path": "a', "", "valid JSON", '"{\\"path\\": \\"a"'],
  ])("%s", (_, args, path, expected, got) => {
    const parsed = read(limits, args);
    expect(parsed.ok ? [] : parsed.issues).toStrictEqual([{ path, expected, got }]);
  });

  test("a format is named, not its pattern", () => {
    const parsed = read(limits, { path: "a", mail: "x" });
    expect(messageOf(parsed)).toMatch(/: mail must be a string in the form email: .+ \(got "x"\)\.$/);
    expect(messageOf(parsed).length).toBeLessThan(150);
  });

  test.each<[args: unknown, says: string]>([
    [{}, "path is required (string)"],
    [{ path: "a", n: "x" }, 'n must be an integer from 1 to 600 (got "x")'],
    [{ path: "a", size: -1 }, "size must be a number greater than 0 (got -1)"],
    [{ path: "a", only: "that" }, 'only must be "this" (got "that")'],
    [{ path: "a", inner: { b: 1 } }, "inner.b is not accepted (got 1)"],
    [{ path: "a", todos: [{}] }, "todos[0].status is required (one of open, done)"],
    [{ path: "a", listed: ["a"] }, 'listed must be a list of string with at least 2 items (got ["a"])'],
    [{ path: "a", nice: "x" }, 'nice must be a string: must be nice (got "x")'],
    [[1], "the arguments must be an object with path (got [1])"],
  ])("%j: %s", (args, says) => expect(messageOf(read(limits, args))).toBe(`Invalid arguments for tool: ${says}.`));

  test("message and hint", () => {
    const input = z.object({ path: z.string(), mode: z.enum(["overwrite", "append"]).optional() });
    const parsed = parser({ name: "write_file", input }, compile)({ mode: "x" });
    expect(parsed).toMatchObject({
      message:
        'Invalid arguments for write_file: path is required (string); mode must be one of overwrite, append (got "x").',
      hint: "write_file takes path (string), mode (overwrite | append, optional).",
    });
  });

  test("a bare text for two required arguments", () => {
    expect(read({ input: z.object({ a: z.string(), b: z.string() }) }, "x").ok).toBe(false);
    expect(read({ input: z.object({ a: z.number() }) }, "x").ok).toBe(false);
  });

  test("spellings that could mean two arguments", () => {
    const parsed = read({ input: z.object({ ab: z.string().optional(), a_b: z.string().optional() }) }, { aB: "x" });
    expect(parsed).toMatchObject({
      ok: true,
      input: {},
      notes: ['Ignored unknown argument "aB"; tool takes ab, a_b.'],
    });
  });
});

describe("what must not throw", () => {
  const cycle: Record<string, unknown> = {};
  cycle.a = cycle;
  cycle.b = cycle;
  const node = z.object({
    get a() {
      return node.optional();
    },
  });
  const hostile = (traps: ProxyHandler<object>) => new Proxy({}, traps);
  const fails = () => {
    throw new Error("boom");
  };
  const anything = z.object({ a: z.any() });
  test.each<[string, Shape["input"], unknown, RegExp]>([
    ["a refinement that throws", z.object({ a: z.string().refine(fails) }), { a: "x" }, /boom/],
    ["a transform that throws", z.object({ a: z.string().transform(fails) }), { a: "x" }, /boom/],
    ["a refinement that takes time", z.object({ a: z.string().refine(async () => true) }), { a: "x" }, /Promise/],
    ["a cycle", anything, cycle, /contains itself/],
    ["a cycle in a recursive schema", node, cycle, /call stack|contains itself/],
    ["a cycle in a JSON Schema", { type: "object" }, cycle, /contains itself/],
    [
      "a getter",
      anything,
      {
        get a() {
          return fails();
        },
      },
      /boom/,
    ],
    ["a proxy's keys", anything, hostile({ ownKeys: fails }), /boom/],
    ["a proxy's prototype", anything, hostile({ getPrototypeOf: fails }), /boom/],
    ["a toJSON", z.object({ a: z.string() }), { a: { toJSON: fails } }, /not JSON/],
    [
      "a thrown thing without words",
      z.any().refine(() => {
        throw Object.create(null);
      }),
      {},
      /it failed/,
    ],
    [
      "a schema that can't be shown",
      z.object({
        get a() {
          return fails();
        },
      }),
      {},
      /boom/,
    ],
  ])("%s", (_, input, args, message) => {
    const parsed = read({ input: input! }, args);
    expect(messageOf(parsed)).toMatch(message);
    expect(parsed).toHaveProperty("hint");
  });

  test("a check that can't be made", () => {
    const broken = parser({ name: "tool", input: { type: "object" } }, fails);
    expect(messageOf(broken({}))).toMatch(/boom/);
  });
});

test("nothing is done before it is needed", () => {
  const compiler = vi.fn(compile);
  const parse = parser({ name: "tool", input: { properties: { n: { type: "number" } } } }, compiler);
  expect(compiler).not.toHaveBeenCalled();
  parse({ n: 1 });
  parse({ n: "1" });
  expect(compiler).toHaveBeenCalledTimes(1);
  const input = z.object({ a: z.string() });
  const shown = vi.fn(() => ({}));
  input._zod.toJSONSchema = shown;
  const quick = parser({ name: "tool", input }, compile);
  quick({ a: "x" });
  expect(shown).not.toHaveBeenCalled();
  quick({});
  expect(shown).toHaveBeenCalledTimes(1);
});
