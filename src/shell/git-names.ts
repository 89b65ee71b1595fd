import type { CommandReading, CommandSegment, KeptFile } from "../core/words/touch.ts";
import { nameOf, withoutSlashes } from "./paths.ts";

type Words = readonly (string | null)[];
const has = (words: Words, some: ReadonlySet<string | null>): boolean => words.some((word) => some.has(word));

const HARMLESS: ReadonlySet<string | null> = new Set("rm check-ignore ls-files status commit tag branch".split(" "));
const SHOWING: ReadonlySet<string | null> = new Set(
  "show diff grep blame annotate cat-file archive log whatchanged diff-tree diff-index diff-files stash range-diff".split(
    " ",
  ),
);
const HISTORIES: ReadonlySet<string | null> = new Set(["log", "whatchanged"]);
const SHOWS_CHANGES = /^-(?:[a-zA-Z]*[pucmL]|[ULp].*|-patch.*|-cc|-check|-unified.*|-word-diff.*|-binary)$/;

/** Options in front of the verb whose value is the next word. */
const VALUED: ReadonlySet<string | null> = new Set(
  "-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix".split(" "),
);

/** Where the verb of a git command is: the same word further on is a branch or a path. */
const verbAt = (words: Words): number => {
  for (let index = 1; index < words.length; index++) {
    if (VALUED.has(words[index] as string | null)) index++;
    else if (!isOption(words[index] as string | null)) return index;
  }
  return words.length;
};
const isVerb = (words: Words, verbs: ReadonlySet<string | null>): boolean => verbs.has(words[verbAt(words)] ?? null);

/** Whether a git command may show a file's content: nothing proves that it does not. */
export const mayShow = (words: Words): boolean => !isVerb(words, HARMLESS);

/**
 * Whether a git command is meant to show content, itself or by a command among its words. A log only names commits,
 * unless told to show their changes.
 */
export const isShowing = (words: Words): boolean =>
  mayShow(words) && has(words, SHOWING) && (!isVerb(words, HISTORIES) || showsChanges(words));

const showsChanges = (words: Words): boolean => words.some((word) => word !== null && SHOWS_CHANGES.test(word));

/** The commands of a line that are git, as its words: `/usr/bin/git show` is git as well, and so is `git-show`. */
export const gitCommands = (reading: CommandReading | undefined): readonly Words[] =>
  (reading?.segments ?? []).flatMap(wordsOfGit);

const wordsOfGit = ({ program = "", words = [] }: CommandSegment): Words[] => {
  const name = nameOf(program);
  if (name === "git") return [words];
  return name.startsWith("git-") ? [["git", name.slice("git-".length), ...words.slice(1)]] : [];
};

/** The file names that a line passes to git, which can show a file by name from any point of its history. */
export const namedToGit = (
  reading: CommandReading | undefined,
  isMeant: (words: Words) => boolean,
): readonly string[] => gitCommands(reading).flatMap((words) => (isMeant(words) ? words.slice(1).flatMap(nameIn) : []));

/** `HEAD~1:a..HEAD:b` names two files. */
const nameIn = (word: string | null): readonly string[] => {
  const [revision = "", ...places] = word?.split(":") ?? [];
  const [first = "", ...more] = places;
  const earlier = more.length > 0 && first.includes("..") ? first.slice(0, first.indexOf("..")) : "";
  return [earlier, places.at(-1) ?? revision].flatMap((text) => {
    const name = text.replace(/^(?:\.\/)+/, "");
    return name === "" || name.startsWith("-") ? [] : [name];
  });
};

/** Options that make git show only names and numbers; `-q` does so for `git show`. */
const COUNTS = /^(?:--(?:\w*stat|name-only|name-status|(?:compact-)?summary|raw|quiet|no-patch)(?:=.*)?|-s)$/;
const SEARCHES_CHANGES = /^-[SG]/;
const STAGED = /^--(?:cached|staged|merge-base)$/;
const MAGIC = /[*?[:]|(?:^|\/)\.\.?(?:\/|$)/;

/** Whether a git command would show the present or past content of the file among others, without naming it. */
export function showsKept(given: Words, { name, changed }: KeptFile): boolean {
  const end = given.indexOf("--");
  const words = end === -1 ? given : given.slice(0, end);
  const places = end === -1 ? [] : given.slice(end + 1);
  if (places.length > 0 && !places.some((place) => place === null || MAGIC.test(place) || isAround(place, name)))
    return false;
  const searches = isVerb(words, GREP) || words.some((word) => word !== null && SEARCHES_CHANGES.test(word));
  if (searches) return mayShow(words) && has(words, SHOWING);
  if (!isShowing(words) || isVerb(words, ONE_FILE) || showsNamed(words)) return false;
  const shows = showsChanges(words);
  const isQuiet = isVerb(words, SHOW) && words.includes("-q");
  if (!shows && (isQuiet || words.some((word) => word !== null && COUNTS.test(word)))) return false;
  // without any option it counts, with one it shows contents
  if (isVerb(words, STASH)) return shows || (words[verbAt(words) + 1] === "show" && words.some(isOption));
  return changed || !isOfWorkingTree(words);
}

const GREP: ReadonlySet<string | null> = new Set(["grep"]);
const ONE_FILE: ReadonlySet<string | null> = new Set(["blame", "annotate"]);
const STASH: ReadonlySet<string | null> = new Set(["stash"]);
const SHOW: ReadonlySet<string | null> = new Set(["show"]);

/** Seen from a folder that is not known here. */
const isAround = (place: string, name: string): boolean => `/${name}/`.includes(`/${withoutSlashes(place)}/`);

/** The words after the verb. */
const behind = (words: Words, verbs: ReadonlySet<string | null>): Words | undefined => {
  const at = verbAt(words);
  return verbs.has(words[at] ?? null) ? words.slice(at + 1) : undefined;
};
const DIFF: ReadonlySet<string | null> = new Set(["diff"]);
const OBJECTS: ReadonlySet<string | null> = new Set(["show", "cat-file"]);
const isOption = (word: string | null): boolean => word?.startsWith("-") === true;

/** `git diff` alone shows what is not yet staged. */
const isOfWorkingTree = (words: Words): boolean =>
  behind(words, DIFF)?.every((word) => isOption(word) && !STAGED.test(word ?? "")) === true;

/** One named file of one commit: `git show HEAD:src/a.ts`. */
const ONE = /^[\w./@~^-]+:[^:]*$/;
const showsNamed = (words: Words): boolean => {
  const objects = behind(words, OBJECTS)?.filter((word) => !isOption(word)) ?? [];
  return objects.length > 0 && objects.every((word) => word !== null && ONE.test(word));
};
