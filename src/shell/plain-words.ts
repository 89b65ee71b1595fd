import type { Word } from "unbash";
import { plainField, unknownField } from "./fields.ts";
import { SPECIAL } from "./marks.ts";
import { guarded } from "./tildes.ts";
import { exhausted, type Field, type Walk, withoutStandIns } from "./walk.ts";

const TILDE = 126;
/** What `find` found. */
const FOUND = "{}";
/** Most words mean what is written, and the parser need not look for anything in them. */
export const plainWord = ({ text }: Word): Field | undefined => {
  const field = plainField(text);
  const isPlain = (field.marks & SPECIAL) === 0 ? text.charCodeAt(0) !== TILDE : text === FOUND;
  return isPlain ? field : undefined;
};

const MEANS_MORE = /[\\$`]/;
/** Whether a word is in quotes as a whole, and everything in it means itself. */
const isQuoted = (text: string): boolean => {
  const last = text.length - 1;
  if (text.startsWith("'")) return text.indexOf("'", 1) === last;
  return text.startsWith('"') && text.indexOf('"', 1) === last && !MEANS_MORE.test(text);
};

/** The same for a word of a command that is in quotes as a whole; elsewhere, quotes may be part of the text. */
export const quotedWord = ({ text }: Word, walk: Walk): Field | undefined => {
  if (!isQuoted(text)) return undefined;
  if (exhausted(walk)) return unknownField;
  const inside = text.slice(1, -1);
  return plainField(guarded(text.startsWith("'") ? withoutStandIns(inside) : inside));
};
