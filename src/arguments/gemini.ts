import type { JsonSchema } from "../core/words/json-schema.ts";
import { argumentsOf, asSchema, listOf, mapOf, namesOf, resolve, typesOf, valuesOf } from "./json-schema.ts";

const KEPT = [
  "title",
  "description",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];
const FORMATS = ["date-time", "enum", "float", "double", "int32", "int64"];

/** The schema in the subset of OpenAPI that Gemini accepts: no references, and a type everywhere. */
export const geminiSchema = (root: JsonSchema): JsonSchema => reduced({ root, parts: 0 }, root, 0);

/** Counts the parts, because inlined references multiply. */
type Writing = { root: JsonSchema; parts: number };
const MOST_PARTS = 1000;
const DEEPEST_PART = 8;

function reduced(writing: Writing, given: JsonSchema, depth: number): JsonSchema {
  if (depth > DEEPEST_PART || ++writing.parts > MOST_PARTS) return { type: "string", description: "JSON text." };
  const schema = inlined(writing.root, given);
  const inner = (each: JsonSchema) => reduced(writing, each, depth + 1);
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT.includes(keyword)));
  const values = valuesOf(schema);
  if (values) return { ...kept, ...listed(schema, values) };
  const branches = [...listOf(schema, "anyOf"), ...listOf(schema, "oneOf")];
  const named = typesOf(schema).map((type) => ({ ...schema, type }));
  const choices = branches.length > 0 ? branches : named.length > 1 ? named : [];
  if (choices.length > 0) {
    const { description, title } = kept;
    const real = choices.filter((each) => each.type !== "null");
    const nullable = real.length < choices.length ? { nullable: true } : {};
    const words = { ...(title ? { title } : {}), ...(description ? { description } : {}) };
    if (real.length === 1) return { ...inner(real[0]!), ...words, ...nullable };
    return { anyOf: real.map((each) => inner(each)), ...words, ...nullable };
  }
  return { ...kept, ...ofType(schema, typesOf(schema)[0] ?? "string", inner) };
}

/** Inlines a reference, and merges what all parts require. */
function inlined(root: JsonSchema, schema: JsonSchema, seen = new Set<JsonSchema>()): JsonSchema {
  seen.add(schema);
  const target = resolve(root, schema.$ref);
  const parts = [...(target ? [target] : []), ...listOf(schema, "allOf")].filter((part) => !seen.has(part));
  const { $ref: _, allOf: __, ...rest } = schema;
  if (parts.length === 0) return rest;
  if (parts.length === 1 && Object.keys(rest).length === 0) return inlined(root, parts[0]!, seen);
  const merged: JsonSchema = Object.assign({}, ...parts.map((part) => inlined(root, part, seen)), rest);
  const { schemas, required } = argumentsOf(root, { allOf: [...parts, rest] });
  return schemas.size > 0
    ? { ...merged, type: "object", properties: Object.fromEntries(schemas), required: [...required] }
    : merged;
}

/** Gemini accepts enums of strings only; other values are described in words. */
function listed(schema: JsonSchema, values: unknown[]): JsonSchema {
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length > 0)
    return { type: "string", enum: texts, ...(texts.length < values.length ? { nullable: true } : {}) };
  const told = `One of ${values.map((value) => JSON.stringify(value)).join(", ")}.`;
  const description = typeof schema.description === "string" ? `${schema.description} ${told}` : told;
  const type = typesOf(schema)[0] ?? (values.every((value) => typeof value === "number") ? "number" : "boolean");
  return { type, description };
}

function ofType(schema: JsonSchema, type: string, inner: (schema: JsonSchema) => JsonSchema): JsonSchema {
  if (type === "array") {
    const first = Array.isArray(schema.prefixItems) ? listOf(schema, "prefixItems") : listOf(schema, "items");
    const rest = schema.items === false ? undefined : asSchema(schema.items);
    const items = [...first, ...(rest ? [rest] : [])];
    return { type, items: items.length > 1 ? inner({ anyOf: items }) : inner(items[0] ?? {}) };
  }
  if (type === "object") {
    const properties = mapOf(schema, "properties").map(([name, each]): [string, JsonSchema] => [name, inner(each)]);
    const required = namesOf(schema, "required").filter((name) => properties.some(([each]) => each === name));
    if (properties.length === 0) return { type };
    return { type, properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
  }
  const { exclusiveMinimum: above, exclusiveMaximum: below, format } = schema;
  const step = type === "integer" ? 1 : 0;
  return {
    type,
    ...(typeof above === "number" ? { minimum: above + step } : {}),
    ...(typeof below === "number" ? { maximum: below - step } : {}),
    ...(FORMATS.includes(format as string) ? { format } : {}),
  };
}
