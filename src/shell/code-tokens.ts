/**
 * `text`: a quoted text without its quotes; `words`: a list of words in quotes (`qw`, `%w`); `edit`: a change of a text
 * (`tr/a/b/`), as its letters and both sides between NULs.
 */
export type Token = {
  kind: "text" | "words" | "number" | "name" | "pattern" | "edit" | "mark";
  text: string;
  start: number;
  end: number;
  /** How a quoted text begins: `"`, `'`, a backtick, or a backtick for what a language runs (`qx`). */
  quote: string;
  /** Whether braces in it hold an expression. */
  braces: boolean;
};

const BLANKS = /(?:[ \t\r]|\\\n|(?<=[\s;])#[^\n]*|\/\*[^*]{0,400}\*\/)+/y;
const NUMBER = /0[xX][0-9a-fA-F]{1,8}|\d{1,12}(?:\.\d{1,6})?/y;
const NAME = /[$@]?[A-Za-z_]\w*|\$"(?=[\s.;)])/y;
/** `v114.109.32`: a text by its codes. */
const BY_CODES = /v\d{1,3}(?:\.\d{1,3})+|\d{1,3}(?:\.\d{1,3}){2,}/y;
const EDIT = /(tr|y|s)\/((?:[^/\\\n]|\\.)*)\/((?:[^/\\\n]|\\.)*)\/[a-z]*/y;
const TRIPLE = /"""([\s\S]*?)"""|'''([\s\S]*?)'''/y;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|`((?:[^`\\]|\\[\s\S])*)`/y;
const PREFIX = /^(?:[rbuf]|[bf]r|r[bf])$/i;
const PATTERN = /\/((?:[^/\\\n]|\\.)+)\/[a-z]*/y;
/** Quotes with a letter: `q(…)`, `qq{…}`, `qw[…]`, `qx/…/`, `%w(…)`, `%x[…]`. */
const LETTERED = /(?:q[qwx]?|%[wWqQxi]?)(?=[({[</|!])/y;
const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]", "<": ">" };
const MARK = /\.\.\.?|\+\+|<>|=>|=~|->|::|<<|==|!=|\|\||&&|[-+.:]=|[\s\S]/y;
const OPENS = "([{";
const CLOSES = ")]}";
const MOST_TOKENS = 3_000;

/** Names after which a value begins, as after an operator. */
const NO_VALUE = /^(?:return|print|puts|echo|say|and|or|not|in|if|unless|while|exec|system|eval|join|split)$/;

const endsValue = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.kind === "mark" ? CLOSES.includes(token.text) : token.kind !== "name" || !NO_VALUE.test(token.text));

/** Where a quote with a letter ends: at the closing mark that belongs to the opening one. */
const endOf = (code: string, from: number, open: string, close: string): number => {
  if (open === close) return code.indexOf(close, from);
  let depth = 1;
  for (let at = from; at < code.length; at++) {
    if (code[at] === open) depth++;
    else if (code[at] === close && --depth === 0) return at;
  }
  return -1;
};

/** Languages whose texts hold code between braces, in which quotes of the same kind may stand: `"a#{"b"}"`. */
const NESTING: readonly (readonly [language: RegExp, quotes: string, open: string])[] = [
  [/^(?:ruby|irb|elixir|iex)/, '"`', "#{"],
  [/^(?:node|deno|bun|tsx|ts-node)/, "`", "${"],
];

/** A longer text is taken to end at its first quote. */
const MOST_NESTED = 2_048;

/** Where a text ends that holds such code; -1 if it does not end. */
const nestedEnd = (code: string, from: number, quote: string, open: string): number => {
  let depth = 0;
  for (let at = from; at < Math.min(code.length, from + MOST_NESTED); at++) {
    if (code[at] === "\\") at++;
    else if (code.startsWith(open, at)) {
      depth++;
      at += open.length - 1;
    } else if (depth === 0) {
      if (code[at] === quote) return at;
    } else if (code[at] === "{") depth++;
    else if (code[at] === "}") depth--;
  }
  return -1;
};

