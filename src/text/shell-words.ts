import { substitutionEnd } from "./shown-code.ts";

/** What a character of a word is: literal text, part of a reference such as `$NAME`, or code that runs. */
export type Kind = "text" | "reference" | "code";

/** A word as the shell reads it. `at` and `ends` tell for each of its characters where it is written. */
export type Word = {
  start: number;
  end: number;
  text: string;
  at: readonly number[];
  ends: readonly number[];
  kinds: readonly Kind[];
};

/** What ends a command, where it is not quoted. */
export const ENDS = /[\n;|&]/;
const LONGEST_QUOTED = 4096;

/** Where the quote that opens here closes; -1 where it does not. */
export function closing(text: string, open: number, escapes = text[open] === '"'): number {
  const end = Math.min(text.length, open + LONGEST_QUOTED);
  for (let at = open + 1; at < end; at++) {
    if (text[at] === text[open]) return at;
    if (text[at] === "\\" && escapes) at++;
    // the quotes of code in double quotes are its own
    else if (text[open] === '"' && text[at] === "$" && text[at + 1] === "(") {
      const code = substitutionEnd(text, at + 1, "(");
      if (code > 0 && code < end && text.indexOf('"', code) >= 0) at = code - 1;
    }
  }
  return -1;
}

/** What stands for something else: a variable, a note left by an earlier redaction, a template, a placeholder. */
const VARIABLE = /\$(?:[A-Za-z_]\w{0,127}|[0-9@*#?$!-]|\{[!#]?[\w@*[\]]{1,128}(?:[#%/^,@][^{}\n]{0,256})?\})/y;
const DEFAULT = /\$\{[A-Za-z_]\w{0,127}:?[-=+?]/y;
const NOTE = /\[redacted [a-zA-Z ]{1,24}\]/y;
const TEMPLATE = /\{\{[^{}\n]{0,128}\}\}|\$\{\{[^{}\n]{0,128}\}\}/y;
const PLACEHOLDER = /<[A-Za-z][\w .-]{0,40}>/y;
const ANSI_ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3})|([\s\S]))/y;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** A name with capitals, small letters and digits all mixed up is hardly one of a variable. */
function isNameOfVariable(name: string): boolean {
  const shape = name
    .slice(0, 64)
    .replace(/[a-z_]{1,64}/g, "a")
    .replace(/[A-Z]{1,64}/g, "A");
  return name.length < 10 || !/^\w/.test(name) || !/\d/.test(name) || !/a\d?A\d?a|A\d?a\d?A/.test(shape);
}

