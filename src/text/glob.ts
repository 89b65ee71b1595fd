import picomatch from "picomatch";
import { hasOnlyWildcards, isStarry, isTooComplicated, wildcardMatcher } from "./wildcards.ts";

/** One glob, as a test of whole paths. Where it could take a regular expression forever, it is none, if that can be. */
export function globTest(
  glob: string,
  options: { nocase: boolean; noext?: boolean; nonegate?: boolean },
): (path: string) => boolean {
  if (isStarry(glob) && hasOnlyWildcards(glob)) return wildcardMatcher(glob, options.nocase);
  const regex = picomatch.makeRe(glob, { dot: true, ...options });
  return (path) => regex.test(path);
}

function refuseSlow(glob: string, pattern: string): void {
  if (!isStarry(glob) || hasOnlyWildcards(glob)) return;
  throw new RangeError(`The glob ${pattern.slice(0, 80)} is too complicated: use fewer stars, or no braces.`);
}

/**
 * Which of these patterns forbids a path: the pattern, or undefined. A pattern without a slash is a name at any depth;
 * whatever matches covers all below it; upper and lower case are not told apart, since a doubt must not help.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => string | undefined {
  const matchers = patterns.map((pattern) => {
    const bare = pattern.replace(/^\.\//, "").replace(/\/+$/, "") || "**";
    const starts = bare.includes("/") ? [bare] : [bare, `**/${bare}`];
    refuseSlow(bare, pattern);
    const globs = starts.flatMap((start) => [start, `${start}/**`]);
    const tests = globs.map((glob) => globTest(glob, { nocase: true }));
    // a name may hold what is a wildcard elsewhere
    return { pattern, isMatch: (path: string) => globs.includes(path) || tests.some((fits) => fits(path)) };
  });
  return (path) => matchers.find(({ isMatch }) => isMatch(path))?.pattern;
}

/**
 * Whether one of these patterns allows a path: all of it, from the root on. Only a plain name covers what is below it,
 * and what nobody can read in time allows nothing: here, too, a doubt must not help.
 */
export function allowedBy(patterns: readonly string[], nocase = false): (path: string) => boolean {
  const tests = patterns.flatMap((pattern) => {
    const bare = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
    if (bare === "" || isTooComplicated(bare)) return [];
    const globs = /[*?[\]{}()!+@\\]/.test(bare) ? [bare] : [bare, `${bare}/**`];
    return globs.map((glob) => globTest(glob, { nocase, nonegate: true }));
  });
  return (path) => tests.some((fits) => fits(path));
}
