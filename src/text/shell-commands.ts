import { ENDS, partOf, type Word, wordAt } from "./shell-words.ts";

/** A part of a text, and what stands there instead. */
export type Range = { start: number; end: number; by: string };

/** One command: its words, what it is given as input, the files it is told to read or write, and its here-documents. */
export type Command = {
  words: Word[];
  inputs: Word[];
  targets: Word[];
  /** Where a here-document is announced, and the line that ends it. */
  documents: { at: number; delimiter: string }[];
  start: number;
  end: number;
};

const REDIRECTION = /(?:\d{1,2}|&)?(?:<<<|<<-?(?!<)|<>|>>|>\||[<>]&?)(?!\()/y;

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    if (text[at] === " " || text[at] === "\t") at++;
    else if (text[at] === "\\" && text[at + 1] === "\n") at += 2;
    else return at;
  }
}

const LONGEST_DOCUMENT = 16_384;

/** The lines of a here-document; one that never ends goes on to the end of the text, or as far as is looked. */
export function documentAt(text: string, { at: from, delimiter }: Command["documents"][number]): [number, number] {
  const start = text.indexOf("\n", from) + 1;
  if (start === 0 || delimiter === "") return [from, from];
  const farthest = Math.min(text.length, start + LONGEST_DOCUMENT);
  for (let at = start; at <= farthest; ) {
    const stop = text.indexOf("\n", at);
    const end = stop < 0 ? text.length : stop;
    if (text.slice(at, end).trim() === delimiter) return [start, at];
    if (stop < 0) break;
    at = stop + 1;
  }
  return [start, farthest];
}

/** `{-u,bob}` is two words. */
function expanded(word: Word): Word[] {
  if (word.text[0] !== "{" || !/^\{[^{}]*,[^{}]*\}$/.test(word.text)) return [word];
  const words: Word[] = [];
  let from = 1;
  for (let index = 1; index < word.text.length; index++)
    if (index === word.text.length - 1 || word.text[index] === ",") {
      if (index > from) words.push(partOf(word, from, index));
      from = index + 1;
    }
  return words;
}

/** The command from here to where it ends, as a shell would cut it. */
export function commandAt(text: string, from: number): Command {
  const command: Command = { words: [], inputs: [], targets: [], documents: [], start: from, end: from };
  let at = skipBlanks(text, from);
  while (at < text.length && !ENDS.test(text[at] as string)) {
    REDIRECTION.lastIndex = at;
    const sign = REDIRECTION.exec(text)?.[0];
    if (sign) {
      const target = wordAt(text, skipBlanks(text, at + sign.length));
      at = Math.max(target.end, at + sign.length);
      if (sign.includes("<<<")) command.inputs.push(target);
      else if (sign.includes("<<")) command.documents.push({ at, delimiter: target.text.trim() });
      else (target.kinds.includes("code") ? command.inputs : command.targets).push(target);
    } else {
      const word = wordAt(text, at);
      at = Math.max(word.end, at + 1);
      if (word.text !== "") command.words.push(...expanded(word));
    }
    at = skipBlanks(text, at);
  }
  command.end = Math.min(at, text.length);
  return command;
}

/** Puts other text in place of parts; of two that overlap the first counts. */
export function replaced(text: string, ranges: readonly Range[]): string {
  let result = "";
  let done = 0;
  for (const { start, end, by } of [...ranges].sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (start < done) continue;
    result += text.slice(done, start) + by;
    done = end;
  }
  return result + text.slice(done);
}
