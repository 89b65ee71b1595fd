import { isAbsolute } from "./paths.ts";
import { type Field, type Flow, textFlow, UNKNOWN, type Walk } from "./walk.ts";

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

/** The folder that the shell stands in, if its whole path is known: after `cd /`. */
export const wholeFolder = ({ scope: { folders } }: Walk): string | undefined => folders.find(isAbsolute);

/** What `pwd` prints, where that is known. */
export const standingFlow = (walk: Walk, otherwise: Flow): Flow => {
  const folder = wholeFolder(walk);
  return folder === undefined ? otherwise : textFlow(`${folder}\n`);
};

/** What `mktemp` prints: a new name in a folder that is not known. With a template it may be anything. */
export const NEW_NAME = textFlow(`${UNKNOWN}/tmp.XXXXXXXXXX\n`);
const HARMLESS = /^-[dqu]+$|^--(?:directory|quiet)$/;
export const isNewName = (fields: readonly Field[]): boolean =>
  fields.every(({ text }, index) => index === 0 || HARMLESS.test(text));
