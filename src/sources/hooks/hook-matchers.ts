import type { HookedCall, ScriptHook } from "../../core/contracts/hook.ts";
import type { Dialect, Registry } from "../../core/registry.ts";
import { belowRoot, eachTouch, isPathTouch, type PathTouch } from "../../core/words/touch.ts";
import { globMatcher } from "../../text/glob.ts";

const NAMES = /^[\w\s|,-]+$/;

export type Naming = {
  readonly registry: Pick<Registry, "get" | "names">;
  readonly dialects: Readonly<Record<string, Dialect>>;
};

/** The names in a matcher that is just a list of names. */
const wordsOf = (matcher: string): string[] | undefined =>
  NAMES.test(matcher)
    ? matcher
        .split(/[|,]/)
        .map((word) => word.trim())
        .filter(Boolean)
    : undefined;

const isEverything = (matcher: string | undefined): boolean =>
  matcher === undefined || matcher.trim() === "" || matcher.trim() === "*";

type Named = Pick<HookedCall, "tool" | "calledAs">;

/** Whether a matcher matches a tool, by any of its names. */
export function toolMatcher({ matcher }: Pick<ScriptHook, "matcher">, naming: Naming): (call: Named) => boolean {
  if (matcher === undefined || isEverything(matcher)) return () => true;
  const words = wordsOf(matcher);
  if (words)
    return ({ tool, calledAs }) =>
      words.some((word) => word === tool || word === calledAs || naming.registry.get(word)?.name === tool);
  const pattern = new RegExp(matcher);
  return ({ tool, calledAs }) =>
    [calledAs, ...namesOf(tool, naming.registry)].some((name) => pattern.test(name)) ||
    dialectNames(tool, naming).some((name) => pattern.test(name));
}

/**
 * The call as a hook sees it: under its own name if the hook matches that, else as a call of the tool whose work it
 * does. Undefined if the hook matches neither.
 */
export function heardAs(call: HookedCall, fits: (call: Named) => boolean): HookedCall | undefined {
  const run = call.touches.find((touch) => touch.action === "run");
  if (call.countsAs === undefined || run?.action !== "run") return fits(call) ? call : undefined;
  const { command } = run;
  if (fits(call)) return { ...call, input: { command, ...(call.input as object) } };
  const [tool = "", ...others] = call.countsAs;
  return [tool, ...others].some((name) => fits({ tool: name, calledAs: name }))
    ? { ...call, tool, input: { command } }
    : undefined;
}

const dialectNames = (tool: string, { dialects }: Naming): string[] =>
  Object.values(dialects).flatMap((dialect) => dialect[tool]?.name ?? []);

const namesOf = (tool: string, registry: Naming["registry"]): string[] => [
  tool,
  ...registry.names().filter((name) => registry.get(name)?.name === tool),
];

/** The tool and argument names that a script was written for, as its matcher suggests. */
export function dialectOf({ matcher = "" }: Pick<ScriptHook, "matcher">, { dialects, registry }: Naming): Dialect {
  const words = wordsOf(matcher) ?? matcher.match(/\w+/g) ?? [];
  if (words.every((word) => registry.get(word)?.name === word)) return {};
  const known = (dialect: Dialect): number => {
    const own = Object.values(dialect).map(({ name }) => name);
    return words.filter((word) => own.includes(word)).length;
  };
  const [best = {}] = Object.values(dialects).sort((a, b) => known(b) - known(a));
  if (known(best) > 0) return best;
  return (words.some((word) => /^[A-Z]/.test(word)) && dialects.claude) || {};
}

/** The files of a call, changed ones first. */
export function filesOf({ touches }: Pick<HookedCall, "touches">): PathTouch[] {
  const all = eachTouch(touches).filter(isPathTouch);
  const isChange = ({ action }: PathTouch) => action === "write" || action === "delete";
  const sorted = [...all.filter(isChange), ...all.filter((touch) => !isChange(touch))];
  return sorted.filter((touch, index) => sorted.findIndex(({ place }) => place.real === touch.place.real) === index);
}

/** As in shell scripts' patterns, a star also matches across folders. */
const spellings = (pattern: string): string[] => {
  const plain = pattern.replace(/^\.\//, "");
  return plain.includes("/") && !plain.includes("**") ? [plain, plain.replaceAll("/*", "/**/*")] : [plain];
};

/** Which files of a call a hook applies to. A touch that may be any file below a folder counts as a match. */
export function fileMatcher({ filePatterns }: Pick<ScriptHook, "filePatterns">): (touch: PathTouch) => boolean {
  if (filePatterns.length === 0) return () => true;
  const matches = globMatcher(filePatterns.flatMap(spellings));
  return ({ place, scope, action }) =>
    [belowRoot(place), place.shown, place.real].some((path) => matches(path) !== undefined) ||
    (scope !== undefined && (action === "write" || action === "delete"));
}
