import type { CommandReading } from "../core/words/touch.ts";

type Words = readonly (string | null)[];
const has = (words: Words, some: ReadonlySet<string | null>): boolean => words.some((word) => some.has(word));

const HARMLESS: ReadonlySet<string | null> = new Set("rm check-ignore ls-files status commit tag branch".split(" "));
const SHOWING: ReadonlySet<string | null> = new Set(
  "show diff grep blame annotate cat-file archive log whatchanged diff-tree diff-index diff-files stash".split(" "),
);
const HISTORIES: ReadonlySet<string | null> = new Set(["log", "whatchanged"]);
const SHOWS_CHANGES = /^-(?:[a-zA-Z]*[pucmL]|[ULp].*|-patch.*|-cc|-unified.*|-word-diff.*)$/;

/** It may show what a file holds: nothing says that it does not. */
export const mayShow = (words: Words): boolean => !has(words, HARMLESS);

/** It is there to show what files hold. A history only names its commits, unless it is told to show what they changed. */
export const isShowing = (words: Words): boolean =>
  has(words, SHOWING) && (!has(words, HISTORIES) || words.some((word) => word !== null && SHOWS_CHANGES.test(word)));

/** What git keeps of a file can be read by its name, at any point of its history: the names that a line gives to git. */
export const namedToGit = (
  reading: CommandReading | undefined,
  isMeant: (words: Words) => boolean,
): readonly string[] =>
  (reading?.segments ?? []).flatMap(({ program, words = [] }) =>
    program === "git" && isMeant(words) ? words.slice(1).flatMap(nameIn) : [],
  );

const nameIn = (word: string | null): readonly string[] => {
  const name = word?.slice(word.lastIndexOf(":") + 1).replace(/^(?:\.\/)+/, "") ?? "";
  return name === "" || name.startsWith("-") ? [] : [name];
};
