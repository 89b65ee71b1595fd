import type { JsonSchema } from "../core/words/json-schema.ts";

/** Schemas come from strangers: no recursion goes deeper than this. */
export const DEEPEST = 64;

const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const SINGLES = [
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
];

export type PlainObject = { [key: string]: unknown };

/** An object made by `{}`, JSON or Object.create(null), of any realm. */
export function isPlain(value: unknown): value is PlainObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "hasOwnProperty"))
  );
}

/** A schema may be written as true (anything) or false (nothing). */
export function asSchema(value: unknown): JsonSchema | undefined {
  if (typeof value === "boolean") return value ? {} : { enum: [] };
  return isPlain(value) ? value : undefined;
}

const someSchema = (value: unknown): JsonSchema[] => {
  const schema = asSchema(value);
  return schema ? [schema] : [];
};

/** Only own properties, so that "constructor" in a schema or call is never found by inheritance. */
export const own = (value: object, key: PropertyKey): unknown =>
  Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;

export function mapOf(schema: JsonSchema, keyword: string): [string, JsonSchema][] {
  const map = own(schema, keyword);
  if (!isPlain(map)) return [];
  return Object.entries(map).flatMap(([name, value]) =>
    someSchema(value).map((each): [string, JsonSchema] => [name, each]),
  );
}

export function listOf(schema: JsonSchema, keyword: string): JsonSchema[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list.flatMap(someSchema) : [];
}

export function namesOf(schema: JsonSchema, keyword: string): string[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

/** The types that a schema names, or that its other keywords imply. */
export function typesOf(schema: JsonSchema): string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return namesOf(schema, "type");
  if (isPlain(schema.properties)) return ["object"];
  return typeof schema.items === "object" || Array.isArray(schema.prefixItems) ? ["array"] : [];
}

/** The target of a local `$ref`; undefined for other references. */
export function resolve(root: JsonSchema, ref: unknown): JsonSchema | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const part of ref.split("/").slice(1)) {
    if (typeof found !== "object" || found === null) return undefined;
    found = own(found, decoded(part));
  }
  return asSchema(found);
}

