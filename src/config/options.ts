import { MOMENTS } from "../core/contracts/hook.ts";
import { AUTONOMIES, MODES } from "../core/words/ceiling.ts";
import { nearest } from "../text/nearest.ts";
import { SANDBOXES } from "./keys/commands.ts";
import { ConfigError, OPTIONS, shown } from "./problem.ts";

/** Returns what is accepted, or undefined if the value is valid. */
type Check = (value: unknown) => string | undefined;

const due =
  (accepted: string, fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? undefined : accepted;

const oneOf = (names: readonly string[]): Check =>
  due(`one of ${names.join(", ")}`, (value) => names.includes(value as string));
const isObject = (value: unknown): boolean => typeof value === "object";
const isText = (value: unknown): boolean => typeof value === "string";
const yesOrNo = due("true or false", (value) => typeof value === "boolean");
const aFunction = due("a function", (value) => typeof value === "function");

const STORE = /^(?:sqlite|memory:?|(?:sqlite|file):.+)$/;
const listOf = (what: string, method: string): Check =>
  due(
    `a list of ${what}`,
    (value) => Array.isArray(value) && value.every((each) => typeof each?.[method] === "function"),
  );
const isHook = (value: unknown): boolean => {
  if (!isObject(value) || value === null) return false;
  const { before, after, on = {} } = value as Record<string, unknown>;
  if (!isObject(on) || on === null) return false;
  const moments = Object.entries(on as object);
  const known = moments.every(
    ([name, each]) => (MOMENTS as readonly string[]).includes(name) && typeof each === "function",
  );
  return known && (moments.length > 0 || [before, after].some((each) => typeof each === "function"));
};

const CHECKS: Readonly<Record<string, Check>> = {
  workspace: due(
    "a folder or a workspace",
    (value) => isText(value) || Array.isArray((value as { roots?: unknown }).roots),
  ),
  mode: oneOf(MODES),
  autonomy: oneOf(AUTONOMIES),
  config: due("a file or its content", (value) => isText(value) || isObject(value)),
  toolset: due("a name or a list of names", (value) => isText(value) || (Array.isArray(value) && value.every(isText))),
  tools: due("a list of tools", (value) => Array.isArray(value) && value.every(isObject)),
  resolve: aFunction,
  approve: due('a function, or "queue"', (value) => value === "queue" || typeof value === "function"),
  ask: aFunction,
  lookup: aFunction,
  model: due("a model of the AI SDK, or an object with a turn function", (value) =>
    ["turn", "doStream"].some((name) => typeof (value as Record<string, unknown>)?.[name] === "function"),
  ),
  sessionID: due("the id of a session", (value) => isText(value) && value !== ""),
  plan: yesOrNo,
  dryRun: yesOrNo,
  sandbox: oneOf(SANDBOXES),
  commands: yesOrNo,
  store: due(
    "sqlite, memory, a URL such as sqlite:/path/to/store.db, or a store",
    (value) => isObject(value) || STORE.test(String(value)),
  ),
  policies: listOf("policies (objects with a judge function)", "judge"),
  steps: listOf("steps (objects with an around function)", "around"),
  hooks: due(
    "a list of hooks (objects with before, after or on)",
    (value) => Array.isArray(value) && value.every(isHook),
  ),
};

/** Checks at run time, because not every caller has types, and a misspelled limit would limit nothing. */
export function checkOptions(options: object): void {
  const problems = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const message = problemOf(name, value);
    return message ? [{ source: OPTIONS, message }] : [];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

function problemOf(name: string, value: unknown): string | undefined {
  const names = Object.keys(CHECKS);
  const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  if (check) {
    const accepted = check(value);
    return accepted && `${name}: got ${shown(value)}; accepted: ${accepted}`;
  }
  const [near] = nearest(name, names);
  return `unknown option "${shown(name).slice(1, -1)}"; ${near ? `did you mean ${near}?` : `the options are ${names.join(", ")}`}`;
}

/** Takes a word or a URL. Returns undefined for a store in memory. */
export function fileOf(store: string, ownFile: string): string | undefined {
  if (store === "memory" || store === "memory:") return undefined;
  if (store === "sqlite") return ownFile;
  const [, file] = /^(?:sqlite|file):(?:\/\/)?(.+)$/.exec(store) ?? [];
  if (file) return file;
  const message = `store: got ${store}; accepted: sqlite, memory, or a URL such as sqlite:/path/to/store.db`;
  throw new ConfigError([{ source: OPTIONS, message }]);
}
