import type { Assignment, Command, Redirection, Word } from "unbash";
import { restoreNames, setFrom } from "./assignments.ts";
import { decided, reclassed, withFlow, withTouches } from "./decisions.ts";
import { INPUT, readFrom } from "./descriptors.ts";
import { isKnownField, openField, plainField } from "./fields.ts";
import { CALLED_SAFE, judged } from "./judge.ts";
import { namedPlaces } from "./named-places.ts";
import { isFetcher } from "./origins.ts";
import { nameOf } from "./paths.ts";
import { plainWord, quotedWord } from "./plain-words.ts";
import { feed, type Redirected, redirect, unredirected } from "./redirects.ts";
import { record } from "./segments.ts";
import { either } from "./several-flows.ts";
import { SHELLS } from "./shells.ts";
import { walkText } from "./texts.ts";
import { isHarmlessFor, mayBeObeyed } from "./variables.ts";
import {
  type Decision,
  doubt,
  exhausted,
  FETCHED_FLOW,
  type Field,
  type Flow,
  hasNextChoice,
  isStricter,
  LIMITS,
  riskier,
  type Segment,
  shown,
  stricter,
  textAt,
  UNKNOWN,
  UNKNOWN_FLOW,
  type Walk,
} from "./walk.ts";
import { fieldsOf, textOfWord } from "./words.ts";
import { leadsToFetched, noteFile, noteOutput } from "./written-files.ts";

/** `written`: its text in the line; a command inside another one is described by its words. */
const segmentOf = (
  decision: Decision,
  fields: readonly Field[],
  written: string | undefined,
  mayBePlain: boolean,
): Segment => {
  const words = new Array<string | undefined>(fields.length);
  let plain = mayBePlain;
  let program: string | undefined;
  let joined = "";
  for (let index = 0; index < fields.length; index++) {
    const field = fields[index] as Field;
    const { text, literal, glob } = field;
    const known = isKnownField(field);
    words[index] = known && !glob ? text : undefined;
    if (!literal || glob) plain = false;
    // a pattern as the program's name is not a known word, but still decides what runs
    if (known && index === 0) program = text;
    if (written !== undefined) continue;
    if (index > 0) joined += " ";
    joined += known ? text : shown(text);
  }
  return {
    text: written ?? joined,
    program,
    words,
    plain,
    class: decision.class,
    risk: decision.risk,
    rule: decision.rule,
    touches: decision.touches,
  };
};

/** A command inside another one: its words are already known. */
export const walkInner = (fields: readonly Field[], walk: Walk, stdin: Flow | undefined): Flow => {
  if (walk.depth >= LIMITS.depth || exhausted(walk, 2)) {
    walk.exceeded = true;
    return UNKNOWN_FLOW;
  }
  walk.depth++;
  const at = walk.segments.length;
  const decision = judged(fields, walk, stdin);
  walk.depth--;
  record(walk, segmentOf(decision, fields, undefined, true), at);
  return decision.flow;
};

/** `LC_ALL=C sort`: the variables only change how output looks, or no program reads them. */
const isHarmless = ({ name, value, append, index }: Assignment, fields: readonly Field[], walk: Walk): boolean =>
  value.type !== "ArrayValue" &&
  !append &&
  index === undefined &&
  isHarmlessFor(fields[0]?.text ?? "", name, walk.scope.variables?.get(name)?.[0] ?? UNKNOWN);

/** `x=$(date)`: a variable that no program reads, for later words of the line. */
const isOwn = (each: Command["prefix"][number]): boolean =>
  each.type !== "Assignment" ||
  (each.value.type !== "ArrayValue" && !each.append && each.index === undefined && !mayBeObeyed(each.name));

const ASSIGNED = decided("dangerous", "low", "it sets variables for later commands", [], UNKNOWN_FLOW);
const KEPT = reclassed(ASSIGNED, "safe", "it only sets a variable");
const NOTHING = reclassed(ASSIGNED, "safe", "it runs nothing");

const SHELL_FROM_NETWORK = "a shell that takes its commands from the network";

