import { UNKNOWN } from "./walk.ts";

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
