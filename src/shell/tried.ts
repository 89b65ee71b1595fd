import { RULES } from "./blocked.ts";
import { TAKING_OVER } from "./origins.ts";
import { walkText } from "./texts.ts";
import { type Field, forked, isFresh, type Segment, type Walk } from "./walk.ts";

const NAMES = [...RULES.keys(), "mkfs", ...TAKING_OVER].map((name) => name.replace(".", "\\.")).join("|");

/** Programs with a rule, programs that fetch, and shells: only texts with one of these need to be tried. */
export const WORTH = new RegExp(String.raw`(?:^|[^\w-])(?:${NAMES})(?![\w-])|/dev/|\(\) *\{`);

/** Reads a text as a command and discards its effects. A single shared object is faster for the engine. */
export const blockedCommand = (text: string, walk: Walk): string | undefined => {
  if (isHarmlessHere(text, walk)) return undefined;
  return blockedTrial(walk, () => walkText(text, walk, undefined));
};

/** The same for words that may be a command. */
export const blockedWords = (fields: readonly Field[], walk: Walk): string | undefined =>
  blockedTrial(walk, () => walk.command(fields, walk, undefined));

const blockedTrial = (walk: Walk, act: () => void): string | undefined => {
  const before = { ...walk };
  walk.scope = forked(walk.scope);
  walk.segments = [];
  walk.floor = "safe";
  walk.doubt = undefined;
  walk.uses = { ...walk.uses };
  walk.trying++;
  act();
  const { work, exceeded } = walk;
  const reason = blockedIn(walk);
  Object.assign(walk, before);
  walk.work = work;
  walk.exceeded = exceeded;
  return reason;
};

const blockedIn = ({ segments, floor, doubt }: Walk): string | undefined =>
  segments.find(isBlocked)?.rule ?? (floor === "blocked" ? doubt : undefined);

const isBlocked = (segment: Segment): boolean => segment.class === "blocked";

/** Whether this text was just judged as a real command from the current folder; trying it could only be milder. */
const isHarmlessHere = (text: string, walk: Walk): boolean =>
  walk.judged?.text === text &&
  walk.judged.folders === walk.scope.folders &&
  isFresh(walk) &&
  walk.floor !== "blocked" &&
  !walk.segments.some(isBlocked);

/** Where a command may start inside code, a configuration or a script of another language. */
const STARTING = new RegExp(
  String.raw`(?<![\w.$-])(?:/(?:usr/(?:local/)?)?s?bin/)?(?:${NAMES})(?:\.\w{1,8})?(?=[ \t])`,
  "g",
);
/** The next start; `matchAll` would make a copy of the pattern for every text. */
const startIn = (text: string, from: number): RegExpExecArray | null => {
  STARTING.lastIndex = from;
  return STARTING.exec(text);
};
const QUOTES: readonly string[] = ['"', "'", "`"];
const CLOSING = /[)\]}]/;
const MOST_LENGTH = 8_192;
const LONGEST = 500;

/** What comes before a command that a program or language starts, and would not occur in prose. */
const INTRODUCES =
  /(?:[!|]|\\!\s|["']<\s?|%pipe%|[$%\\]\(|=\[|write18\s?\{|\b(?:system|exec\w{0,9}|popen|spawn|shell|program|run|host|sh|cmd|command)\s{0,3}[("'[:]{1,3}|(?:^|[\n;'"])\s{0,8}[.\\:]?(?:shell|sh|host|sy|pipe|\w{1,20}Command)\s{1,4}"?)$/i;
const LONGEST_INTRODUCTION = 40;

/** Where a command inside a text ends: at the closing quote or bracket, or at the end of the line. */
const endOf = (text: string, from: number, opener: string): number => {
  const isQuote = QUOTES.includes(opener);
  const limit = Math.min(text.length, from + LONGEST);
  let depth = 0;
  for (let index = from; index < limit; index++) {
    const char = text[index] as string;
    if (char === "\\") index++;
    else if (isQuote) {
      if (char === opener) return index;
    } else if (char === "\n") return index;
    else if ("([{".includes(char)) depth++;
    else if (CLOSING.test(char) && --depth < 0) return index;
  }
  return limit;
};

const ESCAPED = /\\(["'`])/g;
const LOOSE_QUOTE = /["'`]{1,3}[;,) ]{0,4}$/;

/**
 * Why a text that may contain commands must never run. In code that starts programs, every possible start of a command
 * counts; in other texts, only those after something that introduces a command.
 */
export const blockedWithin = (given: string, walk: Walk, everywhere: boolean): string | undefined => {
  const text = given.slice(0, MOST_LENGTH);
  for (let found = startIn(text, 0); found !== null; found = startIn(text, found.index + found[0].length)) {
    const { 0: name, index } = found;
    const before = text.slice(Math.max(0, index - LONGEST_INTRODUCTION), index);
    if ((!everywhere || name === "su") && !INTRODUCES.test(before)) continue;
    const opener = before.trimEnd().at(-1) ?? "";
    const rest = text.slice(index, endOf(text, index, opener));
    const command = rest.replace(ESCAPED, "$1").replaceAll("\\n", "\n");
    const reason =
      blockedCommand(command, walk) ??
      (LOOSE_QUOTE.test(command) ? blockedCommand(command.replace(LOOSE_QUOTE, ""), walk) : undefined);
    if (reason !== undefined) return reason;
  }
  return undefined;
};