/** A redirection never makes a command's class milder. */
const withRedirections = (decision: Decision, redirected: Redirected, name: string | undefined): Decision => {
  const { output, network, expanded } = redirected;
  const fed = network && name !== undefined && SHELLS.has(nameOf(name));
  const blocked = fed ? SHELL_FROM_NETWORK : redirected.blocked;
  let why = blocked;
  if (output !== undefined) why ??= `it writes to ${output}`;
  if (expanded) why ??= "a redirection depends on an expansion";
  if (network) why ??= "it talks to the network";
  const atLeast = blocked !== undefined ? "blocked" : why !== undefined ? "dangerous" : "safe";
  return {
    class: stricter(decision.class, atLeast),
    risk: riskier(decision.risk, blocked !== undefined || network ? "high" : output !== undefined ? "medium" : "low"),
    rule: why !== undefined && isStricter(atLeast, decision.class) ? why : decision.rule,
    touches: redirected.touches.length === 0 ? decision.touches : [...decision.touches, ...redirected.touches],
    flow: decision.flow,
  };
};

const isRedirection = (node: { type: string }): node is Redirection =>
  node.type === "Redirect" || node.type === "HereDoc" || node.type === "HereString";

type Words = { fields: Field[]; redirections: Redirection[] | undefined };

/** `>(…)` in a command receives the command's output or its input. */
const given = (node: Command, walk: Walk, stdin: Flow | undefined): Flow | undefined =>
  walk.feeding && node.name !== undefined && isFetcher(node.name.value) ? FETCHED_FLOW : stdin;

const addWord = (fields: Field[], word: Word, walk: Walk, stdin: Flow | undefined): void => {
  const plain = plainWord(word) ?? quotedWord(word, walk);
  if (plain !== undefined) fields.push(plain);
  else for (const field of fieldsOf(word, walk, stdin)) fields.push(field);
};

const ELEMENT = /\]\}$/;

const OPENING = 40;
const hasBracket = (source: string, from: number, to: number): boolean => {
  for (let index = from; index < to; index++) if (source.charCodeAt(index) === OPENING) return true;
  return false;
};

const wordsOf = (node: Command, walk: Walk, stdin: Flow | undefined): Words => {
  const words: Words = { fields: [], redirections: undefined };
  if (node.name !== undefined) addWord(words.fields, node.name, walk, stdin);
  for (const each of node.prefix) if (isRedirection(each)) addRedirection(words, each);
  let { end } = node.name ?? node;
  for (const each of node.suffix) {
    // the parser skips a bracket between words: `ls ( a`
    if (hasBracket(walk.source, end, each.pos)) {
      walk.parsed = false;
      doubt(walk, "it is not valid shell");
    }
    // `{a[x]}>file` sets an element of an array, whose subscript is arithmetic
    if (each.pos === end) walk.acts ||= ELEMENT.test(walk.source.slice(0, end));
    end = each.end;
    if (each.type === "Word") addWord(words.fields, each, walk, stdin);
    else if (each.type === "Assignment") words.fields.push(fieldOfAssignment(each, walk));
    else addRedirection(words, each);
  }
  return words;
};

const addRedirection = (words: Words, each: Redirection): void => {
  if (words.redirections === undefined) words.redirections = [each];
  else words.redirections.push(each);
};

/** `export A=b`: the word as one field. */
const fieldOfAssignment = (assignment: Assignment, walk: Walk): Field => {
  const { value } = assignment;
  if (value.type === "ArrayValue") {
    setFrom(assignment, walk);
    return openField(assignment.text);
  }
  const fields = fieldsOf(value, walk);
  const text = fields.map((field) => field.text).join(" ");
  const { name, index, append } = assignment;
  const head = `${name}${index ? `[${textOfWord(index, walk)}]` : ""}${append ? "+=" : "="}`;
  const field = openField(head + text);
  // what an expansion leaves empty was written as something else
  field.literal = fields.length > 0 && fields.every(({ literal }) => literal);
  field.worked = fields.every(({ worked }) => worked);
  return field;
};

const takersIn = ({ suffix }: Command): Word[] =>
  suffix.filter((each): each is Word => each.type === "Word" && each.text.includes(">("));

/** Variables that are set for one command only are judged with it. */
const withVariables = (
  judgedAlone: Decision,
  node: Command,
  fields: readonly Field[],
  walk: Walk,
  before: Walk["scope"]["variables"],
): Decision => {
  let decision = judgedAlone;
  // a command that only a person declared safe may depend on any variable
  const harmless =
    decision.rule !== CALLED_SAFE &&
    node.prefix.every((each) => each.type !== "Assignment" || isHarmless(each, fields, walk));
  const named =
    decision.class === "safe"
      ? []
      : node.prefix.flatMap((each) =>
          each.type === "Assignment" && mayBeObeyed(each.name) ? (walk.scope.variables?.get(each.name) ?? []) : [],
        );
  restoreNames(node.prefix, before, walk);
  if (named.length > 0) {
    const places = namedPlaces("", [plainField(""), ...named.map(plainField)], walk);
    if (places.length > 0) decision = withTouches(decision, [...decision.touches, ...places]);
  }
  return !harmless && (decision.class === "safe" || decision.class === "dev")
    ? reclassed(decision, "dangerous", "it sets variables for the command")
    : decision;
};

