import { type Ending, type Line, splitLines } from "../lines.ts";
import { indentUnit } from "./indentation.ts";
import { plainText } from "./typography.ts";

const linesForUnit = 5000;

/** A text and lazily computed facts about it. A byte order mark belongs to no line. */
export type Content = {
  text: string;
  lines: () => Line[];
  bodies: () => string[];
  unit: () => string | undefined;
  endingNear: (offset: number) => Ending;
};

export function contentOf(text: string): Content {
  const lines = once(() => splitLines(text, text.startsWith("\uFEFF") ? 1 : 0));
  const hasCarriage = once(() => text.includes("\r"));
  const beginning = () => lines().slice(0, linesForUnit);
  return {
    text,
    lines,
    bodies: once(() => lines().map((line) => bodyOf(line.text))),
    unit: once(() => indentUnit(beginning().map((line) => line.text))),
    endingNear: (offset) => (hasCarriage() ? endingNear(text, offset) : "\n"),
  };
}

/** The line ending used near an offset: the one after it, else the one before. */
function endingNear(text: string, offset: number): Ending {
  const feed = text.indexOf("\n", offset);
  const carriage = text.slice(offset, feed === -1 ? undefined : feed).indexOf("\r");
  if (carriage !== -1) return offset + carriage + 1 === feed ? "\r\n" : "\r";
  if (feed !== -1) return "\n";
  const last = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
  if (text[last] === "\r") return "\r";
  return text[last - 1] === "\r" ? "\r\n" : "\n";
}

/** What counts when lines are compared: trimmed, with plain punctuation. */
export function bodyOf(line: string): string {
  const plain = plainText(line);
  let start = 0;
  let end = plain.length;
  while (isBlankCode(plain.charCodeAt(start))) start++;
  while (isBlankCode(plain.charCodeAt(end - 1))) end--;
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
