import { parse } from "unbash";
import type { Code } from "../core/words/code.ts";
import type { Claim, CommandClass } from "../core/words/touch.ts";
import { blockedInTexts } from "./anywhere.ts";
import { blockedBy } from "./blocked.ts";
import { codeOf } from "./code-files.ts";
import { setsDots } from "./dot-patterns.ts";
import { openField, plainField } from "./fields.ts";
import { everything, GIT_SETTINGS } from "./judged-by-table.ts";
import { eachOf } from "./lists.ts";
import { kindsIn, kindsOf } from "./marks.ts";
import { isTooInvolved, overlooked } from "./overlooked.ts";
import { nameOf } from "./paths.ts";
import { walkBody, walkScriptNode } from "./script.ts";
import { walkInner } from "./simple-command.ts";
import { leadsGit, setsGit, setVariable } from "./variables.ts";
import {
  doubt,
  type Field,
  isStricter,
  LIMITS,
  type Ran,
  type Risk,
  riskier,
  type Segment,
  stricter,
  type Uses,
  type Walk,
} from "./walk.ts";

export type Analysis = {
  class: CommandClass;
  risk: Risk;
  /** Which part decided, and why, for people and models. */
  reason: string;
  segments: Segment[];
  touches: Claim[];
  /** Whether all of it is valid shell. */
  parsed: boolean;
  /** Whether the segments are all that it runs: nothing was doubtful, and nothing depends on an expansion. */
  sure: boolean;
  uses: Uses;
};

export type AnalyseOptions = {
  /** The folder the line starts in, as the text that its paths are joined to. */
  cwd?: string;
  /** Variables that are set for the line. */
  env?: Readonly<Record<string, string>>;
  home?: string;
  /** Beginnings of commands that a person has declared safe. */
  safeCommands?: readonly string[];
};

const NONE: readonly string[] = [];
/**
 * Control characters, spaces that the shell does not treat as spaces, marks that reorder what people see, invisible
 * letters and tags, and unpaired surrogates. A variation selector is fine after a symbol.
 */
const oddCharacter = () =>
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\p{Z}\p{Cf}\p{Cs}\u2800\ufff9-\uffff]|(?!(?<=\p{Extended_Pictographic})\p{VS})\p{DI}/u;
const PLAIN_BLANKS = / /g;

const walkFor = (source: string, options: AnalyseOptions): Walk => ({
  scope: {
    variables: undefined,
    functions: undefined,
    positional: NONE,
    folders: [options.cwd === undefined || options.cwd === "." ? "" : options.cwd],
  },
  source,
  line: source,
  home: options.home,
  safeCommands: options.safeCommands ?? NONE,
  branch: 0,
  depth: 0,
  choice: 0,
  choices: 0,
  rounds: 1,
  again: 0,
  work: 0,
  trying: 0,
  parsed: true,
  exceeded: false,
  floor: "safe",
  doubt: undefined,
  segments: [],
  ran: undefined,
  fetchedFiles: undefined,
  fetchedByPattern: false,
  writtenFiles: undefined,
  uses: {
    substitution: false,
    backticks: false,
    newline: false,
    redirection: false,
    expansion: false,
    assignment: false,
    background: false,
  },
  acts: false,
  flowing: false,
  giving: false,
  feeding: false,
  dots: setsDots(options.env),
  refers: false,
  judged: undefined,
  searched: undefined,
  obeyed: undefined,
  sinks: undefined,
  script: walkScriptNode,
  command: walkInner,
  body: walkBody,
  set: setVariable,
});

