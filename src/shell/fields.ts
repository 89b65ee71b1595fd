import { marksIn, SLASH, STAND_IN } from "./marks.ts";
import { nameOf } from "./paths.ts";
import { type Field, UNKNOWN, withoutStandIns } from "./walk.ts";

// every field is written out: a copy by `...` has a shape of its own, and an engine reads one shape faster than many

/** A word as it is written. */
export const plainField = (text: string): Field => ({
  text,
  marks: marksIn(text),
  literal: true,
  worked: true,
  whole: true,
  glob: false,
  flow: undefined,
  given: false,
  found: undefined,
  links: undefined,
});

/** A word that an expansion or another program made; what it is made of does not show. */
export const openField = (text: string, glob = false, given: Field["given"] = false): Field => ({
  text,
  marks: marksIn(text),
  literal: false,
  worked: false,
  whole: false,
  glob,
  flow: undefined,
  given,
  found: undefined,
  links: undefined,
});

export const unknownField: Field = openField(UNKNOWN);

/** The same word with another text. */
export const withText = (field: Field, text: string, glob = field.glob): Field => {
  const { literal, worked, whole, flow, given, found, links } = field;
  return { text, marks: marksIn(text), literal, worked, whole, glob, flow, given, found, links };
};

/** Whether nothing in it depends on the running shell. */
export const isKnownField = ({ marks }: Field): boolean => (marks & STAND_IN) === 0;

/** The last name of the path that a word is. */
export const nameIn = ({ text, marks }: Field): string => ((marks & SLASH) === 0 ? text : nameOf(text));

export const knownTextOf = (field: Field): string => (isKnownField(field) ? field.text : withoutStandIns(field.text));
