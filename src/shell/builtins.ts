import { parse } from "unbash";
import type { CommandClass } from "../core/words/touch.ts";
import { withFlow } from "./decisions.ts";
import { unitedFolders, unknownFolder } from "./folders.ts";
import { eachOf } from "./lists.ts";
import { changed, isAbsolute } from "./paths.ts";
import { readLine, readLines, readWords } from "./read-lines.ts";
import { noteName } from "./renamed.ts";
import { walkSubscript, walkText } from "./texts.ts";
import { forgetStanding, refer } from "./values.ts";
import { isLook, mayBeObeyed, setVariable } from "./variables.ts";
import {
  type Decision,
  type Field,
  type Flow,
  isKnown,
  type Risk,
  textFlow,
  UNKNOWN,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";
import { walkArithmetic } from "./words.ts";

type Builtin = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined) => Decision;

const decided = (kind: CommandClass, rule: string, risk: Risk = "low"): Decision => ({
  class: kind,
  risk,
  rule,
  touches: [],
  flow: UNKNOWN_FLOW,
});

const MOST_FOLDERS = 4;

/** The folders the shell may be in afterwards. The `cd` may have failed, unless what follows runs only on success. */
const enter = (target: string | undefined, walk: Walk, glob = false): void => {
  const before = walk.scope.folders;
  forgetStanding(walk);
  const after =
    target === undefined
      ? [UNKNOWN]
      : glob || !isKnown(target)
        ? [unknownFolder(target)]
        : eachOf(before, (folder) => changed(folder, target));
  walk.scope.folders = unitedFolders(after, before, MOST_FOLDERS);
};

/** The folders that `CDPATH` names come first. */
const enterAnyOf = ({ text, glob }: Field, walk: Walk): void => {
  const before = walk.scope.folders;
  const led = walk.scope.variables?.get("CDPATH");
  enter(text, walk, glob);
  if (led === undefined || /^(?:\/|\.\.?(?:\/|$))/.test(text)) return;
  const places = led.flatMap((each) => each.split(":", MOST_FOLDERS)).slice(0, MOST_FOLDERS);
  const found = places.flatMap((place) =>
    before.map((folder) => (isKnown(place) && isKnown(text) ? changed(changed(folder, place), text) : UNKNOWN)),
  );
  walk.scope.folders = unitedFolders(found, walk.scope.folders, MOST_FOLDERS);
};

const FOLDER_OPTION = /^-[LPe@]+$/;

const changeFolder: Builtin = (fields, walk) => {
  const operands: Field[] = [];
  let physical = false;
  for (let index = 1; index < fields.length; index++) {
    const field = fields[index] as Field;
    if (field.text.startsWith("-") && FOLDER_OPTION.test(field.text)) physical ||= field.text.includes("P");
    else if (field.text !== "--") operands.push(field);
  }
  const [target] = operands;
  if (target === undefined) enter(walk.home ?? "~", walk);
  else if (target.text === "-" || (physical && target.text.includes(".."))) enter(undefined, walk);
  else enterAnyOf(target, walk);
  const literal = target === undefined || (target.worked && !target.glob);
  const decision = decided(
    literal && operands.length <= 1 && target?.text !== "-" ? "safe" : "dangerous",
    literal ? "it only changes the folder" : "it changes to a folder that is only known when it runs",
  );
  // given a whole path, it prints nothing, so `$(cd / && pwd)` is what `pwd` prints
  return target !== undefined && isAbsolute(target.text) ? withFlow(decision, textFlow("")) : decision;
};

const wander: Builtin = (fields, walk) => {
  const [target, ...more] = fields.slice(1).filter(({ text }) => text !== "--" && text !== "-n");
  const isFolder = fields[0]?.text === "pushd" && target && more.length === 0 && !/^[-+]\d*$/.test(target.text);
  enter(isFolder ? target.text : undefined, walk, isFolder && target.glob);
  return decided("dangerous", "it changes the folder");
};

