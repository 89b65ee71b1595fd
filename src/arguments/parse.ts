import type * as z from "zod";
import type { Issue, Parsed, Shape } from "../core/contracts/arguments.ts";
import type { JsonSchema } from "../core/words/json-schema.ts";
import { labelOf } from "../core/words/label.ts";
import { brokenJson } from "./broken-json.ts";
import { coerce } from "./coerce.ts";
import { allows } from "./fits.ts";
import { type Arguments, argumentsOf, isPlain, namesOf, type PlainObject } from "./json-schema.ts";
import { type Compile, describe, got, sentence } from "./messages.ts";
import { isSettled, type Names, namesFor, rename, simplyRenamed } from "./naming.ts";
import { isZod, summarise, toJsonSchema } from "./schema.ts";
import { type Check, type Checked, copied, rebuildsAll, zodCheck } from "./schema-check.ts";

const BROKEN_OBJECT = /^\s*\{\s*(?:"|$)/;
const BROKEN_LIST = /^\s*\[\s*\{\s*(?:"|$)/;

/** Parses a call's arguments. Never throws, and does nothing before the first call. */
export function parser(shape: Shape, compile: Compile): (args: unknown, calledAs?: string) => Parsed {
  let reader: Reader | undefined;
  return (args, calledAs) => {
    try {
      reader ??= makeReader(shape, compile);
      return quick(reader, args, calledAs) ?? thorough(reader, args, calledAs);
    } catch (error) {
      const expected = `something its schema can check (${reasonOf(error)})`;
      return invalid(shape, [{ path: "", expected, got: got(args) }]);
    }
  };
}

type Reader = {
  shape: Shape;
  names: Names;
  presets: ReadonlyMap<string, PlainObject>;
  /** The output shares nothing with the caller's value, so it need not be copied first. */
  rebuilds: boolean;
  check: Check;
  /** The check without messages about what is wrong. */
  accept(value: unknown): Parsed | undefined;
  schema(): JsonSchema;
  /** The same with what is really required: a schema may show more as required, for models. */
  checked(): JsonSchema;
  takes(): Arguments;
};

function makeReader(shape: Shape, compile: Compile): Reader {
  const { input, aliases } = shape;
  const schema = once(() => schemaOf(shape));
  const takes = once(() => argumentsOf(schema()));
  const zod = isZod(input) ? input : undefined;
  const keys = zod && declared(zod);
  const { known, open } = keys ?? { known: new Set(takes().schemas.keys()), open: takes().open };
  const check = checkOf(input, schema, compile);
  const listed = (aliases?.names ?? []).filter((alias) => typeof alias !== "string");
  return {
    shape,
    names: namesFor(known, open, aliases ?? {}),
    presets: new Map(listed.map(({ name, preset }) => [name, preset])),
    rebuilds: zod !== undefined && rebuildsAll(zod),
    check,
    accept: (value) => {
      if (!zod) return accepted(check(value));
      const result = zod.safeParse(value);
      return result.success ? { ok: true, input: result.data, notes: [] } : undefined;
    },
    schema,
    checked: once(() => withoutOptional(schema(), keys?.optional ?? [])),
    takes,
  };
}

const accepted = (checked: Checked): Parsed | undefined =>
  checked.ok ? { ok: true, input: checked.input, notes: [] } : undefined;

/** The keys of a zod object, without making a JSON Schema of it. */
function declared(schema: z.ZodType): { known: Set<string>; optional: string[]; open: boolean } | undefined {
  const { def } = (schema as unknown as z.ZodObject)._zod;
  if (def.type !== "object") return undefined;
  const open = def.catchall !== undefined && def.catchall._zod.def.type !== "never";
  const names = Object.keys(def.shape);
  const optional = names.filter((name) => def.shape[name]?._zod.optin !== undefined);
  return { known: new Set(names), optional, open };
}

const withoutOptional = (schema: JsonSchema, optional: readonly string[]): JsonSchema => ({
  ...schema,
  required: namesOf(schema, "required").filter((name) => !optional.includes(name)),
});

function checkOf(input: Shape["input"], schema: () => JsonSchema, compile: Compile): Check {
  if (isZod(input)) return zodCheck(input, schema);
  // it takes no arguments, and whatever was sent was dropped
  if (!input) return (value) => ({ ok: true, input: value });
  const check = once(() => compile(input));
  return (value) => {
    const issues = check()(value);
    return issues.length === 0 ? { ok: true, input: value } : { ok: false, issues };
  };
}

/** The fast path for arguments that need no conversion. */
function quick(
  { names, presets, rebuilds, accept }: Reader,
  args: unknown,
  calledAs: string | undefined,
): Parsed | undefined {
  if (!isPlain(args) || (calledAs !== undefined && presets.has(calledAs))) return undefined;
  let settled = true;
  for (const key in args) settled &&= isSettled(names, key);
  const named = settled ? args : simplyRenamed(names, args);
  return named && accept(rebuilds ? named : copied(named));
}

function thorough(reader: Reader, args: unknown, calledAs: string | undefined): Parsed {
  const { shape, names, check, schema, checked } = reader;
  const preset = copied(reader.presets.get(calledAs ?? shape.name) ?? {}) as PlainObject;
  const given = unpacked(reader, copied(args), preset);
  if ("broken" in given) return notJson(shape, given.broken);
  if ("expected" in given) return invalid(shape, [given]);
  const isAbsent = (argument: string, value: unknown) =>
    value === null && !allows(schema(), reader.takes().schemas.get(argument) ?? {}, "null");
  const { named, notes, refused } = isPlain(given.value)
    ? rename(given.value, { tool: shape.name, names, preset, isAbsent })
    : { named: given.value, notes: [], refused: [] };
  if (refused.length > 0) return invalid(shape, refused);
  const exact = check(named);
  if (exact.ok) return { ok: true, input: exact.input, notes };
  const eased = check(easedFields(named, coerce(checked(), named), exact.fields));
  return eased.ok ? { ok: true, input: eased.input, notes } : invalid(shape, eased.issues);
}

/** A JSON Schema says less than zod: an argument that zod accepted stays as it is. */
function easedFields(named: unknown, eased: unknown, fields: ReadonlySet<PropertyKey> | undefined): unknown {
  if (!fields || !isPlain(named) || !isPlain(eased)) return eased;
  const names = Object.keys(named).filter((name) => !fields.has(name) || Object.hasOwn(eased, name));
  return Object.fromEntries(names.map((name) => [name, fields.has(name) ? eased[name] : named[name]]));
}

/** The arguments as an object; a schema that takes something else gets that. */
function unpacked(reader: Reader, args: unknown, preset: PlainObject): { value: unknown } | { broken: string } | Issue {
  if (args === null || args === undefined) return { value: {} };
  if (isPlain(args)) return { value: args };
  const root = reader.schema();
  const wrong: Issue = { path: "", expected: describe(root, root), got: got(args) };
  if (typeof args !== "string")
    return allows(root, root, Array.isArray(args) ? "array" : typeof args) ? { value: args } : wrong;
  if (args.trim() === "") return { value: {} };
  const parsed = fromJson(args);
  if (isPlain(parsed)) return { value: parsed };
  if (allows(root, root, "string") || (Array.isArray(parsed) && allows(root, root, "array"))) return { value: args };
  // half an object is a call that was cut off; as a command or a text it would do harm
  if (parsed === undefined && (BROKEN_OBJECT.test(args) || BROKEN_LIST.test(args))) return { broken: args };
  const lone = loneText(reader, preset);
  return lone === undefined ? wrong : { value: { [lone]: args } };
}

/** The only argument that a bare text can be meant for. */
function loneText({ schema, takes }: Reader, preset: PlainObject): string | undefined {
  const { schemas, required } = takes();
  const expected = [...required].filter((name) => !Object.hasOwn(preset, name));
  const names = expected.length === 1 ? expected : schemas.size === 1 ? [...schemas.keys()] : [];
  return names.find((name) => allows(schema(), schemas.get(name) ?? {}, "string"));
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A call that was cut off has to be sent again as a whole; one with a mistake has to be corrected. */
function notJson(shape: Shape, text: string): Parsed {
  const { at, cutOff, where } = brokenJson(text);
  const issues: Issue[] = [{ path: "", expected: "valid JSON", got: got(text) }];
  const name = labelOf(shape.name);
  if (cutOff)
    return {
      ok: false,
      issues,
      message: `Invalid arguments for ${name}: the arguments end ${where} at character ${at}.`,
      hint: "The call was cut off. Send the whole call again; if it is too long for one reply, do it in smaller pieces.",
    };
  const message = `Invalid arguments for ${name}: the arguments are not valid JSON at character ${at} (${where}).`;
  return { ok: false, issues, message, hint: "Correct the JSON there and send the whole call again." };
}

function invalid(shape: Shape, issues: Issue[]): Parsed {
  const message = `Invalid arguments for ${labelOf(shape.name)}: ${issues.map(sentence).join("; ")}.`;
  return { ok: false, issues, message, hint: `${shape.name} takes ${summarise(schemaOf(shape))}.` };
}

/** A schema that zod cannot convert to JSON Schema still checks; only coercion and hints are missing. */
function schemaOf({ input }: Shape): JsonSchema {
  try {
    return toJsonSchema(input);
  } catch {
    return {};
  }
}

function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return "it failed";
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
