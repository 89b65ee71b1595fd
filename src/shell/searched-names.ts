import { GIT_FOLDER, GIT_HOOKS, GOVERNING_FILES, OBEYED_BY_GIT, STATE_FOLDER } from "../core/words/governing.ts";
import type { Claim } from "../core/words/touch.ts";
import { isUnknownFolder } from "./folders.ts";
import { spelledByFind } from "./found.ts";
import { holdsAny, STAND_IN } from "./marks.ts";
import { fits, hasPattern, joined, nameOf, splitAtGlob, withoutSlashes } from "./paths.ts";
import { belowAnywhere } from "./programs/chosen-names.ts";
import type { Field, Found, Walk } from "./walk.ts";

/** Names of what decides which code runs or what is judged. */
export const GOVERNING: readonly string[] = [
  ...[GIT_FOLDER, STATE_FOLDER],
  ...[...Object.keys(GOVERNING_FILES), ...Object.keys(OBEYED_BY_GIT), ...GIT_HOOKS],
];
/** Two letters at least: `*` and `*a*` say nothing. */
const SPELLED = /[\w.-].*[\w.-]/;

/** Whether a pattern says something of a name that governs. */
const mayGovern = (scope: string): boolean => {
  const name = scope.slice(scope.lastIndexOf("/") + 1);
  if (scope.startsWith(`${GIT_FOLDER}/`)) return true;
  return SPELLED.test(name) && GOVERNING.some((each) => fits(name, each));
};

const below = (folder: string, name: string | undefined): Found[] => {
  const scope = name === undefined ? undefined : belowAnywhere(name);
  return scope === undefined ? [] : [{ folder, scope }];
};

/** Everything in a folder, as a scope. */
const ALL = "**";
const HERE: Found[] = [{ folder: ".", scope: ALL }];
const isOption = ({ text }: Field): boolean => text.startsWith("-");

/** The last name in each of the words that are no options; without any, all that is here. */
const byWords = (words: readonly Field[]): Found[] => {
  const operands = words.filter((word) => !isOption(word));
  if (operands.every(({ text }) => text === "." || text === "./")) return HERE;
  return operands.flatMap(({ text }) => below(".", nameOf(withoutSlashes(text))));
};

/** The values of options that select by name. */
const byGlobs = (fields: readonly Field[]): readonly Found[] => {
  let found: Found[] = NONE;
  for (let index = 1; index < fields.length; index++) {
    const { text } = fields[index] as Field;
    if (!text.startsWith("-g") && !text.startsWith("--")) continue;
    const attached = GLOBS.exec(text)?.[1];
    if (attached === undefined) continue;
    found = [...found, ...below(".", nameOf(attached === "" ? (fields[index + 1]?.text ?? "") : attached))];
  }
  return found;
};
const NONE: Found[] = [];
const GLOBS = /^(?:-g|--(?:glob|iglob|include)=?)(.*)$/s;

const RUNS = /^(?:-[a-zA-Z]*[xX]|--exec)/;

/** `fd word` finds names that contain the word. */
const byParts = (given: readonly Field[]): Found[] => {
  const end = given.findIndex(({ text }) => RUNS.test(text));
  const words = end < 0 ? given : given.slice(0, end);
  const exact = words.some(({ text }) => text === "-g" || text === "--glob");
  const [pattern = ".", ...roots] = words.flatMap((word) => (isOption(word) ? [] : word.text));
  if (FITS_ALL.test(pattern)) return roots.length === 0 ? HERE : [];
  if (hasPattern(pattern)) return below(".", pattern);
  return below(".", exact ? pattern : `*${pattern.replace(/^\^|\$$/g, "")}*`);
};
const FITS_ALL = /^\.?\*?$/;

type Search = (fields: readonly Field[]) => readonly Found[];
const behind =
  (select: (words: readonly Field[]) => readonly Found[], from = 1): Search =>
  (fields) =>
    select(fields.slice(from));

/** Of git's commands, one that only lists. */
const byGit: Search = (fields) =>
  fields[1]?.text === "ls-files" && !fields.some(isOption) ? behind(byWords, 2)(fields) : NONE;

/** Programs that print names of files, and which names their words select. */
const SEARCHES: ReadonlyMap<string, Search> = new Map([
  ["find", behind(spelledByFind)],
  ["fd", behind(byParts)],
  ["fdfind", behind(byParts)],
  ["rg", byGlobs],
  ["grep", byGlobs],
  ["git", byGit],
  ["ls", behind(byWords)],
  ["locate", behind(byWords)],
  ["plocate", behind(byWords)],
]);

/** Programs that print the names that they are given, or those in a folder. */
const NAMING: ReadonlySet<string> = new Set(
  "ls dir vdir find fd fdfind rg grep du tree stat file wc realpath readlink basename compgen md5sum sha1sum sha256sum".split(
    " ",
  ),
);
const GOVERNED = new RegExp(`(?:^|/)(?:${[GIT_FOLDER, STATE_FOLDER].join("|").replaceAll(".", "\\.")})(?:/|$)`, "i");

/** Programs whose first word is a pattern. */
const SELECTING: ReadonlySet<string> = new Set(["grep", "rg", "fd", "fdfind"]);

/** The words that are places; for `find`, those before its tests. */
const placesIn = (name: string, fields: readonly Field[]): readonly Field[] => {
  const words = fields.slice(1);
  const tests = name === "find" ? words.findIndex(isOption) : -1;
  const places = (tests < 0 ? words : words.slice(0, tests)).filter((word) => !isOption(word));
  return SELECTING.has(name) ? places.slice(1) : places;
};

/** All that lies below a folder that governs, where its names are printed: `ls -d .git/*`. */
const governed = (name: string, fields: readonly Field[], walk: Walk): Claim[] =>
  placesIn(name, fields).flatMap(({ text }) => {
    if (!GOVERNED.test(text)) return [];
    const { folder } = splitAtGlob(text);
    return walk.scope.folders.map((stand) => ({
      action: "write",
      target: isUnknownFolder(stand) ? folder : joined(stand, folder),
      scope: ALL,
      certain: false,
    }));
  });

/** Programs that take files away, whatever is in them. */
const REMOVING: ReadonlySet<string> = new Set("rm rmdir unlink shred srm trash mv".split(" "));

/** Remembers which names that govern a search prints: another command of the line may take them as its words. */
export const noteSearched = (name: string, fields: readonly Field[], walk: Walk): void => {
  if (NAMING.has(name)) {
    const below = governed(name, fields, walk);
    if (below.length > 0) walk.searched = [...(walk.searched ?? []), ...below];
  }
  const search = SEARCHES.get(name);
  if (search === undefined) return;
  for (const { folder, scope } of search(fields)) {
    if (scope === ALL ? folder !== "." : !mayGovern(scope)) continue;
    walk.searched ??= [];
    for (const stand of walk.scope.folders)
      if (scope !== ALL)
        walk.searched.push({
          action: "write",
          target: isUnknownFolder(stand) ? folder : joined(stand, folder),
          scope,
          certain: false,
        });
      else if (stand === "") walk.searched.push({ action: "delete", target: ".", scope, certain: false });
  }
};

/** What words that only the running shell knows may turn out to be; all of a folder matters only to what removes it. */
export const searchedFor = (name: string, fields: readonly Field[], { searched }: Walk): readonly Claim[] => {
  if (searched === undefined || !holdsAny(fields, STAND_IN)) return NOTHING;
  return REMOVING.has(name) ? searched : searched.filter(({ action }) => action === "write");
};
const NOTHING: readonly Claim[] = [];