/** The index of an array is arithmetic, also in the name of a variable: `unset 'a[$(…)]'`. */
export const walkIndexes = (fields: readonly Field[], walk: Walk): void => {
  for (const { text } of fields) if (text.includes("[")) walkSubscript(text, walk);
};

/** `unset x`: what stands in its place later is nothing, or for `${x-y}` something else. */
export const forgotten = (fields: readonly Field[], walk: Walk): void => {
  walkIndexes(fields, walk);
  const { variables } = walk.scope;
  for (const { text } of fields.slice(1)) {
    const values = variables?.get(text);
    // it may be read-only
    if (values !== undefined) variables?.set(text, ["", UNKNOWN, ...values]);
  }
};

/** `read -r line`: its options take no file, and no program reads the variables it sets. */
const isPlainRead = ([name, ...words]: readonly Field[]): boolean =>
  name?.text === "read" && words.every(({ text, worked }) => worked && (/^-[rs]+$/.test(text) || !mayBeObeyed(text)));

const readInput: Builtin = (fields, walk, stdin) => {
  walkIndexes(fields, walk);
  const callback = fields.findIndex(({ text }) => text === "-C");
  if (callback > 0 && fields[0]?.text !== "read") walkText(fields[callback + 1]?.text ?? "", walk, undefined);
  const isRead = fields[0]?.text === "read";
  const names = fields.flatMap(({ text }, index) => (index > 0 && /^[A-Za-z_]\w*(?:\[.*\])?$/s.test(text) ? text : []));
  if (isRead && fields.some(({ text }) => /^-\w*a/.test(text))) for (const name of names) readWords(name, walk, stdin);
  else if (isRead) readLine(names.length > 0 ? names : ["REPLY"], fields, walk, stdin);
  else for (const name of names.length > 0 ? names : ["MAPFILE"]) readLines(name, walk, stdin);
  return isPlainRead(fields)
    ? decided("safe", "it only reads a line into a variable")
    : decided("dangerous", "it sets variables for later commands");
};

/** `export LC_ALL=C` changes what later commands print, not what they do. */
const saysHowItLooks = ({ text, worked }: Field): boolean => {
  const equals = text.indexOf("=");
  return worked && equals > 0 && isLook(text.slice(0, equals), text.slice(equals + 1));
};

/** `declare -a x='(a b)'`, `declare x=(a b)`: the words of the list. */
const listIn = (text: string): string => /^\((.*)\)$/s.exec(text)?.[1] ?? text;

const declare: Builtin = (fields, walk) => {
  walkIndexes(fields, walk);
  const integer = fields.some((field) => /^-[a-zA-Z]*i/.test(field.text));
  const lists = fields.some((field) => /^-[a-zA-Z]*[aA]/.test(field.text));
  const refers = fields.some((field) => /^-[a-zA-Z]*n/.test(field.text)) && fields[0]?.text !== "export";
  for (const { text, literal } of fields.slice(1)) {
    const equals = text.indexOf("=");
    if (refers && equals < 0) refer(walk, text);
    if (equals <= 0) continue;
    const value = text.slice(equals + 1);
    if (integer) {
      walkSubscript(value, walk);
      walkArithmetic(parse(""), "", walk);
    }
    if (refers) refer(walk, text.slice(0, equals), value);
    // in quotes it is a list only if the variable is an array
    else setVariable(walk, text.slice(0, equals).replace(/\+$/, ""), lists || !literal ? listIn(value) : value);
  }
  return fields.length > 1 && fields.slice(1).every(saysHowItLooks)
    ? decided("safe", "it only sets how output looks")
    : decided("dangerous", "it sets variables for later commands", "medium");
};

/** `getopts abc name`: only the running shell knows which option it finds. */
const takeOption: Builtin = (fields, walk) => {
  walkIndexes(fields, walk);
  if (fields[2] !== undefined) setVariable(walk, fields[2].text, UNKNOWN);
  return decided("dangerous", "it sets variables for later commands");
};

