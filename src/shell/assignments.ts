import type { Assignment, Command } from "unbash";
import { spokenLines } from "./flows.ts";
import { walkSubscript, walkText } from "./texts.ts";
import { isProven, noteStanding, prove, referred, variableValues } from "./values.ts";
import { setVariable, walkValue } from "./variables.ts";
import { assign, doubt, type Field, type Flow, UNKNOWN, type Walk } from "./walk.ts";
import { fieldsOf, textOfWord } from "./words.ts";
import { writtenText } from "./written-files.ts";

/** In assignments braces are literal, and a tilde after a colon is a home folder. */
const READ_OTHERWISE = /\{|:~/;

/** Where the variable may still have an earlier value, both values must be certain. */
const isStillCertain = (name: string, walk: Walk): boolean =>
  (walk.branch === 0 && walk.choice === 0) || variableValues(name, walk) === undefined || isProven(name, walk);

/** Searches up to the last possible end of a key, because a key may contain what looks like its end. */
const KEY = /^\[.*\](?=\+?=)/s;
const KEYED = /^\[([^\]]*)\]=(.*)$/s;

const setArray = (name: string, given: readonly string[], append: boolean | undefined, walk: Walk): void => {
  const words: string[] = append ? [...(walk.scope.variables?.get(name)?.slice(0, 1) ?? [])] : [];
  let at = 0;
  if (append) while (walk.scope.variables?.has(`${name}[${at}]`)) at++;
  for (const element of given) {
    const [, key = String(at++), text = element] = KEYED.exec(element) ?? [];
    assign(walk, `${name}[${key}]`, text);
    walkValue(walk, name, text);
    words.push(text);
  }
  assign(walk, name, words.join(" "));
  // its name alone stands for the first element
  const { variables } = walk.scope;
  const first = variables?.get(`${name}[0]`)?.[0];
  const values = variables?.get(name) ?? [];
  if (first !== undefined && !values.includes(first)) variables?.set(name, [...values, first]);
};

/** Shells run the file that is named here before anything else. */
const READ_BY_SHELLS = /^(?:BASH_ENV|ENV)$/;

const walkSource = (file: Field | undefined, walk: Walk): void => {
  const text = file && (file.flow?.text ?? writtenText(file, walk));
  if (text !== undefined) walkText(text, walk, undefined);
};

/** A text that grows in a loop is followed up to this length. */
const MOST_GROWN = 8;

/** `out="$out $f"` in a loop: each round would double the number of values to try. */
const isGrown = (name: string, append: boolean | undefined, text: string, walk: Walk): boolean => {
  if ((walk.scope.variables?.get(name)?.length ?? 0) < MOST_GROWN) return false;
  return append === true || new RegExp(`\\$\\{?${name}\\b`).test(text);
};

/** What a command may print is one of the values that a variable may have. */
export const addSpoken = (name: string, flow: Flow | undefined, walk: Walk): void => {
  const lines = spokenLines(flow, true);
  const meant = referred(name, walk);
  if (lines.length > 0) walk.scope.variables?.set(meant, [...(walk.scope.variables.get(meant) ?? []), ...lines]);
};

/** Unless `extglob` is set, such a pattern is an error in a list; bash then goes on with the next line as a command. */
const endsEarly = (list: string): boolean => list.includes("\n") && /[?*+@!]\(/.test(list);

/** Remembers what a line sets. */
export const setFrom = (assignment: Assignment, walk: Walk, stdin?: Flow): string => {
  const { value, name, append, index } = assignment;
  const subscript = index && textOfWord(index, walk);
  if (subscript !== undefined) walkSubscript(subscript, walk);
  const place = subscript === undefined ? name : `${name}[${subscript}]`;
  if (value.type === "ArrayValue") {
    if (endsEarly(assignment.text)) {
      walk.parsed = false;
      doubt(walk, "a list in it may end at its first line");
    }
    const elements = value.elements.map((element) => fieldsOf(element, walk).map(({ text }) => text));
    for (const texts of elements) walkSubscript(KEY.exec(texts.join(" "))?.[0] ?? "", walk);
    setArray(name, elements.flat(), append, walk);
    return name;
  }
  const fields = fieldsOf(value, walk, stdin);
  const text = fields.length === 1 ? (fields[0] as Field).text : fields.map((field) => field.text).join(" ");
  const earlier = append ? walk.scope.variables?.get(place)?.[0] : undefined;
  const grown = isGrown(name, append, value.text, walk);
  const certain =
    !grown &&
    !append &&
    index === undefined &&
    !READ_OTHERWISE.test(value.text) &&
    fields.every(({ worked }) => worked) &&
    isStillCertain(name, walk);
  setVariable(walk, place, grown ? UNKNOWN : (earlier ?? "") + text);
  if (fields.length === 1) addSpoken(place, (fields[0] as Field).flow, walk);
  // an array that is built piece by piece has all pieces so far as its words
  if (index !== undefined)
    assign(walk, name, [...(walk.scope.variables?.get(name)?.slice(0, 1) ?? []), text].join(" "));
  if (READ_BY_SHELLS.test(name)) walkSource(fields[0], walk);
  if (certain) prove(name, walk);
  noteStanding(name, value.text, walk);
  return name;
};

const belongsTo = (key: string, name: string): boolean =>
  key === name || (key.length === name.length + 1 && key.endsWith(name)) || key.startsWith(`${name}[`);

/** After `x=1 command` the names before it have their earlier values; what the command itself sets stays. */
export const restoreNames = (prefix: Command["prefix"], before: Walk["scope"]["variables"], walk: Walk): void => {
  const after = walk.scope.variables;
  if (after === undefined) return;
  for (const each of prefix) {
    if (each.type !== "Assignment") continue;
    const { name } = each;
    for (const key of after.keys()) if (belongsTo(key, name)) after.delete(key);
    if (before) for (const [key, values] of before) if (belongsTo(key, name)) after.set(key, values);
  }
  if (before === undefined && after.size === 0) walk.scope.variables = undefined;
};
