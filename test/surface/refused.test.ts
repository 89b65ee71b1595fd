import { describe, expect, expectTypeOf, test } from "vitest";
import { type Gate, type OpenOptions, type PlainTool, Tool, z } from "../../src/index.ts";
import { bench } from "../journeys/harness.ts";

class AnySchema {
  validate() {}
}
const standard = (vendor: string) => ({ "~standard": { version: 1, vendor, validate: () => ({ value: 1 }) } });

describe("a schema that is neither zod 4 nor JSON Schema is refused at once, by name", () => {
  const refused: [what: string, input: unknown, named: RegExp][] = [
    ["zod 3", { _def: {}, safeParse: () => {}, ...standard("zod") }, /a schema of zod 3\./],
    [
      "valibot",
      { kind: "schema", type: "object", ...standard("valibot") },
      /a schema of valibot, which has to be turned/,
    ],
    ["arktype", Object.assign(() => {}, standard("arktype")), /a schema of arktype/],
    ["joi", { type: "object", $_root: {}, validate: () => {} }, /a schema of joi/],
    ["yup", { __isYupSchema__: true, fields: {} }, /a schema of yup/],
    ["Effect", Object.assign(() => {}, { ast: {} }), /a schema of Effect Schema/],
    ["a shape without its object", { path: z.string() }, /wrap it in z.object\(\)/],
    ["a class", AnySchema, /no schema/],
    ["a list", [], /no schema/],
    ["a text", "path", /a string, not a schema/],
  ];
  test.each(refused)("%s", async (_, input, named) => {
    const definition = { description: "x", execute: () => "x", input: input as never };
    expect(() => Tool.define("mine", definition)).toThrow(named);
    expect(() => Tool.define("mine", definition)).toThrow(/the tool mine .*must be a zod 4 schema or a JSON Schema/);
    const { gate } = await bench({}, { store: "memory" });
    const plain = { name: "mine", description: "x", execute: () => "x", parameters: input } as unknown as PlainTool;
    expect(() => gate.registry.register(plain)).toThrow(named);
    await gate.registry.register(Tool.define("late", async () => definition));
    expect((await gate.call({ name: "late" })).error?.message).toMatch(named);
  });

  test.each([
    ["zod 4", z.object({ a: z.string() })],
    ["JSON Schema", { type: "object", properties: { a: { type: "string" } } }],
    ["an empty one", {}],
    ["one without a prototype", Object.assign(Object.create(null), { type: "object" })],
    ["none", undefined],
  ])("%s is taken", (_, input) => {
    expect(Tool.define("mine", { description: "x", execute: () => "x", input: input as never }).name).toBe("mine");
  });
});

// these hold when they compile
describe("types refuse what would only fail later", () => {
  test("an approver has to give a decision", () => {
    type Approve = Exclude<NonNullable<OpenOptions["approve"]>, "queue">;
    expectTypeOf(() => "once").toExtend<Approve>();
    expectTypeOf(async () => ({ decision: "edit", args: {} })).toExtend<Approve>();
    expectTypeOf(() => true).not.toExtend<Approve>();
    expectTypeOf(async () => undefined).not.toExtend<Approve>();
    expectTypeOf(() => ({ allow: true })).not.toExtend<Approve>();
  });

  test("schemas are told in the shape that was asked for", () => {
    type Parameters = { [key: string]: unknown };
    const schemas = (gate: Gate) => ({
      openai: gate.schemas(),
      anthropic: gate.schemas({ format: "anthropic" }),
      mcp: gate.schemas({ format: "mcp", names: ["read_file"] }),
      gemini: gate.schemas({ format: "gemini" }),
    });
    type Told = ReturnType<typeof schemas>;
    // as the SDKs of OpenAI, Anthropic and MCP spell them
    expectTypeOf<Told["openai"][number]>().toExtend<{
      type: "function";
      function: { name: string; description?: string; parameters?: Parameters; strict?: boolean | null };
    }>();
    expectTypeOf<Told["anthropic"][number]>().toExtend<{
      name: string;
      description?: string;
      input_schema: { type: "object"; properties?: unknown; required?: string[] | null; [key: string]: unknown };
    }>();
    expectTypeOf<Told["mcp"][number]>().toExtend<{ name: string; inputSchema: { type: "object" } }>();
    expectTypeOf<Told["gemini"][number]>().toExtend<{ name: string; parameters?: Parameters }>();
  });
});
