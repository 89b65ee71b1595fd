import type { Function as FunctionNode, ParsedScript, Word } from "unbash";
import type { Claim, CommandClass } from "../core/words/touch.ts";

export type Risk = "low" | "medium" | "high";

/** One command of a line: what it is, who decided, and what it would touch. */
export type Segment = {
  text: string;
  program: string | undefined;
  class: CommandClass;
  risk: Risk;
  rule: string;
  touches: readonly Claim[];
  /** Its words after expansion; undefined for what only the running shell knows. */
  words: readonly (string | undefined)[];
  /** The command is only these words: all known and plain, with no assignments and no output redirections. */
  plain: boolean;
};

// Stand-ins inside resolved text; the same characters are removed from what people or models send.
/** A piece that only the running shell would know. */
export const UNKNOWN = "\u0000";
/** A piece that came over the network. */
export const FETCHED = "\u0001";
/** Process numbers chosen by matching whole command lines. */
export const SELECTED = "\u0002";

const STAND_INS = /[\u0000-\u0002]/g;
const STAND_IN = /[\u0000-\u0002]/;
/** Up to this length a loop is faster than a pattern. */
const SHORT = 32;
export const isKnown = (text: string): boolean => {
  if (text.length > SHORT) return !STAND_IN.test(text);
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 3) return false;
  return true;
};
const without = (text: string, shownAs: string): string =>
  isKnown(text) ? text : text === UNKNOWN ? shownAs : text.replace(STAND_INS, shownAs);
export const withoutStandIns = (text: string): string => without(text, "");

/** For people: unknown parts are shown as … */
export const shown = (text: string): string => without(text, "…");

/**
 * What comes out of a command, as far as it is known before it runs. `listed`: names from this folder; `pieces`: what
 * is between the NULs in it, which are not in `text`; `open`: only a part of `text` is known, so it is no value; `names`:
 * nothing but names of files below where the line starts; `found`: all of those that it may be; `lines`: how many there
 * are at most, where the text does not say; `session`: what a shell answers to commands that come in.
 */
export type Flow = {
  text: string | undefined;
  fetched: boolean;
  selected: boolean;
  listed: string | undefined;
  pieces: readonly string[] | undefined;
  open: true | undefined;
  names: true | undefined;
  found: readonly Found[] | undefined;
  lines: number | undefined;
  session: true | undefined;
};
/** Names that fit a pattern below a folder. `split`: blanks in them make several words of one. */
export type Found = { folder: string; scope: string; split?: boolean };
export const textFlow = (text: string | undefined): Flow => ({
  text,
  fetched: false,
  selected: false,
  listed: undefined,
  pieces: undefined,
  open: undefined,
  names: undefined,
  found: undefined,
  lines: undefined,
  session: undefined,
});
export const changedFlow = (flow: Flow, change: Partial<Flow>): Flow =>
  Object.assign(textFlow(undefined), flow, change);
export const UNKNOWN_FLOW: Flow = textFlow(undefined);
export const SESSION_FLOW: Flow = changedFlow(UNKNOWN_FLOW, { session: true });
export const NAMES_FLOW: Flow = changedFlow(UNKNOWN_FLOW, { names: true });
export const FETCHED_FLOW: Flow = changedFlow(UNKNOWN_FLOW, { fetched: true });
export const SELECTED_FLOW: Flow = changedFlow(UNKNOWN_FLOW, { selected: true });
export const textOf = (flow: Flow): string =>
  flow.fetched ? FETCHED : flow.selected ? SELECTED : flow.open ? UNKNOWN : (flow.text ?? UNKNOWN);

/**
 * One word after all expansions. `marks`: the kinds of characters in its text; `literal`: only quoting was removed; `worked`: the text is what the shell will make of
 * it; `whole`: it is a single word, whatever it contains; `given`: it comes from the input of `xargs`, as a known word or
 * the name of a file here (`known`) or as anything, or it is a path that `find` found; `found`: everything it may be,
 * whatever its text; `links`: false if what was found is no link.
 */
