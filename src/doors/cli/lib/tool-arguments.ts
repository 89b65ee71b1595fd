import { UsageFailure } from "./failure.ts";

const TYPED = /^([A-Za-z_][\w-]*):=(.*)$/s;
const TEXT = /^([A-Za-z_][\w-]*)=(.*)$/s;
const HOW = "Give one JSON object, or key=value words (key:=JSON for values that are no text).";

/** The arguments of a tool as typed: one JSON object, key=value words, a bare word, or nothing. */
export function readToolArguments(words: readonly string[]): unknown {
  const [first] = words;
  if (first === undefined) return {};
  if (words.length === 1) {
    if (first.trimStart().startsWith("{")) return readObject(first);
    if (!TYPED.test(first) && !TEXT.test(first)) return first;
  }
  const pairs = words.map(readPair);
  const names = new Set<string>();
  for (const [name] of pairs) {
    if (names.has(name))
      throw new UsageFailure(`The argument ${name} is given twice.`, 'Give a list as name:=\'["a", "b"]\'.');
    names.add(name);
  }
  return Object.fromEntries(pairs);
}

/** JSON of an object, from a word or from standard input. */
export function readObject(text: string): unknown {
  const value = readJson(text, "The arguments are no JSON");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageFailure("The arguments must be one JSON object.", HOW);
  return value;
}

function readPair(word: string): [string, unknown] {
  const typed = TYPED.exec(word);
  if (typed) return [typed[1]!, readJson(typed[2]!, `The value of ${typed[1]} is no JSON`)];
  const text = TEXT.exec(word);
  if (text) return [text[1]!, text[2]!];
  throw new UsageFailure(`${word} is not key=value.`, `${HOW} Put a value with spaces in quotes.`);
}

function readJson(text: string, complaint: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageFailure(`${complaint}: ${error instanceof Error ? error.message : String(error)}`, HOW);
  }
}
