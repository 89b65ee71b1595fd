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
  // an inherited property was not sent
  ownProperties: true,
  // foreign formats are hints to a model, and ids of different tools may be alike
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
} as const;
const MOST_ISSUES = 20;
/** With these, a schema decides how long a check takes. */
const LONG = /"(?:pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;
const LONGEST_MS = 1_000;
/** What the words for a schema already tell; other keywords are told in ajv's words. */
const TOLD = new Set(
  "type enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems required anyOf".split(
    " ",
  ),
);

const instances = new Map<string, Ajv>();

/** Importing ajv takes longer than starting the whole program: it is loaded for the first call that needs it. */
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

/** The check of a foreign JSON Schema. One that is itself wrong refuses every value, and says why. */
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
      // one that was stopped half-way may have left anything behind in ajv
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
  // the dialect is chosen above; ajv would look for one by the exact address
  const { $schema: _, ...rest } = schema;
  try {
    return ajv.compile(rest);
  } finally {
    // ajv would keep what tools of closed servers brought
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