export type Field = {
  text: string;
  marks: number;
  literal: boolean;
  worked: boolean;
  whole: boolean;
  glob: boolean;
  flow: Flow | undefined;
  given: false | "known" | "path" | "anything";
  found: readonly Found[] | undefined;
  links: false | undefined;
};

export type Scope = {
  /** Every value a variable may have here, in the order of assignment. */
  variables: Map<string, readonly string[]> | undefined;
  functions: Map<string, FunctionNode> | undefined;
  positional: readonly string[];
  /** The folders the shell may be in, the likeliest first; "" is where the line starts. */
  folders: readonly string[];
};

/** A judged command, with the folders the shell may have been in. */
export type Ran = { fields: readonly Field[]; folders: readonly string[]; decision: Decision };

/** The state of one analysis. */
export type Walk = {
  scope: Scope;
  source: string;
  /** The whole line; `source` may be a script that it gives to another shell. */
  line: string;
  home: string | undefined;
  safeCommands: readonly string[];
  /** More than zero: assignments here may not happen. */
  branch: number;
  depth: number;
  /** Which of several possible values is looked at, and how many there are to look at. */
  choice: number;
  choices: number;
  /** How often the current part may run before anything waits for the processes it starts. */
  rounds: number;
  /** More than zero inside the body of a function that is called: the body was already judged where it was defined. */
  again: number;
  work: number;
  /** More than zero: the text may not be a command, but is read as if it were one. */
  trying: number;
  parsed: boolean;
  /** A limit was reached, so part of the line was not examined. */
  exceeded: boolean;
  floor: CommandClass;
  doubt: string | undefined;
  segments: Segment[];
  /** Every judged command with its folders, if the files that decide what the line runs are wanted. */
  ran: undefined | Ran[];
  /** Files that contain text from the network. */
  fetchedFiles: Set<string> | undefined;
  /** Whether the names of some of them are patterns. */
  fetchedByPattern: boolean;
  /** Files with content that this line wrote. */
  writtenFiles: Map<string, string> | undefined;
  uses: Uses;
  /** An expansion in the line may set or run something by itself. */
  acts: boolean;
  /** Whether something in the line may consume a command's output. */
  flowing: boolean;
  /** Whether `xargs` may turn that output into words, and whether a `>(…)` may receive it. */
  giving: boolean;
  feeding: boolean;
  /** Whether patterns may match names that begin with a dot; `undefined` until it is needed. */
  dots: boolean | undefined;
  /** Whether one name may stand for another: `declare -n`. */
  refers: boolean;
  /** Names that govern, as searches of the line may print them. */
  searched: undefined | Claim[];
  /** Variables set by the line that programs may obey. */
  obeyed: undefined | { name: string; value: string }[];
  /** The text that was last judged as commands of a fresh shell, and its folders. */
  judged: undefined | { text: string; folders: readonly string[] };
  /** Where `exec > >(…)` sends what the commands after it print. */
  sinks: readonly Word[] | undefined;
  script: (script: ParsedScript, walk: Walk, stdin: Flow | undefined) => Flow;
  command: (fields: readonly Field[], walk: Walk, stdin: Flow | undefined) => Flow;
  body: (body: FunctionNode, walk: Walk, stdin: Flow | undefined) => Flow;
  set: (walk: Walk, name: string, text: string) => void;
};

/** What was decided about one command, and what comes out of it. */
export type Decision = {
  class: CommandClass;
  risk: Risk;
  rule: string;
  touches: Claim[];
  flow: Flow;
};

export type Uses = {
  substitution: boolean;
  backticks: boolean;
  newline: boolean;
  redirection: boolean;
  expansion: boolean;
  assignment: boolean;
  background: boolean;
};

export const LIMITS = {
  length: 32_768,
  depth: 16,
  work: 2_000,
  segments: 256,
  choices: 256,
  braces: 64,
  value: 4_096,
} as const;

const strictness = (kind: CommandClass): number =>
  kind === "safe" ? 0 : kind === "dev" ? 1 : kind === "dangerous" ? 2 : 3;
