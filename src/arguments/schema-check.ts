import * as z from "zod";
import type { Issue } from "../core/contracts/arguments.ts";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { fits, walk } from "./fits.ts";
import { isPlain, type PlainObject, schemaAt } from "./json-schema.ts";
import { describe, got, NOTHING, pathText, valueAt, withMore } from "./messages.ts";

/** `fields` are the arguments at fault; absent if it is the whole. */
export type Checked = { ok: true; input: unknown } | { ok: false; issues: Issue[]; fields?: ReadonlySet<PropertyKey> };

export type Check = (value: unknown) => Checked;

type ZodIssue = z.core.$ZodIssue;

/** Prefix for zod's own messages, to tell them from those of the schema's author. */
const GENERIC = "\0";
const MOST_ISSUES = 20;

/** An error map that marks zod's default messages. */
function marked(raw: z.core.$ZodRawIssue): string {
  const said = z.config().localeError?.(raw);
  return GENERIC + (typeof said === "string" ? said : (said?.message ?? "invalid"));
}

export function zodCheck(schema: z.ZodType, json: () => JsonSchema): Check {
  return (value) => {
    const result = schema.safeParse(value, { error: marked });
    if (result.success) return { ok: true, input: result.data };
    const found = result.error.issues.slice(0, MOST_ISSUES).flatMap(unfolded);
    const issues = found.slice(0, MOST_ISSUES).map((issue) => toIssue(json(), value, issue));
    const whole = result.error.issues.some(({ path }) => path.length === 0);
    return {
      ok: false,
      issues,
      ...(whole ? {} : { fields: new Set(result.error.issues.map(({ path }) => path[0]!)) }),
    };
  };
}

/** One issue per key. For a union of which only one branch failed below the top, what failed there. */
function unfolded(issue: ZodIssue): ZodIssue[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ ...issue, keys: [key], path: [...issue.path, key] }));
  if (issue.code !== "invalid_union") return [issue];
  const deep = issue.errors.filter((branch) => branch.length > 0 && branch.every(({ path }) => path.length > 0));
  if (deep.length !== 1) return [issue];
  return deep[0]!.flatMap((inner) => unfolded({ ...inner, path: [...issue.path, ...inner.path] }));
}

function toIssue(root: JsonSchema, value: unknown, issue: ZodIssue): Issue {
  const found = valueAt(value, issue.path);
  const place = { path: pathText(issue.path), got: got(found) };
  if (issue.code === "unrecognized_keys") return { ...place, expected: NOTHING };
  const expected = schemaAt(root, issue.path);
  const words = expected ? describe(root, expected) : "";
  const chosen = wordsOf(issue).filter((text) => !text.startsWith(GENERIC));
  // if the value fits the schema, the schema does not explain the problem, but zod's message does
  const unexplained = !expected || (found !== undefined && fits(walk(root), expected, found));
  const more = chosen.length > 0 ? chosen : unexplained ? [issue.message.replace(GENERIC, "")] : [];
  return { ...place, expected: more.length === 0 ? words : withMore(words, more.join(", ")) };
}

function wordsOf(issue: ZodIssue): string[] {
  const inner = issue.code === "invalid_union" ? issue.errors.flat() : "issues" in issue ? issue.issues : [];
  return [...new Set([issue.message, ...inner.flatMap(wordsOf)])];
}

const SCALARS = new Set(["string", "number", "boolean", "enum", "literal", "null", "undefined", "never"]);

/** Whether zod creates every object and list of its output anew. What it passes on untouched, it does not look into. */
export function rebuildsAll(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): boolean {
  if (seen.has(schema)) return true;
  seen.add(schema);
  const inner = (each: z.core.$ZodType) => rebuildsAll(each, seen);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return Object.values(def.shape).every(inner) && (!def.catchall || inner(def.catchall));
    case "array":
      return inner(def.element);
    case "union":
      return def.options.every(inner);
    case "optional":
    case "nullable":
    case "default":
      return inner(def.innerType);
    default:
      return SCALARS.has(def.type);
  }
}

/** A copy of what was sent, read once: it cannot change between check and run, and a cycle throws. */
export function copied(value: unknown, above: object[] = []): unknown {
  const list = Array.isArray(value);
  if (!list && !isPlain(value)) return value;
  if (above.includes(value)) throw new TypeError("a value contains itself");
  above.push(value);
  const copy = list ? value.map((each) => copied(each, above)) : copiedObject(value, above);
  above.pop();
  return copy;
}

function copiedObject(value: PlainObject, above: object[]): PlainObject {
  const copy: PlainObject = {};
  for (const key of Object.keys(value)) {
    const each = copied(value[key], above);
    // an assignment would set the prototype
    if (key === "__proto__") Object.defineProperty(copy, key, { value: each, enumerable: true, writable: true });
    else copy[key] = each;
  }
  return copy;
}