/** `BASH_ENV=<(…) bash x`: the parser takes the assigned value for the program, and the program for its words. */
const walkAssignedSource = (node: Command, fields: readonly Field[], walk: Walk): void => {
  const last = node.prefix.at(-1);
  if (last?.type !== "Assignment" || node.name === undefined || last.end !== node.name.pos) return;
  const { flow } = fields[0] as Field;
  if (flow?.fetched) doubt(walk, "it runs text fetched from the network", "blocked");
  if (flow?.text !== undefined) walkText(flow.text, walk, undefined);
  if (fields.length > 1) walk.command(fields.slice(1), walk, undefined);
};

const once = (node: Command, walk: Walk, piped: Flow | undefined): Flow => {
  const at = walk.segments.length;
  // `exec <file` has changed the input of all that follows
  const stdin = piped ?? readFrom(INPUT, walk);
  const input = given(node, walk, stdin);
  const { fields, redirections } = wordsOf(node, walk, input);
  if (node.prefix.length > 0) walkAssignedSource(node, fields, walk);
  const assigned = node.prefix.length > 0 && node.prefix.some((each) => each.type === "Assignment");
  const { variables } = walk.scope;
  if (assigned) {
    walk.uses.assignment = true;
    if (fields.length > 0) walk.scope.variables = new Map(variables);
    for (const each of node.prefix) if (each.type === "Assignment") setFrom(each, walk, stdin);
    if (
      walk.fetchedFiles &&
      node.prefix.some((each) => each.type === "Assignment" && leadsToFetched(each.name, fields, walk))
    )
      doubt(walk, "it runs a file fetched from the network", "blocked");
  }
  let redirected: Redirected | undefined;
  if (redirections !== undefined) {
    redirected = unredirected(stdin);
    for (const each of redirections) redirect(each, redirected, walk, input);
  }
  const taken = redirected === undefined ? stdin : redirected.stdin;
  // what a `>(…)` among the words receives is known only now
  if (walk.feeding && taken !== undefined && taken !== stdin) feed(takersIn(node), taken, walk);
  const alone = assigned ? (node.prefix.every(isOwn) ? KEPT : ASSIGNED) : NOTHING;
  // `$(<file)` is what the file holds
  const held = !assigned && redirected?.stdin ? withFlow(alone, redirected.stdin) : alone;
  let decision = fields.length > 0 ? judged(fields, walk, taken) : held;
  if (assigned && fields.length > 0) decision = withVariables(decision, node, fields, walk, variables);
  if (redirected !== undefined) {
    decision = withRedirections(decision, redirected, fields[0]?.text);
    noteOutput(redirected.targets, decision.flow, walk);
    feed(redirected.fed, decision.flow, walk);
    if (fields.length === 1 && fields[0]?.text === "exec") {
      if (redirected.fed.length > 0) walk.sinks = redirected.fed;
      if (redirected.stdin !== undefined) noteFile(INPUT, redirected.stdin, walk);
    }
  }
  if (walk.sinks !== undefined) feed(walk.sinks, decision.flow, walk);
  if (fields.length === 0 && redirected === undefined && !assigned) return UNKNOWN_FLOW;
  const plain = !assigned && redirected?.output === undefined && !redirected?.network && !redirected?.expanded;
  record(walk, segmentOf(decision, fields, textAt(walk, node), plain), at);
  return decision.flow;
};

/** Judges a simple command once for every value that its variables may have. */
export const walkCommand = (node: Command, walk: Walk, stdin: Flow | undefined): Flow => {
  if (exhausted(walk)) return UNKNOWN_FLOW;
  // most commands have no variables, and lists of one element would cost time
  return walk.choices > 0 ? once(node, walk, stdin) : withEachValue(node, walk, stdin);
};

const withEachValue = (node: Command, walk: Walk, stdin: Flow | undefined): Flow => {
  walk.choices = 1;
  let flow = once(node, walk, stdin);
  while (hasNextChoice(walk)) {
    flow = either(flow, once(node, walk, stdin));
  }
  return flow;
};