class Reader {
  text = "";
  readonly at: number[] = [];
  readonly ends: number[] = [];
  readonly kinds: Kind[] = [];
  /** How many `${NAME:-` are open. */
  defaults = 0;
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }

  put(char: string, at: number, end: number, kind: Kind): void {
    for (let index = 0; index < char.length; index++) {
      this.text += char[index];
      this.at.push(at);
      this.ends.push(end);
      this.kinds.push(kind);
    }
  }

  /** As it is written, character by character. */
  copy(from: number, to: number, kind: Kind): number {
    for (let index = from; index < to; index++) this.put(this.source[index] as string, index, index + 1, kind);
    return to;
  }

  /** A reference or code that begins here, bare or in double quotes; the place behind it, or undefined. */
  special(at: number): number | undefined {
    const { source } = this;
    const char = source[at];
    if (char === "[" || char === "{") {
      const found = matchAt(char === "[" ? NOTE : TEMPLATE, source, at);
      return found === undefined ? undefined : this.copy(at, at + found.length, "reference");
    }
    if (char === "`") return this.code(at, at, "`");
    if (char !== "$") return undefined;
    if (source[at + 1] === "(") return this.code(at, at + 1, "(");
    const template = matchAt(TEMPLATE, source, at);
    if (template) return this.copy(at, at + template.length, "reference");
    const fallback = matchAt(DEFAULT, source, at);
    if (fallback) {
      this.defaults++;
      return this.copy(at, at + fallback.length, "reference");
    }
    const variable = matchAt(VARIABLE, source, at);
    if (variable === undefined) return undefined;
    return this.copy(at, at + variable.length, isNameOfVariable(variable.slice(1)) ? "reference" : "text");
  }

  code(at: number, opening: number, sign: string): number | undefined {
    const close = substitutionEnd(this.source, opening, sign);
    return close < 0 ? undefined : this.copy(at, close, "code");
  }

  double(open: number, close: number): void {
    for (let at = open + 1; at < close; ) {
      const char = this.source[at] as string;
      const next = this.source[at + 1] ?? "";
      if (char === "\\" && next === "\n") at += 2;
      else if (char === "\\" && /[$`"\\]/.test(next)) {
        this.put(next, at, at + 2, "text");
        at += 2;
      } else at = this.closeDefault(at) ?? this.bounded(at, close) ?? this.copy(at, at + 1, "text");
    }
  }

  /** Literal but for what an earlier redaction or a template left there. */
  single(open: number, close: number): void {
    for (let at = open + 1; at < close; ) {
      const found = matchAt(NOTE, this.source, at) ?? matchAt(TEMPLATE, this.source, at);
      at = found ? this.copy(at, at + found.length, "reference") : this.copy(at, at + 1, "text");
    }
  }

  /** A substitution never reaches beyond the quotes it stands in, as far as what is shown goes. */
  private bounded(at: number, close: number): number | undefined {
    const before = this.text.length;
    const end = this.special(at);
    if (end === undefined || end <= close) return end;
    this.cutTo(before);
    return undefined;
  }

  private cutTo(length: number): void {
    this.text = this.text.slice(0, length);
    this.at.length = length;
    this.ends.length = length;
    this.kinds.length = length;
  }

  ansi(open: number, close: number): void {
    for (let at = open + 1; at < close; ) {
      ANSI_ESCAPE.lastIndex = at;
      const found = ANSI_ESCAPE.exec(this.source);
      if (!found) {
        at = this.copy(at, at + 1, "text");
        continue;
      }
      const [whole, hex, unicode, octal, letter = ""] = found;
      const code = hex ?? unicode;
      const char = code
        ? String.fromCharCode(Number.parseInt(code, 16))
        : octal
          ? String.fromCharCode(Number.parseInt(octal, 8))
          : letter;
      this.put(char, at, at + whole.length, "text");
      at += whole.length;
    }
  }

  closeDefault(at: number): number | undefined {
    if (this.defaults === 0 || this.source[at] !== "}") return undefined;
    this.defaults--;
    return this.copy(at, at + 1, "reference");
  }
}

/** A quoted part that begins here: the place behind it, or undefined where nothing is quoted. */
function quoted(reader: Reader, at: number): number | undefined {
  const { source } = reader;
  const dollar = source[at] === "$" ? 1 : 0;
  const quote = source[at + dollar];
  if (quote !== '"' && quote !== "'") return undefined;
  const ansi = dollar === 1 && quote === "'";
  const close = closing(source, at + dollar, ansi || quote === '"');
  if (close < 0) return undefined;
  if (ansi) reader.ansi(at + 1, close);
  else if (quote === '"') reader.double(at + dollar, close);
  else reader.single(at, close);
  return close + 1;
}

const LONGEST_WORD = 16_384;
const BLANK = /[ \t\n]|$/g;

function blankFrom(text: string, from: number): number {
  BLANK.lastIndex = from;
  return BLANK.exec(text)?.index ?? text.length;
}

/** The word that begins here, as a shell reads it. A quote that never closes ends it. */
export function wordAt(source: string, start: number): Word {
  const reader = new Reader(source);
  let at = start;
  while (at < source.length && reader.text.length <= LONGEST_WORD) {
    const char = source[at] as string;
    const next = source[at + 1] ?? "";
    if (char === " " || char === "\t" || (ENDS.test(char) && reader.defaults === 0)) break;
    if (char === "\\") {
      if (next === "\n" || next === "") break;
      reader.put(next, at, at + 2, "text");
      at += 2;
      continue;
    }
    const after = quoted(reader, at) ?? reader.closeDefault(at) ?? reader.special(at);
    if (after !== undefined) at = after;
    else if (char === '"' || char === "'") break;
    else if (char === "<" || char === ">") {
      const end = next === "(" ? reader.code(at, at + 1, "(") : undefined;
      const placeholder = char === "<" ? matchAt(PLACEHOLDER, source, at) : undefined;
      if (end !== undefined) at = end;
      else if (placeholder) at = reader.copy(at, at + placeholder.length, "reference");
      else if (at > start) break;
      else at = reader.copy(at, at + 1, "text");
    } else at = reader.copy(at, at + 1, "text");
  }
  const { text, at: places, ends, kinds } = reader;
  // what is too long to be looked at is no longer told apart
  if (text.length > LONGEST_WORD && ends.length > 0) ends[ends.length - 1] = at = blankFrom(source, at);
  return { start, end: Math.min(at, source.length), text, at: places, ends, kinds };
}

/** Part of a word, counted in the characters that the shell sees. */
export function partOf({ text, at, ends, kinds, end }: Word, from: number, to: number = text.length): Word {
  return {
    start: at[from] ?? end,
    end: to > 0 ? (ends[to - 1] ?? end) : end,
    text: text.slice(from, to),
    at: at.slice(from, to),
    ends: ends.slice(from, to),
    kinds: kinds.slice(from, to),
  };
}
