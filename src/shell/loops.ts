import type { ArithmeticFor, Word } from "unbash";
import type { Claim } from "../core/words/touch.ts";
import { upTo } from "./blanks.ts";
import { isKnownField } from "./fields.ts";
import { countedBySeq, MANY, printedBy, repeated } from "./floods.ts";
import { united, unitedFolders } from "./folders.ts";
import { addPath, ITSELF } from "./path-claims.ts";
import { note, type Place } from "./segments.ts";
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

/** About a loop's words: the folders that patterns list, the number of rounds, why its variable must not be set. */
type Counted = { listed: Claim[]; rounds: number; obeyed: string | undefined };

/** Gives the loop variable every value that the words stand for. */
const nameValues = (name: string, wordlist: readonly Word[] | undefined, walk: Walk): Counted => {
  const { fields, rounds } = wordlist ? fieldsIn(wordlist, walk) : FROM_CALLER;
  const listed: Claim[] = [];
  for (const field of fields ?? []) if (field.glob) addPath(listed, "list", field, walk, ITSELF);
  const values = [...new Set(fields?.map((field) => field.text) ?? walk.scope.positional)];
  const obeyed = mayBeObeyed(name) ? `it sets ${name}, which may change how programs behave` : undefined;
  for (const value of values) walkValue(walk, name, value);
  if (!isVariableName(name)) return { listed, rounds, obeyed };
  walk.scope.variables ??= new Map();
  walk.scope.variables.delete(PROVEN + name);
  walk.scope.variables.set(name, values.length === 0 ? [UNKNOWN] : values);
  if (fields !== undefined && values.length > 0 && fields.every(({ worked }) => worked)) prove(name, walk);
  return { listed, rounds, obeyed };
};

/** Without words, a loop runs once per argument of its script or function. */
const FROM_CALLER: { fields: undefined; rounds: number } = { fields: undefined, rounds: MANY };

const fieldsIn = (words: readonly Word[], walk: Walk): { fields: Field[]; rounds: number } => {
  const fields: Field[] = [];
  let most = 0;
  eachChoice(walk, () => {
    let rounds = 0;
    for (const word of words) {
      const made = fieldsOf(word, walk);
      rounds += roundsOf(word, made);
      for (const field of made) fields.push(field);
    }
    most = Math.max(most, rounds);
  });
  return { fields, rounds: most };
};

/** Reads the words of a loop; returns the number of rounds. */
export const walkLoopWords = (name: string, wordlist: readonly Word[] | undefined, walk: Walk, node: Place): number => {
  const { listed, rounds, obeyed } = nameValues(name, wordlist, walk);
  if (listed.length > 0) note(walk, node, "safe", "its pattern lists a folder", listed);
  if (obeyed !== undefined) note(walk, node, "dangerous", obeyed);
  return rounds;
};

/** How often a loop runs for a word; a pattern stands for few files. */
const roundsOf = (word: Word, fields: readonly Field[]): number =>
  fields.every((field) => field.glob || isKnownField(field)) ? fields.length : (countedBySeq(word.text) ?? MANY);

/** After a loop that may not have run, its variable may still have its previous value. */
export const leaveName = (name: string, earlier: readonly string[] | undefined, walk: Walk): void => {
  if (walk.branch === 0 || !isVariableName(name)) return;
  const values = walk.scope.variables?.get(name) ?? [];
  walk.scope.variables?.set(name, united(values, earlier ?? [UNKNOWN]));
  walk.scope.variables?.delete(PROVEN + name);
};

const START = /^\s*([a-z]\w*)\s*=\s*(\d+)\s*$/;
const TEST = /^\s*([a-z]\w*)\s*([<>]=?|!=)\s*(\d+)\s*$/;
const STEP = /^\s*(?:([a-z]\w*)\s*(?:(\+\+|--)|([+-])=\s*(\d+))|(\+\+|--)\s*([a-z]\w*))\s*$/;

/**
 * The number of rounds of `for ((i = 0; i < 3; i++))` if it contains only numbers. The value of its variable is known
 * only to the running shell.
 */
export const countedRounds = (
  { initialize, test, update }: ArithmeticFor,
  source: string,
  walk: Walk,
): number | undefined => {
  const text = (part: typeof test): string => (part === undefined ? "" : source.slice(part.pos, part.end));
  const [, name, from = ""] = START.exec(text(initialize)) ?? [];
  const [, tested, operator = "", to = ""] = TEST.exec(text(test)) ?? [];
  const [, after, single, sign, by, prefixed, before] = STEP.exec(text(update)) ?? [];
  if (name === undefined || name !== tested || name !== (after ?? before) || mayBeObeyed(name)) return undefined;
  assign(walk, name, UNKNOWN);
  const step = Number(`${(single ?? prefixed ?? sign ?? "")[0]}${by ?? 1}`);
  const rounds = (Number(to) - Number(from)) / step;
  // it counts away from its end, or past it
  const ends = operator === "!=" ? rounds >= 0 && Number.isInteger(rounds) : operator.startsWith("<") === step > 0;
  return ends && step !== 0 ? Math.max(0, rounds + 1) : Number.POSITIVE_INFINITY;
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
/** After those, this many more to find every variable that depends on changing ones. */
const MOST_ROUNDS = 16;

type Variables = Walk["scope"]["variables"];

/** An array is one variable, however many elements it has. */
const arrayOf = (name: string): string => upTo("[", name);

/** The variables whose list of values a round has replaced; unchanged variables keep the same list object. */
const changedNames = (before: Variables, after: Variables): string[] => {
  const names: string[] = [];
  for (const [name, values] of after ?? []) if (before?.get(name) !== values && isVariableName(name)) names.push(name);
  return names;
};

/** A variable that changes in every round may have any value in a later one. */
const leaveOpen = (names: readonly string[], { scope: { variables } }: Walk): void => {
  for (const name of names) {
    variables?.set(name, united(variables.get(name) ?? [], [UNKNOWN]));
    variables?.delete(PROVEN + name);
  }
};

/** How many files have known content. */
const filesIn = ({ fetchedFiles, writtenFiles }: Walk): number => (fetchedFiles?.size ?? 0) + (writtenFiles?.size ?? 0);

/** Walks the body round by round. If each round waits, the processes it started are gone before the next. */
export const walkLoopBody = (walk: Walk, node: Place, rounds: number, isPaced: boolean, round: () => Flow): Flow => {
  const { flow, moves } = repeated(walk, isPaced ? 1 : rounds, () => walkRounds(walk, round));
  if (moves) note(walk, node, "dangerous", "it changes folder in a loop");
  return printedBy(flow, rounds);
};

/** Walks the body until another round would start in the same state. Returns whether the folder changes. */
const walkRounds = (walk: Walk, round: () => Flow): { flow: Flow; moves: boolean } => {
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
