import type { Field } from "./walk.ts";

const DELIMITER = /^(?:-d|--delimiters=)(.)/s;

/** The lines of each text beside those of the others. */
const beside = (texts: readonly string[], between: string): string => {
  const all = texts.map((text) => text.replace(/\n$/, "").split("\n"));
  const longest = all.reduce((most, lines) => Math.max(most, lines.length), 0);
  return Array.from({ length: longest }, (_, row) => all.map((lines) => lines[row] ?? "").join(between)).join("\n");
};

const pasted = (texts: readonly string[], words: readonly string[]): string => {
  const at = words.findIndex((word) => /^(?:-d|--delimiters)$/.test(word));
  const given = at < 0 ? words.map((word) => DELIMITER.exec(word)?.[1]).find(Boolean) : words[at + 1]?.[0];
  return beside(texts, given ?? "\t");
};

type Merge = (texts: readonly string[], words: readonly string[]) => string;

/** Programs that print the files that they are given, and how. */
const MERGING: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ...["cat", "tac", "sort", "uniq", "head", "tail", "comm", "grep", "sed", "nl", "fold", "column"].map(
    (name) => [name, (texts: readonly string[]) => texts.join("")] as const,
  ),
  ["paste", pasted],
  ["join", (texts) => beside(texts, " ")],
]);

/** What a program prints of the texts of `<(…)` among its words: `paste <(echo rm) <(echo x) | sh`. */
export const mergedText = (program: string, fields: readonly Field[]): string | undefined => {
  if (!fields.some(({ flow }) => flow?.text !== undefined)) return undefined;
  const merge = MERGING.get(program);
  if (merge === undefined) return undefined;
  const texts = fields.flatMap(({ flow }) => flow?.text ?? []);
  const words = fields.map(({ text }) => text);
  return `${merge(texts, words)}\n`;
};
