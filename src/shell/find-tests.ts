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
