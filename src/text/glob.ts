import picomatch from "picomatch";
import { folded } from "../core/words/folded.ts";
import { belowRoot, type Place } from "../core/words/touch.ts";
import { hasOnlyWildcards, isStarry, isTooComplicated, wildcardMatcher } from "./wildcards.ts";

/** A test of whole paths for one glob. Avoids a regular expression that could backtrack forever, if possible. */
export function globTest(
  glob: string,
  options: { nocase: boolean; noext?: boolean; nonegate?: boolean; nobrace?: boolean },
): (path: string) => boolean {
  if (isStarry(glob) && hasOnlyWildcards(glob)) return wildcardMatcher(glob, options.nocase);
  // `[!a]` matches every character but a, as in a shell
  const regex = picomatch.makeRe(glob.replace(/\[!/g, "[^"), {
    ...{ dot: true, ...options },
    // a name may hold a line break, and `**` means that one, too
    flags: options.nocase ? "is" : "s",
  });
  return (path) => regex.test(path);
}

const LONGEST_GLOB = 4096;

function refuseUnfit(glob: string, pattern: string): void {
  if (glob.length > LONGEST_GLOB) throw new RangeError(`The glob ${pattern.slice(0, 80)}… is too long.`);
  if (isTooComplicated(glob))
    throw new RangeError(`The glob ${pattern.slice(0, 80)} is too complicated: use fewer stars, or no braces.`);
}

/** Without the choices that a name begins or ends with: what stands between them is certain. */
function withoutEnds(glob: string): string {
  const rest = glob.replace(/(?<=^|\/)@\([^()]*\)(?=[^/]*$)/, "*");
  const end = rest.search(/[!@]\(/);
  return end >= 0 && rest.endsWith(")") ? `${rest.slice(0, end)}*` : rest;
}

/** A text, in lower case, that every path that the glob matches contains; "" if none is certain. */
export function pieceOf(glob: string): string {
  const plain = withoutEnds(glob);
  if (/[^\w.*?/~#-]/.test(plain)) return "";
  const pieces = plain.toLowerCase().split(/[*?/]/);
  const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one), "");
  // dots alone may mean the folder itself
  return /^\.*$/.test(longest) ? "" : longest;
}

/** A quick test: whether a path, in lower case, contains a piece that it needs in order to match at all. */
function mayMatch(pieces: readonly string[]): (lower: string) => boolean {
  if (pieces.includes("")) return () => true;
  const needed = [...new Set(pieces)].filter(
    (piece, _, all) => !all.some((other) => other !== piece && piece.includes(other)),
  );
  const any = new RegExp(needed.map((piece) => piece.replaceAll(".", "\\.")).join("|"));
  return (lower) => any.test(lower);
}

const composed = (glob: string): string => (/^[\x00-\x7f]*$/.test(glob) ? glob : glob.normalize("NFKC"));

/**
 * Returns the pattern that forbids a path, or undefined. A pattern without a slash is a name at any depth; a match
 * covers everything below it; names are compared as forgiving disks do, because a doubt must not help. Most paths are
 * ruled out by one quick test.
 */
export function globMatcher(patterns: readonly string[]): (path: string) => string | undefined {
  if (patterns.length === 0) return () => undefined;
  const bare = patterns.map((pattern) => composed(pattern.replace(/^\.\//, "").replace(/(?<!\/)\/+$/, "")) || "**");
  for (const [index, glob] of bare.entries()) refuseUnfit(glob, patterns[index] as string);
  const pieces = bare.map(pieceOf);
  const isNear = mayMatch(pieces);
  const tests: ((path: string) => boolean)[] = [];
  const covers = (index: number, path: string): boolean => {
    tests[index] ??= coverTest(bare[index] as string);
    return tests[index](path);
  };
  const find = (path: string, lower: string): string | undefined => {
    if (!isNear(lower)) return undefined;
    return patterns[pieces.findIndex((piece, index) => lower.includes(piece) && covers(index, path))];
  };
  return (path) => {
    const lower = path.toLowerCase();
    const like = folded(path);
    return find(path, lower) ?? (like === path ? undefined : find(like, like));
  };
}

type Where = Pick<Place, "shown" | "real" | "root">;

/**
 * Returns the pattern that forbids a place. Only a pattern that starts with a slash applies to folders above the root:
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

/** The names of a place relative to its root, by real path and as spelled; outside of all roots, the full paths. */
function namesBelow({ shown, real, root }: Where): string[] {
  const below = belowRoot({ real, root }) || ".";
  if (root === "") return [below, real, shown, shown.replace(/^\//, "")];
  if (!shown.startsWith("/")) return [below, shown];
  if (shown.startsWith(`${root}/`)) return [below, shown.slice(root.length + 1)];
  // the root under another name adds nothing
  return below === "." || shown.endsWith(`/${below}`) ? [below] : [below, shown];
}

function coverTest(glob: string): (path: string) => boolean {
  const starts = glob.includes("/") ? [glob] : [glob, `**/${glob}`];
  const globs = starts.flatMap((start) => [start, `${start}/**`]);
  const tests = globs.map((each) => globTest(each, { nocase: true }));
  // a name may contain characters that are wildcards elsewhere
  return (path) => globs.includes(path) || tests.some((fits) => fits(path));
}

/** The absolute paths among these globs, without wildcards except a final `/**`. */
export const plainPaths = (globs: readonly string[]): string[] =>
  globs
    .map((glob) => glob.replace(/\/\*\*$/, ""))
    .filter((glob) => glob.startsWith("/") && !/[*?[\]{}()!+@|\\]/.test(glob));

/** Whether the glob matches every path. */
export const meansEverything = (glob: string): boolean => /^(?:\.\/)?(?:\*\*\/)*\*\*?\/?$/.test(glob);

/** Whether a glob has a negation, so that no made-up name can represent all its matches. */
export const hasNegation = (glob: string): boolean => /!\(|\[[!^]/.test(glob);

/**
 * Whether one of these patterns allows a path, matched as a whole from the root. Only a plain name covers what is below
 * it, and a pattern that is too complicated allows nothing: here, too, a doubt must not help.
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
