import { isAbsolute } from "./paths.ts";
import { changedFlow, type Field, type Flow, textFlow, UNKNOWN, type Walk } from "./walk.ts";

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

/** Of several folders, one of these counts, because what is done there does the most harm. */
const GRAVE = /^(?:~|\/[^/]*|\/home\/[^/]*)\/?$|^\/(?:bin|boot|dev|etc|lib\w*|proc|sbin|sys|usr)\//;

/** What `pwd` prints where the shell stands in a folder whose whole path is known, as after `cd /`. */
export const standingFlow = ({ scope: { folders } }: Walk, otherwise: Flow): Flow => {
  const grave = folders.find((each) => GRAVE.test(each));
  const folder = grave ?? folders.find(isAbsolute);
  if (folder === undefined) return otherwise;
  const flow = textFlow(`${folder}\n`);
  // any other of several folders is only what it may print
  return grave !== undefined || folders.length === 1 ? flow : changedFlow(flow, { open: true });
};

/** What `mktemp` prints: a new name in a folder that is not known. With a template it may be anything. */
export const NEW_NAME = textFlow(`${UNKNOWN}/tmp.XXXXXXXXXX\n`);
const HARMLESS = /^-[dqu]+$|^--(?:directory|quiet)$/;
export const isNewName = (fields: readonly Field[]): boolean =>
  fields.every(({ text }, index) => index === 0 || HARMLESS.test(text));
