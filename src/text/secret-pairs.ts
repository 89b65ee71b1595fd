import { blanked } from "./shown-code.ts";

type Found = { start: number; end: number; value: string; quoted: boolean };
type Shape = { key: string; separator: string; kind: string; next: string };

const NAME =
  "passwords?|passwd|passphrase|secret[ _-]?key(?:_base)?|secrets?|token|(?:api|access|private|account)[ _-]?key|credentials?|connection[ _-]?string|(?<=[;&?] ?)pwd|(?<=[,{] ?)pwd(?=[\"']? ?: ?[\"'])";
const SEPARATOR = `\\\\*["']?\\]?[ \\t]{0,8}(?:=>|:=|={1,3}|:)[ \\t]{0,8}`;
// the value of a command-line flag follows after a space
const FLAG = "(?<=--[\\w-]{0,48})[ \\t]{1,4}";
const PAIR = new RegExp(`(${NAME})(${SEPARATOR}|${FLAG})`, "gi");
const SECRET_NAME = new RegExp(`(?:${NAME}|^authorization|[_-]authorization)$`, "i");

const LONGEST_KEPT = 200;
const REFERENCE =
  /^(?:\$\{[^}]*\}+|\$\([^)]*\)|\$[A-Z_][A-Z0-9_]*|\{\{[^}]*\}\}|<[^>]*>|\{\w*\}|%\w{1,2}|%\w+%|\[redacted [^\]]*\])$/;
