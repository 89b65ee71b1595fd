import { hiddenIn, PASSWORD, printedBy } from "./blank-words.ts";
import { type Command, commandAt, documentAt, type Range } from "./shell-commands.ts";
import { partOf, type Word } from "./shell-words.ts";
import type { Within } from "./shown-code.ts";

const FARTHEST = 2048;
const USER = /^[\w.@-]{1,64}:/;

/** Who reads a password reads it after the name of a user, or alone. */
const secretPart = (word: Word, users: boolean): Word => {
  const user = users ? USER.exec(word.text)?.[0].length : undefined;
  return user ? partOf(word, user) : word;
};

const opens = ({ text }: Word): boolean => text === "{" || /^\(+[^()]*$/.test(text);
const closes = ({ text }: Word): boolean => text === "}" || /^[^()]*\)+$/.test(text);

/** Where to begin to read so that the place is in a command and not in the middle of a quoted word. */
function insideQuotes(text: string, { words }: Command, place: number): number | undefined {
  const around = words.find(({ start, end, text: word }) => start < place && place < end && /\s/.test(word));
  if (!around) return undefined;
  for (let at = place - 1; at >= around.start; at--) if (/["']/.test(text[at] as string)) return at + 1;
  return undefined;
}

type Fed = { own: Command; feeders: Command[] };

/** The command at a place, and those whose output it reads. */
function pipelineAt(text: string, begin: number, place: number, depth = 0): Fed | undefined {
  let feeders: Command[] = [];
  let groups = 0;
  for (let at = begin; at <= place; ) {
    const command = commandAt(text, at);
    if (command.end >= place) {
      const inner = depth < 4 ? insideQuotes(text, command, place) : undefined;
      return inner === undefined ? { own: command, feeders } : pipelineAt(text, inner, place, depth + 1);
    }
    feeders.push(command);
    groups += command.words.filter(opens).length - command.words.filter(closes).length;
    const sign = text[command.end];
    const next = text[command.end + 1];
    const piped = sign === "|" && next !== "|";
    if (!piped && groups <= 0) {
      feeders = [];
      groups = 0;
    }
    at = command.end + (next === sign || (piped && next === "&") ? 2 : 1);
    while (piped && /\s/.test(text[at] ?? "")) at++;
  }
  return undefined;
}

/** Where the line of a place begins; a line after a pipe goes on with the one before. */
function lineOf(text: string, place: number): number {
  const farthest = Math.max(0, place - FARTHEST);
  let at = place;
  for (;;) {
    const start = text.lastIndexOf("\n", at - 1);
    if (start < farthest) return farthest;
    if (!/[|\\{(]$/.test(text.slice(Math.max(farthest, start - 8), start).trimEnd())) return start + 1;
    at = start;
  }
}

function linesHidden(text: string, [start, end]: [number, number], users: boolean): Range[] {
  const ranges: Range[] = [];
  for (let at = start; at < end; ) {
    const stop = text.indexOf("\n", at);
    const until = stop < 0 || stop > end ? end : stop;
    const line = text.slice(at, until);
    const user = users ? (USER.exec(line)?.[0].length ?? 0) : 0;
    const secret = line.slice(user).trim();
    if (secret !== "" && !/^(?:\$\{?\w+\}?|\[redacted [a-zA-Z ]{1,24}\])$/.test(secret) && !/\$\(|`/.test(secret))
      ranges.push({ start: at + user, end: until, by: PASSWORD });
    at = until + 1;
  }
  return ranges;
}

/**
 * What the command at a place is told by its input: `echo secret | …`, `… <<< secret`, a here-document, `… < <(…)`.
 * With `users`, the name of a user in front of a colon stays.
 */
export function secretsFedTo(text: string, place: number, users: boolean, within: Within): Range[] {
  const fed = pipelineAt(text, lineOf(text, place), place);
  if (!fed) return [];
  const hide = (word: Word): Range[] => hiddenIn(text, secretPart(word, users), PASSWORD, within);
  return [...fed.feeders, fed.own].flatMap((command) => [
    ...(command === fed.own ? [] : printedBy(command).flatMap(hide)),
    ...command.inputs.flatMap(hide),
    ...command.documents.slice(0, 4).flatMap((each) => linesHidden(text, documentAt(text, each), users)),
  ]);
}
