import { redactCommandLines } from "./command-secrets.ts";
import { redactPairs, secretKind } from "./secret-pairs.ts";
import { blanked } from "./shown-code.ts";

type Rule = { kind: string; hint: string; pattern: RegExp };

// repetitions are bounded, because on a line of many megabytes the engine's stack would overflow
// a token may follow an escaped line break, whose letter is not part of it
const START = String.raw`(?:(?<![\w-])|(?<=\\[nrtbf]))`;
const token = (kind: string, hint: string, pattern: string): Rule => ({
  kind,
  hint,
  pattern: new RegExp(pattern, "g"),
});

const TOKENS: readonly Rule[] = [
  token("AWS key", "AKIA", `${START}AKIA[A-Z0-9]{16}(?![A-Za-z0-9])`),
  token("AWS key", "ASIA", `${START}ASIA[A-Z0-9]{16}(?![A-Za-z0-9])`),
  token("GitHub token", "gh", "gh[pousr]_[A-Za-z0-9]{20,2048}"),
  token("GitHub token", "github_pat_", "github_pat_[A-Za-z0-9_]{20,2048}"),
  token("GitLab token", "glpat-", "glpat-[\\w-]{16,2048}"),
  token("Slack token", "xox", `${START}xox[a-z]-[A-Za-z0-9-]{10,2048}`),
  token("Stripe key", "k_live_", "[sr]k_live_[A-Za-z0-9]{10,2048}"),
  token("Stripe key", "k_test_", "[sr]k_test_[A-Za-z0-9]{10,2048}"),
  token("Google key", "AIza", `${START}AIza[\\w-]{35}`),
  token("Anthropic key", "sk-ant-", `${START}sk-ant-[\\w-]{10,2048}`),
  token("OpenAI key", "sk-", `${START}sk-(?:(?:proj|svcacct|admin|or)-[\\w-]{20,2048}|[A-Za-z0-9]{20,2048})`),
  token("npm token", "npm_", `${START}npm_[A-Za-z0-9]{30,2048}`),
  token("Slack webhook", "hooks.slack.com", "(?<=hooks\\.slack\\.com/(?:services|workflows)/)[\\w/]{10,256}"),
  token("JWT", "eyJ", `${START}eyJ[\\w-]{8,8192}\\.eyJ[\\w-]{8,8192}(?:\\.[\\w-]{0,8192})?`),
];

const ANY_TOKEN = /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|k_live_|k_test_|AIza|sk-|npm_|eyJ|hooks\.slack/;
const ANY_NAME = /pass|pwd|secret|token|key|credential|connection|authorization|bearer/i;

