import { type Command, commandAt, type Range, replaced } from "./shell-commands.ts";
import { partOf, type Word } from "./shell-words.ts";
import { blanked, type Within } from "./shown-code.ts";

export const PASSWORD = "[redacted password]";

const MASK = /^(?:\*+|[xX.•…-]{3,})$/;
/** What follows a variable: the rest of a path is no secret. */
const REST_OF_PATH = /^[/.:,-][a-z.:,_/-]*$/;

/** The literal characters of a value, without what stands for something else. */
export const literalOf = ({ text, kinds }: Word): string =>
  kinds.every((kind) => kind === "text")
    ? text
    : Array.from(kinds, (kind, index) => (kind === "text" ? text[index] : "")).join("");

/** Whether there is anything to hide: a value of references alone tells nothing. */
export function isSecret(value: Word): boolean {
  const literal = literalOf(value);
  if (!/[\p{L}\d]/u.test(literal) || MASK.test(literal)) return false;
  return value.kinds[0] === "text" || !REST_OF_PATH.test(literal);
}

/** Quotes that open before a range or close behind it go with it where the range has some of its own. */
function withQuotes(source: string, start: number, end: number): [number, number] {
  if (!/["']/.test(source.slice(start, end))) return [start, end];
  let from = /["']/.test(source[start - 1] ?? "") ? start - 1 : start;
  if (from < start && source[from - 1] === "$") from--;
  return [from, /["']/.test(source[end] ?? "") ? end + 1 : end];
}

/** What a value is shown as: notes for what is literal; references and code stay, less what the code prints. */
export function hiddenIn(source: string, value: Word, note: string, within: Within): Range[] {
  const { at, ends, kinds } = value;
  const ranges: Range[] = [];
  const secret = isSecret(value);
  for (let index = 0; index < kinds.length; ) {
    const kind = kinds[index];
    let stop = index + 1;
    while (kinds[stop] === kind) stop++;
    const [from, to] = [at[index] as number, ends[stop - 1] as number];
    if (kind === "code") {
      const code = source.slice(from, to);
      const by = printedBlanked(code, note, within);
      if (by !== code) ranges.push({ start: from, end: to, by });
    } else if (kind === "text" && secret) {
      const [start, end] = withQuotes(source, from, to);
      const by = blanked(source, start, end, note, within);
      // separators between two variables are no secret
      if (/[\p{L}\d]/u.test(value.text.slice(index, stop)) || kinds.length === stop - index)
        ranges.push({ start, end, by });
    }
    index = stop;
  }
  return ranges;
}

const PRINTS = /(?<![\w.-])(?:echo|printf|yes)(?=[ \t])/g;
const OPTION_OF_ECHO = /^-[neE]{1,3}$/;
const FORMAT = /%[-\d.]{0,8}[sbqdcx]|\\[nrt0]|[\W_]/g;

/** The words that a command prints, but for options and plain formats. */
export function printedBy({ words }: Command): Word[] {
  const index = words.findIndex(({ text }) => /(?:^|[({/])(?:echo|printf|yes)$/.test(text));
  if (index < 0 || index > 4) return [];
  const formats = words[index]?.text.endsWith("printf");
  const operands = words.slice(index + 1).filter(({ text }) => !OPTION_OF_ECHO.test(text) && text !== "--");
  const printed = formats && operands[0]?.text.replace(FORMAT, "") === "" ? operands.slice(1) : operands;
  return printed.map(withoutBracket).filter(({ text }) => text !== "" && text !== "}");
}

/** The bracket that ends a group is no part of the last word in it. */
function withoutBracket(word: Word): Word {
  const { text, kinds } = word;
  let end = text.length;
  while (end > 0 && /[)`]/.test(text[end - 1] as string) && kinds[end - 1] === "text" && !text.includes("(")) end--;
  return end < text.length ? partOf(word, 0, end) : word;
}

/** Code whose output is secret: what it prints goes, the rest of it stays. */
function printedBlanked(code: string, note: string, within: Within): string {
  const opening = code[0] === "`" ? 1 : 2;
  const inner = code.slice(opening, -1);
  const ranges: Range[] = [];
  PRINTS.lastIndex = 0;
  const places = [...inner.matchAll(PRINTS)].map(({ index }) => index);
  let reached = -1;
  for (const at of places) {
    if (at < reached) continue;
    const command = commandAt(inner, at);
    reached = command.end;
    for (const word of printedBy(command)) ranges.push(...hiddenIn(inner, word, note, within));
  }
  if (ranges.length === 0) return blanked(code, 0, code.length, note, within);
  return `${code.slice(0, opening)}${replaced(inner, ranges)}${code.slice(-1)}`;
}
