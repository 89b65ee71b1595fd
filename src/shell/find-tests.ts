import { CONFIG_FILE, GIT_FOLDER, GIT_HOOKS } from "../core/words/governing.ts";
import type { Field } from "./walk.ts";

const TEST =
  /^-(?:i?name|i?path|i?wholename|i?regex|[acm]min|[acm]time|newer.*|size|empty|user|group|perm|inum|links|samefile|uid|gid)$/;
const FITS_ALL = /^(?:\?*\*[*?]*|\/?\.?\*+|\.\*|\/\.\*)$/;
const CHOICE: ReadonlySet<string> = new Set(["-o", "-or", ","]);
const TURNED: ReadonlySet<string> = new Set(["!", "-not"]);

/** Whether the tests of `find` select only some files: not those that match everything, are negated, or are alternatives. */
export const leavesMost = (words: readonly Field[]): boolean =>
  !words.some(({ text }) => CHOICE.has(text)) &&
  words.some(
    ({ text }, index) =>
      text.startsWith("-") &&
      TEST.test(text) &&
      !TURNED.has(words[index - 1]?.text ?? "") &&
      !FITS_ALL.test(words[index + 1]?.text ?? ""),
  );

const BY_PATH = /^-i?(?:path|wholename|regex)$/;
const GOVERNING: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`git|hook|conf|commondir|${GIT_HOOKS.join("|")}`, "i"), `${GIT_FOLDER}/hooks/*`],
  [/toolgate/i, CONFIG_FILE],
  [/mcp/i, ".mcp.json"],
];

/** What governs and a search by whole paths may come upon, judged by the letters of its patterns. */
export const governingByPath = (words: readonly Field[]): readonly string[] =>
  GOVERNING.filter(([letters]) =>
    words.some(
      ({ text }, index) =>
        BY_PATH.test(words[index - 1]?.text ?? "") &&
        !TURNED.has(words[index - 2]?.text ?? "") &&
        letters.test(text.slice(0, MOST_TEXT)),
    ),
  ).map(([, scope]) => scope);
const MOST_TEXT = 8_192;

const isOneOf =
  (words: ReadonlySet<string>) =>
  ({ text }: Field): boolean =>
    words.has(text);
const OPENING: ReadonlySet<string> = new Set(["("]);

/** Whether `find` comes to its first command with files only: a link is none, unless links are followed. */
export const leavesLinks = (words: readonly Field[], before: readonly Field[]): boolean => {
  const at = before.findIndex(({ text }) => text === "-type");
  return (
    at > 0 &&
    before[at + 1]?.text === "f" &&
    !TURNED.has(before[at - 1]?.text ?? "") &&
    !before.slice(0, at).some(isOneOf(OPENING)) &&
    !words.some(isOneOf(CHOICE))
  );
};
