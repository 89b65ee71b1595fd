import type { IndentMap } from "./indentation.ts";

/** What may be forgiven at a place, lightest first: the lower the sum of bits, the better the place. */
export const tolerances = {
  endings: { bit: 1, name: "line endings" },
  finalNewline: { bit: 2, name: "final newline" },
  blankEnds: { bit: 4, name: "blank lines at the ends" },
  trailing: { bit: 8, name: "trailing white space" },
  typography: { bit: 16, name: "typographic punctuation" },
  indentation: { bit: 32, name: "indentation" },
} as const;

/** A part of the file that matches a reading's old text; without `lines` it may begin and end within a line. */
export type Place = {
  start: number;
  end: number;
  forgiven: number;
  lines?: WholeLines;
};

/** Skipped lines are blank lines at the ends of the old text that the file does not have. */
export type WholeLines = {
  first: number;
  skippedAbove: number;
  skippedBelow: number;
  indent: IndentMap | undefined;
};

export function namesOf(forgiven: number): string[] {
  return Object.values(tolerances)
    .filter(({ bit }) => (forgiven & bit) !== 0)
    .map(({ name }) => name);
}
