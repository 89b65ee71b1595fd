import type { ArithmeticFor, Word } from "unbash";
import type { Claim } from "../core/words/touch.ts";
import { upTo } from "./blanks.ts";
import { united, unitedFolders } from "./folders.ts";
import { addPath, ITSELF } from "./path-claims.ts";
import { prove } from "./values.ts";
import { mayBeObeyed, walkValue } from "./variables.ts";
import {
  assign,
  eachChoice,
  type Field,
  type Flow,
  isVariableName,
  PROVEN,
  UNKNOWN,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";
import { fieldsOf } from "./words.ts";

/** What the words of a loop say: the folders that their patterns list, and why its name must not be set. */
export type Counted = { listed: Claim[]; obeyed: string | undefined };

/** Gives the name of a loop every value that its words stand for. */
export const nameValues = (name: string, wordlist: readonly Word[] | undefined, walk: Walk): Counted => {
  const fields = wordlist && fieldsIn(wordlist, walk);
  const listed: Claim[] = [];
  for (const field of fields ?? []) if (field.glob) addPath(listed, "list", field, walk, ITSELF);
  const values = [...new Set(fields?.map((field) => field.text) ?? walk.scope.positional)];
  const obeyed = mayBeObeyed(name) ? `it sets ${name}, which may change how programs behave` : undefined;
  for (const value of values) walkValue(walk, name, value);
  if (!isVariableName(name)) return { listed, obeyed };
  walk.scope.variables ??= new Map();
  walk.scope.variables.delete(PROVEN + name);
  walk.scope.variables.set(name, values.length === 0 ? [UNKNOWN] : values);
  if (fields !== undefined && values.length > 0 && fields.every(({ worked }) => worked)) prove(name, walk);
  return { listed, obeyed };
};

const fieldsIn = (words: readonly Word[], walk: Walk): Field[] => {
  const fields: Field[] = [];
  eachChoice(walk, () => {
    for (const word of words) for (const field of fieldsOf(word, walk)) fields.push(field);
  });
  return fields;
};

/** After a loop that may not have run, its name may have the value that it had before. */
export const leaveName = (name: string, earlier: readonly string[] | undefined, walk: Walk): void => {
  if (walk.branch === 0 || !isVariableName(name)) return;
  const values = walk.scope.variables?.get(name) ?? [];
  walk.scope.variables?.set(name, united(values, earlier ?? [UNKNOWN]));
  walk.scope.variables?.delete(PROVEN + name);
};

const START = /^\s*([a-z]\w*)\s*=\s*\d+\s*$/;
const TEST = /^\s*([a-z]\w*)\s*(?:[<>]=?|!=)\s*\d+\s*$/;
const STEP = /^\s*(?:([a-z]\w*)\s*(?:\+\+|--|[+-]=\s*\d+)|(?:\+\+|--)\s*([a-z]\w*))\s*$/;

/** `for ((i = 0; i < 3; i++))` with nothing but numbers in it: the name, whose value only the running shell knows. */
export const countedName = ({ initialize, test, update }: ArithmeticFor, source: string, walk: Walk): boolean => {
  const text = (part: typeof test): string => (part === undefined ? "" : source.slice(part.pos, part.end));
  const [, name] = START.exec(text(initialize)) ?? [];
  const [, tested] = TEST.exec(text(test)) ?? [];
  const [, after, before] = STEP.exec(text(update)) ?? [];
  if (name === undefined || name !== tested || name !== (after ?? before) || mayBeObeyed(name)) return false;
  assign(walk, name, UNKNOWN);
  return true;
};

/** Runs a step for code that may or may not run. */
export const perhaps = <T>(walk: Walk, act: () => T): T => {
  walk.branch++;
  const result = act();
  walk.branch--;
  return result;
};

/** The number of rounds that are followed value by value. */
const FOLLOWED = 3;
/** After those, this many to find every variable that depends on the changing ones. */
const MOST_ROUNDS = 16;

type Variables = Walk["scope"]["variables"];

/** An array is one variable, however many elements it has. */
const arrayOf = (name: string): string => upTo("[", name);

/** The variables that a round has given another list of values; a value that did not change is still the same list. */
const changedNames = (before: Variables, after: Variables): string[] => {
  const names: string[] = [];
  for (const [name, values] of after ?? []) if (before?.get(name) !== values && isVariableName(name)) names.push(name);
  return names;
};

/** A variable that has another value each round may hold anything in a later one. */
const leaveOpen = (names: readonly string[], { scope: { variables } }: Walk): void => {
  for (const name of names) {
    variables?.set(name, united(variables.get(name) ?? [], [UNKNOWN]));
    variables?.delete(PROVEN + name);
  }
};

/** How many files are known to hold something. */
const filesIn = ({ fetchedFiles, writtenFiles }: Walk): number => (fetchedFiles?.size ?? 0) + (writtenFiles?.size ?? 0);

/** Walks the body of a loop until another round would start as the last one did. Says whether its folder changes. */
export const walkRounds = (walk: Walk, round: () => Flow): { flow: Flow; moves: boolean } => {
  const { folders } = walk.scope;
  const open = new Set<string>();
  let flow = UNKNOWN_FLOW;
  for (let rounds = 1; !walk.exceeded; rounds++) {
    const before = new Map(walk.scope.variables);
    const files = filesIn(walk);
    const start = walk.scope.folders;
    if (rounds > 1) walk.again++;
    flow = round();
    if (rounds > 1) walk.again--;
    const moves = walk.scope.folders !== start;
    const changed = changedNames(before, walk.scope.variables).filter((name) => !open.has(arrayOf(name)));
    if (rounds >= FOLLOWED) {
      if (changed.length === 0) break;
      for (const name of changed) open.add(arrayOf(name));
      leaveOpen([...changed, ...changed.map(arrayOf)], walk);
    } else if (!moves && changed.length === 0 && files === filesIn(walk)) break;
    if (rounds >= MOST_ROUNDS) walk.exceeded = true;
    if (moves) walk.scope.folders = unitedFolders(walk.scope.folders, folders);
  }
  const moves = walk.scope.folders !== folders;
  if (moves) walk.scope.folders = unitedFolders(walk.scope.folders, [UNKNOWN]);
  return { flow, moves };
};
