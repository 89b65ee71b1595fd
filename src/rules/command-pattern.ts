import type { CommandReading, CommandSegment, RunTouch } from "../core/words/touch.ts";

import { depthOf, programName } from "./programs.ts";
import { isShortFor, otherSpellings, programKey, subcommandKey } from "./same-commands.ts";

/** A pattern for commands: words. If `open`, any words may follow. */
export type CommandPattern = { readonly words: readonly string[]; readonly open: boolean };

const QUOTED = /"([^"]*)"|'([^']*)'|(\S+)/g;

/** `git commit *` means `git commit` followed by any words. Words with blanks are quoted. */
export function readCommandPattern(text: string): CommandPattern {
  const words = Array.from(text.matchAll(QUOTED), ([, double, single, bare]) => double ?? single ?? bare ?? "");
  const open = words.at(-1) === "*";
  return { words: open ? words.slice(0, -1) : words, open };
}

const SEPARATOR = /[;&|<>`\n]|\$\(/;

/** What is wrong with a command pattern, if anything. */
export function commandProblem(text: string): string | undefined {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, "");
  if (SEPARATOR.test(bare))
    return "has more than one command or a redirection in it: write a rule for each command alone";
  return undefined;
}

const isOption = (word: string): boolean => word.length > 1 && word.startsWith("-");

/** `*` inside a word matches any characters. Uses two pointers to avoid exponential backtracking. */
export function fitsWord(pattern: string, word: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let mark = 0;
  while (at < word.length) {
    if (pattern[from] === "*") {
      star = from++;
      mark = at;
    } else if (pattern[from] === word[at]) {
      from++;
      at++;
    } else if (star >= 0) {
      from = star + 1;
      at = ++mark;
    } else return false;
  }
  while (pattern[from] === "*") from++;
  return from === pattern.length;
}

const isWild = (word: string): boolean => word.includes("*");

/** For rules that allow: every word must be in its place, and an option matches only where one is written. */
export function permitsWords({ words, open }: CommandPattern, given: readonly string[]): boolean {
  if (given.length < words.length || (!open && given.length > words.length)) return false;
  return words.every((pattern, index) => {
    const word = given[index] as string;
    if (!isWild(pattern)) return pattern === word;
    // a star must not match `..`
    if (word.split("/").includes("..")) return false;
    return fitsWord(pattern, word) && (isOption(pattern) || !isOption(word));
  });
}

/** For rules that forbid: options may stand between the words, and an unknown word matches any. */
export function forbidsWords({ words }: CommandPattern, given: readonly (string | null)[], from = 0): boolean {
  const [program, ...rest] = words;
  if (program === undefined) return true;
  const spelled = given.slice(from);
  return [spelled, ...otherSpellings(spelled, programName)].some((each) => isForbidden(program, rest, each));
}

function isForbidden(program: string, rest: readonly string[], [first, ...given]: readonly (string | null)[]): boolean {
  if (first === undefined) return false;
  if (first === null) return follows(rest, given);
  const name = programName(first).toLowerCase();
  const key = programKey(name);
  // a pattern that names one version means only that one
  if (!fitsWord(program.toLowerCase(), name) && program.toLowerCase() !== key) return false;
  return follows(rest, given, key);
}

/**
 * Whether the words come in this order, with nothing between them but options and an option's value. A star alone
 * matches any words, or none.
 */
function follows(words: readonly string[], given: readonly (string | null)[], program = ""): boolean {
  const patterns = words.slice(0, words.findLastIndex((word) => word !== "*") + 1);
  if (patterns.length === 0) return true;
  let met = new Set([0]);
  for (const [index, word] of given.entries()) {
    const before = given[index - 1];
    const next = new Set<number>();
    for (const count of pastStars(patterns, met)) {
      const pattern = patterns[count] as string;
      if (patterns[count - 1] === "*") next.add(count);
      if (word === null || fitsWord(pattern, word) || (count === 0 && isSame(program, pattern, word)))
        next.add(count + 1);
      const isValue = typeof before === "string" && isOption(before);
      if (word === null || isOption(word) || isValue || isOption(pattern)) next.add(count);
    }
    if (next.has(patterns.length)) return true;
    met = next;
  }
  return false;
}

const pastStars = (patterns: readonly string[], met: ReadonlySet<number>): number[] =>
  [...met].map((count) => {
    let next = count;
    while (patterns[next] === "*") next++;
    return next;
  });

const isSame = (program: string, pattern: string, word: string): boolean =>
  subcommandKey(program, pattern) === subcommandKey(program, word) || isShortFor(program, word, pattern);

/** The words of a command, if all are known and nothing else belongs to it. */
export function plainWords({ words, plain }: CommandSegment): readonly string[] | undefined {
  if (!plain || !words || words.length === 0 || words.includes(null)) return undefined;
  return words as readonly string[];
}

/** What a line may run; rules that forbid are tried on each: its commands, and those after unknown programs. */
export function* starts(
  segment: CommandSegment,
): Generator<readonly [words: readonly (string | null)[], from: number]> {
  const words = segment.words ?? [];
  yield [words, 0];
  if (segment.class !== "dangerous" && segment.class !== "blocked") return;
  // the words that say what a program does are not another program
  const first = depthOf(words.map((word) => word ?? ""));
  // an unknown word may be anything, but hardly the name of a program after another
  for (let index = first; index < words.length; index++) if (words[index] !== null) yield [words, index];
}

/** Whether the call sets variables for its command. They decide which code runs, so no rule allows such a call. */
export const setsVariables = ({ setting }: RunTouch): boolean => {
  if (setting === undefined) return false;
  try {
    const [, variables] = JSON.parse(setting) as [unknown, object];
    return Object.keys(variables).length > 0;
  } catch {
    return true;
  }
};

/** Whether a line was parsed with certainty, so that its segments are everything that runs. */
export const isSure = (reading: CommandReading | undefined): reading is CommandReading =>
  reading?.parsed === true && reading.sure === true;
