import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonSchema } from "../../src/core/words/json-schema.ts";
import { dialects } from "../../src/tools/lib/dialects.ts";
import { bench, onPath } from "./harness.ts";

/** What every request pays for. Raise it only for something that every request is worth. */
const MOST_TOKENS_A_TOOL = 150;

/** Everything is allowed, so that every tool is shown. */
const ALL = {
  store: "memory",
  sandbox: "off",
  config: { workspace: { allow_delete: true } },
  ask: () => "",
  model: { name: "none", turn: async () => ({ text: "", calls: [] }) },
} as const;

type Shown = { name: string; description: string; inputSchema: { properties: Record<string, JsonSchema> } };

const FILES = { ".agents/skills/a/SKILL.md": "---\nname: a\ndescription: b\n---\nc\n" };

const shownIn = async (dialect: string): Promise<{ it: Awaited<ReturnType<typeof bench>>; shown: Shown[] }> => {
  const it = await bench(FILES, ALL);
  return { it, shown: it.gate.schemas({ format: "mcp", dialect }) as unknown as Shown[] };
};

/** Something that fits a schema. */
function example(schema: JsonSchema): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (first) return example(first);
  switch (schema.type) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    case "array":
      return Array.isArray(schema.prefixItems)
        ? (schema.prefixItems as JsonSchema[]).map(example)
        : [example((schema.items ?? {}) as JsonSchema)];
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([name, each]) => [
          name,
          example(each),
        ]),
      );
    default:
      return "text";
  }
}

describe("what a model sees of the default tools", () => {
  // which languages are shown depends on what is installed
  beforeEach(() => void onPath({ python3: "", node: "", tsx: "" }));

  test("in the format of OpenAI", async () => {
    const { gate } = await bench(FILES, ALL);
    const text = JSON.stringify(gate.schemas({ format: "openai" }), null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot("snapshots/openai.snap");
  });

  test.each(Object.keys(dialects))("in the dialect %s: names, arguments, descriptions and tokens", async (dialect) => {
    const { it, shown } = await shownIn(dialect);
    const sent = it.gate.schemas({ format: "openai", dialect });
    const costs = sent.map((schema) => countTokens(JSON.stringify(schema)));
    const lines = shown.map(
      ({ name, description, inputSchema }, index) =>
        `${name}(${Object.keys(inputSchema.properties).join(", ")}) ${costs[index]} tokens\n  ${description}`,
    );
    lines.push(`all: ${countTokens(JSON.stringify(sent))} tokens`);
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`snapshots/${dialect}.snap`);
  });

  test("descriptions have 10 to 40 tokens, and a tool with its schema has few", async () => {
    const { it, shown } = await shownIn("default");
    expect(shown.length).toBeGreaterThanOrEqual(5);
    for (const { name, description } of shown) {
      const tokens = countTokens(description);
      expect([name, tokens >= 10 && tokens <= 40, tokens]).toEqual([name, true, tokens]);
    }
    for (const schema of it.gate.schemas({ format: "openai" })) {
      const text = JSON.stringify(schema);
      expect(countTokens(text), text).toBeLessThanOrEqual(MOST_TOKENS_A_TOOL);
    }
  });

  test("the file tools, and those of every request, stay within their budget of tokens", async () => {
    const { gate } = await bench(FILES, ALL);
    const cost = (names: string[]) => countTokens(JSON.stringify(gate.schemas({ format: "openai", names })));
    const searching = ["grep", "search_code", "find_files", "list_files", "file_info"];
    const changing = ["write_file", "edit_file", "apply_patch", "delete_file", "undo_file", "undo_turn"];
    expect(cost(["read_file", ...changing, ...searching])).toBeLessThanOrEqual(1_100);
    const usual = ["read_file", "write_file", "edit_file", "grep", "find_files", "list_files", "run_command"];
    expect(cost(usual)).toBeLessThanOrEqual(700);
    expect(countTokens(JSON.stringify(gate.schemas({ format: "openai" })))).toBeLessThanOrEqual(1_900);
  });

  test.each(Object.keys(dialects))("every name and argument shown in %s is understood", async (dialect) => {
    const { it, shown } = await shownIn(dialect);
    const tools = new Set(shown.map(({ name }) => it.gate.registry.get(name)?.name));
    expect([...tools].sort()).toEqual(it.gate.registry.list().map(({ name }) => name));
    for (const { name, inputSchema } of shown) {
      for (const [argument, schema] of Object.entries(inputSchema.properties)) {
        const whole = example(inputSchema as JsonSchema) as Record<string, unknown>;
        const parsed = it.gate.registry.get(name)?.parse({ ...whole, [argument]: example(schema) }, name);
        expect([name, argument, parsed]).toMatchObject([name, argument, { ok: true, notes: [] }]);
      }
    }
  });

  test("a tool that would always be refused is not shown, and still says what it needs", async () => {
    const { gate, call } = await bench({ f: "x" }, { store: "memory", sandbox: "off" });
    const names = gate.schemas({ format: "mcp" }).map(({ name }) => name);
    expect(names).toContain("write_file");
    expect(names).not.toContain("delete_file");
    expect(gate.registry.schemas().map((each) => each.function.name)).toEqual(names);
    expect((await call("delete_file", { path: "f" })).error?.message).toContain("workspace.allow_delete");
    expect((await call("nothing_like_that")).error?.hint).not.toContain("delete_file");
    const allowed = await bench(FILES, ALL);
    expect(allowed.gate.schemas({ format: "mcp" }).map(({ name }) => name)).toContain("delete_file");
  });

  test("a defaulted or optional argument is not required; a rare one is not shown and accepted", async () => {
    const { it, shown } = await shownIn("default");
    let rare = 0;
    for (const { name, inputSchema } of shown) {
      const definition = it.gate.registry.get(name)?.definition;
      const required = ((inputSchema as JsonSchema).required ?? []) as string[];
      for (const [argument, schema] of Object.entries(inputSchema.properties))
        if ("default" in schema) expect(required).not.toContain(argument);
      const whole = example(inputSchema as JsonSchema) as Record<string, unknown>;
      const least = Object.fromEntries(required.map((argument) => [argument, whole[argument]]));
      expect([name, it.gate.registry.get(name)?.parse(least, name)]).toMatchObject([name, { ok: true, notes: [] }]);
      for (const argument of definition?.rare ?? []) {
        rare += 1;
        expect(Object.keys(inputSchema.properties)).not.toContain(argument);
        const parsed = it.gate.registry.get(name)?.parse({ ...least, [argument]: null }, name);
        expect([name, argument, parsed]).toMatchObject([name, argument, { ok: true, notes: [] }]);
      }
    }
    expect(rare).toBeGreaterThan(3);
  });
});
