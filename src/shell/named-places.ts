import type { Claim } from "../core/words/touch.ts";
import { pathClaims } from "./path-claims.ts";
import { type Field, plainField, type Walk } from "./walk.ts";

/** What decides which code runs or what is judged, by name; the policies say what of it really does. */
const GOVERNS = /(?:^|\/)(?:\.git(?:\/|$)|\.toolgate(?:\/|$)|toolgate\.ya?ml$|\.mcp\.json$)/i;
const NO_PATH = /[^\w./~+@-]+/;
const MOST_TEXT = 8_192;

/** A program that is not known may write whatever place its words name, also inside a text or behind an `=`. */
export const namedPlaces = (fields: readonly Field[], walk: Walk): Claim[] => {
  const claims: Claim[] = [];
  for (let index = 1; index < fields.length; index++) {
    const { text } = fields[index] as Field;
    if (!/git|toolgate|mcp/i.test(text)) continue;
    for (const piece of text.slice(0, MOST_TEXT).split(NO_PATH))
      if (GOVERNS.test(piece))
        for (const claim of pathClaims("write", plainField(piece), walk))
          claims.push({ ...claim, certain: false } as Claim);
  }
  return claims;
};
