import { hiddenIn, isSecret, literalOf } from "./blank-words.ts";
import { type Named, nameSays } from "./secret-names.ts";
import { secretKind } from "./secret-pairs.ts";
import { type Range, replaced } from "./shell-commands.ts";
import { closing, partOf, type Word, wordAt } from "./shell-words.ts";
import type { Within } from "./shown-code.ts";

const ANY_NAME = /pass|pw|token|secret|key|cred|auth|bearer|cookie|pat|psk|pin|otp|sid/i;
const HINT = /pass|secret|token|cred/i;
const PLAIN = /^(?:\d{1,3}|true|false|yes|no|on|off|none|null|nil|undefined|required|optional|string|str|bool|int)$/i;
const CALL = /^[A-Za-z_$][\w$]*(?:(?:\?\.|::|->|\.)[A-Za-z_$][\w$]*)*!?[([{]/;
const MEMBER = /^(?:process|os|config|conf|env|settings|options|opts|self|this|args|ctx|req|app)\.[A-Za-z_$.]+$/;
const FILE = /^(?:~|\.{1,2})?\/|^[A-Za-z]:\\|\.(?:pem|key|crt|json|ya?ml|txt|pub|env)$/;

/** Values of names that may be those of anything: long enough, and of no word. */
const looksRandom = (literal: string): boolean =>
  !/[\s/]/.test(literal) &&
  ((literal.length >= 8 && /\d/.test(literal) && /[A-Za-z]/.test(literal)) ||
    (literal.length >= 16 && /^[\w+=.!#%-]+$/.test(literal) && !/^[A-Z_]+$|[a-z]_[a-z]/.test(literal)) ||
    /^\d{8,}$/.test(literal));

type Quotes = { open: number; close: number };

/** Where the text is quoted, in order. A quote that never closes quotes nothing. */
function quotesOf(text: string): Quotes[] {
  const found: Quotes[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === '"' || char === "'") {
      const close = closing(text, at);
      if (close < 0) continue;
      found.push({ open: at, close });
      at = close;
    }
  }
  return found;
}

const shifted = (word: Word, by: number): Word => ({
  ...word,
  start: word.start + by,
  end: word.end + by,
  at: word.at.map((place) => place + by),
  ends: word.ends.map((place) => place + by),
});

const BEFORE = 8192;

/** The word from here on: one that stands in a quoted text ends with that text. */
function valueAt(text: string, from: number, quotes: Quotes | undefined): Word {
  if (!quotes) return wordAt(text, from);
  const inner = shifted(wordAt(text.slice(from, Math.min(quotes.close, from + BEFORE)), 0), from);
  if (inner.text !== "" || from !== quotes.close) return inner;
  // an apostrophe before it may have been taken for a quote
  const outer = wordAt(text, from);
  return /[\n;|&`$(]/.test(text.slice(outer.start, outer.end)) ? inner : outer;
}

/** The name in front of a sign of assignment: also `NAME+=`, `NAME[0]=` and `["NAME"]=`. */
function nameBefore(text: string, sign: number): { name: string; start: number } {
  let end = text[sign - 1] === "+" ? sign - 1 : sign;
  if (text[end - 1] === "]") {
    const open = text.lastIndexOf("[", end);
    const inner = open >= Math.max(0, end - 80) ? text.slice(open + 1, end - 1).replace(/^\\?["']|\\?["']$/g, "") : "";
    if (ANY_NAME.test(inner) && /^[\w.-]+$/.test(inner)) return { name: inner, start: open };
    end = Math.max(open, end - 80);
  }
  let start = end;
  while (start > 0 && start > end - 128 && /[\w.-]/.test(text[start - 1] as string)) start--;
  return { name: text.slice(start, end), start };
}

/** Settings in one word: `user=me,pass=secret,x=y`; brackets and commas around a value are no part of it. */
function ownPart(text: string, value: Word): Word {
  const raw = text.slice(value.start, value.end);
  const behind = /["']([)\]},]{1,15})$/.exec(raw.slice(-16))?.[1]?.length ?? 0;
  if (behind > 0 && behind < value.text.length) return partOf(value, 0, value.text.length - behind);
  const line = /^[^"'\n]{0,512}?\\[nrt](?=[A-Za-z_][\w.-]{0,64}[=:]|["'#[\\]|$)/.exec(raw.slice(0, 512))?.[0].length;
  if (line && line > 2) return partOf(value, 0, value.ends.findIndex((end) => end >= value.start + line - 2) + 1);
  if (/["'\\]/.test(raw)) return value;
  const next = value.text.search(/,[A-Za-z][\w.-]{0,64}=/);
  const kept = next >= 0 ? partOf(value, 0, next) : value;
  const closers = /[(]/.test(kept.text) ? /,{1,16}$/ : /[)\]},]{1,16}$/;
  const end = kept.text.length - (closers.exec(kept.text.slice(-16))?.[0].length ?? 0);
  return end < kept.text.length && end > 0 && kept.kinds[end] === "text" ? partOf(kept, 0, end) : kept;
}

function isHidden(name: string, says: Named, value: Word, raw: string): boolean {
  const literal = literalOf(value);
  if (!isSecret(value) || PLAIN.test(literal)) return false;
  const bare = !/^["'$]/.test(raw);
  if (bare && (CALL.test(literal) || MEMBER.test(literal))) return false;
  if (says === "weak") {
    if (/pin$/i.test(name)) return /^\d{4,}$/.test(literal) || looksRandom(literal);
    return looksRandom(literal) && !FILE.test(literal) && (name === name.toUpperCase() || /auth|psk/i.test(name));
  }
  if (/(?:key|pwd)\d*$/i.test(name) && FILE.test(literal)) return false;
  const upper = name === name.toUpperCase();
  return literal.length >= (upper ? 1 : 4) || !bare;
}

/** Pairs of any text are read elsewhere; here only what a shell reads in another way, and names of its variables. */
const isLeftToPairs = (name: string, raw: string): boolean =>
  secretKind(name) !== undefined &&
  name !== name.toUpperCase() &&
  /^(?:[^"'\\$`]*|"[^"\\$`]*"|'[^'\\$]*'|[\\`].*)$/s.test(raw);

const noteFor = (name: string): string => `[redacted ${secretKind(name) ?? "password"}]`;

/** `NAME=value`, as a shell reads it: variables, settings and options of any program. */
export function redactAssigned(text: string, within: Within): string {
  if (!ANY_NAME.test(text) || !text.includes("=")) return text;
  const ranges: Range[] = [];
  let quotes: Quotes[] | undefined;
  let quoted = 0;
  for (let sign = text.indexOf("="); sign >= 0; sign = text.indexOf("=", sign + 1)) {
    const { name } = nameBefore(text, sign);
    if (name === "" || /[=~>]/.test(text[sign + 1] ?? "") || !ANY_NAME.test(name)) continue;
    const plain = name.replace(/^-+/, "");
    const says = nameSays(plain);
    const onlyCode = !says && HINT.test(plain) && /[<$`]/.test(text[sign + 1] ?? "");
    if (!says && !onlyCode) continue;
    quotes ??= quotesOf(text);
    while (quoted < quotes.length && (quotes[quoted] as Quotes).close < sign + 1) quoted++;
    const around = quotes[quoted];
    const word = valueAt(text, sign + 1, around && around.open <= sign ? around : undefined);
    const value = ownPart(text, word);
    const raw = text.slice(value.start, value.end);
    sign = Math.max(sign, value.end - 1);
    if (raw === "" || isLeftToPairs(plain, raw)) continue;
    const hides = value.kinds.includes("code") || (says && isHidden(plain, says, value, raw));
    const found = hides ? hiddenIn(text, value, noteFor(plain), within) : [];
    ranges.push(...(says && isHidden(plain, says, value, raw) ? found : found.filter(({ by }) => /^[`$<>]/.test(by))));
  }
  return replaced(text, ranges);
}

