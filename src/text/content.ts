import { indentUnit } from "./indentation.ts";
import { type Line, splitLines } from "./lines.ts";
import { plainText } from "./typography.ts";

const linesForUnit = 5000;

/** A text and what is worked out from it when first needed; a byte order mark belongs to no line. */
export type Content = {
  text: string;
  lines: () => Line[];
  bodies: () => string[];
  unit: () => string | undefined;
};

export function contentOf(text: string): Content {
  const lines = once(() => splitLines(text, text.startsWith("\uFEFF") ? 1 : 0));
  const beginning = () => lines().slice(0, linesForUnit);
  return {
    text,
    lines,
    bodies: once(() => lines().map((line) => bodyOf(line.text))),
    unit: once(() => indentUnit(beginning().map((line) => line.text))),
  };
}

/** What counts when lines are compared: no white space around, plain punctuation. */
export function bodyOf(line: string): string {
  const plain = plainText(line);
  let start = 0;
  let end = plain.length;
  while (start < end && isBlankCode(plain.charCodeAt(start))) start++;
  while (end > start && isBlankCode(plain.charCodeAt(end - 1))) end--;
  return plain.slice(start, end);
}

function isBlankCode(code: number): boolean {
  return code === 32 || code === 9 || code === 11 || code === 12;
}

export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
