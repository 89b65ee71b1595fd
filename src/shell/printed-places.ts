import { type Field, textFlow, UNKNOWN } from "./walk.ts";

export const asksGitForPlace = (program: string, fields: readonly Field[]): boolean =>
  program === "git" && fields[1]?.text === "rev-parse";

const GIT_DIR = /^--(?:absolute-)?git-(?:common-)?dir$/;

/** Where `git rev-parse` says its folder is, in a repository that is not unusual. */
export const gitPlace = (words: readonly string[]): string | undefined => {
  const last = words.at(-1) as string;
  if (last === "--show-toplevel") return ".\n";
  if (words.at(-2) === "--git-path") return `.git/${last}\n`;
  return GIT_DIR.test(last) ? ".git\n" : undefined;
};

/** What `mktemp` prints: a new name in a folder that is not known. With a template it may be anything. */
export const NEW_NAME = textFlow(`${UNKNOWN}/tmp.XXXXXXXXXX\n`);
const HARMLESS = /^-[dqu]+$|^--(?:directory|quiet)$/;
export const isNewName = (fields: readonly Field[]): boolean =>
  fields.every(({ text }, index) => index === 0 || HARMLESS.test(text));
