/** The translation of a piece of a pattern, and how many characters of the pattern it consumes. */
export type Piece = { taken: number; put: string };

export const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
const POSIX: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7f",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "\\!-\\/\\:-\\@\\[-\\`\\{-\\~",
  space: "\\t-\\r ",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};
/** Classes for which ripgrep's meaning differs from JavaScript's: letters of every script are letters there. */
const SETS: Readonly<Record<string, string>> = {
  w: `[${WORD}]`,
  W: `[^${WORD}]`,
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  s: "\\p{White_Space}",
  S: "\\P{White_Space}",
  h: "[\\t\\p{Zs}]",
};

const isValid = (source: string): boolean => {
  try {
    return new RegExp(source, "v") !== undefined;
  } catch {
    return false;
  }
};

const capital = (name: string): string =>
  name
    .split(/[_\- ]/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("_");

/** A Unicode property, by any of the names that other engines accept. */
function property(letter: string, given: string): string {
  const isNegated = (letter === "P") !== given.startsWith("^");
  const [name = "", value] = given.replace(/^\^/, "").split(/[=:]/);
  const names =
    value === undefined
      ? [name, capital(name), name.toUpperCase(), `Script=${capital(name)}`]
      : [`${name}=${capital(value)}`];
  const known = names.find((each) => isValid(`\\p{${each}}`)) ?? given;
  return `\\${isNegated ? "P" : "p"}{${known}}`;
}

/** An escape sequence that means the same inside and outside of brackets. */
export function escaped(rest: string): Piece {
  const next = String.fromCodePoint(rest.codePointAt(1) as number);
  const set = SETS[next];
  if (set !== undefined) return { taken: 2, put: set };
  const code = /^\\(?:[xuU]\{([0-9a-fA-F]+)\}|U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(rest);
  if (code) return { taken: code[0].length, put: `\\u{${code.slice(1).find((each) => each !== undefined)}}` };
  const named = /^\\([pP])(?:\{([^}]*)\}|([A-Z]))/.exec(rest);
  if (named) return { taken: named[0].length, put: property(named[1] as string, (named[2] ?? named[3]) as string) };
  if (next === "a" || next === "e") return { taken: 2, put: next === "a" ? "\\x07" : "\\x1b" };
  if (/^\w$/.test(next) && next !== "_") return { taken: 2, put: `\\${next}` };
  return { taken: 1 + next.length, put: plain(next) };
}

/** All characters that have another case. */
const CASED = "\\p{Changes_When_Casemapped}\\p{Changes_When_Casefolded}";
let casedText: string | undefined;
const eitherCase = new Map<string, string>();

/** A source for one character, made to match whatever its case. */
export function inEitherCase(source: string): string {
  const known = eitherCase.get(source);
  if (known !== undefined) return known;
  casedText ??= charactersOf(CASED);
  const folded = new Set(casedText.match(new RegExp(source, "giv")));
  const exact = new Set(casedText.match(new RegExp(source, "gv")));
  const more = listed([...folded].filter((char) => !exact.has(char)));
  const less = listed([...exact].filter((char) => !folded.has(char)));
  const made = more || less ? `[[[${inBrackets(source)}]--[${less}]]${more}]` : source;
  if (eitherCase.size < 1000) eitherCase.set(source, made);
  return made;
}

const listed = (chars: readonly string[]): string =>
  chars.map((char) => `\\u{${char.codePointAt(0)?.toString(16)}}`).join("");

function charactersOf(set: string): string {
  const wanted = new RegExp(`[${set}]`, "v");
  let text = "";
  // no character beyond has a case
  for (let code = 0; code < 0x20000; code++) {
    const char = String.fromCodePoint(code);
    if (wanted.test(char)) text += char;
  }
  return text;
}

/** A literal character, escaped for use inside and outside of brackets. */
export const plain = (char: string): string => (/^[$()*+./?[\\\]^{|}]$/.test(char) ? `\\${char}` : char);
const inBrackets = (char: string): string =>
  /^[!-/:-@[-^`{-~]$/.test(char) && !/["']/.test(char) ? `\\${char}` : char;

/** A class in brackets. Nested classes and operators count as in Rust; if that leaves it open, as text, like PCRE2. */
export const bracket = (rest: string): Piece | undefined => readClass(rest, true) ?? readClass(rest, false);

function readClass(rest: string, nests: boolean): Piece | undefined {
  const isNegated = rest[1] === "^";
  let at = isNegated ? 2 : 1;
  let made = "";
  let left: { put: string; operator: string } | undefined;
  const union = (): string => (left ? operated(left.put, left.operator, `[${made}]`) : `[${made}]`);
  for (const first = at; at < rest.length; ) {
    if (rest[at] === "]" && at > first) return { taken: at + 1, put: isNegated ? `[^${union()}]` : union() };
    const operator = nests && /^(?:&&|--|~~)/.exec(rest.slice(at))?.[0];
    // an operator may follow nothing, but a leading dash is a literal
    if (operator && (at > first || operator !== "--")) {
      left = { put: union(), operator };
      made = "";
      at += 2;
      continue;
    }
    const from = member(rest.slice(at), nests);
    if (!from) return undefined;
    at += from.taken;
    made += from.put;
    // a range to or from a class is an error in every engine
    const isRange = rest[at] === "-" && rest[at + 1] !== "]" && !(nests && rest[at + 1] === "-");
    const to = isRange ? member(rest.slice(at + 1), nests) : undefined;
    if (!to) continue;
    at += 1 + to.taken;
    made += `-${to.put}`;
  }
  return undefined;
}

const operated = (left: string, operator: string, right: string): string =>
  operator === "~~" ? `[[${left}--${right}][${right}--${left}]]` : `[${left}${operator}${right}]`;

function member(rest: string, nests: boolean): Piece | undefined {
  const [posix = "", mark = "", name = ""] = /^\[:(\^?)(\w+):\]/.exec(rest) ?? [];
  const named = POSIX[name];
  if (named) return { taken: posix.length, put: `[${mark}${named}]` };
  if (rest[0] === "[" && nests) return readClass(rest, true);
  if (rest[0] === "\\") {
    const { taken, put } = escaped(rest);
    return { taken, put: inBrackets(put) };
  }
  const char = String.fromCodePoint(rest.codePointAt(0) ?? 93);
  return { taken: char.length, put: inBrackets(char) };
}
