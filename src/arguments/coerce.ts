import type { JsonSchema } from "../core/words/json-schema.ts";
import { allows, fits, isOfType, spent, type Walk, walk } from "./fits.ts";
import {
  isPlain,
  itemAt,
  listOf,
  namesOf,
  type PlainObject,
  propertyAt,
  resolve,
  typesOf,
  valuesOf,
} from "./json-schema.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TRUTH = new Map<unknown, boolean>([
  ["true", true],
  ["1", true],
  [1, true],
  ["false", false],
  ["0", false],
  [0, false],
]);

/**
 * Converts a value to what the schema wants, if it says the same in another spelling. Anything else stays as it was.
 * The input is never changed, and is returned itself if nothing had to be converted.
 */
export function coerce(schema: JsonSchema, value: unknown): unknown {
  return eased(walk(schema), schema, value, 0);
}

function eased(walk: Walk, schema: JsonSchema, value: unknown, depth: number): unknown {
  if (spent(walk, depth)) return value;
  const target = resolve(walk.root, schema.$ref);
  const parts = target ? [target, ...listOf(schema, "allOf")] : listOf(schema, "allOf");
  let now = parts.reduce((each: unknown, part) => eased(walk, part, each, depth + 1), value);
  now = spelled(schema, now);
  now = typed(walk, schema, typesOf(schema), now, depth);
  for (const keyword of ["anyOf", "oneOf"]) now = chosen(walk, listOf(schema, keyword), now, depth);
  return now;
}

/** A value that fits a branch is right; otherwise the first branch that it can be converted to wins. */
function chosen(walk: Walk, branches: JsonSchema[], value: unknown, depth: number): unknown {
  if (branches.some((branch) => fits(walk, branch, value, depth + 1))) return value;
  for (const branch of branches) {
    const tried = eased(walk, branch, value, depth + 1);
    if (tried !== value && fits(walk, branch, tried, depth + 1)) return tried;
  }
  return value;
}

function spelled(schema: JsonSchema, value: unknown): unknown {
  const values = valuesOf(schema);
  if (!values || !isScalar(value)) return value;
  const text = String(value).toLowerCase();
  const alike = values.filter((each) => isScalar(each) && String(each).toLowerCase() === text);
  return alike.length === 1 ? alike[0] : value;
}

const isScalar = (value: unknown) => typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);

function typed(walk: Walk, schema: JsonSchema, types: string[], value: unknown, depth: number): unknown {
  if (types.some((type) => isOfType(type, value))) return inside(walk, schema, value, depth);
  for (const type of types) {
    const tried = converted(walk, schema, type, value, depth);
    if (isOfType(type, tried)) return tried;
  }
  return value;
}

function inside(walk: Walk, schema: JsonSchema, value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return insideList(walk, schema, value, depth);
  return isPlain(value) ? insideObject(walk, schema, value, depth) : value;
}

function converted(walk: Walk, schema: JsonSchema, type: string, value: unknown, depth: number): unknown {
  switch (type) {
    case "boolean":
      return TRUTH.get(typeof value === "string" ? value.toLowerCase() : value) ?? value;
    case "integer":
    case "number":
      return typeof value === "string" ? toNumber(value) : value;
    case "string":
      return isScalar(value) ? String(value) : value;
    case "object":
      return inside(walk, schema, fromText(value, "{"), depth);
    case "array": {
      const list = fromText(value, "[");
      return Array.isArray(list) ? insideList(walk, schema, list, depth) : asList(walk, schema, value, depth);
    }
    default:
      return value;
  }
}

/** Digits that a number cannot represent are not dropped silently. */
function toNumber(text: string): unknown {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN;
  return !Number.isInteger(number) || Number.isSafeInteger(number) ? number : text;
}

function fromText(value: unknown, start: string): unknown {
  if (typeof value !== "string" || !value.trimStart().startsWith(start)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function asList(walk: Walk, schema: JsonSchema, value: unknown, depth: number): unknown {
  if (value === null || value === undefined || Array.isArray(schema.prefixItems)) return value;
  const expected = itemAt(schema, 0);
  if (!expected) return [value];
  const item = eased(walk, expected, value, depth + 1);
  return fits(walk, expected, item, depth + 1) ? [item] : value;
}

/** [1, 2] for a list of lists could mean [[1, 2]] or [[1], [2]], so it is not guessed. */
function insideList(walk: Walk, schema: JsonSchema, list: unknown[], depth: number): unknown[] {
  const items = list.map((value, index) => {
    const expected = itemAt(schema, index);
    const item = expected ? eased(walk, expected, value, depth + 1) : value;
    return Array.isArray(item) && !Array.isArray(fromText(value, "[")) ? value : item;
  });
  return items.every((item, index) => Object.is(item, list[index])) ? list : items;
}

function insideObject(walk: Walk, schema: JsonSchema, value: PlainObject, depth: number): PlainObject {
  const required = namesOf(schema, "required");
  const optional = (name: string) =>
    isPlain(schema.properties) && Object.hasOwn(schema.properties, name) && !required.includes(name);
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [name, each] of Object.entries(value)) {
    const expected = propertyAt(schema, name);
    const next = expected ? eased(walk, expected, each, depth + 1) : each;
    const absent = next === null && expected && optional(name) && !allows(walk.root, expected, "null");
    if (!absent) entries.push([name, next]);
    if (absent || !Object.is(next, each)) changed = true;
  }
  return changed ? (Object.fromEntries(entries) as PlainObject) : value;
}
