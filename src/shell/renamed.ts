import type { Claim } from "../core/words/touch.ts";
import { RULES } from "./blocked.ts";
import { nameOf, normalised } from "./paths.ts";
import { walkText } from "./texts.ts";
import { type Field, forked, textFlow, type Walk } from "./walk.ts";
import { noteFile } from "./written-files.ts";

/** Where names are kept that stand for commands; no file is called so. */
const keyOf = (name: string): string => `alias\n${name}`;

/** `alias x=…`, `hash -p file x`: from here on the name may stand for other words. */
export const noteName = (name: string, words: string, walk: Walk): void =>
  noteFile(keyOf(name), textFlow(`${words} "$@"\n`), walk);

/** Arrays whose elements bash takes for aliases, and for where programs are. */
const ARRAYS = ["BASH_ALIASES", "BASH_CMDS"];
const holdsCommands = (variables: ReadonlyMap<string, unknown>): boolean => {
  for (const name of variables.keys()) if (name.startsWith("BASH_")) return true;
  return false;
};

/** What a name was given to stand for is judged as well; whether the shell follows it depends on its options. */
export const walkNamed = (fields: readonly Field[], walk: Walk): void => {
  const name = (fields[0] as Field).text;
  const text = walk.writtenFiles?.get(keyOf(name));
  if (text !== undefined) walkWithWords(text, fields, walk);
  const { variables } = walk.scope;
  if (variables === undefined || !holdsCommands(variables)) return;
  for (const array of ARRAYS)
    for (const words of variables.get(`${array}[${name}]`) ?? []) walkWithWords(`${words} "$@"\n`, fields, walk);
};

/** Runs a text as the shell runs a script, with the words behind the program as its arguments. */
export const walkWithWords = (text: string, fields: readonly Field[], walk: Walk): void => {
  const before = walk.scope;
  walk.scope = forked(
    before,
    fields.slice(1).map((field) => field.text),
  );
  walkText(text, walk, undefined);
  walk.scope = before;
};

const OF_SYSTEM = /^(?:\/usr(?:\/local)?)?\/s?bin\//;

/** `cp /bin/rm x`, `ln -s /bin/rm x`: the copy is the program by another name. */
export const noteCopied = (fields: readonly Field[], touches: readonly Claim[], walk: Walk): void => {
  const source = fields.find(({ text }) => text.startsWith("/") && OF_SYSTEM.test(text) && RULES.has(nameOf(text)));
  if (source === undefined) return;
  for (const touch of touches)
    if (touch.action === "write") noteFile(normalised(touch.target), textFlow(`${source.text} "$@"\n`), walk);
};
