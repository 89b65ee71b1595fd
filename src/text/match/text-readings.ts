import { type Line, splitLines } from "../lines.ts";

/** One way to read a request; `how` names what had to be forgiven in the request itself. */
export type Reading = { old: string; new: string; how: string[]; wholeLines: boolean };

const mark = "\uFEFF";

/** All readings of a request: groups of equal rank, the most literal first. */
export function readingsOf(request: { old: string; new: string; wholeLines?: boolean }): Reading[][] {
  const { old, new: wanted, wholeLines = false } = request;
  const literal = withoutMark({ old, new: wanted, how: [], wholeLines });
  const unescaped = withoutEscaping(literal);
  const groups = [[literal], withoutNumbers(literal)];
  if (unescaped !== undefined) groups.push([unescaped], withoutNumbers(unescaped));
  for (const other of [withoutFence(literal), withoutEntities(literal)]) if (other) groups.push([other]);
  return groups.filter((group) => group.length > 0);
}

function withoutMark(reading: Reading): Reading {
  if (!reading.old.startsWith(mark)) return reading;
  const wanted = reading.new.startsWith(mark) ? reading.new.slice(1) : reading.new;
  return { ...reading, old: reading.old.slice(1), new: wanted, how: [...reading.how, "byte order mark"] };
}

function withoutEscaping(reading: Reading): Reading | undefined {
  const old = unescapeOnce(reading.old);
  if (old === reading.old) return undefined;
  return { ...reading, old, new: unescapeOnce(reading.new), how: [...reading.how, "escaping"] };
}

function unescapeOnce(text: string): string {
  const meanings: Record<string, string> = { n: "\n", t: "\t", r: "\r" };
  return text.replace(/\\([ntr"'`\\])/g, (_all, letter: string) => meanings[letter] ?? letter);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&#x27;": "'", "&amp;": "&" },
};
const decoded = (text: string): string =>
  text.replace(/&(?:lt|gt|quot|apos|amp|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity);

/** Some models write a call as XML, and escape its text once too often. */
function withoutEntities(reading: Reading): Reading | undefined {
  const old = decoded(reading.old);
  if (old === reading.old) return undefined;
  return { ...reading, old, new: decoded(reading.new), how: [...reading.how, "XML entities"] };
}

const FENCED = /^\s*```[\w+-]*[ \t]*\r?\n([\s\S]*?)\r?\n[ \t]*```\s*$/;

/** A text in a Markdown code block; its replacement may be in one, too. */
function withoutFence(reading: Reading): Reading | undefined {
  const old = FENCED.exec(reading.old)?.[1];
  if (old === undefined) return undefined;
  const wanted = FENCED.exec(reading.new)?.[1] ?? reading.new;
  return { ...reading, old, new: wanted, how: [...reading.how, "a code fence"] };
}

type Numbered = { number: number; separator: string; rest: string };

/** Readings without the line numbers of a listing; the blank after a number may belong to either part. */
function withoutNumbers(reading: Reading): Reading[] {
  const lines = splitLines(reading.old);
  const numbered = lines.map((line) => numberBefore(line.text));
  const separator = numbered.find((one) => one !== undefined && one.separator !== "")?.separator;
  const first = firstNumber(lines, numbered, separator);
  if (separator === undefined || first === undefined) return [];
  const wanted = splitLines(reading.new);
  const beyond = first + Math.max(lines.length, wanted.length);
  const strip = (listing: Line[], blank: string): string => {
    const isNumbered = listing.some((line) => numberBefore(line.text)?.separator === separator);
    return listing.map((line) => (isNumbered ? stripped(line.text, blank) : line.text) + line.ending).join("");
  };
  const stripped = (text: string, blank: string): string => {
    const one = numberBefore(text);
    if (one === undefined || one.number < first || one.number > beyond) return text;
    if (one.separator !== separator && one.separator !== "") return text;
    return one.rest.startsWith(blank) ? one.rest.slice(blank.length) : one.rest;
  };
  const blanks = (separator === "|" || separator === ":") && allHaveBlank(numbered) ? [" ", ""] : [""];
  return blanks.map((blank) => ({
    old: strip(lines, blank),
    new: strip(wanted, blank),
    how: [...reading.how, "line-number prefixes"],
    wholeLines: true,
  }));
}

function numberBefore(text: string): Numbered | undefined {
  const found = /^[ \t]*(\d{1,8})(?:(\t|→|:)| *(\|)|[ \t]*$)/.exec(text);
  if (found === null) return undefined;
  return { number: Number(found[1]), separator: found[2] ?? found[3] ?? "", rest: text.slice(found[0].length) };
}

function allHaveBlank(numbered: (Numbered | undefined)[]): boolean {
  return numbered.every((one) => one === undefined || one.rest === "" || one.rest.startsWith(" "));
}

/** The first line number, if all non-blank lines have one and they count up, with or without the blank lines. */
function firstNumber(lines: Line[], numbered: (Numbered | undefined)[], separator: string | undefined) {
  const counted: { number: number; index: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const one = numbered[index];
    if (one === undefined && line.text.trim() === "") continue;
    if (one === undefined || (one.separator !== separator && one.separator !== "")) return undefined;
    counted.push({ number: one.number, index });
  }
  const start = counted[0];
  if (start === undefined) return undefined;
  const byIndex = counted.every(({ number, index }) => number - start.number === index - start.index);
  const byCount = counted.every(({ number }, position) => number - start.number === position);
  return byIndex || byCount ? start.number : undefined;
}
