import { commonName, nowhere, plainName } from "./file-names.ts";

/** All that a part of a patch says about names, and whether the file comes or goes. */
export type Names = {
  old?: string;
  new?: string;
  git?: { old: string; new: string };
  renameFrom?: string;
  renameTo?: string;
  isAdded?: true;
  isDeleted?: true;
};

/** Why the names cannot all be meant; undefined: they agree. Whoever reads one of them must not be shown another. */
export function contradiction(names: Names): string | undefined {
  const { git, renameFrom, renameTo, isAdded, isDeleted } = names;
  if ((renameFrom === undefined) !== (renameTo === undefined))
    return '"rename from" and "rename to" belong together, and one of them is missing';
  const isRename = renameFrom !== undefined;
  if (isRename && (isAdded || isDeleted || names.old === nowhere || names.new === nowhere))
    return "it is renamed, and it is added or deleted as well";
  if (isAdded && names.old !== undefined && names.old !== nowhere)
    return `it is new, and ${names.old} was there before`;
  if (isDeleted && names.new !== undefined && names.new !== nowhere) return `it is deleted, and ${names.new} is left`;
  const olds = [git?.old, names.old, renameFrom].filter(isFile).map(spellings);
  const news = [git?.new, names.new, renameTo].filter(isFile).map(spellings);
  const clash = differing(olds) ?? differing(news);
  if (clash) return `two different files are named, ${clash[0]} and ${clash[1]}`;
  if (git && !isRename && commonName(git.old, git.new) === undefined)
    return `two different files are named, ${git.old} and ${git.new}: to rename, say "rename from" and "rename to"`;
  return undefined;
}

const isFile = (name: string | undefined): name is string => name !== undefined && name !== nowhere;

/** With the one letter that a diff puts before a name (`a/`, `b/`, `i/`, `w/`), and without it. */
const spellings = (name: string): [string, string] => [plainName(name), plainName(name.replace(/^[a-z]\//, ""))];

/** Two names that cannot be one, whether the first folder of either is a prefix or not. */
function differing(names: readonly [string, string][]): [string, string] | undefined {
  const [first, ...others] = names;
  if (!first) return undefined;
  const other = others.find((each) => !each.some((spelling) => first.includes(spelling)));
  return other && [first[0], other[0]];
}
