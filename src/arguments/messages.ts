import type { Issue } from "../core/contracts/arguments.ts";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { asSchema, listOf, namesOf, resolve, typesOf, valuesOf } from "./json-schema.ts";

/** A compiled check of a foreign JSON Schema. */
export type Compile = (schema: JsonSchema) => (value: unknown) => Issue[];

/** Says that an argument is missing, or that none is accepted. */
export const NOTHING = "nothing";
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

/** What is expected, with its limits: "integer from 1 to 600", "one of overwrite, append". */
export function describe(root: JsonSchema, schema: JsonSchema, depth = 0): string {
  return said(root, schema, depth, (each, type) => {
    const values = valuesOf(each);
    if (values) return values.length === 1 ? JSON.stringify(values[0]) : `one of ${listed(values, ", ")}`;
    if (type === "string") return `string${lengths(each.minLength, each.maxLength, "character")}${form(each)}`;
    if (type === "integer" || type === "number") return `${type}${limits(each)}`;
    if (type.startsWith("list")) return `${type}${lengths(each.minItems, each.maxItems, "item", "with")}`;
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

function lengths(least: unknown, most: unknown, unit: string, word = "of"): string {
  const units = (count: number) => `${count} ${unit}${count === 1 ? "" : "s"}`;
  const [from, to] = [
    typeof least === "number" && least > 0 ? least : undefined,
    typeof most === "number" ? most : undefined,
  ];
  if (from !== undefined && to !== undefined) return ` ${word} ${from === to ? units(to) : `${from} to ${units(to)}`}`;
  if (from !== undefined) return ` ${word} at least ${units(from)}`;
  return to === undefined ? "" : ` ${word} at most ${units(to)}`;
}

function form({ format, pattern }: JsonSchema): string {
  if (typeof format === "string") return ` in the form ${format}`;
  return typeof pattern === "string" ? ` that matches ${cut(pattern)}` : "";
}

function limits(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const bounds: [string, unknown][] = [
    ["from", minimum],
    ["greater than", exclusiveMinimum],
    ["up to", maximum],
    ["less than", exclusiveMaximum],
  ];
  const texts = bounds.flatMap(([words, bound]) => (typeof bound === "number" ? [`${words} ${bound}`] : []));
  const both = texts.length === 2 && typeof minimum === "number" && typeof maximum === "number";
  const range = both ? ` from ${minimum} to ${maximum}` : texts.length > 0 ? ` ${texts.join(" and ")}` : "";
  return typeof multipleOf === "number" ? `${range}, a multiple of ${multipleOf}` : range;
}

/** Cuts a text to a bounded length, never inside a surrogate pair. */
function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** A value as JSON. It may be anything, even something that throws when it is accessed. */
export function got(value: unknown): string {
  if (value === undefined) return NOTHING;
  try {
    if (typeof value === "bigint") return `${cut(String(value))}n`;
    if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
    if (typeof value === "number") return String(value);
    // a long text is cut first, to avoid serializing a megabyte
    const json = JSON.stringify(typeof value === "string" ? value.slice(0, LONGEST * 2) : value);
    return cut(json ?? typeof value);
  } catch {
    return "something that is not JSON";
  }
}

/** What is expected, and what the schema's author says about it. */
export const withMore = (words: string, more: string): string =>
  words === "" || words === "any value" ? `valid: ${more}` : `${words}: ${more}`;

/** One problem as a sentence: "path is required (string)". */
export function sentence({ path, expected, got: value, refused }: Issue): string {
  const subject = path || "the arguments";
  if (refused !== undefined) return `${subject} is not accepted: ${refused} (got ${value})`;
  if (value === NOTHING) return `${subject} ${path ? "is" : "are"} required (${expected})`;
  if (expected === NOTHING) return `${subject} is not accepted (got ${value})`;
  return `${subject} must be ${withArticle(expected)} (got ${value})`;
}

const NEEDS_ARTICLE = /^(?:string|number|integer|boolean|object|list|value)\b/;

const withArticle = (words: string): string =>
  NEEDS_ARTICLE.test(words) ? `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}` : words;

/** A path inside the arguments: `todos[0].status`. */
export function pathText(path: readonly PropertyKey[]): string {
  const part = (key: PropertyKey, index: number) => {
    if (typeof key === "number") return `[${key}]`;
    const name = String(key);
    if (!/^[\w$-]+$/.test(name)) return `[${JSON.stringify(cut(name))}]`;
    return index === 0 ? name : `.${name}`;
  };
  return path.map(part).join("");
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<PropertyKey, unknown>)[key];
  }
  return found;
}
