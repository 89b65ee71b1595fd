import { obeyedEnd } from "./obeyed-ends.ts";
import { nameOf, withoutSlashes } from "./paths.ts";
import { isKnown, UNKNOWN } from "./walk.ts";

/** A folder that only the running shell knows, but that has a name of its own: neither a workspace's root nor git's. */
const NAMED = `${UNKNOWN}/`;
export const isUnknownFolder = (folder: string): boolean => folder.startsWith(UNKNOWN);
export const mayBeRoot = (folder: string): boolean => folder === UNKNOWN;

/** A hidden folder on the way, or dots that lead up. */
const HIDDEN = /(?:^|\/)\./;

/** What a path means as a folder: `$D` may be any, `$D/build` and `*\/` have a name at least. */
export const unknownFolder = (path: string): string => {
  const name = nameOf(withoutSlashes(path));
  return name === "" || !isKnown(name) || HIDDEN.test(path) || obeyedEnd(name) !== undefined ? UNKNOWN : NAMED;
};

/** The union of both, in order and without duplicates. */
export const united = (some: readonly string[], others: readonly string[]): string[] => {
  const all = [...some];
  for (const each of others) if (!all.includes(each)) all.push(each);
  return all;
};

const MOST_FOLDERS = 6;

/** Every folder the shell may be in after either; if there are too many, the rest counts as one unknown folder. */
export const unitedFolders = (
  some: readonly string[],
  others: readonly string[],
  most = MOST_FOLDERS,
): readonly string[] => {
  const all = united(some, others);
  return all.length > most ? [...all.slice(0, most - 1), UNKNOWN] : all;
};
