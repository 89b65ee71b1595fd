import { belowRoot, type PathTouch } from "../core/words/touch.ts";
import { fits } from "../shell/paths.ts";
import { globMatcher, globTest, hasNegation, placeMatcher } from "../text/glob.ts";
import { isTooComplicated } from "../text/wildcards.ts";

/** Where `~` is, and the folders that calls work in. */
export type Surroundings = { readonly home?: string | undefined; readonly roots?: readonly string[] | undefined };

/** Characters with a special meaning in a glob. */
export const WILD = /[*?[\]{}()!+@\\]/;

/** What is wrong with a path pattern, if anything. */
export function pathProblem(pattern: string): string | undefined {
  if (pattern.includes("\0")) return "contains a NUL";
  if (isTooComplicated(pattern)) return "is too complicated: use fewer stars, or no braces";
  if (pattern.split("/").includes("..")) return "has .. in it: write the path from the workspace, or from /";
  return undefined;
}

export const absolute = (pattern: string, { home }: Surroundings): string =>
  home !== undefined && (pattern === "~" || pattern.startsWith("~/")) ? `${home}${pattern.slice(1)}` : pattern;

/** How a touch relates to a pattern: certainly matches, perhaps in part, or not at all. */
export type Reach = "meets" | "may meet" | "misses";

/**
 * For rules that forbid: case is ignored, every spelling of the path counts, and changing a whole folder counts for
 * everything in it.
 */
export function forbids(pattern: string, around: Surroundings): (touch: PathTouch) => Reach {
  const written = absolute(pattern, around);
  const anchored = written.replace(/^(?:\.?\/)+(?=.)/, (start) => (start.startsWith(".") ? "" : start));
  // a name anchored with ./ is meant only in the root
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

/** Whether the scope below a folder may include what the literal beginning of a pattern names. */
function holds(folder: string, scope: string, fixed: string): boolean {
  const parts = [...folder.toLowerCase().split("/"), ...scope.toLowerCase().split("/")].filter(
    (part) => part !== "" && part !== ".",
  );
  // where `..` leads depends on the names before it
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

/** No name ends in both `.lock` and `.log`; for anything else this cannot be decided. */
function mayShareNames(pattern: string, scope: string): boolean {
  const [, one] = SUFFIX.exec(pattern.slice(pattern.lastIndexOf("/") + 1).toLowerCase()) ?? [];
  const [, other] = SUFFIX.exec(scope.slice(scope.lastIndexOf("/") + 1).toLowerCase()) ?? [];
  return one === undefined || other === undefined || one.endsWith(other) || other.endsWith(one);
}

/** The parts of a pattern before the first wildcard; none for a name at any depth. */
function literalStart(pattern: string): string {
  if (!pattern.includes("/")) return "";
  const parts = pattern.replace(/(?<!\/)\/+$/, "").split("/");
  const wild = parts.findIndex((part) => WILD.test(part));
  return (wild < 0 ? parts : parts.slice(0, wild)).join("/");
}

/** For rules that allow: only the real path counts, case-sensitively. A search must match wherever it gets to. */
export function permits(pattern: string, around: Surroundings): (touch: PathTouch) => boolean {
  const written = absolute(pattern, around).replace(/(?<!\/)\/+$/, "");
  if (written === "" || isTooComplicated(written)) return () => false;
  const bare = written.replace(/^\.\//, "");
  const starts = bare.includes("/") || written.startsWith("./") ? [bare] : [bare, `**/${bare}`];
  // `./name` means only that file, any other plain name includes what is below it
  const isAlone = WILD.test(bare) || written.startsWith("./");
  const globs = isAlone ? starts : starts.flatMap((start) => [start, `${start}/**`]);
  const tests = globs.map((glob) => globTest(glob, { nocase: false, nonegate: true }));
  const isMatch = (path: string) => tests.some((test) => test(path));
  const isAbsolute = bare.startsWith("/");
  return ({ place, scope, certain }) => {
    if (!isAbsolute && place.root === "") return false;
    const path = isAbsolute ? place.real : belowRoot(place);
    if (scope === undefined) return path !== "" && isMatch(path);
    // nobody can say what an uncertain touch would reach
    if (!certain || hasNegation(bare)) return false;
    const inside = path === "" ? ANY : `${path}/${ANY}`;
    return isMatch(inside) && isMatch(`${inside}/${ANY}`) && isMatch(`${inside}/.${ANY}`);
  };
}

/** Stands for every name that a folder may contain. */
const ANY = "\u{fffd}";