function decoded(part: string): string {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** The schema with every inner schema replaced. Property names are never taken for keywords. */
export function mapInside(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const changed = ([keyword, value]: [string, unknown]): [string, unknown] => {
    if (MAPS.includes(keyword) && isPlain(value)) {
      const inner = Object.entries(value).map(([name, each]) => [name, isPlain(each) ? change(each) : each]);
      return [keyword, Object.fromEntries(inner)];
    }
    if (LISTS.includes(keyword) && Array.isArray(value))
      return [keyword, value.map((each) => (isPlain(each) ? change(each) : each))];
    if (SINGLES.includes(keyword) && isPlain(value)) return [keyword, change(value)];
    return [keyword, value];
  };
  return Object.fromEntries(Object.entries(schema).map(changed));
}

/** What a tool takes: its arguments by name, which are required, and whether others are accepted. */
export type Arguments = { schemas: Map<string, JsonSchema>; required: Set<string>; open: boolean };

export function argumentsOf(root: JsonSchema, schema: JsonSchema = root): Arguments {
  const found = gather(root, schema, new Map());
  const required = [...found.required].filter((name) => !Object.hasOwn(found.schemas.get(name) ?? {}, "default"));
  return { schemas: found.schemas, required: new Set(required), open: found.open || !found.named };
}

type Gathered = Arguments & { named: boolean };

/** Visits each schema once, however often, and in whatever cycles, others refer to it. */
function gather(root: JsonSchema, schema: JsonSchema, seen: Map<JsonSchema, Gathered>): Gathered {
  const known = seen.get(schema);
  if (known) return known;
  const found: Gathered = {
    schemas: new Map(mapOf(schema, "properties")),
    required: new Set(namesOf(schema, "required")),
    open: isOpen(schema),
    named: isPlain(schema.properties),
  };
  seen.set(schema, found);
  const inner = (each: JsonSchema) => gather(root, each, seen);
  const target = resolve(root, schema.$ref);
  const all = [...(target ? [target] : []), ...listOf(schema, "allOf")].map(inner);
  for (const each of all) for (const name of each.required) found.required.add(name);
  const choices = ["anyOf", "oneOf"].map((keyword) => listOf(schema, keyword).map(inner));
  for (const [first, ...others] of choices)
    for (const name of first?.required ?? [])
      if (others.every((each) => each.required.has(name))) found.required.add(name);
  const perhaps = [schema.then, schema.else].flatMap(someSchema).map(inner);
  for (const each of [...all, ...choices.flat(), ...perhaps]) {
    found.open ||= each.open;
    found.named ||= each.named;
    for (const [name, one] of each.schemas) found.schemas.set(name, either(found.schemas.get(name), one));
  }
  return found;
}

function isOpen(schema: JsonSchema): boolean {
  const welcome = (value: unknown) => value === true || isPlain(value);
  return (
    welcome(schema.additionalProperties) || welcome(schema.unevaluatedProperties) || isPlain(schema.patternProperties)
  );
}

function either(one: JsonSchema | undefined, other: JsonSchema): JsonSchema {
  if (!one || JSON.stringify(one) === JSON.stringify(other)) return other;
  const [left, right] = [valuesOf(one), valuesOf(other)];
  if (left && right) {
    const { const: _, ...rest } = one;
    return { ...rest, enum: [...new Set([...left, ...right])] };
  }
  const branches = (schema: JsonSchema) =>
    Object.keys(schema).join() === "anyOf" ? listOf(schema, "anyOf") : [schema];
  return { anyOf: [...branches(one), other] };
}

/** The only values that a schema allows, if it lists them. */
export function valuesOf(schema: JsonSchema): unknown[] | undefined {
  if (Object.hasOwn(schema, "const")) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** What is expected at a path inside a value; if branches of a union differ, any of theirs. */
export function schemaAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  let schemas: JsonSchema[] = [root];
  for (const key of path) schemas = [...new Set(schemas.flatMap((schema) => under(root, schema, key, new Set())))];
  return schemas.reduce<JsonSchema | undefined>(either, undefined);
}

function under(root: JsonSchema, schema: JsonSchema, key: PropertyKey, seen: Set<JsonSchema>): JsonSchema[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const target = resolve(root, schema.$ref);
  const parts = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => listOf(schema, keyword));
  const elsewhere = [...(target ? [target] : []), ...parts].flatMap((part) => under(root, part, key, seen));
  const here = typeof key === "number" ? itemAt(schema, key) : propertyAt(schema, String(key));
  return here ? [here, ...elsewhere] : elsewhere;
}

export function itemAt(schema: JsonSchema, index: number): JsonSchema | undefined {
  const first = Array.isArray(schema.prefixItems) ? listOf(schema, "prefixItems") : listOf(schema, "items");
  return first[index] ?? (isPlain(schema.items) ? schema.items : undefined);
}

export function propertyAt(schema: JsonSchema, name: string): JsonSchema | undefined {
  const named = isPlain(schema.properties) ? asSchema(own(schema.properties, name)) : undefined;
  if (named) return named;
  const matched = mapOf(schema, "patternProperties").find(([pattern]) => matches(pattern, name));
  if (matched) return matched[1];
  return isPlain(schema.additionalProperties) ? schema.additionalProperties : undefined;
}

const ALWAYS_QUICK = 16;
const LONGEST = 2_000;

/** Whether a stranger's pattern cannot take long: the text is very short, or no repetition is nested. */
function isQuick(pattern: string, text: string): boolean {
  if (text.length <= ALWAYS_QUICK) return true;
  const repeats = pattern.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  return text.length <= LONGEST && repeats.length <= 2 && !/\)(?:[*+]|\{)/.test(pattern);
}

/** An invalid or slow pattern counts as matching here: the real check of the schema decides. */
export function matches(pattern: string, text: string): boolean {
  if (!isQuick(pattern, text)) return true;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return true;
  }
}
