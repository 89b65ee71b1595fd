import { commonName, nowhere, plainName } from "./file-names.ts";

/** Everything that a part of a patch says about names, and whether the file is added or deleted. */
export type Names = {
  old?: string;
  new?: string;
  /** The names after `---` and `+++`, even if the timestamp says that there is no such file. */
  told?: { old: string; new: string };
  /** What follows `diff --git`, and its two names if they can be separated. */
  gitLine?: string;
  git?: { old: string; new: string };
  renameFrom?: string;
  renameTo?: string;
  isAdded?: true;
  isDeleted?: true;
};

/** Why the names contradict each other; undefined if they agree. A reader must not be shown another file's name. */
export function contradiction(names: Names): string | undefined {
  const { git, renameFrom, renameTo, isAdded, isDeleted } = names;
  if ((renameFrom === undefined) !== (renameTo === undefined))
    return '"rename from" and "rename to" belong together, and one of them is missing';
  const isRename = renameFrom !== undefined;
  const isNowhere = [names.old, names.new, git?.old, git?.new].includes(nowhere);
  if (isRename && (isAdded || isDeleted || isNowhere)) return "it is renamed, and it is added or deleted as well";
  if (git?.old === nowhere && isFile(names.old)) return `it is new, and ${names.old} was there before`;
  if (git?.new === nowhere && isFile(names.new)) return `it is deleted, and ${names.new} is left`;
  if (isAdded && names.old !== undefined && names.old !== nowhere)
    return `it is new, and ${names.old} was there before`;
  if (isDeleted && names.new !== undefined && names.new !== nowhere) return `it is deleted, and ${names.new} is left`;
  if (names.gitLine !== undefined && !git && !(isRename && namesBoth(names.gitLine, renameFrom, renameTo ?? "")))
    return `"diff --git ${names.gitLine}" does not name one file twice`;
  const olds = [git?.old, names.old, names.told?.old, renameFrom].filter(isFile).map(spellings);
  const news = [git?.new, names.new, names.told?.new, renameTo].filter(isFile).map(spellings);
  const clash = differing(olds) ?? differing(news) ?? differingTimes(names);
  if (clash) return `two different files are named, ${clash[0]} and ${clash[1]}`;
  if (git && !isRename && commonName(git.old, git.new) === undefined)
    return `two different files are named, ${git.old} and ${git.new}: to rename, say "rename from" and "rename to"`;
  return undefined;
}

/** One timestamp says that the file is missing; the names must still mean the same file. */
function differingTimes({ old, new: fresh, told }: Names): [string, string] | undefined {
  if (!told || !isFile(told.old) || !isFile(told.new) || (old !== nowhere && fresh !== nowhere)) return undefined;
  return commonName(told.old, told.new) === undefined ? [told.old, told.new] : undefined;
}

const isFile = (name: string | undefined): name is string => name !== undefined && name !== nowhere;

/** With and without the single-letter prefix of a diff (`a/`, `b/`, `i/`, `w/`). */
const spellings = (name: string): [string, string] => [plainName(name), plainName(name.replace(/^[a-z]\//, ""))];

/** Names with blanks can be separated only if they are known. */
const namesBoth = (line: string, from: string, to: string): boolean =>
  spellings(line).some((each) => each.startsWith(`${from} `) && spellings(each.slice(from.length + 1)).includes(to));

/** Two names that cannot be the same, whether the first folder of either is a prefix or not. */
function differing(names: readonly [string, string][]): [string, string] | undefined {
  const [first, ...others] = names;
  if (!first) return undefined;
  const other = others.find((each) => !each.some((spelling) => first.includes(spelling)));
  return other && [first[0], other[0]];
}
