import { handsOn, redactFed } from "./fed-secrets.ts";
import { type Part, TAKING, type Taking } from "./secret-options.ts";
import { blanked, substitutionEnd } from "./shown-code.ts";

type Word = { start: number; end: number; text: string };
/** `by` is the replacement. */
type Range = { start: number; end: number; by: string };

const NAMES = [...TAKING.keys()].map((name) => name.replace(/[-]/g, "\\-")).join("|");
const PROGRAM = new RegExp(`(?<![\\w.-])(?:${NAMES})(?=["']?(?:[ \\t\\n]|$))`, "g");
const ANY_PROGRAM = new RegExp(PROGRAM.source);

const REFERENCE = /^["']?(?:\$|<|\{\{|\[redacted|\*+["']?$)/;
const PASSWORD = "[redacted password]";

/** What ends a command outside of quotes. */
const ENDS = /[\n;|&]/;
const MOST_WORDS = 400;

type Command = { words: Word[]; end: number };

/** The words up to the end of the command, split as a shell would; an unclosed quote ends a word. */
function wordsFrom(text: string, from: number): Command {
  const words: Word[] = [];
  let at = from;
  while (at < text.length && words.length < MOST_WORDS) {
    const char = text[at] as string;
    if (char === "\\" && text[at + 1] === "\n") at += 2;
    else if (ENDS.test(char)) break;
    else {
      const word = wordAt(text, at);
      if (word.text !== "") words.push(word);
      at = Math.max(word.end, at + 1);
    }
  }
  return { words, end: at };
}

/** An earlier redaction stays one word. */
const REDACTED = /\[redacted [a-zA-Z ]{1,24}\]/y;

function wordAt(text: string, start: number): Word {
  let at = start;
  let content = "";
  for (; at < text.length; at++) {
    const char = text[at] as string;
    if (char === " " || char === "\t" || ENDS.test(char)) break;
    if (char === "[") {
      REDACTED.lastIndex = at;
      const note = REDACTED.exec(text)?.[0] ?? char;
      content += note;
      at += note.length - 1;
    } else if (char === "\\") {
      if (text[at + 1] === "\n") break;
      content += text[++at] ?? "";
    } else if (char === '"' || char === "'") {
      const close = closing(text, at);
      if (close < 0) break;
      content += text.slice(at + 1, close);
      at = close;
    } else if (char === "(" && /[$<>]/.test(text[at - 1] ?? "")) {
      const close = substitutionEnd(text, at, "(");
      const code = text[close - 1] === ")" ? text.slice(at, close) : char;
      content += code;
      at += code.length - 1;
    } else content += char;
  }
  return { start, end: Math.min(at, text.length), text: content };
}

const LONGEST_QUOTED = 4096;

function closing(text: string, open: number): number {
  const end = Math.min(text.length, open + LONGEST_QUOTED);
  for (let at = open + 1; at < end; at++) {
    if (text[at] === text[open]) return at;
    if (text[at] === "\\" && text[open] === '"') at++;
  }
  return -1;
}

const SECRET_HEADER =
  /^((?:proxy-)?authorization|cookie|[\w-]*(?:api-?key|token|secret|auth)):\s{0,8}(?:(?:bearer|basic|token|digest|apikey)\s{1,8})?/i;

/** The index at which the secret part of a value begins; undefined if there is none. */
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

/** The range of a value's secret in the text; `skip` is how much of the word precedes the value. */
function hidden(source: string, word: Word, skip: number, part: Part): Range | undefined {
  const value = word.text.slice(skip);
  const from = secretFrom(value, part);
  if (from === undefined || value.slice(from) === "" || REFERENCE.test(value.slice(from))) return undefined;
  const raw = source.slice(word.start, word.end);
  const secret = part === "before-host" ? value.slice(from, value.lastIndexOf("@")) : value.slice(from);
  const stop = part === "before-host" ? raw.lastIndexOf("@") : raw.length;
  const at = raw.lastIndexOf(secret, stop - secret.length);
  // with quotes inside it, everything after the non-secret part is hidden
  const isWhole = at >= skip + from;
  const note = part === "header" ? "[redacted credential]" : PASSWORD;
  const start = word.start + (isWhole ? at : skip + from);
  const end = isWhole ? start + secret.length : word.end;
  return { start, end, by: blanked(source, start, end, note, redactCommandLines) };
}

function optionIn(word: Word, taking: Taking): { part: Part; skip: number } | undefined {
  const { text } = word;
  const equals = text.indexOf("=");
  const named = (name: string): Part | undefined => taking.options[name];
  const exact = named(text);
  if (exact) return { part: exact, skip: text.length };
  const long = equals > 0 ? named(text.slice(0, equals)) : undefined;
  if (long) return { part: long, skip: equals + 1 };
  if (text.startsWith("-hp") && named("-hp")) return { part: "attached", skip: 3 };
  for (let at = 1; at < text.length; at++) {
    const part = named(`-${text[at]}`);
    if (part) return { part, skip: at + 1 };
    // without a list of options that take values, only the first letter is certainly an option
    if (taking.valued === undefined || taking.valued.includes(text[at] as string) || !/[a-zA-Z#0-9]/.test(text[at]!))
      return undefined;
  }
  return undefined;
}

function secretsOf(source: string, words: readonly Word[], taking: Taking, found: Range[]): void {
  const { verb, last: marker } = taking;
  if (verb && !words.slice(1, 5).some(({ text }) => verb.test(text))) return;
  const add = (word: Word | undefined, skip: number, part: Part): void => {
    const range = word && hidden(source, word, skip, part);
    if (range) found.push(range);
  };
  for (let index = 1; index < words.length; index++) {
    const word = words[index] as Word;
    if (taking.before?.test(word.text.toLowerCase())) {
      const [next, later] = [words[index + 1], words[index + 2]];
      add(next, 0, "whole");
      if (/^(?:auth|--encrypt)$/i.test(word.text) && later && !later.text.startsWith("-")) add(later, 0, "whole");
      index++;
      continue;
    }
    const option = word.text.startsWith("-") ? optionIn(word, taking) : undefined;
    if (option && option.skip < word.text.length) add(word, option.skip, option.part);
    else if (option && option.part !== "attached") add(words[++index], 0, option.part);
    else if (!word.text.startsWith("-") && taking.operands) add(word, 0, taking.operands);
  }
  if (marker && words.slice(1, -1).some(({ text }) => marker.test(text))) add(words.at(-1), 0, "whole");
}

/** `echo secret | docker login --password-stdin`, `… <<< secret`: secrets in a command's input. */
function secretsRead(source: string, words: readonly Word[], before: Command | undefined, found: Range[]): void {
  const at = words.findIndex(({ text }) => text.startsWith("<<<"));
  const here = words[at] && (words[at].text === "<<<" ? words[at + 1] : words[at]);
  const told = before?.words.slice(1).filter(({ text }) => !/^-|%/.test(text)) ?? [];
  // the words of a command in backquotes are not input
  if (told.filter(({ text }) => text.includes("`")).length > 1) return;
  const given = [...told, ...(here ? [here] : [])];
  if (handsOn(words.slice(0, at < 0 ? undefined : at), given)) return;
  for (const word of given) {
    const skip = word.text.startsWith("<<<") ? 3 : 0;
    const range = hidden(source, word, skip, /^[\w.-]{1,64}:/.test(word.text) ? "after-user" : "whole");
    if (range) found.push(range);
  }
}

const FURTHEST = 1024;
const PRINTS = /(?<![\w.-])(?:echo|printf)[ \t]/g;

/** The command that prints into the one at this position, if any. */
function printedInto(line: string, at: number): Command | undefined {
  // a search backwards through all of a long text, for each of its commands, would take quadratic time
  const begin = Math.max(0, at - 2 * FURTHEST);
  const near = line.slice(begin, at + 1);
  const last = near.lastIndexOf("|");
  if (last < 0) return undefined;
  const pipe = begin + last;
  PRINTS.lastIndex = Math.max(begin + Math.max(0, near.lastIndexOf("\n", last)), pipe - FURTHEST);
  for (let match = PRINTS.exec(line); match && match.index < pipe; match = PRINTS.exec(line)) {
    const printing = wordsFrom(line, match.index);
    if (printing.end === pipe) return printing;
  }
  return undefined;
}

const nameIn = ({ text }: Word): string => text.slice(text.lastIndexOf("/") + 1);
const DEEPEST = 3;

/** The words from a program on; its own name may be in quotes that began before it. */
function commandAt(text: string, at: number, length: number): Command {
  const { words, end } = wordsFrom(text, at + length + (/["']/.test(text[at + length] ?? "") ? 1 : 0));
  return { words: [{ start: at, end: at + length, text: text.slice(at, at + length) }, ...words], end };
}

/** Secrets of one command, in which a program may start another one: `sshpass -p … ssh …`. */
function secretsIn(text: string, words: readonly Word[], found: Range[]): void {
  let from = 0;
  for (let index = 1; index <= words.length; index++) {
    if (index < words.length && !TAKING.has(nameIn(words[index] as Word))) continue;
    const own = words.slice(from, index);
    const taking = TAKING.get(nameIn(own[0] as Word)) as Taking;
    secretsOf(text, own, taking, found);
    const { reads } = taking;
    if (reads && own.some((word) => reads.test(word.text)))
      secretsRead(text, words.slice(from), printedInto(text, words[0]?.start ?? 0), found);
    from = index;
  }
}

function redactCommands(text: string, depth: number): string {
  const found: Range[] = [];
  PROGRAM.lastIndex = 0;
  const places: [number, number][] = [];
  for (let match = PROGRAM.exec(text); match; match = PROGRAM.exec(text)) places.push([match.index, match[0].length]);
  let reached = 0;
  for (const [at, length] of places) {
    if (at < reached || TAKING.get(text.slice(at, at + length))?.hint?.test(text) === false) continue;
    const { words, end } = commandAt(text, at, length);
    reached = end;
    const own: Range[] = [];
    secretsIn(text, words, own);
    const within = words.flatMap((word) =>
      depth < DEEPEST && /[ \t\n]/.test(word.text) ? secretsWithin(text, word, own, depth) : [],
    );
    found.push(...own, ...within);
  }
  return replaced(text, found);
}

/** A quoted word may itself be a command line; what is secret of it anyway has to go, too. */
function secretsWithin(text: string, { start, end }: Word, own: readonly Range[], depth: number): Range[] {
  const inner = text.slice(start, end);
  if (!ANY_PROGRAM.test(inner)) return [];
  const inside = own.filter((range) => range.start >= start && range.end <= end);
  const shifted = inside.map((range) => ({ ...range, start: range.start - start, end: range.end - start }));
  const by = redactCommands(replaced(inner, shifted), depth + 1);
  return [{ start, end, by }];
}

function replaced(text: string, ranges: Range[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, by } of ranges.sort((one, other) => one.start - other.start)) {
    if (start < done) continue;
    result += text.slice(done, start) + by;
    done = end;
  }
  return result + text.slice(done);
}

const VARIABLE =
  /((?<![A-Za-z0-9_])(?:(?:[A-Za-z0-9]{1,32}_){0,6}[A-Za-z0-9]{0,16}(?:PASS|PASSWD|_PW|_PWD|_pass|_pwd)=))(["'][^"'\n]{1,512}|[^\s"';&|]{1,512})/g;
const ANY_VARIABLE = /(?:PASS|PASSWD|_PW|_PWD|_pass|_pwd)=/;
const KEY = /((?<![A-Za-z0-9_])[A-Z0-9]{1,32}(?:_[A-Z0-9]{1,32}){0,6}_KEY=)(["']?[^\s"';&|/$]{8,512})(?![\w/])/g;
const AUTH = /((?<![A-Za-z0-9_])(?:(?:[A-Z0-9]{1,32}_){0,6}AUTH=|--auth(?:=|[ \t]{1,4})))(["']?[^\s"';&|/$]{8,512})/g;
const LOWER = /((?<![\w-])(?:[a-z]{1,8}_?)?(?<!by|com|tres)pass=)([^\s"';&|,]{6,512})/g;
/** `openssl … -passin pass:…`, and Oracle's JDBC URLs. */
const PREFIXED = /((?<![\w-])pass:|jdbc:oracle:[a-z]{1,8}:[^\s/"']{1,64}\/)([^\s"'@]{1,512})/g;
/** Flags of any program whose value is a password. */
const FLAG =
  /((?<![\w-])--?(?:[a-z]{1,24}-){0,4}(?:pass|passwd|pwd|password|storepass|keypass|oauth2-bearer|requirepass)\d?(?:=|[ \t]{1,4}))(["'][^"'\n]{1,512}|[^\s"'-][^\s"']{3,512})/g;
const ANY_FLAG = /-(?:pass|pwd|storepass|keypass|oauth2|requirepass)/;

const hide = (whole: string, before: string, value: string, at: number, text: string): string => {
  if (REFERENCE.test(value) || /^\d{1,3}$/.test(value)) return whole;
  const quote = value[0] === '"' || value[0] === "'" ? value[0] : "";
  const start = at + before.length;
  return `${before}${quote}${blanked(text, start + quote.length, start + value.length, PASSWORD, redactCommandLines)}`;
};

const hideKey = (whole: string, before: string, value: string, at: number, text: string): string =>
  /\d/.test(value) && /[A-Za-z]/.test(value) ? hide(whole, before, value, at, text) : whole;

/** Redacts passwords that programs get on their command lines, or in variables before them. */
export function redactCommandLines(text: string): string {
  let result = text;
  if (ANY_VARIABLE.test(result)) result = result.replace(VARIABLE, hide);
  if (result.includes("_KEY=")) result = result.replace(KEY, hideKey);
  if (result.includes("AUTH=") || result.includes("--auth")) result = result.replace(AUTH, hideKey);
  if (result.includes("pass=")) result = result.replace(LOWER, hide);
  if (result.includes("openssl") || result.includes("jdbc:oracle:")) result = result.replace(PREFIXED, hide);
  if (ANY_FLAG.test(result)) result = result.replace(FLAG, hide);
  result = redactFed(result, redactCommandLines);
  return ANY_PROGRAM.test(result) ? redactCommands(result, 0) : result;
}