/** The tokens of code in most languages: texts, numbers, names and marks; line breaks only outside brackets. */
export const tokensOf = (language: string, code: string): Token[] => {
  const tokens: Token[] = [];
  let at = 0;
  let depth = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(code);
  };
  const add = (kind: Token["kind"], text: string, length: number, quote = "", braces = false): void => {
    tokens.push({ kind, text, start: at, end: at + length, quote, braces });
    at += length;
  };
  /** Once a closing mark is missing, none of its kind is looked for again. */
  const missing = new Set<string>();
  const addLettered = (letters: string): boolean => {
    const open = code[at + letters.length] as string;
    const close = CLOSERS[open] ?? open;
    const end = missing.has(close) ? -1 : endOf(code, at + letters.length + 1, open, close);
    if (end < 0) {
      missing.add(close);
      return false;
    }
    const text = code.slice(at + letters.length + 1, end);
    const isWords = /w$/i.test(letters);
    add(isWords ? "words" : "text", text, end + 1 - at, letters.endsWith("x") ? "`" : letters === "q" ? "'" : '"');
    return true;
  };
  const unclosed = new Set<string>();
  const nesting = NESTING.filter(([languages]) => languages.test(language));
  const addQuoted = (prefix: string): boolean => {
    const first = code[at + prefix.length] as string;
    if (unclosed.has(first)) return false;
    const braces = /f/i.test(prefix);
    const open = braces ? "{" : nesting.find(([, quotes]) => quotes.includes(first))?.[2];
    at += prefix.length;
    const triple = take(TRIPLE);
    const end = triple || open === undefined ? -1 : nestedEnd(code, at + 1, first, open);
    const found = triple ?? take(QUOTED);
    at -= prefix.length;
    const from = at + prefix.length + 1;
    if (end >= 0) add("text", code.slice(from, end), end + 1 - at, first, braces);
    else if (!found) unclosed.add(first);
    else add("text", found[1] ?? found[2] ?? found[3] ?? "", prefix.length + found[0].length, first, braces);
    return end >= 0 || found !== null;
  };
  while (at < code.length && tokens.length < MOST_TOKENS) {
    const blanks = take(BLANKS);
    if (blanks) {
      at += blanks[0].length;
      continue;
    }
    const last = tokens.at(-1);
    const char = code[at] as string;
    if ("\"'`".includes(char) && addQuoted("")) continue;
    const letters = char === "q" || (char === "%" && !endsValue(last)) ? take(LETTERED)?.[0] : undefined;
    if (letters !== undefined && addLettered(letters)) continue;
    const edit = "tys".includes(char) ? take(EDIT) : null;
    if (edit) {
      add("edit", `${edit[1] === "s" ? "s" : "t"}\0${edit[2]}\0${edit[3]}`, edit[0].length);
      continue;
    }
    const codes = take(BY_CODES)?.[0];
    if (codes !== undefined) {
      const all = codes.replace("v", "").split(".").map(Number);
      add("text", String.fromCharCode(...all), codes.length, "'");
      continue;
    }
    const name = take(NAME)?.[0];
    if (name !== undefined) {
      const next = code[at + name.length];
      const isPrefix = next !== undefined && "\"'".includes(next) && PREFIX.test(name);
      if (!isPrefix || !addQuoted(name)) add("name", name, name.length);
      continue;
    }
    const number = take(NUMBER)?.[0];
    if (number !== undefined) {
      add("number", number, number.length);
      continue;
    }
    const pattern = endsValue(last) ? null : take(PATTERN);
    if (pattern) {
      add("pattern", pattern[1] as string, pattern[0].length);
      continue;
    }
    const mark = take(MARK)?.[0] as string;
    if (OPENS.includes(mark)) depth++;
    else if (CLOSES.includes(mark)) depth = Math.max(0, depth - 1);
    if (mark === "\n" && depth > 0) at++;
    else add("mark", mark, mark.length);
  }
  return tokens;
};
