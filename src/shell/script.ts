import type {
  AndOr,
  CaseItem,
  Command,
  CommandNode,
  CompoundList,
  Function as FunctionNode,
  ParsedScript,
  Pipeline,
  Redirection,
  Statement,
} from "unbash";
import { isPlainTest, noteMatch, testedFiles } from "./conditions.ts";
import { flood, MANY } from "./floods.ts";
import { united, unitedFolders } from "./folders.ts";
import { isEndless, isForkBomb, roundsOfWhile, roundsWithoutEnd, waitsEachRound } from "./forks.ts";
import { countedRounds, leaveName, perhaps, walkLoopBody, walkLoopWords } from "./loops.ts";
import { feed, type Redirected, redirect, unredirected } from "./redirects.ts";
import { note, type Place } from "./segments.ts";
import { combined } from "./several-flows.ts";
import { walkCommand } from "./simple-command.ts";
import { setVariable } from "./variables.ts";
import {
  eachChoice,
  exhausted,
  type Flow,
  forked,
  inSubshell,
  LIMITS,
  UNKNOWN,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";
import { textOfWord, walkArithmetic, walkNested } from "./words.ts";
import { noteCoprocess, noteOutput } from "./written-files.ts";

type Node = CommandNode | Pipeline | AndOr | CompoundList;
const leaveRunning = (statement: Statement, walk: Walk): void => {
  walk.uses.background = true;
  const flooding = flood(walk.rounds);
  if (flooding) note(walk, statement, flooding.class, flooding.rule);
};

const walkStatements = (statements: readonly Statement[], walk: Walk, stdin: Flow | undefined): Flow => {
  let flow: Flow | undefined;
  for (const statement of statements) {
    if (walk.exceeded) break;
    if (statement.background) leaveRunning(statement, walk);
    const next = walkNode(statement.command, walk, stdin);
    flow = combined(flow, next);
  }
  return flow ?? UNKNOWN_FLOW;
};

const FOLDER_CHANGES: ReadonlySet<string> = new Set(["cd", "chdir", "pushd"]);
const isFolderChange = (node: CommandNode | Pipeline): boolean =>
  node.type === "Command" && FOLDER_CHANGES.has(node.name?.value ?? "");

const walkAndOr = (node: AndOr, walk: Walk, stdin: Flow | undefined): Flow => {
  const before = walk.scope.folders;
  let seen = before;
  let last: readonly string[] = before;
  let flow: Flow | undefined;
  for (let index = 0; index < node.commands.length; index++) {
    const command = node.commands[index] as CommandNode | Pipeline;
    const either = node.operators[index - 1] === "||";
    if (index === 1) walk.branch++;
    // what follows `||` runs also if the `cd` before it failed
    if (either && seen !== before) {
      last = unitedFolders(walk.scope.folders, seen);
      walk.scope.folders = last;
    }
    const next = walkNode(command, walk, stdin);
    if (walk.scope.folders !== last) {
      seen = united(seen, walk.scope.folders);
      // after `cd x &&` the shell is certainly in x
      if (node.operators[index] === "&&" && !either && isFolderChange(command))
        walk.scope.folders = walk.scope.folders.slice(0, Math.max(1, walk.scope.folders.length - before.length));
      last = walk.scope.folders;
    }
    flow = combined(flow, next);
  }
  if (node.commands.length > 1) walk.branch--;
  if (seen !== before) walk.scope.folders = unitedFolders(walk.scope.folders, seen);
  return flow ?? UNKNOWN_FLOW;
};

const walkPipeline = (node: Pipeline, walk: Walk, stdin: Flow | undefined): Flow => {
  if (node.commands.length === 1) return walkNode(node.commands[0] as CommandNode, walk, stdin);
  let flow = stdin;
  for (const command of node.commands) flow = walkBeside(command, walk, flow);
  return flow ?? UNKNOWN_FLOW;
};

/** Like `inSubshell`, but without a copy if there is nothing to copy. */
const walkBeside = (command: CommandNode, walk: Walk, stdin: Flow | undefined): Flow => {
  const { scope } = walk;
  if (scope.variables !== undefined || scope.functions !== undefined)
    return inSubshell(walk, () => walkNode(command, walk, stdin));
  const { positional, folders } = scope;
  const flow = walkNode(command, walk, stdin);
  scope.variables = undefined;
  scope.functions = undefined;
  scope.positional = positional;
  scope.folders = folders;
  return flow;
};

const walkRedirections = (
  redirections: readonly Redirection[],
  walk: Walk,
  stdin: Flow | undefined,
  node: Place,
): Redirected => {
  const redirected: Redirected = unredirected(stdin);
  eachChoice(walk, () => {
    for (const each of redirections) redirect(each, redirected, walk, stdin);
  });
  const { output, blocked, network, expanded, touches } = redirected;
  if (blocked !== undefined) note(walk, node, "blocked", blocked, touches);
  else if (output !== undefined) note(walk, node, "dangerous", `it writes to ${output}`, touches);
  else if (network) note(walk, node, "dangerous", "it talks to the network", touches, "high");
  else if (expanded) note(walk, node, "dangerous", "a redirection depends on an expansion", touches, "low");
  else if (touches.length > 0) note(walk, node, "safe", "it reads a file", touches);
  return redirected;
};

const walkRedirected = (node: Extract<Node, { type: "Redirected" }>, walk: Walk, stdin: Flow | undefined): Flow => {
  const { stdin: input, targets, fed } = walkRedirections(node.redirects, walk, stdin, node);
  const flow = walkNode(node.command, walk, input);
  noteOutput(targets, flow, walk);
  feed(fed, flow, walk);
  return flow;
};

/** The arguments that a function will be called with, which are not known. */
const UNKNOWN_WORDS: readonly string[] = Array.from({ length: 9 }, () => UNKNOWN);

const defineFunction = (node: FunctionNode, walk: Walk, stdin: Flow | undefined): Flow => {
  const name = node.name.value;
  walk.scope.functions ??= new Map();
  walk.scope.functions.set(name, node);
  const bomb = isForkBomb(name, walk.scope.functions);
  note(
    walk,
    node,
    bomb ? "blocked" : "dangerous",
    bomb ? "a fork bomb: a function that keeps starting itself" : "it defines a function",
  );
  const before = walk.scope;
  walk.scope = forked(before, UNKNOWN_WORDS);
  walk.scope.functions?.delete(name);
  const { rounds } = walk;
  walk.rounds = 1;
  perhaps(walk, () => walkBody(node, walk, stdin));
  walk.rounds = rounds;
  walk.scope = before;
  return UNKNOWN_FLOW;
};

export const walkBody = (node: FunctionNode, walk: Walk, stdin: Flow | undefined): Flow => {
  if (walk.depth >= LIMITS.depth) {
    walk.exceeded = true;
    return UNKNOWN_FLOW;
  }
  walk.depth++;
  const flow = walkNode(node.body, walk, stdin);
  walk.depth--;
  return flow;
};

const walkLoop = (
  body: CompoundList,
  walk: Walk,
  stdin: Flow | undefined,
  node: Place,
  rounds: number,
  clause?: CompoundList,
): Flow => {
  const isPaced = waitsEachRound(body) || (clause !== undefined && waitsEachRound(clause));
  return walkLoopBody(walk, node, rounds, isPaced, () => {
    const tested = clause && walkList(clause, walk, stdin);
    const done = perhaps(walk, () => walkList(body, walk, stdin));
    return combined(tested, done);
  });
};

const walkItem = (item: CaseItem, walk: Walk, stdin: Flow | undefined): Flow => {
  eachChoice(walk, () => {
    for (const pattern of item.pattern) textOfWord(pattern, walk);
  });
  return perhaps(walk, () => walkStatements(item.body.commands, walk, stdin));
};

const walkList = (list: CompoundList, walk: Walk, stdin: Flow | undefined): Flow =>
  walkStatements(list.commands, walk, stdin);

const walkNode = (node: Node, walk: Walk, stdin: Flow | undefined): Flow =>
  node.type === "Command" ? walkCommand(node, walk, stdin) : walkCompound(node, walk, stdin);

const walkCompound = (node: Exclude<Node, Command>, walk: Walk, stdin: Flow | undefined): Flow => {
  if (exhausted(walk)) return UNKNOWN_FLOW;
  switch (node.type) {
    case "Pipeline":
      return walkPipeline(node, walk, stdin);
    case "AndOr":
      return walkAndOr(node, walk, stdin);
    case "CompoundList":
      return walkList(node, walk, stdin);
    case "BraceGroup":
      return walkList(node.body, walk, stdin);
    case "Subshell":
      return inSubshell(walk, () => walkList(node.body, walk, stdin));
    case "Redirected":
      return walkRedirected(node, walk, stdin);
    case "Function":
      return defineFunction(node, walk, stdin);
    case "Coproc":
      note(walk, node, "dangerous", "it runs in the background", [], "low");
      if (node.name) setVariable(walk, node.name.text, UNKNOWN);
      return noteCoprocess(
        node.name?.text ?? "COPROC",
        inSubshell(walk, () => walkNode(node.body, walk, stdin)),
        walk,
      );
    case "If": {
      let flow = walkList(node.clause, walk, stdin);
      const add = (act: () => Flow): void => {
        const next = perhaps(walk, act);
        flow = combined(flow, next);
      };
      add(() => walkList(node.then, walk, stdin));
      for (const { clause, then } of node.elif)
        add(() => combined(walkList(clause, walk, stdin), walkList(then, walk, stdin)));
      const last = node.else;
      if (last) add(() => walkList(last, walk, stdin));
      return flow;
    }
    case "While":
      if (!isEndless(node)) return walkLoop(node.body, walk, stdin, node, roundsOfWhile(node, stdin), node.clause);
      note(walk, node, "blocked", "an endless loop that starts processes without waiting");
      return walkLoop(node.body, walk, stdin, node, 1, node.clause);
    case "Select":
      note(walk, node, "dangerous", "it asks which value to use", [], "low");
      walkLoopWords(node.name.value, node.wordlist, walk, node);
      return walkLoop(node.body, walk, stdin, node, 1);
    case "For": {
      const earlier = walk.scope.variables?.get(node.name.value);
      const rounds = walkLoopWords(node.name.value, node.wordlist, walk, node);
      const flow = walkLoop(node.body, walk, stdin, node, rounds);
      leaveName(node.name.value, earlier, walk);
      return flow;
    }
    case "ArithmeticFor": {
      const rounds = countedRounds(node, walk.source, walk);
      if (rounds !== undefined) return walkLoop(node.body, walk, stdin, node, rounds);
      note(walk, node, "dangerous", "arithmetic can run commands held in variables", [], "low");
      if (isEndless(node)) note(walk, node, "blocked", "an endless loop that starts processes without waiting");
      for (const part of [node.initialize, node.test, node.update])
        if (part) walkArithmetic(part, walk.source.slice(part.pos, part.end), walk);
      return walkLoop(node.body, walk, stdin, node, isEndless(node) ? 1 : node.test ? MANY : roundsWithoutEnd(node));
    }
    case "Case": {
      eachChoice(walk, () => textOfWord(node.word, walk));
      let flow: Flow | undefined;
      for (const item of node.items) flow = combined(flow, walkItem(item, walk, stdin));
      return flow ?? UNKNOWN_FLOW;
    }
    case "TestCommand": {
      const isPlain = eachChoice(walk, () => isPlainTest(node.expression, walk)).every(Boolean);
      const tested = eachChoice(walk, () => testedFiles(node.expression, walk)).flat();
      noteMatch(node.expression, walk);
      if (isPlain) note(walk, node, "safe", "a test", tested);
      else {
        walkArithmetic(node.expression, walk.source.slice(node.pos, node.end), walk);
        note(walk, node, "dangerous", "a test that depends on an expansion", tested, "low");
      }
      return UNKNOWN_FLOW;
    }
    case "ArithmeticCommand":
      note(walk, node, "dangerous", "arithmetic can run commands held in variables", [], "low");
      if (node.expression) walkArithmetic(node.expression, node.body, walk);
      else walkNested(node, walk);
      return UNKNOWN_FLOW;
  }
};

export const walkScriptNode = (script: ParsedScript, walk: Walk, stdin: Flow | undefined): Flow =>
  walkStatements(script.commands, walk, stdin);
