import { withText } from "./fields.ts";
import type { Field } from "./walk.ts";

/** Letters that take their values, in order, from the words after the bundle. */
const TAKEN_BY_TAR: ReadonlySet<string> = new Set("bCfFgHIKLNTVX");
const TAKEN_BY_TREE: ReadonlySet<string> = new Set("HILoPT");

/** Which words are such bundles: the first of `tar` where it has no dash, all of `tree`. */
const isBundle = (name: string, text: string, index: number): boolean =>
  name === "tar" ? index === 1 && !text.startsWith("-") && text !== "" : /^-[a-zA-Z]{2,}$/.test(text);

/**
 * The words with every bundle split up: `tar tfI a b` becomes `tar -t -f a -I b`. An ordinary option parser would take
 * `I` for the name of the file.
 */
export const unbundled = (name: string, fields: readonly Field[]): readonly Field[] => {
  const taking = name === "tar" ? TAKEN_BY_TAR : name === "tree" ? TAKEN_BY_TREE : undefined;
  if (taking === undefined || !fields.some(({ text }, index) => isBundle(name, text, index))) return fields;
  const words: Field[] = [];
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (!isBundle(name, field.text, index)) {
      words.push(field);
      if (field.text !== "--") continue;
      words.push(...fields.slice(index + 1));
      break;
    }
    const letters = field.text.replace(/^-/, "");
    for (const letter of letters) {
      words.push(withText(field, `-${letter}`));
      const value = taking.has(letter) ? fields[index + 1] : undefined;
      if (value === undefined) continue;
      words.push(value);
      index++;
    }
  }
  return words;
};
