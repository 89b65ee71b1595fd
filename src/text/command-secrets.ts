import { redactAssigned, redactFlags, redactNamed } from "./assigned-secrets.ts";
import { hiddenIn, isSecret, PASSWORD } from "./blank-words.ts";
import { secretsFedTo } from "./fed-secrets.ts";
import { programsIn } from "./named-programs.ts";
import { type Part, TAKING, type Taking } from "./secret-options.ts";
import { type Command, commandAt, type Range, replaced } from "./shell-commands.ts";
import { partOf, type Word } from "./shell-words.ts";

const SECRET_HEADER =
  /^((?:proxy-)?authorization|(?:set-)?cookie|[\w-]*(?:key|token|secret|auth|password|passwd|signature|session-?id|credential)s?)[:;]\s{0,8}(?:(?:bearer|basic|token|digest|apikey|negotiate|[A-Z][A-Za-z]{2,15}(?:-v\d)?)\s{1,8})?/i;

/** From where on a value is secret; undefined: nothing of it is. */
function secretFrom(value: string, part: Part): number | undefined {
  switch (part) {
    case "whole":
    case "attached":
      return 0;
    case "after-user": {
      const found = /^(?:\/[a-z]{1,4}:|[^:,%/\s]{0,128}[:,%/])/.exec(value);
      return found && !value.startsWith("http") ? found[0].length : undefined;
    }
    case "header":
      return SECRET_HEADER.exec(value)?.[0].length;
    case "cookie":
      return value.includes("=") ? value.indexOf("=") + 1 : undefined;
    case "before-host": {
      const found = /^([^:@/\s]{1,128}:)[^@\s]{1,512}@/.exec(value);
      return found?.[1]?.length;
    }
  }
}

/** The places of a text that hold a value's secret, given how much of the word comes before the value. */
function hidden(source: string, word: Word, skip: number, part: Part): Range[] {
  const value = word.text.slice(skip);
  const from = secretFrom(value, part);
  if (from === undefined) return [];
  const to = part === "before-host" ? value.lastIndexOf("@") : value.length;
  const note = part === "header" ? "[redacted credential]" : PASSWORD;
  return hiddenIn(source, partOf(word, skip + from, skip + to), note, redactCommandLines);
}

type Option = { part: Part; skip: number };

