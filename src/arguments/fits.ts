import type { JsonSchema } from "../core/words/json-schema.ts";
import {
  DEEPEST,
  isPlain,
  itemAt,
  listOf,
  matches,
  namesOf,
  propertyAt,
  resolve,
  typesOf,
  valuesOf,
} from "./json-schema.ts";

/** Overlapping unions multiply: a walk that takes more steps than this is given up. */
const MOST_STEPS = 100_000;

export type Walk = { root: JsonSchema; steps: number };

export const walk = (root: JsonSchema): Walk => ({ root, steps: 0 });

export const spent = (walk: Walk, depth: number): boolean => ++walk.steps > MOST_STEPS || depth > DEEPEST;

/** Whether a value fits a JSON Schema. Used to choose between branches; the real check has the last word. */
export function fits(walk: Walk, schema: JsonSchema, value: unknown, depth = 0): boolean {
  if (spent(walk, depth)) return false;
  const inner = (each: JsonSchema) => fits(walk, each, value, depth + 1);
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
  const values = valuesOf(schema);
  if (values && !values.some((each) => same(each, value))) return false;
  const target = resolve(walk.root, schema.$ref);
  if (target && !inner(target)) return false;
  if (!listOf(schema, "allOf").every(inner)) return false;
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = listOf(schema, keyword);
    if (branches.length > 0 && !branches.some(inner)) return false;
  }
  if (typeof value === "string") return fitsText(schema, value);
  if (typeof value === "number") return fitsNumber(schema, value);
  if (Array.isArray(value)) return fitsList(walk, schema, value, depth);
  return isPlain(value) ? fitsObject(walk, schema, value, depth) : true;
}

export function isOfType(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "number") return Number.isFinite(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

const NUMBERS: readonly string[] = ["number", "integer"];
/** Whether a value can be of both types. */
const overlaps = (one: string, other: string): boolean =>
  one === other || (NUMBERS.includes(one) && NUMBERS.includes(other));

/** Whether some value of this type could be valid. */
export function allows(
  root: JsonSchema,
  schema: JsonSchema,
  type: string,
  seen = new Map<JsonSchema, boolean>(),
): boolean {
  const known = seen.get(schema);
  if (known !== undefined) return known;
  seen.set(schema, false);
  const answer = allowsAnew(root, schema, type, (each) => allows(root, each, type, seen));
  seen.set(schema, answer);
  return answer;
}

function allowsAnew(root: JsonSchema, schema: JsonSchema, type: string, inner: (each: JsonSchema) => boolean): boolean {
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((each) => overlaps(each, type))) return false;
  const values = valuesOf(schema);
  if (values && !values.some((value) => isOfType(type, value))) return false;
  const target = resolve(root, schema.$ref);
  if (target && !inner(target)) return false;
  const unions = ["anyOf", "oneOf"].map((keyword) => listOf(schema, keyword)).filter((list) => list.length > 0);
  return unions.every((branches) => branches.some(inner)) && listOf(schema, "allOf").every(inner);
}

const within = (size: number, least: unknown, most: unknown) =>
  !(typeof least === "number" && size < least) && !(typeof most === "number" && size > most);

function fitsText(schema: JsonSchema, text: string): boolean {
  if (!within(text.length, schema.minLength, schema.maxLength)) return false;
  return typeof schema.pattern !== "string" || matches(schema.pattern, text);
}

function fitsNumber(schema: JsonSchema, number: number): boolean {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof above === "number" && number <= above) return false;
  if (typeof below === "number" && number >= below) return false;
  return within(number, schema.minimum, schema.maximum);
}

function fitsList(walk: Walk, schema: JsonSchema, list: unknown[], depth: number): boolean {
  if (!within(list.length, schema.minItems, schema.maxItems)) return false;
  return list.every((value, index) => {
    const item = itemAt(schema, index);
    return !item || fits(walk, item, value, depth + 1);
  });
}

function fitsObject(walk: Walk, schema: JsonSchema, value: { [key: string]: unknown }, depth: number): boolean {
  if (!namesOf(schema, "required").every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, each]) => {
    const property = propertyAt(schema, name);
    if (property) return each === undefined || fits(walk, property, each, depth + 1);
    return schema.additionalProperties !== false;
  });
}

function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const nested = typeof one === "object" && typeof other === "object";
  return nested && JSON.stringify(one) === JSON.stringify(other);
}
