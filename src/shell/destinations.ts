import type { Claim } from "../core/words/touch.ts";
import { isKnownField, plainField, withText } from "./fields.ts";
import { addObeyed } from "./obeyed-ends.ts";
import { addBrought, addPath, holdsFound, ITSELF, unknownOf } from "./path-claims.ts";
import { hasPattern, nameOf, namesFolder, withoutSlashes } from "./paths.ts";
import { hasAny, type Into, type Parsed } from "./programs/program.ts";
import { type Field, UNKNOWN, type Walk } from "./walk.ts";

type Destination = { target: Field; sources: readonly Field[]; sure: boolean };

const destinationOf = (into: Into, { options, operands }: Parsed): Destination | undefined => {
  for (const { name, value } of options)
    if (value !== undefined && into.folder?.includes(name)) return { target: value, sources: operands, sure: true };
  if (operands.length === 1 && into.alone) return { target: plainField("."), sources: operands, sure: true };
  const target = operands.at(-1);
  if (operands.length < 2 || target === undefined) return undefined;
  return { target, sources: operands.slice(0, -1), sure: operands.length > 2 || namesFolder(target.text) };
};

const inFolder = (folder: string, name: string): string =>
  folder === "." || folder === "./" ? name : folder.endsWith("/") ? folder + name : `${folder}/${name}`;

/** What is written when the last word is a folder: the name of each source in it, or all that is in the source. */
export const addDestinations = (claims: Claim[], into: Into, parsed: Parsed, walk: Walk): void => {
  const destination = destinationOf(into, parsed);
  if (destination === undefined) return;
  const { target, sources, sure } = destination;
  if (!isKnownField(target)) {
    for (const { text, glob } of sources) {
      const name = nameOf(withoutSlashes(text));
      if (glob || namesFolder(into.contents ? text : name)) addBrought(claims, target, walk, "anything");
      else addObeyed(claims, "write", inFolder(UNKNOWN, name), false);
    }
    return;
  }
  if (hasAny(parsed, into.never)) {
    if (hasAny(parsed, into.deep)) addBrought(claims, target, walk, "anything");
    return;
  }
  const whole = hasAny(parsed, into.whole);
  for (const source of sources) {
    if (!isKnownField(source)) {
      claims.push(unknownOf("write"));
      continue;
    }
    const text = into.contents ? source.text.replace(/^[^/]*:/, "") : source.text;
    const path = withoutSlashes(text);
    const name = whole ? path.replace(/^(?:\.{0,2}\/)+/, "") : nameOf(path);
    const isOpen = holdsFound(source) || holdsFound(target) || namesFolder(name);
    if (isOpen || (into.contents && namesFolder(text))) {
      addBrought(claims, target, walk, "anything");
      continue;
    }
    const glob = target.glob || (source.glob && hasPattern(name));
    const written = withText(target, inFolder(target.text, name), glob);
    addPath(claims, "write", written, walk, ITSELF, sure);
  }
};
