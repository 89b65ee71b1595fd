import * as z from "zod";
import type { Format, JsonSchema, ObjectSchema, ToolSchema } from "../core/words/json-schema.ts";
import { geminiSchema } from "./gemini.ts";
import { argumentsOf, isPlain, listOf, mapInside, mapOf, namesOf } from "./json-schema.ts";
import { kind } from "./messages.ts";

/** A tool as a model is told about it. */
type Told = { name: string; description: string; parameters: JsonSchema };

const NOTHING: JsonSchema = { type: "object", properties: {} };
const made = new WeakMap<object, JsonSchema>();

/** Checked by shape, not by class: a tool may bring another copy of zod. */
export const isZod = (value: unknown): value is z.ZodType =>
  typeof value === "object" && value !== null && "_zod" in value && "safeParse" in value;

/** What the schema accepts, as JSON Schema without noise that every request would pay for. Cached per schema. */
export function toJsonSchema(input: z.ZodType | JsonSchema | undefined): JsonSchema {
  if (input === undefined) return NOTHING;
  const known = made.get(input);
  if (known) return known;
  const schema = isZod(input) ? fromZod(input) : withoutDialect(input);
  made.set(input, schema);
  return schema;
}

function fromZod(input: z.ZodType): JsonSchema {
  const raw = z.toJSONSchema(input, { io: "input", unrepresentable: "any", target: "draft-2020-12" });
  const { additionalProperties, ...cleaned } = clean(withoutDialect(raw as JsonSchema));
  // unknown keys at the top are dropped anyway, so only an open schema has something to say there
  return additionalProperties === undefined || additionalProperties === false
    ? cleaned
    : { ...cleaned, additionalProperties };
}

function withoutDialect({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function clean(schema: JsonSchema): JsonSchema {
  const cleaned = mapInside(schema, clean);
  if (cleaned.minimum === Number.MIN_SAFE_INTEGER) delete cleaned.minimum;
  if (cleaned.maximum === Number.MAX_SAFE_INTEGER) delete cleaned.maximum;
  // the format says it in a word, and zod still checks the pattern
  if (cleaned.format !== undefined) delete cleaned.pattern;
  if (JSON.stringify(cleaned.propertyNames) === '{"type":"string"}') delete cleaned.propertyNames;
  const defaulted = mapOf(cleaned, "properties").flatMap(([name, each]) => ("default" in each ? [name] : []));
  return defaulted.length > 0 ? withRequired(cleaned, (name) => !defaulted.includes(name)) : cleaned;
}

function withRequired(schema: JsonSchema, keep: (name: string) => boolean): JsonSchema {
  const { required: _, ...rest } = schema;
  const required = namesOf(schema, "required").filter(keep);
  return required.length > 0 ? { ...rest, required } : rest;
}

/** Without the rare arguments, and with a dialect's names for the others. */
export function shownSchema(
  schema: JsonSchema,
  rare: readonly string[],
  rename: Readonly<Record<string, string>> = {},
): JsonSchema {
  const whole = asObject(schema);
  const shown = (name: string) => (Object.hasOwn(rename, name) ? rename[name]! : name);
  const properties = Object.entries(whole.properties)
    .filter(([name]) => !rare.includes(name))
    .map(([name, each]) => [shown(name), each]);
  const kept = withRequired({ ...whole, properties: Object.fromEntries(properties) }, (name) => !rare.includes(name));
  const named = kept.required ? { ...kept, required: namesOf(kept, "required").map(shown) } : kept;
  const { $defs, definitions, ...rest } = named;
  return JSON.stringify(rest).includes('"$ref"') ? named : rest;
}

/** Model providers want an object with properties at the top, and no union there. */
function asObject(schema: JsonSchema): JsonSchema & { properties: Record<string, unknown> } {
  const { anyOf, oneOf, allOf, $ref, then, else: _, if: __, ...rest } = schema;
  const united =
    ["anyOf", "oneOf", "allOf"].some((keyword) => listOf(schema, keyword).length > 0) || $ref !== undefined;
  if (!united) return { ...schema, type: "object", properties: isPlain(schema.properties) ? schema.properties : {} };
  const { schemas, required } = argumentsOf(schema);
  const whole = { ...rest, type: "object", properties: Object.fromEntries(schemas) };
  return required.size > 0 ? { ...whole, required: [...required] } : whole;
}

/** A tool in the shape that a model provider, or an MCP client, expects. */
export const forModel = <F extends Format>(format: F, told: Told): ToolSchema<F> =>
  shapeFor(format, told) as ToolSchema<F>;

function shapeFor(format: Format, { name, description, parameters }: Told): ToolSchema {
  const whole = asObject(parameters) as ObjectSchema;
  switch (format) {
    case "openai":
      return { type: "function", function: { name, description, parameters: whole } };
    case "anthropic":
      return { name, description, input_schema: whole };
    case "mcp":
      return { name, description, inputSchema: whole };
    case "gemini": {
      const reduced = geminiSchema(whole);
      // Gemini refuses an object without properties, so a tool without arguments has no parameters there
      return reduced.properties ? { name, description, parameters: reduced } : { name, description };
    }
  }
}

/** What a tool takes, in one line: `path (string), mode (overwrite | append, optional)`. */
export function summarise(schema: JsonSchema): string {
  const { schemas, required, open } = argumentsOf(schema);
  const texts = [...schemas].map(
    ([name, each]) => `${name} (${kind(schema, each)}${required.has(name) ? "" : ", optional"})`,
  );
  if (open) texts.push(schemas.size > 0 ? "and others" : "any arguments");
  return texts.join(", ") || "no arguments";
}
