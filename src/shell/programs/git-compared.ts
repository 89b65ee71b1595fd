import {
  type Asked,
  type Asking,
  before,
  given,
  heldIn,
  isBelow,
  isFile,
  isShown,
  isStaged,
  isToldToShow,
  isUntold,
  LOG,
  namedContents,
  nameless,
  STAGED,
  split,
  TREES,
  texts,
} from "./git-asking.ts";
import { has, hasAny, type Parsed } from "./program.ts";

/** `git diff`: never held against the working tree, for which git might run what the repository says. */
export const inDiff = (parsed: Parsed): Asked => {
  if (has(parsed, "--no-index") || !isShown(parsed)) return [];
  const revisions = before(parsed);
  if (isUntold(parsed) || revisions.some((text) => isSearch(text) && SUFFIX.test(text))) return "any";
  if (revisions.length === 0) return isStaged(parsed) ? [[...STAGED, ...given(parsed)]] : [];
  const base = has(parsed, "--merge-base") ? ["--merge-base"] : [];
  const isOne = revisions.length === 1;
  return [
    ...(isOne || parsed.ended === undefined ? [[...STAGED, ...base, ...given(parsed)]] : []),
    ...(isOne && !isSeveral(revisions[0] as string) ? [] : [[...TREES, ...base, ...given(parsed)]]),
    ...sinceParting(parsed),
    ...combined(revisions),
    ...namedContents(revisions),
  ];
};

/** `A...B`: what B changed since both parted. Other words can only be paths. */
const sinceParting = (parsed: Parsed): Asking => {
  const [first = "", ...others] = texts(parsed);
  const [from = "", dots, to = ""] = split(first);
  if (dots !== "...") return [];
  // only commits have a common base: a tag is taken for its commit
  const commits = [from, to].map((end) => (isSearch(end) ? end : `${end || "HEAD"}^0`));
  return [[...TREES, "--merge-base", "--end-of-options", ...commits, "--", ...others]];
};

/** `:/text`: whatever is attached to it belongs to the text. */
const isSearch = (text: string): boolean => text.startsWith(":/");

const SUFFIX = /^(.+)\^([!@]|-\d*)$/s;
const isSeveral = (text: string): boolean => text.startsWith("^") || text.includes("..") || SUFFIX.test(text);

/** The trees that a word stands for; `perhaps`: and further parents, if there are any. */
const treesOf = (text: string): { trees: string[]; perhaps: string[] } => {
  const [, base, suffix] = SUFFIX.exec(text) ?? [];
  const parents = suffix === undefined ? [] : [`${base}^2`, `${base}^3`];
  if (suffix === "@") return { trees: [`${base}^1`], perhaps: parents };
  if (suffix !== undefined) return { trees: [base as string, `${base}^1`], perhaps: parents };
  const [from, dots, to] = split(text.replace(/^\^/, ""));
  return { trees: dots === undefined ? [from as string] : [from || "HEAD", to || "HEAD"], perhaps: [] };
};

/** Of three or more trees git shows what differs between one of the first three and all others, if there is a third. */
const combined = (revisions: readonly string[]): Asking => {
  const isParents = (text: string): boolean => text.endsWith("^@");
  // parents are compared with what is named otherwise
  const all = [...revisions.filter((text) => !isParents(text)), ...revisions.filter(isParents)].map(treesOf);
  const [first = "", second, ...others] = all.flatMap(({ trees }) => trees);
  const thirds = [...others.slice(0, 1), ...all.flatMap(({ perhaps }) => perhaps)];
  const pairs = thirds.flatMap((third) => [first, second ?? first].map((tree) => [tree, third]));
  // a word that is a path is refused before the `--`
  return pairs.map((pair) => [...TREES, "--end-of-options", ...pair, "--"]);
};

/** `git diff-tree`: what a commit changed, or two trees. */
export const inTrees = (parsed: Parsed): Asked => {
  if (!isToldToShow(parsed)) return [];
  if (isUntold(parsed, false) || has(parsed, "--stdin")) return "any";
  return [[...TREES, ...given(parsed)], ...before(parsed).filter(isFile).map(heldIn)];
};

/** `git diff-index`: what differs from a tree. */
export const inIndex = (parsed: Parsed): Asked => {
  if (!isToldToShow(parsed)) return [];
  return isUntold(parsed, false) ? "any" : [[...STAGED, ...given(parsed)]];
};

const NUMBER = /^\d+$/;

/** `git stash show -p`: what was set aside, and the files that git did not know. With any option it shows contents. */
export const inStash = (parsed: Parsed): Asked => {
  if (parsed.options.length === 0 || !isShown(parsed)) return [];
  if (isUntold(parsed, false)) return "any";
  const [name = "0"] = texts(parsed);
  const stash = NUMBER.test(name) ? `refs/stash@{${name}}` : name;
  if (isSearch(stash)) return [[...TREES, "--end-of-options", stash, "--"]];
  return [[...TREES, "--end-of-options", `${stash}^1`, stash], heldIn(`${stash}^3`)];
};

/** `git range-diff`: the commits of two ranges, or of two branches since a base. */
export const inRanges = (parsed: Parsed): Asked => {
  if (!isShown(parsed)) return [];
  if (isUntold(parsed, false)) return "any";
  const [base = "", ...others] = texts(parsed);
  const ranges = [base, ...others].filter(isSeveral);
  const since = others.slice(0, 2).map((end) => `${base}..${end}`);
  return [...ranges, ...(others.length > 1 ? since : [])].map((range) => [...LOG, "--end-of-options", range, "--"]);
};

const MOST_SEARCHED = 20;

/** `git grep word HEAD~1`: any file of that tree. What is no revision has none. */
export const inSearched = (parsed: Parsed): Asked => {
  const hasPattern = has(parsed, "-e");
  // a `--` in front of the pattern does not end the revisions
  const isEarly = parsed.ended === 0 && !hasPattern;
  const all = texts(parsed).slice(hasPattern ? 0 : 1, isEarly ? undefined : parsed.ended);
  const end = isEarly ? all.indexOf("--") : -1;
  const revisions = end === -1 ? all : all.slice(0, end);
  if (isUntold(parsed) || revisions.length > MOST_SEARCHED) return "any";
  return [...revisions.map(heldIn), ...nameless(revisions)];
};

/** `git cat-file -p`: an object that may be the content of any file. */
export const inObject = (parsed: Parsed): Asked => {
  if (hasAny(parsed, ["-t", "-s", "-e"])) return [];
  if (isUntold(parsed, false)) return "any";
  return namedContents(texts(parsed).slice(-1), isBelow);
};

/** `git blame`: a file by its whole name, of which the folder may be part. */
export const inLines = (parsed: Parsed): Asked => {
  const [first = "", second] = texts(parsed);
  const files =
    second === undefined
      ? [["HEAD", first]]
      : [
          [first, second],
          [second, first],
        ];
  return files.map(([revision, file]) => heldIn(`${revision}:./${file}`));
};
