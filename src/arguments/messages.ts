import type { Issue } from "../core/contracts/arguments.ts";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { asSchema, listOf, namesOf, resolve, typesOf, valuesOf } from "./json-schema.ts";

/** A compiled check of a foreign JSON Schema. */
export type Compile = (schema: JsonSchema) => (value: unknown) => Issue[];

const LONGEST = 80;
const MOST_BRANCHES = 6;
const MOST_VALUES = 30;
const DEEPEST_WORDS = 4;

/** The type in a word or two: "string", "overwrite | append", "list of integer". */
export function kind(root: JsonSchema, schema: JsonSchema, depth = 0): string {
  return said(root, schema, depth, (each, type) => {
    const values = valuesOf(each);
    return values ? listed(values, " | ") : type;
  });
}

/** What is due, with its limits: "integer 1 to 600", "one of overwrite, append". */
export function describe(root: JsonSchema, schema: JsonSchema, depth = 0): string {
  return said(root, schema, depth, (each, type) => {
    const values = valuesOf(each);
    if (values) return values.length === 1 ? JSON.stringify(values[0]) : `one of ${listed(values, ", ")}`;
    if (type === "string") return `string${lengths(each.minLength, each.maxLength, "character")}${form(each)}`;
    if (type === "integer" || type === "number") return `${type}${limits(each)}`;
    if (type.startsWith("list")) return `${type}${lengths(each.minItems, each.maxItems, "item")}`;
    if (type !== "object") return type;
    const required = namesOf(each, "required");
    return required.length > 0 ? `object with ${required.join(", ")}` : type;
  });
}

type Say = (schema: JsonSchema, type: string) => string;

function said(root: JsonSchema, schema: JsonSchema, depth: number, say: Say): string {
  if (depth > DEEPEST_WORDS) return "value";
  const inner = (each: JsonSchema) => said(root, each, depth + 1, say);
  const target = resolve(root, schema.$ref);
  if (target) return inner(target);
  const branches = [...listOf(schema, "anyOf"), ...listOf(schema, "oneOf")];
  const types = typesOf(schema);
  if (branches.length > 0 && !valuesOf(schema)) {
    const texts = new Set(branches.slice(0, MOST_BRANCHES).map(inner));
    if (branches.length > MOST_BRANCHES) texts.add("something else");
    return [...texts].join(" or ");
  }
  const [first] = listOf(schema, "allOf");
  if (first && types.length === 0) return inner(first);
  if (types.length === 0 || valuesOf(schema)) return say(schema, types[0] ?? "any value");
  const item = asSchema(schema.items);
  const list = item && typesOf(item).length > 0 ? `list of ${inner(item)}` : "list";
  return types.map((type) => say(schema, type === "array" ? list : type)).join(" or ");
}

function listed(values: unknown[], between: string): string {
  const more = values.length > MOST_VALUES ? ["…"] : [];
  return [...values.slice(0, MOST_VALUES).map(plainly), ...more].join(between);
}

const plainly = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function lengths(least: unknown, most: unknown, unit: string): string {
  const units = (count: number) => `${count} ${unit}${count === 1 ? "" : "s"}`;
  const [from, to] = [
    typeof least === "number" && least > 0 ? least : undefined,
    typeof most === "number" ? most : undefined,
  ];
  if (from !== undefined && to !== undefined) return ` of ${from === to ? units(to) : `${from} to ${units(to)}`}`;
  if (from !== undefined) return ` of at least ${units(from)}`;
  return to === undefined ? "" : ` of at most ${units(to)}`;
}

function form({ format, pattern }: JsonSchema): string {
  if (typeof format === "string") return ` in the form ${format}`;
  return typeof pattern === "string" ? ` that matches ${cut(pattern)}` : "";
}

function limits(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const bounds: [string, unknown][] = [
    [">=", minimum],
    [">", exclusiveMinimum],
    ["<=", maximum],
    ["<", exclusiveMaximum],
  ];
  const texts = bounds.flatMap(([sign, bound]) => (typeof bound === "number" ? [`${sign} ${bound}`] : []));
  const both = texts.length === 2 && typeof minimum === "number" && typeof maximum === "number";
  const range = both ? ` ${minimum} to ${maximum}` : texts.length > 0 ? ` ${texts.join(" and ")}` : "";
  return typeof multipleOf === "number" ? `${range}, a multiple of ${multipleOf}` : range;
}

/** Text of bounded length that does not end in half a character. */
function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** What came, as JSON with its type. Anything may have come: also what throws when it is looked at. */
export function came(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  try {
    if (typeof value === "bigint") return `${cut(String(value))}n (bigint)`;
    if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
    const type = Array.isArray(value) ? "array" : typeof value;
    if (typeof value === "number" && !Number.isFinite(value)) return `${value} (number)`;
    // a long text is cut first: there is no need to write out a megabyte
    const json = JSON.stringify(typeof value === "string" ? value.slice(0, LONGEST * 2) : value);
    return `${cut(json ?? type)} (${type})`;
  } catch {
    return "something that is no JSON";
  }
}

/** A place inside the arguments: `todos[0].status`. */
export function pathText(path: readonly PropertyKey[]): string {
  const part = (key: PropertyKey, index: number) => {
    if (typeof key === "number") return `[${key}]`;
    const name = String(key);
    if (!/^[\w$-]+$/.test(name)) return `[${JSON.stringify(cut(name))}]`;
    return index === 0 ? name : `.${name}`;
  };
  return path.map(part).join("");
}

/** The value at a place; nothing where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}
