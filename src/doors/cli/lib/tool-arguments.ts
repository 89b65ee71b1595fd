import { readFileSync } from "node:fs";
import { UsageFailure } from "./exit-status.ts";

const TYPED = /^([A-Za-z_][\w-]*):=(.*)$/s;
const TEXT = /^([A-Za-z_][\w-]*)=(.*)$/s;
const HOW = "Give one JSON object, or key=value words (key:=JSON for values that are not text).";

/** Arguments of a tool as typed; `first` has no name and is the tool's first argument. */
export type Typed = { first?: string; named: object };

/** Accepts one JSON object, key=value words, a bare word before them, or nothing. */
export function readToolArguments(words: readonly string[]): Typed {
  const [first] = words;
  const isObject = first?.trimStart().startsWith("{") === true;
  if (words.length === 1 && first !== undefined && isObject) return { named: readObject(first) };
  const isBare = first !== undefined && !isObject && !TYPED.test(first) && !TEXT.test(first);
  const pairs = (isBare ? words.slice(1) : words).map(readPair);
  const names = new Set<string>();
  for (const [name] of pairs) {
    if (names.has(name))
      throw new UsageFailure(`The argument ${name} is given twice.`, 'Give a list as name:=\'["a", "b"]\'.');
    names.add(name);
  }
  const named = Object.fromEntries(pairs);
  return { ...(isBare && { first }), named };
}

/** Parses a JSON object: arguments, or a whole line. */
export function readObject(text: string, what = "The arguments"): object {
  const value = readJson(text, `${what} cannot be read as JSON`);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new UsageFailure(`${what} must be one JSON object.`, HOW);
}

function readPair(word: string): [string, unknown] {
  const typed = TYPED.exec(word);
  if (typed) return [typed[1]!, readJson(typed[2]!, `The value of ${typed[1]} cannot be read as JSON`)];
  const text = TEXT.exec(word);
  if (text) return [text[1]!, text[2]!.startsWith("@") ? fileContent(text[1]!, text[2]!.slice(1)) : text[2]!];
  throw new UsageFailure(`${word} is not key=value.`, `${HOW} Put a value with spaces in quotes.`);
}

/** `content=@file`; `@@` stands for a text that begins with @. */
function fileContent(name: string, file: string): string {
  if (file.startsWith("@")) return file;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file === "-" ? 0 : file));
  } catch (error) {
    const { code } = error as { code?: string };
    const why =
      code === "ENOENT"
        ? "does not exist"
        : /^E[A-Z\d]+$/.test(code ?? "")
          ? `cannot be read (${code})`
          : "is not UTF-8 text";
    throw new UsageFailure(
      `${name}=@${file}: the file ${file} ${why}.`,
      `${name}=@FILE takes the text from a file; write ${name}=@@${file} for a text that begins with @.`,
    );
  }
}

function readJson(text: string, complaint: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageFailure(`${complaint}: ${error instanceof Error ? error.message : String(error)}`, HOW);
  }
}
