const MOST_STARS = 2;

/** Whether a glob has so many stars that a regular expression could backtrack forever on a crafted name. */
export function isStarry(glob: string): boolean {
  const parts = glob.split("/");
  return (
    parts.filter((part) => part === "**").length > MOST_STARS ||
    parts.some((part) => part.split(/\*+/).length - 1 > MOST_STARS)
  );
}

/** Whether it consists only of names, question marks and stars. */
export const hasOnlyWildcards = (glob: string): boolean => !/[[\]{}()\\!+@|]/.test(glob);

/** Too risky for a regular expression, and our own matcher supports only stars and question marks. */
export const isTooComplicated = (glob: string): boolean => isStarry(glob) && !hasOnlyWildcards(glob);

/** `*` and `?` stay within a name; `**` followed by a slash matches any number of folders; a final `**` everything. */
const TOKENS = /((?<=^|\/)\*\*(?:\/|$))|(\*+)|[\s\S]/g;
const FOLDERS = "**/";
const ALL = "**";

/** Follows all alternatives at once, in time proportional to the lengths of glob and path. */
export function wildcardMatcher(glob: string, nocase: boolean): (path: string) => boolean {
  const fold = (text: string): string => (nocase ? text.toLowerCase() : text);
  const tokens = Array.from(fold(glob).matchAll(TOKENS), ([token, , stars]) => (stars ? "*" : token));
  const end = tokens.length;

  /** Adds a position in the glob, and those reached from it by skipping stars. */
  const reach = (places: Uint8Array, from: number, startsName: boolean): void => {
    for (let at = from; !places[at]; at += 1) {
      places[at] = 1;
      const token = tokens[at];
      if (token !== "*" && token !== ALL && !(token === FOLDERS && startsName)) return;
    }
  };

  return (path) => {
    const text = fold(path);
    let places = new Uint8Array(end + 1);
    reach(places, 0, true);
    for (let index = 0; index < text.length; index += 1) {
      const char = text[index] as string;
      const next = new Uint8Array(end + 1);
      for (let at = 0; at < end; at += 1) {
        if (!places[at]) continue;
        const token = tokens[at] as string;
        if (token === FOLDERS || token === ALL || (token === "*" && char !== "/")) reach(next, at, char === "/");
        else if (token === char || (token === "?" && char !== "/")) reach(next, at + 1, char === "/");
      }
      places = next;
    }
    return places[end] === 1;
  };
}
