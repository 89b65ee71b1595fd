import { parse, type Word } from "unbash";
import { LIMITS, UNKNOWN } from "./walk.ts";

/** The end of the quote, escape or expansion that starts at `from`; braces never split these. */
const skipped = (text: string, from: number): number => {
  const char = text[from];
  if (char === "\\") return from + 2;
  if (char === "'") return ending(text, "'", from + 1);
  if (char === "`") return ending(text, "`", from + 1);
  if (char === '"') {
    let index = from + 1;
    while (index < text.length && text[index] !== '"') index += text[index] === "\\" ? 2 : 1;
    return index + 1;
  }
  if (char === "$" && text[from + 1] === "'") {
    let index = from + 2;
    while (index < text.length && text[index] !== "'") index += text[index] === "\\" ? 2 : 1;
    return index + 1;
  }
  if (char === "$" && (text[from + 1] === "{" || text[from + 1] === "(")) {
    const open = text[from + 1] as string;
    const close = open === "{" ? "}" : ")";
    let depth = 0;
    for (let index = from + 1; index < text.length; index++) {
      if (text[index] === open) depth++;
      else if (text[index] === close && --depth === 0) return index + 1;
    }
    return text.length;
  }
  return from + 1;
};

const ending = (text: string, mark: string, from: number): number => {
  const index = text.indexOf(mark, from);
  return index < 0 ? text.length : index + 1;
};

type Brace = { open: number; close: number; pieces: string[] };

/** The leftmost brace expansion, found in one pass even if many braces are never closed. */
const firstBrace = (text: string): Brace | undefined => {
  const opened: { open: number; start: number; pieces: string[] }[] = [];
  let first: Brace | undefined;
  for (let index = 0; index < text.length; index = skipped(text, index)) {
    const char = text[index];
    if (char === "{") opened.push({ open: index, start: index + 1, pieces: [] });
    else if (char === "," || char === "}") {
      const inner = opened.at(-1);
      if (inner === undefined) continue;
      inner.pieces.push(text.slice(inner.start, index));
      inner.start = index + 1;
      if (char === ",") continue;
      opened.pop();
      const pieces = inner.pieces.length === 1 ? inSequence(inner.pieces[0] as string) : inner.pieces;
      if (pieces && (first === undefined || inner.open < first.open))
        first = { open: inner.open, close: index, pieces };
    }
  }
  return first;
};

const SEQUENCE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([A-Za-z])\.\.([A-Za-z]))(?:\.\.(-?\d{1,9}))?$/;

const inSequence = (text: string): string[] | undefined => {
  const match = SEQUENCE.exec(text);
  if (!match) return undefined;
  const numbers = match[1] !== undefined;
  const from = numbers ? Number(match[1]) : (match[3] as string).charCodeAt(0);
  const to = numbers ? Number(match[2]) : (match[4] as string).charCodeAt(0);
  const step = Math.abs(Number(match[5] ?? 1)) || 1;
  const steps = Math.floor(Math.abs(to - from) / step);
  // a range of numbers or letters hides no command, so a long one becomes one unknown word
  if (steps >= LIMITS.braces) return [UNKNOWN];
  const width = numbers && /^-?0\d/.test(match[1] as string) ? (match[1] as string).length : 0;
  return Array.from({ length: steps + 1 }, (_, index) => {
    const value = from + (to >= from ? index : -index) * step;
    return numbers ? String(value).padStart(width, "0") : String.fromCharCode(value);
  });
};

/** The words that a word with braces stands for, as text before any other expansion; none when there are too many. */
export const withoutBraces = (text: string): string[] | undefined => {
  const done: string[] = [];
  const open = [text];
  while (open.length > 0) {
    if (done.length + open.length > LIMITS.braces) return undefined;
    const word = open.shift() as string;
    const brace = firstBrace(word);
    if (!brace) done.push(word);
    else open.unshift(...brace.pieces.map((piece) => word.slice(0, brace.open) + piece + word.slice(brace.close + 1)));
  }
  return done;
};

/** More words than this would exhaust memory. */
export const isHuge = (text: string): boolean => /(?<!\d)\d{6,}\.\.|\.\.-?\d{6}/.test(text);

/** A text as the one word that it is. */
export const wordFrom = (text: string): Word | undefined => {
  const command = parse(`: ${text}`).commands[0]?.command;
  const word = command?.type === "Command" ? command.suffix[0] : undefined;
  return word?.type === "Word" ? word : undefined;
};
