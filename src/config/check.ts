import type * as z from "zod";
import { nearest } from "../text/nearest.ts";
import { inWrittenOrder, MOST_PROBLEMS, type Problem, shortened, shown } from "./problem.ts";
import { configSchema, schemaFor } from "./schema.ts";
import type { Config } from "./settings.ts";

export type Path = readonly PropertyKey[];
/** Where a value, or its key, was written. */
export type Locate = (path: Path, of: "key" | "value") => { line: number; column: number } | undefined;
export type Checked = { config: Config; locate: Locate } | { problems: Problem[] };

const dotted = (path: Path): string => path.map(String).join(".");

function at(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) found = (found as Record<PropertyKey, unknown> | undefined)?.[step];
  return found;
}

type Inner = { unwrap?(): unknown };
type Known = { shape?: Record<PropertyKey, Inner>; element?: unknown; valueType?: unknown; options?: Known[] };

/** The keys that the schema knows at a path. */
function knownKeys(path: Path): string[] {
  let schema: unknown = configSchema();
  for (const step of path) {
    const { shape, element, valueType } = (schema ?? {}) as Known;
    schema = typeof step === "number" ? element : (shape?.[step]?.unwrap?.() ?? shape?.[step] ?? valueType);
  }
  const { shape, options = [] } = (schema ?? {}) as Known;
  return Object.keys(shape ?? options.find((each) => each.shape)?.shape ?? {});
}

function unknownKey(path: Path): string {
  const name = dotted(path);
  if (/^api_?key$/i.test(String(path.at(-1))))
    return `${name} is refused: a key must not stand in a file. Put it into an environment variable, and name that in api_key_env.`;
  const parent = path.slice(0, -1);
  const known = knownKeys(parent);
  const prefix = parent.length > 0 ? `${dotted(parent)}.` : "";
  const [near] = nearest(String(path.at(-1)), known, 1);
  const advice = near ? `did you mean ${prefix}${near}?` : `the keys here are ${known.join(", ")}`;
  return `unknown key ${shown(name)}; ${advice}`;
}

function wrongValue(issue: z.core.$ZodIssue, path: Path, value: unknown): string {
  const name = path.length > 0 ? `${dotted(path)}: ` : "";
  if (issue.code === "invalid_key") return `${name}got ${shown(path.at(-1))}; accepted: ${issue.issues[0]?.message}`;
  const values = issue.code === "invalid_value" && typeof value === "string" ? issue.values.map(String) : [];
  const [near] = nearest(String(value), values, 1);
  // what was written in place of a variable's name may be the secret itself
  const got = /_env$/.test(String(path.at(-1))) ? "something else" : shown(value);
  return `${name}got ${got}; accepted: ${issue.message}${near ? `; did you mean ${near}?` : ""}`;
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown, source: string, locate: Locate): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.slice(0, MOST_PROBLEMS + 1).map((key) => {
      const path = [...issue.path, key];
      return { source, ...locate(path, "key"), message: unknownKey(path) };
    });
  return [{ source, ...locate(issue.path, "value"), message: wrongValue(issue, issue.path, at(value, issue.path)) }];
}

/** Checks plain data against the schema; `locate` tells where a key or value was written. */
export function check(value: unknown, source: string, locate: Locate = () => undefined): Checked {
  const parsed = schemaFor(value).safeParse(value);
  if (parsed.success) return { config: parsed.data, locate };
  const problems: Problem[] = [];
  for (const issue of parsed.error.issues) {
    problems.push(...problemsOf(issue, value, source, locate));
    if (problems.length > MOST_PROBLEMS) break;
  }
  return { problems: shortened(problems.sort(inWrittenOrder)) };
}
