import picomatch from "picomatch";
import { belowRoot, type Place } from "../core/words/touch.ts";
import { hasOnlyWildcards, isStarry, isTooComplicated, wildcardMatcher } from "./wildcards.ts";

/** One glob, as a test of whole paths. Where it could take a regular expression forever, it is none, if that can be. */
export function globTest(
  glob: string,
  options: { nocase: boolean; noext?: boolean; nonegate?: boolean; nobrace?: boolean },
): (path: string) => boolean {
  if (isStarry(glob) && hasOnlyWildcards(glob)) return wildcardMatcher(glob, options.nocase);
  // `[!a]` is every character but a, as in a shell
  const regex = picomatch.makeRe(glob.replace(/\[!/g, "[^"), { dot: true, ...options });
  return (path) => regex.test(path);
}

const LONGEST_GLOB = 4096;

function refuseUnfit(glob: string, pattern: string): void {
  if (glob.length > LONGEST_GLOB) throw new RangeError(`The glob ${pattern.slice(0, 80)}… is too long.`);
  if (isTooComplicated(glob))
    throw new RangeError(`The glob ${pattern.slice(0, 80)} is too complicated: use fewer stars, or no braces.`);
}

/** A text that every path which the glob matches holds, in lower case; "" where none can be told for certain. */
export function pieceOf(glob: string): string {
  const plain = glob.replace(/!\([\w.|-]+\)$/, "*");
  if (/[^\w.*?/-]/.test(plain)) return "";
  const pieces = plain.toLowerCase().split(/[*?/]/);
  const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one), "");
  // dots alone may stand for the folder itself
  return /^\.*$/.test(longest) ? "" : longest;
}

/** Whether a path, in lower case, holds one of the pieces that it must hold to be matched at all. */
function mayMatch(globs: readonly string[]): (lower: string) => boolean {
  const pieces = globs.map(pieceOf);
  if (pieces.includes("")) return () => true;
  const any = new RegExp(pieces.map((piece) => piece.replaceAll(".", "\\.")).join("|"));
  return (lower) => any.test(lower);
}

/**
 * Which of these patterns forbids a path: the pattern, or undefined. A pattern without a slash is a name at any depth;
 * whatever matches covers all below it; upper and lower case are not told apart, since a doubt must not help. Most
 * paths are far from all patterns, and those are told by one look.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => string | undefined {
  if (patterns.length === 0) return () => undefined;
  const bare = patterns.map((pattern) => pattern.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "") || "**");
  for (const [index, glob] of bare.entries()) refuseUnfit(glob, patterns[index] as string);
  const isNear = mayMatch(bare);
  let tests: ((path: string) => boolean)[] | undefined;
  return (path) => {
    if (!isNear(path.toLowerCase())) return undefined;
    tests ??= bare.map(coverTest);
    return patterns[tests.findIndex((covers) => covers(path))];
  };
}

type Where = Pick<Place, "shown" | "real" | "root">;

/**
 * Which of these patterns forbids a place. Only one that starts with a slash speaks of the folders above the root:
 * `tmp` in a workspace below /tmp is a name inside that workspace.
 */
export function placeMatcher(patterns: readonly string[]): (place: Where) => string | undefined {
  if (patterns.length === 0) return () => undefined;
  const near = globMatcher(patterns.filter((pattern) => !pattern.startsWith("/")));
  const far = globMatcher(patterns.filter((pattern) => pattern.startsWith("/")));
  return (place) => {
    for (const name of namesBelow(place)) {
      const found = near(name);
      if (found !== undefined) return found;
    }
    return far(place.real) ?? far(place.shown);
  };
}

/** What a place is called from its root on, by its real path and as it was spelled; outside of all roots, in full. */
function namesBelow({ shown, real, root }: Where): string[] {
  const below = belowRoot({ real, root }) || ".";
  if (root === "") return [below, real, shown];
  if (!shown.startsWith("/")) return [below, shown];
  if (shown.startsWith(`${root}/`)) return [below, shown.slice(root.length + 1)];
  // the root by another name, which says nothing new
  return below === "." || shown.endsWith(`/${below}`) ? [below] : [below, shown];
}

function coverTest(glob: string): (path: string) => boolean {
  const starts = glob.includes("/") ? [glob] : [glob, `**/${glob}`];
  const globs = starts.flatMap((start) => [start, `${start}/**`]);
  const tests = globs.map((each) => globTest(each, { nocase: true }));
  // a name may hold what is a wildcard elsewhere
  return (path) => globs.includes(path) || tests.some((fits) => fits(path));
}

/** Absolute paths without wildcards, but for a last one that means all below. */
export const plainPaths = (globs: readonly string[]): string[] =>
  globs
    .map((glob) => glob.replace(/\/\*\*$/, ""))
    .filter((glob) => glob.startsWith("/") && !/[*?[\]{}()!+@|\\]/.test(glob));

/** Whether no path is left out. */
export const meansEverything = (glob: string): boolean => /^(?:\.\/)?(?:\*\*\/)*\*\*?\/?$/.test(glob);

/** Whether a glob says what it does not mean, so that no made-up name can stand for all. */
export const hasNegation = (glob: string): boolean => /!\(|\[[!^]/.test(glob);

/**
 * Whether one of these patterns allows a path: all of it, from the root on. Only a plain name covers what is below it,
 * and what nobody can read in time allows nothing: here, too, a doubt must not help.
 */
export function allowedBy(patterns: readonly string[], nocase = false): (path: string) => boolean {
  const tests = patterns.flatMap((pattern) => {
    const bare = pattern.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "");
    if (bare === "" || isTooComplicated(bare)) return [];
    const globs = /[*?[\]{}()!+@\\]/.test(bare) ? [bare] : [bare, `${bare}/**`];
    return globs.map((glob) => globTest(glob, { nocase, nonegate: true }));
  });
  return (path) => tests.some((fits) => fits(path));
}
