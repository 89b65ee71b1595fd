import type { Given } from "./programs/program.ts";
import { changedFlow, type Field, type Flow, type Walk } from "./walk.ts";

/** More processes at a time than this are a flood; it also stands for a number that is not known. */
const MOST = 64;
export const MANY = MOST + 1;
export const ENDLESS = Number.POSITIVE_INFINITY;

/** The finding for starting processes in so many rounds without waiting for any. */
export const flood = (rounds: number): { class: "dangerous" | "blocked"; rule: string } | undefined => {
  if (rounds <= MOST) return undefined;
  return rounds === ENDLESS
    ? { class: "blocked", rule: "it starts processes without end, and without waiting for them" }
    : { class: "dangerous", rule: "it may start very many processes at once" };
};

/** Runs a step with the number of rounds that it is repeated for. */
export const repeated = <T>(walk: Walk, rounds: number, act: () => T): T => {
  const before = walk.rounds;
  walk.rounds *= Math.max(rounds, 1);
  const result = act();
  walk.rounds = before;
  return result;
};

const SEQ = /^seq(?: +-w)?((?: +-?\d{1,9}){1,3})$/;

/** How many numbers `seq 1 10` prints; undefined where it is not certain. */
const numbersOf = (command: string): number | undefined => {
  const numbers = SEQ.exec(command)?.[1]?.trim().split(/ +/).map(Number);
  if (numbers === undefined) return undefined;
  const [first, step, last] = [
    numbers.length > 1 ? (numbers[0] as number) : 1,
    numbers.length > 2 ? (numbers[1] as number) : 1,
    numbers.at(-1) as number,
  ];
  return step === 0 ? ENDLESS : Math.max(0, Math.floor((last - first) / step) + 1);
};

/** The same for `$(seq 1 10)`. */
export const countedBySeq = (word: string): number | undefined => {
  const [, dollar, backtick] = /^"?(?:\$\(([^()]*)\)|`([^`]*)`)"?$/.exec(word) ?? [];
  const command = dollar ?? backtick;
  return command === undefined ? undefined : numbersOf(command.trim());
};

/** Programs that print no more lines than they are given. */
const KEEPING: ReadonlySet<string> = new Set("cat tac sort uniq head tail tee grep shuf nl rev".split(" "));

/** How many lines a program prints at most, if its text is not known. */
export const linesOf = (program: string, fields: readonly Field[], stdin: Flow | undefined): number | undefined => {
  if (program === "yes") return ENDLESS;
  if (program === "seq") return numbersOf(["seq", ...fields.slice(1).map(({ text }) => text)].join(" "));
  if (stdin?.lines === undefined) return undefined;
  if (stdin.lines !== ENDLESS) return KEEPING.has(program) ? stdin.lines : MANY;
  if (program !== "head") return ENDLESS;
  const [, count] =
    /^-n? ?(\d+)$/.exec(
      fields
        .slice(1)
        .map(({ text }) => text)
        .join(" "),
    ) ?? [];
  return fields.length === 1 ? 10 : Number(count ?? MANY);
};

/** How many lines come in. */
export const linesIn = (stdin: Flow | undefined): number =>
  stdin?.lines ?? (stdin?.text === undefined ? MANY : stdin.text.split("\n").length);

/** A loop prints the output of its body, once per round. */
export const printedBy = (flow: Flow, rounds: number): Flow =>
  flow.text === undefined && flow.lines === undefined ? flow : changedFlow(flow, { lines: rounds * linesIn(flow) });

/** Programs that keep running for as long as they are told, or run others. */
const LASTING =
  /^(?:sleep|yes|tail|top|vmstat|watch|wait|read|ping|timeout|env|nice|nohup|setsid|xargs|(?:ba|da|z|k|a|mk|fi)?sh)$/;

/**
 * Whether `xargs` may run more commands at a time than a machine can handle, given the number of words.
 * A program that only reads its files ends soon, and remote commands ask anyway.
 */
export const runsManyAtOnce = (procs: Given | undefined, stdin: Flow | undefined, words: readonly Field[]): boolean => {
  if (procs === undefined) return false;
  const { text = "", worked = false } = procs.value ?? {};
  if (worked && /^0*[1-9]\d?$/.test(text) && Number(text) <= MOST) return false;
  return !stdin?.names || words.some((word) => LASTING.test(word.text.slice(word.text.lastIndexOf("/") + 1)));
};
