import { type Field, UNKNOWN } from "./walk.ts";

// every field is written out: a copy by `...` has a shape of its own, and an engine reads one shape faster than many

/** A word that an expansion or another program made; what it is made of does not show. */
export const openField = (text: string, glob = false, given: Field["given"] = false): Field => ({
  text,
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
  return { text, literal, worked, whole, glob, flow, given, found, links };
};