const REFERENCE_START = /^(?:\$[{(]|\{\{|<|\[redacted\b|\$[A-Z_][A-Z0-9_]*$|%\w+%$)/;
const isMasked = (value: string): boolean =>
  /^[\0-\x7f]*$/.test(value) ? /^(?:[^A-Za-z\d]*|[xX*.-]+)$/.test(value) : /^(?:[^\p{L}\d]*|[xX*.•…-]+)$/u.test(value);
const CALL_OR_INDEX = /^[A-Za-z_$][\w$]*(?:(?:\?\.|::|->|\.)[A-Za-z_$][\w$]*)*!?[([<{]/;
const MEMBER = /^[A-Za-z_$]+(?:(?:\?\.|::|->|\.)[A-Za-z_$]+)+!?$/;
const KEYWORDS =
  "string|number|boolean|bool|str|int|bytes|char|any|unknown|object|void|null|undefined|none|nil|true|false|new|await|async|function|fn|typeof|self|this|return|required|optional|missing|invalid|expired|empty|unset|include|omit|same-origin";
const KEYWORD = new RegExp(`^(?:${KEYWORDS})$`, "i");
const KEYWORD_START = new RegExp(`^(?:${KEYWORDS})(?:$|[|<?[(])`, "i");

function kindOf(name: string): string {
  const plain = name.toLowerCase().replace(/[ _-]/g, "");
  if (plain.startsWith("pass") || plain === "pwd") return "password";
  if (plain.startsWith("token")) return "token";
  if (plain.startsWith("connection")) return "connection string";
  if (plain.startsWith("credential") || plain.endsWith("authorization")) return "credential";
  return plain.includes("key") ? "key" : "secret";
}

/** The kind of secret that a field of this name holds, if any. */
export function secretKind(name: string): string | undefined {
  const found = SECRET_NAME.exec(name.length > 128 ? name.slice(-128) : name);
  return found ? kindOf(found[0]) : undefined;
}

function backslashesBefore(text: string, index: number): number {
  let count = 0;
  while (text[index - 1 - count] === "\\") count++;
  return count;
}

const CLOSING = { '"': /["\n]/g, "'": /['\n]/g, "`": /[`\n]/g };

/** A quote closes if it is escaped no deeper than the one that opened; an unclosed one ends with its line. */
function quotedValue(text: string, quoteAt: number): Found {
  const depth = backslashesBefore(text, quoteAt);
  const closing = CLOSING[text[quoteAt] as keyof typeof CLOSING];
  const start = quoteAt + 1;
  let end = text.length;
  closing.lastIndex = start;
  for (let match = closing.exec(text); match; match = closing.exec(text)) {
    const escapes = match[0] === "\n" ? 0 : backslashesBefore(text, match.index);
    if (depth > 0 ? escapes > depth : escapes % 2 === 1) continue;
    end = depth > 0 ? match.index - escapes : match.index;
    break;
  }
  return { start, end, value: text.slice(start, end), quoted: true };
}

const OPENING = /\\*[bfru]{0,2}["'`]/iy;
const BARE_END = /[\s"'`;&|]|,(?=[\s"'\\]|$)|\\(?=[nrt"'\\])/g;
const LINE_END = /[\n"'`]|\\(?=[nrt"'\\])/g;

function valueAt(text: string, from: number, kind: string): Found {
  OPENING.lastIndex = from;
  if (OPENING.test(text)) return quotedValue(text, OPENING.lastIndex - 1);
  const stop = kind === "connection string" ? LINE_END : BARE_END;
  stop.lastIndex = from;
  const end = stop.exec(text)?.index ?? text.length;
  return { start: from, end, value: text.slice(from, end), quoted: false };
}

/** Letters alone may be a name in code or a word in prose: then the surroundings decide. */
function isOrdinaryWord(value: string, { key, separator, kind, next }: Shape): boolean {
  const repeatsKey = value.toLowerCase().includes(key.slice(0, 4).toLowerCase());
  const inCode = next === "," || next === ")" || next === ";";
  if (separator === "=") return kind === "token" ? value.length < 6 : repeatsKey && inCode;
  if (separator.trim() === "") return kind !== "password" || value.length < 6;
  if (separator.includes(":")) return kind === "token" || next !== "";
  return kind === "token" || next !== "" || repeatsKey;
}

function isHarmless(value: string, shape: Shape): boolean {
  if (KEYWORD_START.test(value) || REFERENCE_START.test(value) || CALL_OR_INDEX.test(value) || MEMBER.test(value))
    return true;
  if (/^[A-Za-z_]+$/.test(value)) return isOrdinaryWord(value, shape);
  if (/^\d+$/.test(value)) return shape.kind === "token";
  return /^(?:~|\.{1,2})?\/[\w./-]+$/.test(value) && /^(?:private|cred)/i.test(shape.key);
}

/** What follows a bare value on its line: "" for the last one, else the next character. */
function nextOnLine(text: string, end: number): string {
  const rest = text.slice(end, end + 16);
  return /^[^\S\n]*(?:\n|\\[rn]|#|$)/.test(rest) ? "" : (rest.trimStart()[0] ?? "");
}

function isKept(text: string, found: Found, key: string, separator: string, kind: string): boolean {
  const { value, quoted } = found;
  if (value.length > LONGEST_KEPT) return false;
  if (isMasked(value)) return true;
  if (quoted) return REFERENCE.test(value) || KEYWORD.test(value);
  const bare = value.replace(/[)\]}>.:!?]{1,9}$/, "");
  const next = bare.length < value.length ? value[bare.length]! : nextOnLine(text, found.end);
  return isHarmless(bare, { key, separator, kind, next });
}

/** In `API_TOKEN=`…`` the backquotes are a command substitution; in code they quote a text. */
function isSubstitution(text: string, { start, value }: Found, key: string, separator: string): boolean {
  if (text[start - 1] !== "`" || separator !== "=") return false;
  return key === key.toUpperCase() || /[\s$/]/.test(value);
}

/** Connection strings separate their settings in the same way as commands are separated. */
function valueBlanked(text: string, start: number, end: number, kind: string): string {
  const note = `[redacted ${kind}]`;
  return kind === "connection string" ? note : blanked(text, start, end, note, redactPairs);
}

/** Replaces the values of pairs whose key names a secret. Looks at each character a few times at most. */
export function redactPairs(text: string): string {
  let result = "";
  let done = 0;
  PAIR.lastIndex = 0;
  for (let match = PAIR.exec(text); match; match = PAIR.exec(text)) {
    const [, key = "", separator = ""] = match;
    const from = PAIR.lastIndex;
    const kind = kindOf(key);
    const found = valueAt(text, from, kind);
    if (isKept(text, found, key, separator, kind) || isSubstitution(text, found, key, separator)) continue;
    const closers = found.quoted ? "" : (/[)\]}>]{1,9}$/.exec(found.value.slice(-9))?.[0] ?? "");
    const end = found.end - closers.length;
    result += text.slice(done, found.start) + valueBlanked(text, found.start, end, kind);
    done = end;
    PAIR.lastIndex = end;
  }
  return result + text.slice(done);
}