const FLAG = /(?<![\w-])(--?)([A-Za-z][\w.-]{0,64})[ \t]{1,4}(?=[^\s-]|-[^\s-])/g;
const USERS = /^(?:basic-auth|login|userpwd|user|auth|creds)$/;
/** What is written behind the name of a flag in a sentence. */
const PROSE =
  /^(?:option|options|argument|arguments|instead|should|cannot|please|before|requires|required|without|together|because|which|value|values|parameter|parameters|flag|flags|environment|variable|string|provided|given)$/i;

function flagHides(dashes: string, name: string, value: Word, raw: string): Word | undefined {
  const literal = literalOf(value);
  if (USERS.test(name)) {
    const user = /^[^:/\s]{1,64}:(?!\/\/)/.exec(value.text)?.[0].length;
    const rest = user ? value.text.slice(user) : "";
    if (user && rest.length >= 4 && !/^\d+$/.test(rest) && (name !== "user" || rest.length >= 10 || /\d/.test(rest)))
      return partOf(value, user);
  }
  const says = nameSays(name);
  if (!says || (dashes === "-" && (says === "weak" || name.length < 3))) return undefined;
  if (!isHidden(name, says, value, raw) || /^-/.test(raw) || /^id=/.test(literal)) return undefined;
  if (/^[A-Za-z_]+$/.test(literal) && raw === literal) {
    const least = /pass|pwd?$/.test(name) ? 4 : 6;
    if (literal.length < least || PROSE.test(literal)) return undefined;
  }
  return literal.length >= 4 || raw !== literal ? value : undefined;
}

/** `--password value`, of any program. */
export function redactFlags(text: string, within: Within): string {
  if (!ANY_NAME.test(text) || !text.includes("-")) return text;
  const ranges: Range[] = [];
  FLAG.lastIndex = 0;
  for (const { 0: whole, 1: dashes = "", 2: name = "", index } of text.matchAll(FLAG)) {
    if (!ANY_NAME.test(name) && !USERS.test(name)) continue;
    const value = ownPart(text, wordAt(text, index + whole.length));
    const raw = text.slice(value.start, value.end);
    const secret = flagHides(dashes, name, value, raw);
    if (secret) ranges.push(...hiddenIn(text, secret, noteFor(name), within));
    else if (HINT.test(name) && value.kinds.includes("code"))
      ranges.push(...hiddenIn(text, value, noteFor(name), within).filter(({ by }) => /^[`$<>]/.test(by)));
  }
  return replaced(text, ranges);
}

const NAMED =
  /(?<![\w-])(?:setenv|export|set(?:[ \t]{1,4}-[a-zA-Z-]{1,8}){1,3}|--arg(?:json)?|printf[ \t]{1,4}-v|env:set|variable[ \t]{1,4}set|(?:user-secrets|config)[ \t]{1,4}set)[ \t]{1,4}([A-Za-z_][\w.-]{0,64})[ \t]{1,4}(?:["']?%s(?:\\+n)?["']?[ \t]{1,4})?(?=[^\s-])/g;

/** `setenv NAME value`, `jq --arg name value`. */
export function redactNamed(text: string, within: Within): string {
  const ranges: Range[] = [];
  for (const { 0: whole, 1: name = "", index } of text.matchAll(NAMED)) {
    if (nameSays(name) !== "strong") continue;
    const value = wordAt(text, index + whole.length);
    if (isSecret(value) && value.text.length >= 4) ranges.push(...hiddenIn(text, value, noteFor(name), within));
  }
  return replaced(text, ranges);
}
