import type { ArithmeticFor, Word } from "unbash";
import type { Claim } from "../core/words/touch.ts";
import { pathClaims } from "./path-claims.ts";
import { prove } from "./values.ts";
import { mayBeObeyed, walkValue } from "./variables.ts";
import { assign, eachChoice, type Flow, PROVEN, UNKNOWN, united, unitedFolders, type Walk } from "./walk.ts";
import { fieldsOf } from "./words.ts";

/** What the words of a loop say: the folders that their patterns list, and why its name must not be set. */
export type Counted = { listed: Claim[]; obeyed: string | undefined };

/** Gives the name of a loop every value that its words stand for. */
export const nameValues = (name: string, wordlist: readonly Word[] | undefined, walk: Walk): Counted => {
  const fields = wordlist && eachChoice(walk, () => wordlist.flatMap((word) => fieldsOf(word, walk))).flat();
  const listed = fields?.filter((field) => field.glob).flatMap((field) => pathClaims("list", field, walk)) ?? [];
  const values = [...new Set(fields?.map((field) => field.text) ?? walk.scope.positional)];
  const obeyed = mayBeObeyed(name) ? `it sets ${name}, which programs may obey` : undefined;
  if (obeyed !== undefined) for (const value of values) walkValue(walk, name, value);
  walk.scope.variables ??= new Map();
  walk.scope.variables.delete(PROVEN + name);
  walk.scope.variables.set(name, values.length === 0 ? [UNKNOWN] : values);
  if (fields !== undefined && values.length > 0 && fields.every(({ worked }) => worked)) prove(name, walk);
  return { listed, obeyed };
};

/** After a loop that may not have run, its name may have the value that it had before. */
export const leaveName = (name: string, earlier: readonly string[] | undefined, walk: Walk): void => {
  if (walk.branch === 0) return;
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

const MOST_ROUNDS = 3;

type Variables = Walk["scope"]["variables"];

/** A value that did not change is still the same list. */
const isSame = (before: Variables, after: Variables): boolean => {
  if ((before?.size ?? 0) !== (after?.size ?? 0)) return false;
  if (before !== undefined) for (const [name, values] of before) if (after?.get(name) !== values) return false;
  return true;
};

/** How many files are known to hold something. */
const filesIn = ({ fetchedFiles, writtenFiles }: Walk): number => (fetchedFiles?.size ?? 0) + (writtenFiles?.size ?? 0);

/** Walks the body of a loop again where a round changed what the next one starts with. Says whether it never settled. */
export const walkRounds = (walk: Walk, round: () => Flow): { flow: Flow; moves: boolean } => {
  const { folders } = walk.scope;
  let before = walk.scope.variables && new Map(walk.scope.variables);
  let files = filesIn(walk);
  let flow = round();
  let moves = walk.scope.folders !== folders;
  for (let rounds = 1; rounds < MOST_ROUNDS && !walk.exceeded; rounds++) {
    if (!moves && isSame(before, walk.scope.variables) && files === filesIn(walk)) break;
    files = filesIn(walk);
    before = walk.scope.variables && new Map(walk.scope.variables);
    if (moves) walk.scope.folders = unitedFolders(walk.scope.folders, folders);
    moves = false;
    const start = walk.scope.folders;
    walk.again++;
    flow = round();
    walk.again--;
    moves = walk.scope.folders !== start;
  }
  const changes = walk.scope.folders !== folders;
  if (changes) walk.scope.folders = unitedFolders(walk.scope.folders, [UNKNOWN]);
  return { flow, moves: changes };
};