const REFERENCE = /^(?:\$[{(]|\$[A-Z_][A-Z0-9_]*$|<|\{|\*+$|%\w+%$|tokens?[.)]?$|\[redacted)/;
const AUTHORIZATION =
  /(authorization\\*["']?\]?[ \t]{0,8}[:=,][ \t]{0,8}\\*["'`]?(?:bearer|basic|token|digest|apikey)[ \t]{1,8})([^\s"'`,\\]{1,8192})/gi;
/** A whole header in quotes, whose value has no scheme in front. */
const QUOTED_HEADER = /(["'](?:proxy-)?authorization:[ \t]{0,8})([^\s"']{8,8192})(?=["'])/gi;
const QUERY = /([?&](?:sig|signature|x-amz-signature|key|auth)=)(?=[^&\s"'#]{0,64}\d)([^&\s"'#]{8,2048})/gi;
const BEARER = /(\bbearer[ \t]{1,8})((?=[A-Za-z_.~+/=-]{0,40}\d)[\w.~+/=-]{16,8192})/gi;
const USER_INFO = /(:\/\/)([^\s/?#"'<>:@]{0,256})(?::([^\s/?#"'<>]{0,512}))?@/g;

/** A setting on a line of its own (`DATABASE_URL=…`, `url: …`), which is not followed by more of a command. */
const SETTING = /^[ \t]*(?:-[ \t]{1,8})?(?:[\w.-]{1,64}[:=][ \t]{0,8})?[\w+.-]{0,32}$/;
const RUNS_TEXT = /(?<![\w.-])(?:eval|(?:ba|da|z|k)?sh|ssh|su|xargs)(?![\w.-])/;

function passwordBlanked(text: string, at: number, start: number, end: number): string {
  const note = "[redacted password]";
  const near = text.slice(Math.max(0, at - 1024), at);
  const before = near.slice(near.lastIndexOf("\n") + 1);
  const value = text.slice(start, end);
  if (SETTING.test(before) && !/[$`({]/.test(value)) return note;
  // quotes around a whole command line do not quote for the shell that runs it
  const stop = value.search(/[;|&]/);
  if (stop >= 0 && RUNS_TEXT.test(before) && !/["'][\w+.-]{1,32}$/.test(before))
    return blanked(text, start, start + stop, note, look) + value.slice(stop);
  return blanked(text, start, end, note, look);
}

function redactUserInfo(text: string): string {
  return text.replace(USER_INFO, (whole, slashes: string, user: string, password: string | undefined, at: number) => {
    if (password) {
      if (REFERENCE.test(password)) return whole;
      const start = at + slashes.length + user.length + 1;
      return `${slashes}${user}:${passwordBlanked(text, at, start, start + password.length)}@`;
    }
    return user.length >= 20 && /\d/.test(user)
      ? `${slashes}${blanked(text, at + 3, at + 3 + user.length, "[redacted token]", look)}@`
      : whole;
  });
}

const PEM_START = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
// a pipe or an arrow is the gutter of a quoted line only at the beginning of a line
const AT_LINE = String.raw`(?<=(?:\n|\\n)[ \t>|+-]{0,16})`;
const PEM_GUTTER = `(?:\\s|\\\\+[rnt]|${AT_LINE}[>|+-]){0,64}?`;
const PEM_QUOTED = `(?:[\\s"',+]|\\\\+[rnt"']|${AT_LINE}[>|-]){0,64}?`;
const PEM_NUMBER = String.raw`(?:\d{1,6}[\t:|→] ?)?`;
const PEM_END = new RegExp(
  `${PEM_QUOTED}${PEM_NUMBER}-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?(?:-----)?`,
  "y",
);
// lower-case letters alone may be the path of a script
const PEM_LINE = new RegExp(
  `${PEM_QUOTED}${PEM_NUMBER}(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\\n\\\\;|&$\`]{0,256}|(?=[a-z+/=]{0,64}[A-Z0-9])[A-Za-z0-9+/=]{16,4096})`,
  "y",
);
const PEM_LAST_LINE = new RegExp(
  `${PEM_GUTTER}${PEM_NUMBER}[A-Za-z0-9+/=]{1,15}(?=\\s{0,8}(?:\\\\+n|\\n|$|["'\`]|-----END ))`,
  "y",
);

function after(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}

/** Where a key's block ends: after its END line, or after the last line that looks like its body. Commands never do. */
function blockEnd(text: string, from: number): number {
  let body = from;
  for (let next = after(PEM_LINE, text, body); next > body; next = after(PEM_LINE, text, body)) body = next;
  const last = after(PEM_LAST_LINE, text, body);
  const end = after(PEM_END, text, last);
  // a short word alone is part of a key only between the two marks
  if (end > last) return end;
  return body > from ? last : from;
}

function redactPrivateKeys(text: string): string {
  let result = "";
  let done = 0;
  PEM_START.lastIndex = 0;
  for (let match = PEM_START.exec(text); match; match = PEM_START.exec(text)) {
    result += `${text.slice(done, match.index)}[redacted private key]`;
    done = blockEnd(text, PEM_START.lastIndex);
    PEM_START.lastIndex = done;
  }
  return result + text.slice(done);
}

const SHORT = 80;
const MOST_KNOWN = 2_000;
/** Cache of short texts without secrets: names, reasons and paths recur all the time. */
let clean = new Set<string>();

/** Replaces what looks like a secret by a note of its kind. The time is linear in the length of the text. */
export function redact(text: string): string {
  if (text.length > SHORT) return look(text);
  if (clean.has(text)) return text;
  const result = look(text);
  if (result === text) {
    if (clean.size >= MOST_KNOWN) clean = new Set();
    clean.add(text);
  }
  return result;
}

const hide = (whole: string, before: string, value: string, at: number, text: string): string => {
  const start = at + before.length;
  return REFERENCE.test(value)
    ? whole
    : before + blanked(text, start, start + value.length, "[redacted credential]", look);
};

function look(text: string): string {
  let result = text;
  if (result.includes("PRIVATE KEY")) result = redactPrivateKeys(result);
  if (ANY_TOKEN.test(result))
    for (const { kind, hint, pattern } of TOKENS)
      if (result.includes(hint)) result = result.replace(pattern, `[redacted ${kind}]`);
  if (result.includes("://")) result = redactUserInfo(result).replace(QUERY, hide);
  result = redactCommandLines(result);
  if (!ANY_NAME.test(result)) return result;
  return redactPairs(result.replace(AUTHORIZATION, hide).replace(QUOTED_HEADER, hide).replace(BEARER, hide));
}

const LONGEST_STRING = 4096;
const LONGEST_TOKEN = 256;
const DEEPEST = 32;
const MOST_VALUES = 10_000;

/** A cut may leave half a secret that no pattern recognizes, so the word at the cut is dropped, too. */
function cut(text: string): string {
  let end = LONGEST_STRING;
  while (end > LONGEST_STRING - LONGEST_TOKEN && /[^\s"'`]/.test(text[end - 1]!)) end--;
  if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
  return `${redact(text.slice(0, end))}… [cut: ${text.length} characters in all]`;
}

const redactString = (text: string): string => (text.length > LONGEST_STRING ? cut(text) : redact(text));

/** `hidden`: secrets found in a command line above. What was parsed from its words may contain them, too. */
type Walk = { above: object[]; left: number; hidden: readonly string[] };

const NOTE = /\[redacted [a-zA-Z ]{1,24}\]/;
const SHORTEST_HIDDEN = 4;

/** The secrets that notes replaced in a text, found by the text between the notes. */
function hiddenIn(value: object): readonly string[] {
  const text: unknown = Object.getOwnPropertyDescriptor(value, "command")?.value;
  if (typeof text !== "string" || text.length > LONGEST_STRING) return [];
  const [first = "", ...rest] = redact(text).split(NOTE);
  const hidden: string[] = [];
  let at = first.length;
  for (const [index, kept] of rest.entries()) {
    const next = index === rest.length - 1 ? text.length - kept.length : text.indexOf(kept, at);
    hidden.push(text.slice(at, next));
    at = next + kept.length;
  }
  return hidden.filter((each) => each.length >= SHORTEST_HIDDEN && !NOTE.test(each));
}

const without = (text: string, hidden: readonly string[]): string =>
  hidden.reduce((rest, each) => rest.replaceAll(each, "[redacted password]"), text);

function redactObject(value: object, kind: string | undefined, walk: Walk): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Error) return redactString(`${value.name}: ${value.message}`);
  if (value instanceof Map || value instanceof Set) return redactValue([...value], kind, walk);
  if (Array.isArray(value)) return value.map((item) => redactValue(item, kind, walk));
  const copy: Record<string, unknown> = {};
  const { hidden } = walk;
  walk.hidden = [...hidden, ...hiddenIn(value)];
  for (const key of Object.keys(value)) {
    const { shown, kind: own = kind } = nameOf(key);
    const field = redactField(value, key, own, walk);
    // assigning to this name would set the prototype instead
    if (shown === "__proto__") Object.defineProperty(copy, shown, { value: field, enumerable: true });
    else copy[shown] = field;
  }
  walk.hidden = hidden;
  return copy;
}

const VARIABLE = /(?:PASS|PASSWD|_PW|_PWD|_KEY|AUTH|_pass|_pwd)$/;

type Name = { shown: string; kind: string | undefined; isVariable: boolean };
const names = new Map<string, Name>();

/** Cached, because argument names are few and recur. */
function nameOf(key: string): Name {
  let name = names.get(key);
  if (!name) {
    name = { shown: redactString(key), kind: secretKind(key), isVariable: VARIABLE.test(key) };
    if (names.size < 1000 && key.length < 64) names.set(key, name);
  }
  return name;
}

const MOST_OF_VALUE = 512;

/** A variable that a call sets is read like one that its command line sets. */
function variableKind({ isVariable }: Name, key: string, value: unknown): string | undefined {
  if (!isVariable || typeof value !== "string") return undefined;
  const line = `${key}='${value.slice(0, MOST_OF_VALUE)}'`;
  return redactCommandLines(line) === line ? undefined : "password";
}

function redactField(value: object, key: string, kind: string | undefined, walk: Walk): unknown {
  try {
    const field: unknown = value[key as keyof typeof value];
    return redactValue(field, kind ?? variableKind(nameOf(key), key, field), walk);
  } catch {
    return "[unreadable]";
  }
}

function redactValue(value: unknown, kind: string | undefined, walk: Walk): unknown {
  if (typeof value === "string")
    return kind && value !== "" ? `[redacted ${kind}]` : without(redactString(value), walk.hidden);
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return `[${typeof value}]`;
  if (typeof value !== "object" || value === null) return value;
  if (walk.above.includes(value)) return "[circular]";
  if (walk.above.length >= DEEPEST) return "[too deep]";
  if (--walk.left < 0) return "[too much]";
  walk.above.push(value);
  try {
    return redactObject(value, kind, walk);
  } catch {
    return "[unreadable]";
  } finally {
    walk.above.pop();
  }
}

/** A copy for the record, fit for JSON, in which no string shows a secret. Never throws or changes the original. */
export const redactDeep = (value: unknown): unknown =>
  redactValue(value, undefined, { above: [], left: MOST_VALUES, hidden: [] });

/** Whether nothing in it would be redacted or cut, for flat objects of texts and numbers, as most arguments are. */
export function isClean(value: unknown): boolean {
  try {
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
    for (const key in value) {
      const name = nameOf(key);
      const field: unknown = value[key as keyof typeof value];
      if (name.kind !== undefined || name.shown !== key || variableKind(name, key, field) || !isCleanField(field))
        return false;
    }
    return true;
  } catch {
    return false;
  }
}

function isCleanField(field: unknown): boolean {
  if (typeof field === "string") return field.length <= LONGEST_STRING && redact(field) === field;
  return typeof field === "number" || typeof field === "boolean" || field === null;
}
