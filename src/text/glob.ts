import picomatch from "picomatch";

/**
 * Which of these patterns forbids a path: the pattern, or undefined. A pattern without a slash is a name at any depth;
 * whatever matches covers all below it; upper and lower case are not told apart, since a doubt must not help.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => string | undefined {
  const matchers = patterns.map((pattern) => {
    const bare = pattern.replace(/^\.\//, "").replace(/\/+$/, "") || "**";
    const starts = bare.includes("/") ? [bare] : [bare, `**/${bare}`];
    const isMatch = picomatch(
      starts.flatMap((start) => [start, `${start}/**`]),
      { dot: true, nocase: true, strictSlashes: false },
    );
    return { pattern, isMatch };
  });
  return (path) => matchers.find(({ isMatch }) => isMatch(path))?.pattern;
}