const field = (text: string): Field => openField(text, /[*?[]/.test(text));

/** A line that does not parse is read as loose words, each of which may start a command. */
const scanLoosely = (source: string, walk: Walk): void => {
  const words = source
    .slice(0, 4_096)
    .split(/[\s;&|()<>`]+/)
    .map((word) => word.replace(/["'\\]/g, ""))
    .filter((word) => word !== "")
    .slice(0, 200);
  for (const [index, word] of words.entries()) {
    const name = nameOf(word);
    const rule = blockedBy(name, eachOf(words.slice(index, index + 12), field), walk);
    if (rule !== undefined) doubt(walk, `it is not valid shell, and it contains ${name}: ${rule}`, "blocked");
  }
};

const isBlank = (source: string): boolean => source.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line));

const LINE = 1;
const FLOW = 2;
/** A character of `xargs` that few lines have. */
const OF_XARGS = 4;
/** All control characters, and all that is not ASCII. */
const MAYBE_ODD = 8;
const KINDS = kindsOf([
  [LINE, "\n"],
  [FLOW, "|(`<>"],
  [OF_XARGS, "x"],
])
  .fill(MAYBE_ODD, 0, 9)
  .fill(MAYBE_ODD, 11, 32)
  .fill(MAYBE_ODD, 127);

/** Checks in one pass whether the text has odd characters, several lines, or more than one command. */
const checkText = (source: string, walk: Walk): string => {
  const kinds = kindsIn(source, KINDS);
  walk.flowing = (kinds & FLOW) !== 0;
  walk.feeding = walk.flowing && source.includes(">(");
  walk.giving = (kinds & OF_XARGS) !== 0 && source.includes("xargs");
  if ((kinds & LINE) !== 0) walk.uses.newline = source.trim().includes("\n");
  if ((kinds & MAYBE_ODD) === 0 || !oddCharacter().test(source.replace(PLAIN_BLANKS, ""))) return source;
  doubt(walk, "it contains control or invisible characters");
  return source.replace(/[\u0000-\u0002]/g, "").replace(/\r\n?/g, "\n");
};

const conclude = (walk: Walk, source: string): Analysis => {
  const { segments } = walk;
  const settings = gitSettings(walk);
  const refused = settings.length > 0 ? blockedInTexts(eachOf(["git", ...settings], plainField), walk) : undefined;
  if (refused !== undefined) doubt(walk, refused, "blocked");
  if (walk.exceeded) doubt(walk, "it is too long or too deeply nested to be understood", "blocked");
  if (segments.length === 0 && walk.doubt === undefined && !isBlank(source)) doubt(walk, "no command was found in it");
  let risk: Risk = walk.floor === "blocked" ? "high" : walk.floor === "dangerous" ? "medium" : "low";
  let decisive: Segment | undefined;
  for (const segment of segments) {
    if (decisive === undefined || (segment.class !== decisive.class && isStricter(segment.class, decisive.class)))
      decisive = segment;
    if (risk !== segment.risk) risk = riskier(risk, segment.risk);
  }
  const touches = touchesOf(segments);
  if (walk.doubt !== undefined) touches.push(everything());
  if (settings.length > 0) touches.push(GIT_SETTINGS);
  let kind = decisive === undefined ? walk.floor : stricter(walk.floor, decisive.class);
  let reason = reasonOf(walk, decisive);
  if (walk.acts && (kind === "safe" || kind === "dev")) {
    kind = "dangerous";
    reason = "an expansion in it may set or run something";
  }
  return {
    class: kind,
    risk: kind === "blocked" ? "high" : risk,
    reason,
    segments,
    touches,
    parsed: walk.parsed,
    sure: walk.doubt === undefined && !walk.exceeded && !walk.uses.expansion,
    uses: walk.uses,
  };
};

const touchesOf = (segments: readonly Segment[]): Claim[] => {
  if (segments.length === 1) return (segments[0] as Segment).touches.slice();
  const touches: Claim[] = [];
  for (const segment of segments) for (const touch of segment.touches) touches.push(touch);
  return touches;
};

/** Variables that set git's configuration are treated like a change to the file, however the line sets them. */
const gitSettings = ({ obeyed, segments }: Walk): string[] => {
  if (obeyed === undefined) return [];
  const runsGit = segments.some(({ program }) => program !== undefined && nameOf(program) === "git");
  return obeyed.filter(({ name }) => setsGit(name) || (runsGit && leadsGit(name))).map(({ value }) => value);
};

const reasonOf = (walk: Walk, decisive: Segment | undefined): string => {
  if (walk.doubt !== undefined && (decisive === undefined || !isStricter(decisive.class, walk.floor)))
    return walk.doubt;
  if (decisive === undefined) return "there is nothing to run";
  return walk.segments.length === 1 ? decisive.rule : `${decisive.text}: ${decisive.rule}`;
};

/** What a shell line would do. Never throws; a line that is not fully understood is never called safe. */
export const analyse = (command: string, options: AnalyseOptions = {}): Analysis =>
  analysed(command, options, walkFor(command, options));

/** What a shell line would do, and the files that decide what it runs. */
export type Understood = { analysis: Analysis; code: () => Code };

/** Working out the files takes time, so it is done only on request. */
export function understand(command: string, options: AnalyseOptions = {}): Understood {
  const walk = walkFor(command, options);
  const ran: Ran[] = [];
  walk.ran = ran;
  const analysis = analysed(command, options, walk);
  const { segments, parsed, class: kind } = analysis;
  // the parser ends a line at a carriage return, but to the shell it is part of a word
  const understood = parsed && kind !== "blocked" && !command.includes("\r");
  return { analysis, code: () => codeOf(ran, walk.obeyed ?? [], segments, understood) };
}

/** The files that decide what a line of shell runs. */
export const codeIn = (command: string, options: AnalyseOptions = {}): Code => understand(command, options).code();

function analysed(command: string, options: AnalyseOptions, walk: Walk): Analysis {
  const tooLong = command.length > LIMITS.length;
  const source = checkText(tooLong ? command.slice(0, LIMITS.length) : command, walk);
  walk.source = source;
  walk.line = source;
  if (tooLong) doubt(walk, `it is longer than ${LIMITS.length} characters: put the text into a file first`, "blocked");
  else
    try {
      look(source, walk, options);
    } catch {
      // an error in the parser or the walk refuses the line
      doubt(walk, "it could not be understood", "blocked");
    }
  return conclude(walk, source);
}

const look = (source: string, walk: Walk, options: AnalyseOptions): void => {
  if (options.env !== undefined)
    for (const [name, value] of Object.entries(options.env)) {
      setVariable(walk, name, value);
      if (walk.floor === "safe") doubt(walk, `it sets ${name.slice(0, 80)} for the command`);
    }
  if (isTooInvolved(source)) {
    walk.exceeded = true;
    return;
  }
  const script = parse(source);
  if (script.errors?.length) {
    walk.parsed = false;
    doubt(walk, `it is not valid shell: ${script.errors[0]?.message}`);
  }
  const reason = overlooked(script, source);
  if (reason !== undefined) {
    walk.parsed = false;
    doubt(walk, reason);
  }
  walkScriptNode(script, walk, undefined);
  // a background command may read a file that a later command writes
  if (walk.uses.background && (walk.writtenFiles ?? walk.fetchedFiles)) {
    walk.again++;
    walkScriptNode(script, walk, undefined);
    walk.again--;
  }
  if (!walk.parsed) scanLoosely(source, walk);
};
