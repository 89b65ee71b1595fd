import { addSpoken } from "./assignments.ts";
import { referred, variableValue } from "./values.ts";
import { setVariable, walkValue } from "./variables.ts";
import { assign, type Field, type Flow, isKnown, textOf, UNKNOWN, type Walk } from "./walk.ts";

const MOST_LINES = 64;

const MOST_READ = 12;

/** The lines that `read` may be given: in a loop it takes one after the other. */
export const readLine = (
  names: readonly string[],
  fields: readonly Field[],
  walk: Walk,
  stdin: Flow | undefined,
): void => {
  const text = stdin === undefined ? UNKNOWN : textOf(stdin).replace(/\n$/, "");
  const all = text.split("\n", MOST_READ + 1);
  const lines = all.length > MOST_READ ? [...all.slice(0, MOST_READ), UNKNOWN] : all;
  const isRaw = fields.some(({ text }) => /^-\w*r/.test(text));
  const isDivided = fields.some(({ text }) => DIVIDES.test(text));
  const rows = lines.map((line) =>
    wordsFor(
      names.length,
      isRaw ? line : line.replace(/\\(.?)/g, "$1"),
      isDivided ? UNKNOWN : variableValue("IFS", walk),
    ),
  );
  for (const [index, name] of names.entries()) {
    const [first = "", ...others] = new Set(rows.map((words) => words[index] ?? ""));
    setVariable(walk, name, first);
    for (const other of others) walkValue(walk, name, other);
    const meant = referred(name, walk);
    if (others.length > 0) walk.scope.variables?.set(meant, [...(walk.scope.variables.get(meant) ?? []), ...others]);
    addSpoken(name, stdin, walk);
  }
};

const endOfWord = (text: string, blanks: string): number => {
  for (let index = 0; index < text.length; index++) if (blanks.includes(text[index] as string)) return index;
  return -1;
};

/** Each name takes a word of the line, and the last one the rest. Where that is not certain each may be all of it. */
const wordsFor = (count: number, line: string, blanks: string): string[] => {
  if (count === 1 || !isKnown(line) || !isKnown(blanks)) return Array.from({ length: count }, () => line);
  const words: string[] = [];
  let rest = line.trim();
  while (words.length < count - 1) {
    const end = endOfWord(rest, blanks);
    words.push(end < 0 ? rest : rest.slice(0, end));
    rest = end < 0 ? "" : rest.slice(end + 1).trimStart();
  }
  return [...words, rest];
};
/** Options with a value, which may be one of the names here, or with a line that ends elsewhere. */
const DIVIDES = /^-\w*[adinNptu]/;

/** `mapfile`: the lines, of which each is an element. */
export const readLines = (name: string, walk: Walk, stdin: Flow | undefined): void => {
  const text = stdin === undefined ? UNKNOWN : textOf(stdin).replace(/\n$/, "");
  const lines = text.split("\n", MOST_LINES);
  for (const [index, line] of lines.entries()) assign(walk, `${name}[${index}]`, line);
  setVariable(walk, name, lines.join(" "));
  for (const each of [name, `${name}[0]`]) addSpoken(each, stdin, walk);
};

/** `read -a`: the words of the first line, of which each is an element. */
export const readWords = (name: string, walk: Walk, stdin: Flow | undefined): void => {
  const [line = ""] = (stdin === undefined ? UNKNOWN : textOf(stdin)).split("\n", 1);
  const blanks = variableValue("IFS", walk);
  const words = isKnown(blanks) ? wordsFor(MOST_LINES, line, blanks).filter((word) => word !== "") : [UNKNOWN];
  for (const [index, word] of words.entries()) assign(walk, `${name}[${index}]`, word);
  setVariable(walk, name, words.join(" "));
  addSpoken(name, stdin, walk);
};
