import {
  type AndOr,
  type ArithmeticFor,
  type CompoundList,
  type Function as FunctionNode,
  forEachChild,
  type PipelineNode,
  type SyntaxNode,
  type While,
} from "unbash";
import { ENDLESS, linesIn, MANY } from "./floods.ts";
import type { Flow } from "./walk.ts";

type Call = { name: string; forks: boolean };

const MOST_NODES = 2_000;

/** The names of all commands below a node, and whether each is started in parallel with others. */
const callsIn = (root: SyntaxNode): Call[] => {
  const calls: Call[] = [];
  let nodes = 0;
  const visit = (node: SyntaxNode, forks: boolean): void => {
    if (++nodes > MOST_NODES) return;
    if (node.type === "Command" && node.name) calls.push({ name: node.name.value, forks });
    const beside =
      forks ||
      (node.type === "Statement" && node.background === true) ||
      (node.type === "Pipeline" && node.commands.length > 1) ||
      node.type === "CommandExpansion" ||
      node.type === "ProcessSubstitution" ||
      node.type === "Coproc";
    forEachChild(node, (child) => visit(child, beside));
  };
  visit(root, false);
  return calls;
};

/** Whether a function calls itself, directly or through others, and starts another process on the way. */
export const isForkBomb = (name: string, functions: ReadonlyMap<string, FunctionNode>): boolean => {
  const open: Call[] = [{ name, forks: false }];
  const seen = new Set<string>();
  for (let call = open.pop(); call !== undefined; call = open.pop()) {
    const key = `${call.name} ${call.forks}`;
    const body = functions.get(call.name);
    if (body === undefined || seen.has(key) || seen.size > 64) continue;
    seen.add(key);
    for (const next of callsIn(body.body)) {
      const forks = call.forks || next.forks;
      if (next.name === name && forks) return true;
      open.push({ name: next.name, forks });
    }
  }
  return false;
};

const PAUSES: ReadonlySet<string> = new Set([
  "sleep",
  "wait",
  "read",
  "break",
  "exit",
  "return",
  "inotifywait",
  "usleep",
]);

const SUCCEEDING: ReadonlySet<string> = new Set(["true", ":", "yes", "echo", "printf"]);

/** Whether a condition is always true or always false, as far as its words tell. */
const outcomeOf = (node: PipelineNode | AndOr): boolean | undefined => {
  switch (node.type) {
    case "Command": {
      const name = node.name?.value;
      if (name === undefined || SUCCEEDING.has(name)) return true;
      // `[ 1 ]`: a single word is true
      if ((name === "[" && node.suffix.length <= 2) || (name === "test" && node.suffix.length === 1)) return true;
      return name === "false" ? false : undefined;
    }
    case "BraceGroup":
    case "Subshell":
      return outcomeOfList(node.body);
    case "Redirected":
      return outcomeOf(node.command);
    case "Pipeline": {
      const outcome = outcomeOf(node.commands.at(-1) as PipelineNode);
      const turned = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
      return outcome === undefined ? undefined : outcome !== turned;
    }
    case "AndOr":
      return node.operators.reduce<boolean | undefined>(
        (before, operator, index) => joinedOutcome(before, operator === "&&", node.commands[index + 1] as PipelineNode),
        outcomeOf(node.commands[0] as PipelineNode),
      );
    default:
      return undefined;
  }
};

const joinedOutcome = (before: boolean | undefined, isAnd: boolean, next: PipelineNode): boolean | undefined => {
  if (before === !isAnd) return before;
  const after = outcomeOf(next);
  // the outcome is the same whether or not the second command runs
  return before === isAnd || after === !isAnd ? after : undefined;
};

const outcomeOfList = ({ commands }: CompoundList): boolean | undefined => {
  const last = commands.at(-1);
  return last && (last.background ? true : outcomeOf(last.command));
};

const staysTrue = ({ kind, clause }: While): boolean =>
  clause.commands.at(-1)?.command.type === "ArithmeticCommand" || outcomeOfList(clause) === (kind === "while");

/** A loop without end whose body puts processes in the background and never waits. */
export const isEndless = (loop: While | ArithmeticFor): boolean => {
  if (loop.type === "While" ? !staysTrue(loop) : loop.test) return false;
  const found = startedIn(loop.body, { background: false, pauses: false });
  return found.background && !(loop.type === "While" ? startedIn(loop.clause, found) : found).pauses;
};

/** A shorter pause lets processes pile up. */
const LEAST_PAUSE = 0.05;

/** Commands that wait for something, or end the loop. */
const STOPPING: ReadonlySet<string> = new Set(["break", "exit", "return", "inotifywait", "usleep"]);

const pauses = (node: PipelineNode | AndOr): boolean => {
  switch (node.type) {
    case "Command": {
      const words = node.suffix.map((word) => ("text" in word ? word.text : ""));
      // `wait` returns at once for a job that does not exist
      if (node.name?.value === "wait") return words.every((word) => word === "-n" || /^"?\$!"?$/.test(word));
      if (STOPPING.has(node.name?.value ?? "")) return true;
      return node.name?.value === "sleep" && words.length === 1 && Number.parseFloat(words[0] as string) >= LEAST_PAUSE;
    }
    case "AndOr":
      return pauses(node.commands[0] as PipelineNode);
    case "Pipeline":
      return node.commands.length === 1 && pauses(node.commands[0] as PipelineNode);
    case "BraceGroup":
      return waitsEachRound(node.body);
    default:
      return false;
  }
};

/** Whether a list of commands waits every time that it runs, before it is run again. */
export const waitsEachRound = ({ commands: [first, ...more] }: CompoundList): boolean => {
  // a subshell waits for what it has started itself
  if (first?.command.type === "Subshell" && !first.background && more.length === 0)
    return waitsEachRound(first.command.body);
  return [first, ...more].some((each) => each && !each.background && pauses(each.command));
};

/** How often a loop runs until its condition says otherwise; one that reads runs for each line that it is given. */
export const roundsOfWhile = (node: While, stdin: Flow | undefined): number => {
  const { command } = node.clause.commands.at(-1) ?? {};
  if (command?.type === "Command" && command.name?.value === "read") return linesIn(stdin);
  if (outcomeOfList(node.clause) === (node.kind === "until")) return 1;
  return staysTrue(node) ? roundsWithoutEnd(node) : MANY;
};

/** A loop whose body may wait or end somewhere is not certain to run forever. */
export const roundsWithoutEnd = (loop: While | ArithmeticFor): number => {
  const found = startedIn(loop.body, { background: false, pauses: false });
  return (loop.type === "While" ? startedIn(loop.clause, found) : found).pauses ? MANY : ENDLESS;
};

type Started = { background: boolean; pauses: boolean };

/** Whether anything below a node is left running, at whatever depth, and whether something pauses that is waited for. */
const startedIn = (root: SyntaxNode, before: Started): Started => {
  const found = { ...before };
  let nodes = 0;
  const visit = (node: SyntaxNode, beside: boolean): void => {
    if (++nodes > MOST_NODES || node.type === "Function") return;
    const left = (node.type === "Statement" && node.background === true) || node.type === "Coproc";
    if (left) found.background = true;
    const apart = beside || left || node.type === "ProcessSubstitution";
    if (!apart && node.type === "Command" && PAUSES.has(node.name?.value ?? "")) found.pauses = true;
    forEachChild(node, (child) => visit(child, apart));
  };
  visit(root, false);
  return found;
};
