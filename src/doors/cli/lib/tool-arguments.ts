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

/** JSON of an object: arguments, or a whole line. */
export function readObject(text: string, what = "The arguments"): object {
  const value = readJson(text, `${what} cannot be read as JSON`);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new UsageFailure(`${what} must be one JSON object.`, HOW);
}

function readPair(word: string): [string, unknown] {
  const typed = TYPED.exec(word);
  if (typed) return [typed[1]!, readJson(typed[2]!, `The value of ${typed[1]} cannot be read as JSON`)];
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