function optionIn({ text }: Word, taking: Taking): Option | undefined {
  const equals = text.indexOf("=");
  const named = (name: string) => (Object.hasOwn(taking.options, name) ? taking.options[name] : undefined);
  const exact = named(text);
  if (exact) return { part: exact, skip: text.length };
  const long = equals > 0 ? named(text.slice(0, equals)) : undefined;
  if (long) return { part: long, skip: equals + 1 };
  if (text.startsWith("--")) return abbreviated(text, equals, taking);
  if (taking.exact) return undefined;
  if (text.startsWith("-hp") && named("-hp")) return { part: "attached", skip: 3 };
  for (let at = 1; at < text.length && at < 16; at++) {
    const part = named(`-${text[at]}`);
    if (part) return { part, skip: at + 1 };
    // without a list of those with values only the first letter is an option for certain
    if (taking.valued === undefined || taking.valued.includes(text[at] as string) || !/[a-zA-Z#0-9]/.test(text[at]!))
      return undefined;
  }
  return undefined;
}

/** Programs take the beginning of a long option for the whole. */
function abbreviated(text: string, equals: number, { options }: Taking): Option | undefined {
  const name = equals > 0 ? text.slice(0, equals) : text;
  const full = name.length < 4 ? undefined : Object.keys(options).find((each) => each.startsWith(name));
  const part = full && options[full];
  return part ? { part, skip: equals > 0 ? equals + 1 : text.length } : undefined;
}

/** Verbs of container programs whose options are not those of a login. */
const OTHER_VERB =
  /^(?:run|exec|compose|build|create|start|pull|push|ps|logs|cp|inspect|buildx|image|container|volume)$/;

function hasVerb(words: readonly Word[], verb: RegExp): boolean {
  for (const { text } of words.slice(1, 48)) {
    if (verb.test(text)) return true;
    if (OTHER_VERB.test(text)) return false;
  }
  return false;
}

/** The words behind a verb that are secret from the nth on, but for options and their values. */
function operandsFrom(words: readonly Word[], { verb, from, unless }: NonNullable<Taking["operandsFrom"]>): Word[] {
  const at = words.findIndex(({ text }, index) => index > 0 && verb.test(text));
  if (at < 0) return [];
  const operands = words
    .slice(at + 1)
    .filter(({ text }, index, rest) => !text.startsWith("-") && !VALUED.test(rest[index - 1]?.text ?? ""));
  const skip = unless && words.some(({ text }) => unless.test(text)) ? from - 1 : from;
  return operands.slice(skip);
}

const VALUED = /^--?(?:registry|method|path|address|host|format|profile|node|vhost|namespace|registry-url|index|C)$/;

function secretsOf(source: string, words: readonly Word[], taking: Taking, found: Range[]): void {
  const add = (word: Word | undefined, skip: number, part: Part): void => {
    if (word) found.push(...hidden(source, word, skip, part));
  };
  for (let index = 1; index < words.length; index++) {
    const word = words[index] as Word;
    const { text } = word;
    if (taking.before?.test(text.toLowerCase())) {
      const [next, later] = [words[index + 1], words[index + 2]];
      add(next, 0, "whole");
      if (/^(?:auth|--encrypt)$/i.test(text) && later && !later.text.startsWith("-")) add(later, 0, "whole");
      index++;
      continue;
    }
    const option = text.startsWith("-") ? optionIn(word, taking) : undefined;
    if (option && option.skip < text.length) add(word, option.skip, option.part);
    else if (option && option.part !== "attached") add(words[++index], 0, option.part);
    else if (!text.startsWith("-") && taking.operands) add(word, 0, taking.operands);
    // an option that stands in a variable
    if (word.kinds[0] === "reference" && !isSecret(word) && taking.options["-u"])
      if (/^[\w.-]{1,64}:(?!\/\/|\d+(?:\/|$)).{4}/.test(words[index + 1]?.text ?? ""))
        add(words[++index], 0, "after-user");
  }
  if (taking.operandsFrom) for (const word of operandsFrom(words, taking.operandsFrom)) add(word, 0, "whole");
}

const nameIn = ({ text }: Word): string =>
  text
    .slice(text.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/\.exe$/, "");
const DEEPEST = 3;
/** More readers of passwords than this are in no text that anybody wrote. */
const MOST_FED = 64;

/** One command, in which a program may start another one: `sshpass -p … ssh …`. */
function secretsIn(text: string, words: readonly Word[], program: string, found: Range[], fed: Set<number>): void {
  let from = 0;
  for (let index = 1; index <= words.length; index++) {
    if (index < words.length && !TAKING.has(nameIn(words[index] as Word))) continue;
    const own = words.slice(from, index);
    const first = own[0] as Word;
    const taking = TAKING.get(from === 0 ? program : nameIn(first));
    if (taking && (!taking.verb || hasVerb(own, taking.verb))) {
      secretsOf(text, own, taking, found);
      if (
        taking.reads &&
        own.some((word) => taking.reads?.test(word === first ? "" : word.text)) &&
        fed.size < MOST_FED
      )
        fed.add(words[0]?.start ?? 0);
    }
    from = index;
  }
}

/** The words from a program on; its own name may stand in quotes that began before it. */
function commandFrom(text: string, at: number, length: number): Command {
  const command = commandAt(text, at + length + (/["']/.test(text[at + length] ?? "") ? 1 : 0));
  const first: Word = { ...EMPTY, start: at, end: at + length, text: text.slice(at, at + length) };
  return { ...command, words: [first, ...command.words] };
}
const EMPTY = { at: [], ends: [], kinds: [] };

/** What any program calls the input it reads a secret from. */
const STDIN =
  /--(?:[a-z]{1,24}-){0,3}(?:password|pass|passphrase|token|secret|key)-(?:stdin|fd)(?![\w-])|-{1,2}(?:[a-z]{1,24}-){0,3}(?:password|passphrase|pass|token|secret)-?file(?:=|[ \t]{1,4})(?:\/dev\/stdin|-)(?![\w-])|(?<![\w-])read(?:[ \t]{1,4}-[a-z]{1,4}){0,3}[ \t]{1,4}\w{0,32}(?:PASS|TOKEN|SECRET|PW)\w{0,16}/g;

function redactCommands(text: string, depth: number): string {
  const found: Range[] = [];
  const fed = new Set<number>();
  let reached = 0;
  for (const { at, length, program } of programsIn(text)) {
    if (at < reached || TAKING.get(program)?.hint?.test(text) === false) continue;
    const { words, end } = commandFrom(text, at, length);
    reached = end;
    const before = found.length;
    secretsIn(text, words, program, found, fed);
    const own = found.slice(before).sort((one, other) => one.start - other.start);
    let next = 0;
    for (const word of words) {
      while (next < own.length && (own[next] as Range).end <= word.start) next++;
      const isHidden = (own[next]?.start ?? text.length) < word.end;
      if (depth < DEEPEST && !isHidden && word.text.includes(" ")) found.push(...secretsWithin(text, word, depth));
    }
  }
  for (const { index } of text.matchAll(STDIN)) if (fed.size < MOST_FED) fed.add(index);
  for (const place of fed) found.push(...secretsFedTo(text, place, text.includes("chpasswd"), redactCommandLines));
  return replaced(text, found);
}

/** A quoted word may be a command line itself. */
function secretsWithin(text: string, { start, end }: Word, depth: number): Range[] {
  const inner = text.slice(start, end);
  if (programsIn(inner).length === 0) return [];
  const by = redactCommands(inner, depth + 1);
  return by === inner ? [] : [{ start, end, by }];
}

/** Passwords that are given to programs on their command lines, or in variables before them. */
export function redactCommandLines(text: string): string {
  const named = redactNamed(
    redactFlags(redactAssigned(text, redactCommandLines), redactCommandLines),
    redactCommandLines,
  );
  return redactCommands(named, 0);
}
