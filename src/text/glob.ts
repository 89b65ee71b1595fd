import picomatch from "picomatch";
import { hasOnlyWildcards, isStarry, wildcardMatcher } from "./wildcards.ts";

const byPicomatch = (globs: string[]) => picomatch(globs, { dot: true, nocase: true, strictSlashes: false });

function byWildcards(globs: readonly string[], pattern: string): (path: string) => boolean {
  if (!globs.every(hasOnlyWildcards))
    throw new RangeError(`The glob ${pattern.slice(0, 80)} is too complicated: use fewer stars, or no braces.`);
  const matchers = globs.map((glob) => wildcardMatcher(glob, true));
  return (path) => matchers.some((matches) => matches(path));
}

/**
 * Which of these patterns forbids a path: the pattern, or undefined. A pattern without a slash is a name at any depth;
 * whatever matches covers all below it; upper and lower case are not told apart, since a doubt must not help.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => string | undefined {
  const matchers = patterns.map((pattern) => {
    const bare = pattern.replace(/^\.\//, "").replace(/\/+$/, "") || "**";
    const starts = bare.includes("/") ? [bare] : [bare, `**/${bare}`];
    const globs = starts.flatMap((start) => [start, `${start}/**`]);
    return { pattern, isMatch: isStarry(bare) ? byWildcards(globs, pattern) : byPicomatch(globs) };
  });
  return (path) => matchers.find(({ isMatch }) => isMatch(path))?.pattern;
}
