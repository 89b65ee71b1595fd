import { belowRoot, type PathTouch } from "../core/words/touch.ts";
import { fits } from "../shell/paths.ts";
import { globMatcher, globTest, hasNegation, placeMatcher } from "../text/glob.ts";
import { isTooComplicated } from "../text/wildcards.ts";

/** Where `~` is, and the folders that calls work in. */
export type Surroundings = { readonly home?: string | undefined; readonly roots?: readonly string[] | undefined };

/** A character that means more than itself in a glob. */
export const WILD = /[*?[\]{}()!+@\\]/;

/** How a pattern of paths is told to be wrong, or nothing. */
export function pathProblem(pattern: string): string | undefined {
  if (pattern.includes("\0")) return "holds a NUL";
  if (isTooComplicated(pattern)) return "is too complicated: use fewer stars, or no braces";
  if (pattern.split("/").includes("..")) return "has .. in it: write the path from the workspace, or from /";
  return undefined;
}

export const absolute = (pattern: string, { home }: Surroundings): string =>
  home !== undefined && (pattern === "~" || pattern.startsWith("~/")) ? `${home}${pattern.slice(1)}` : pattern;

/** How far a touch reaches into what a pattern means: surely, perhaps with a part of it, or not at all. */
export type Reach = "meets" | "may meet" | "misses";

/**
 * For rules that forbid: upper and lower case are one, every spelling of the path counts, and a folder that is changed
 * as a whole counts for what is in it.
 */
export function forbids(pattern: string, around: Surroundings): (touch: PathTouch) => Reach {
  const written = absolute(pattern, around);
  const anchored = written.replace(/^(?:\.?\/)+(?=.)/, (start) => (start.startsWith(".") ? "" : start));
  // a name that is anchored with ./ is meant in the root alone
  const isAnchored = written.startsWith("./") && !anchored.includes("/");
  const inRoot = isAnchored ? globMatcher([`/${anchored}`]) : undefined;
  const isNamed = placeMatcher(isAnchored ? [] : [written]);
  const fixed = literalStart(anchored).toLowerCase();
  return (touch) => {
    const { place, scope } = touch;
    const path = belowRoot(place);
    if (isNamed(place) !== undefined) return "meets";
    if (inRoot && place.root !== "" && path !== "" && inRoot(`/${path}`) !== undefined) return "meets";
    if (scope === undefined) return "misses";
    if (written.startsWith("/")) return holds(place.real, scope, fixed) ? "meets" : "misses";
    if (place.root === "") return "misses";
    if (fixed === "") return mayShareNames(anchored, scope) ? "may meet" : "misses";
    return holds(path, scope, fixed) ? "meets" : "misses";
  };
}

/** Whether what a glob below a folder reaches may hold what the beginning of a pattern names. */
function holds(folder: string, scope: string, fixed: string): boolean {
  const parts = [...folder.toLowerCase().split("/"), ...scope.toLowerCase().split("/")].filter(
    (part) => part !== "" && part !== ".",
  );
  // where a step back leads depends on the names before it
  if (parts.includes("..")) return true;
  const named = fixed.split("/").filter(Boolean);
  for (const [index, part] of parts.entries()) {
    const name = named[index];
    if (part === "**" || name === undefined) return true;
    if (!fits(part, name)) return false;
  }
  return true;
}

const SUFFIX = /^\*([^*?[\]{}()!+@\\]+)$/;

/** Of `*.lock` and `*.log` no name is both; of anything else that cannot be told. */
function mayShareNames(pattern: string, scope: string): boolean {
  const [, one] = SUFFIX.exec(pattern.slice(pattern.lastIndexOf("/") + 1).toLowerCase()) ?? [];
  const [, other] = SUFFIX.exec(scope.slice(scope.lastIndexOf("/") + 1).toLowerCase()) ?? [];
  return one === undefined || other === undefined || one.endsWith(other) || other.endsWith(one);
}

/** The parts of a pattern before the first that has a wildcard. Of a name at any depth there are none. */
function literalStart(pattern: string): string {
  if (!pattern.includes("/")) return "";
  const parts = pattern.replace(/(?<!\/)\/+$/, "").split("/");
  const wild = parts.findIndex((part) => WILD.test(part));
  return (wild < 0 ? parts : parts.slice(0, wild)).join("/");
}

/** For rules that allow: the real path alone counts, to the letter; a search has to stay within wherever it gets to. */
export function permits(pattern: string, around: Surroundings): (touch: PathTouch) => boolean {
  const written = absolute(pattern, around).replace(/(?<!\/)\/+$/, "");
  if (written === "" || isTooComplicated(written)) return () => false;
  const bare = written.replace(/^\.\//, "");
  const starts = bare.includes("/") || written.startsWith("./") ? [bare] : [bare, `**/${bare}`];
  // `./name` is meant alone, any other plain name with what is below it
  const isAlone = WILD.test(bare) || written.startsWith("./");
  const globs = isAlone ? starts : starts.flatMap((start) => [start, `${start}/**`]);
  const tests = globs.map((glob) => globTest(glob, { nocase: false, nonegate: true }));
  const isMatch = (path: string) => tests.some((test) => test(path));
  const isAbsolute = bare.startsWith("/");
  return ({ place, scope, certain }) => {
    if (!isAbsolute && place.root === "") return false;
    const path = isAbsolute ? place.real : belowRoot(place);
    if (scope === undefined) return path !== "" && isMatch(path);
    // nobody can say what an uncertain touch would get to
    if (!certain || hasNegation(bare)) return false;
    const inside = path === "" ? ANY : `${path}/${ANY}`;
    return isMatch(inside) && isMatch(`${inside}/${ANY}`) && isMatch(`${inside}/.${ANY}`);
  };
}

/** Stands for every name that a folder may hold. */
const ANY = "\u{fffd}";