export const stricter = (a: CommandClass, b: CommandClass): CommandClass => (isStricter(b, a) ? b : a);
export const isStricter = (a: CommandClass, b: CommandClass): boolean => strictness(a) > strictness(b);

const weight = (risk: Risk): number => (risk === "low" ? 0 : risk === "medium" ? 1 : 2);
export const riskier = (a: Risk, b: Risk): Risk => (weight(a) >= weight(b) ? a : b);

export const doubt = (walk: Walk, reason: string, floor: CommandClass = "dangerous"): void => {
  if (isStricter(floor, walk.floor)) walk.doubt = reason;
  walk.floor = stricter(walk.floor, floor);
};

/** The text of a part; only texts that were put together here may hold stand-ins. */
export const textAt = (walk: Walk, { pos, end }: { pos: number; end: number }): string => {
  const text = walk.source.slice(pos, end);
  return walk.depth === 0 ? text : shown(text);
};

/** Runs a step once for every value that its variables may have. */
export const eachChoice = <T>(walk: Walk, act: () => T): T[] => {
  if (walk.choices > 0) return [act()];
  walk.choices = 1;
  const results = [act()];
  while (hasNextChoice(walk)) results.push(act());
  return results;
};

/** Advances to the next value to look at. */
export const hasNextChoice = (walk: Walk): boolean => {
  walk.choice++;
  if (walk.choice < walk.choices && walk.choice < LIMITS.choices) return true;
  if (walk.choices > LIMITS.choices) walk.exceeded = true;
  walk.choice = 0;
  walk.choices = 0;
  return false;
};

/** Counts work; true when the budget is used up. */
export const exhausted = (walk: Walk, cost = 1): boolean => {
  walk.work += cost;
  if (walk.work > LIMITS.work) walk.exceeded = true;
  return walk.exceeded;
};

export const forked = (scope: Scope, positional = scope.positional): Scope => ({
  variables: scope.variables && new Map(scope.variables),
  functions: scope.functions && new Map(scope.functions),
  positional,
  folders: scope.folders,
});

/** Whether the shell is in its initial state except for its folder: nothing set, defined, fetched or written. */
export const isFresh = ({ scope, fetchedFiles, writtenFiles }: Walk): boolean =>
  scope.variables === undefined &&
  scope.functions === undefined &&
  scope.positional.length === 0 &&
  fetchedFiles === undefined &&
  writtenFiles === undefined;

/** Runs a step as in a subshell: what it sets is discarded afterwards. */
export const inSubshell = <T>(walk: Walk, act: () => T): T => {
  const before = walk.scope;
  walk.scope = forked(before);
  const result = act();
  walk.scope = before;
  return result;
};

/** Prefix of the mark for a variable whose values are certain. */
export const PROVEN = "=";

/** What variable names look like; the marks kept beside the variables begin with other characters. */
export const isVariableName = (name: string): boolean => /^\w/.test(name);

export const assign = (walk: Walk, name: string, text: string): void => {
  if (!isVariableName(name)) return;
  const value = text.length <= LIMITS.value ? text : text.includes(FETCHED) ? FETCHED : UNKNOWN;
  walk.scope.variables ??= new Map();
  walk.scope.variables.delete(PROVEN + name);
  const earlier = walk.branch > 0 || walk.choice > 0 ? walk.scope.variables.get(name) : undefined;
  if (earlier === undefined) walk.scope.variables.set(name, walk.branch > 0 ? [value, UNKNOWN] : [value]);
  else if (!earlier.includes(value))
    walk.scope.variables.set(name, earlier.length < LIMITS.choices ? [...earlier, value] : [UNKNOWN]);
};

/** Sets a variable to something that is not known, and may be this text. */
export const assignMaybe = (walk: Walk, name: string, text: string): void => {
  assign(walk, name, UNKNOWN);
  if (isVariableName(name)) walk.scope.variables?.set(name, [UNKNOWN, text]);
};