const compute: Builtin = (fields, walk) => {
  for (const { text } of fields.slice(1)) walkSubscript(text, walk);
  walkArithmetic(parse(""), "", walk);
  return decided("dangerous", "arithmetic can run commands held in variables");
};

const alias: Builtin = (fields, walk, stdin) => {
  for (const { text } of fields.slice(1)) {
    const equals = text.indexOf("=");
    if (equals <= 0) continue;
    walkText(text.slice(equals + 1), walk, stdin);
    noteName(text.slice(0, equals), text.slice(equals + 1), walk);
  }
  return decided("dangerous", "it defines an alias", "medium");
};

const trap: Builtin = (fields, walk, stdin) => {
  const action = fields.slice(1).find((field) => !/^-[lp]?$/.test(field.text) && field.text !== "--");
  if (action && fields.length > 2) walkText(action.text, walk, stdin);
  return decided("dangerous", "it runs commands later", "medium");
};

/** `jobs -x command`: it runs the command. */
const listJobs: Builtin = (fields, walk, stdin) => {
  const at = fields.findIndex(({ text }) => text === "-x");
  if (at > 0 && at + 1 < fields.length)
    return {
      ...decided("dangerous", "it runs another command"),
      flow: walk.command(fields.slice(at + 1), walk, stdin),
    };
  const harmless = fields
    .slice(1)
    .every(({ text, worked }) => worked && (/^-[lnprs]+$/.test(text) || !text.startsWith("-")));
  return harmless ? decided("safe", "it only lists background jobs") : decided("dangerous", "it runs another command");
};

const setOptions: Builtin = (fields, walk) => {
  const marks = fields.findIndex(
    (field, index) =>
      index > 0 &&
      (field.text === "--" || (!/^[-+]/.test(field.text) && !/^[-+][a-z]*o$/.test(fields[index - 1]?.text ?? ""))),
  );
  if (marks > 0) {
    const from = fields[marks]?.text === "--" ? marks + 1 : marks;
    walk.scope.positional = eachOf(fields.slice(from), (field) => field.text);
    return decided("dangerous", "it sets the positional parameters");
  }
  const harmless = fields
    .slice(1)
    .every((field) => field.literal && /^-(?:[eux]+|[eux]*o)$|^pipefail$/.test(field.text));
  return decided(harmless && fields.length > 1 ? "safe" : "dangerous", "it sets shell options");
};

const shift: Builtin = (_, walk) => {
  walk.scope.positional = walk.scope.positional.slice(1);
  return decided("dangerous", "it shifts the positional parameters");
};

const bind =
  (rule: string): Builtin =>
  (fields, walk, stdin) => {
    for (const { text } of fields.slice(1))
      if (text.includes(" ")) walkText(text.replace(/^"[^"]*":/, ""), walk, stdin);
    return decided("dangerous", rule, "medium");
  };

/** `hash -p file name`: the name stands for the file from here on. */
const remember: Builtin = (fields, walk) => {
  const file = fields[fields.findIndex(({ text }) => text === "-p") + 1];
  if (file !== undefined && fields.length > 2) {
    walk.command([file], walk, undefined);
    noteName(fields.at(-1)?.text ?? "", file.text, walk);
  }
  return decided("dangerous", "it sets which file a command name runs", "medium");
};

/** Commands of the shell itself that change what later words mean. */
export const BUILTINS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ["cd", changeFolder],
  ["chdir", changeFolder],
  ["pushd", wander],
  ["popd", wander],
  ["read", readInput],
  ["mapfile", readInput],
  ["readarray", readInput],
  ["export", declare],
  ["declare", declare],
  ["typeset", declare],
  ["local", declare],
  ["readonly", declare],
  ["let", compute],
  ["getopts", takeOption],
  ["alias", alias],
  ["trap", trap],
  ["set", setOptions],
  ["shift", shift],
  ["hash", remember],
  ["jobs", listJobs],
  ["bind", bind("it binds commands to keys")],
  ["complete", bind("it binds commands to completion")],
  ["enable", bind("it loads code into the shell")],
]);
