import { redactCommandLines } from "./command-secrets.ts";
import { redactPrivateKeys } from "./private-keys.ts";
import { redactPairs, secretKind } from "./secret-pairs.ts";
import { redactServiceTokens, START } from "./service-tokens.ts";
import { blanked } from "./shown-code.ts";
import { redactSql } from "./sql-secrets.ts";

type Rule = { kind: string; hint: string; pattern: RegExp };

// repetitions are bounded, because on a line of many megabytes the engine's stack would overflow
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
const ANY_NAME =
  /pass|pwd|secret|token|key|credential|connection|authorization|bearer|ssws|_auth|identified|masterauth|cookie/i;

const REFERENCE = /^(?:\$[{(]|\$[A-Z_][A-Z0-9_]*$|<|\{|\*+$|%\w+%$|tokens?[.)]?$|\[redacted)/;
const AUTHORIZATION =
  /(authorization\\*["']?\]?[ \t]{0,8}[:=,][ \t]{0,8}\\*["'`]?(?:bearer|basic|token|digest|apikey|ssws)[ \t]{1,8})([^\s"'`,\\]{1,8192})/gi;
/** A whole header in quotes, whose value has no scheme in front. */
const QUOTED_HEADER = /(["'](?:proxy-)?authorization:[ \t]{0,8})([^\s"']{8,8192})(?=["'])/gi;
/** A header whose value is the token alone. */
const PLAIN_HEADER =
  /((?:^|[\n"'`{,])[ \t]{0,16}(?:proxy-)?authorization["']?[ \t]{0,8}:[ \t]{0,8}["']?)((?=[A-Za-z_.~+/=-]{0,40}\d)[\w.~+/=-]{16,8192})/gi;
const NPM_AUTH = /((?<!\w)_auth["']?[ \t]{0,4}[=:][ \t]{0,4}["']?)([\w+/=-]{8,4096})/g;
/** `user:password@tcp(host)`, as drivers for Go have it. */
const GO_SOURCE = /(?<=[\w.-]:)()([^\s:@/"'`<>()]{3,128})(?=@(?:tcp|unix|udp)\()/g;
const COOKIES =
  /(?<![\w-])((?:set-)?cookie\\{0,4}["']?[ \t]{0,4}:[ \t]{0,4}\\{0,4}["']?)([\w.-]{1,64}=[^\n"'`]{1,8192})/gi;
const COOKIE = /(?<=(?:^|;)[ \t]{0,4}(?!(?:path|domain|expires|max-age|samesite)=)[\w.-]{1,64}=)[^;\s"'`\\]{8,4096}/gi;

const QUERY = /([?&](?:sig|signature|x-amz-signature|key|auth)=)(?=[^&\s"'#]{0,64}\d)([^&\s"'#]{8,2048})/gi;
const BEARER = /(\b(?:bearer|ssws)[ \t]{1,8})((?=[A-Za-z_.~+/=-]{0,40}\d)[\w.~+/=-]{16,8192})/gi;
/** Of two slashes a path keeps one. */
const USER_INFO = /(:\/\/|(?<=[a-z][a-z\d+]{2,24}):\/)([^\s/?#"'<>:@]{0,256})(?::([^\s/?#"'<>]{0,512}))?@/g;

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

const hideCookies = (_: string, name: string, values: string): string =>
  name + values.replace(COOKIE, (value) => (REFERENCE.test(value) ? value : "[redacted cookie]"));

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
  result = redactServiceTokens(result);
  if (result.includes(":/")) result = redactUserInfo(result);
  if (/:\/\/|sig=/.test(result)) result = result.replace(QUERY, hide);
  result = redactCommandLines(result);
  if (result.includes("@")) result = result.replace(GO_SOURCE, hide);
  if (!ANY_NAME.test(result)) return result;
  result = redactSql(result);
  if (/cookie/i.test(result)) result = result.replace(COOKIES, hideCookies);
  return redactPairs(
    [AUTHORIZATION, QUOTED_HEADER, PLAIN_HEADER, BEARER, NPM_AUTH].reduce(
      (rest, each) => rest.replace(each, hide),
      result,
    ),
  );
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
