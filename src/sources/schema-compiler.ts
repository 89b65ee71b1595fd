import { createRequire } from "node:module";
import type { Ajv, ErrorObject, ValidateFunction } from "ajv";
import { isPlain, schemaAt } from "../arguments/json-schema.ts";
import { type Compile, describe, got, NOTHING, pathText, valueAt, withMore } from "../arguments/messages.ts";
import type { Issue } from "../core/contracts/arguments.ts";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { timed } from "./lib/timed.ts";

const OPTIONS = {
  strict: false,
  allErrors: true,
  // inherited properties were not sent
  ownProperties: true,
  // foreign formats are hints to a model, and different tools may use the same ids
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const;
const MOST_ISSUES = 20;
/** Keywords with which a schema can make a check slow. */
const LONG = /"(?:pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;
const LONGEST_MS = 1_000;
/** Keywords that our description of a schema covers; others are reported in ajv's words. */
const TOLD = new Set(
  "type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems required anyOf".split(
    " ",
  ),
);

const instances = new Map<string, Ajv>();

/** Importing ajv takes longer than starting the whole program, so it is loaded for the first call that needs it. */
function instanceFor(schema: JsonSchema): Ajv {
  const draft7 = typeof schema.$schema === "string" && /draft-0[4-7]/.test(schema.$schema);
  const name = draft7 ? "ajv" : "ajv/dist/2020.js";
  const known = instances.get(name);
  if (known) return known;
  const { default: Made } = createRequire(import.meta.url)(name) as { default: new (options: typeof OPTIONS) => Ajv };
  const made = new Made(OPTIONS);
  instances.set(name, made);
  return made;
}

/** Compiles the check of a foreign JSON Schema. An invalid schema rejects every value, and says why. */
export const compileJsonSchema: Compile = (schema) => {
  let validate: ValidateFunction | undefined;
  let wrong: string | undefined;
  let isLong: boolean | undefined;
  const run = <T>(work: () => T): T => (isLong ? timed(work, LONGEST_MS) : work());
  const refused = (value: unknown): Issue[] => [
    { path: "", expected: `something its schema can check (${wrong})`, got: got(value) },
  ];
  return (value) => {
    if (wrong !== undefined) return refused(value);
    try {
      isLong ??= LONG.test(JSON.stringify(schema) ?? "");
      validate ??= run(() => compiled(schema));
      const check = validate;
      return run(() => check(value)) ? [] : issuesOf(schema, value, check.errors ?? []);
    } catch (error) {
      // a compilation that was stopped may have left ajv in any state
      if (!validate) instances.clear();
      const said = error instanceof Error ? error.message : String(error);
      if (!validate) wrong = said;
      return validate
        ? [{ path: "", expected: `something that can be checked (${said})`, got: got(value) }]
        : refused(value);
    }
  };
};

function compiled(schema: JsonSchema): ValidateFunction {
  if (!isPlain(schema)) throw new TypeError("neither a JSON Schema nor a schema of zod 4");
  if (schema.$async) throw new TypeError("it can only be checked asynchronously");
  const ajv = instanceFor(schema);
  // the dialect is chosen above; ajv would look it up by its exact URL
  const { $schema: _, ...rest } = schema;
  try {
    return ajv.compile(rest);
  } finally {
    // ajv would keep the schemas of closed servers' tools
    ajv.removeSchema(rest);
  }
}

function issuesOf(schema: JsonSchema, value: unknown, errors: ErrorObject[]): Issue[] {
  const issues = new Map<string, Issue>();
  for (const error of errors) {
    if (error.keyword === "if") continue;
    const issue = toIssue(schema, value, error);
    const known = issues.get(issue.path);
    if (!known || issue.expected.length > known.expected.length) issues.set(issue.path, issue);
    if (issues.size >= MOST_ISSUES) break;
  }
  return [...issues.values()];
}

function toIssue(schema: JsonSchema, value: unknown, error: ErrorObject): Issue {
  const path = pathOf(value, error);
  const found = valueAt(value, path);
  const place = { path: pathText(path), got: got(found) };
  if (error.keyword === "additionalProperties" || error.keyword === "unevaluatedProperties")
    return { ...place, expected: NOTHING };
  const expected = schemaAt(schema, path);
  const words = expected ? describe(schema, expected) : "any value";
  const told = TOLD.has(error.keyword) || (error.keyword === "oneOf" && !error.params.passingSchemas);
  return { ...place, expected: told ? words : withMore(words, error.message ?? "it does not fit") };
}

function pathOf(value: unknown, { instancePath, params }: ErrorObject): PropertyKey[] {
  const path: PropertyKey[] = [];
  for (const part of instancePath.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    path.push(Array.isArray(valueAt(value, path)) ? Number(name) : name);
  }
  const name: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof name === "string" ? [...path, name] : path;
}
