import type { LineRow } from "./search-rows.ts";

const over = (pattern: string, glob: string, found: string[], more: Partial<LineRow["query"]> = {}): LineRow => ({
  query: { pattern, multiline: true, globs: [glob], ...more },
  found: found.map((each) => `${glob}${/^\d+-/.test(each) ? "-" : ":"}${each}`),
});

/** Matches over several lines: every line that a match reaches is a hit. */
export const MULTILINE_ROWS: readonly (readonly [string, LineRow])[] = [
  ["over a line break", over("one\\nbeta", "readme.md", ["2:Alpha one", "3:beta two"])],
  ["a dot is a line break too", over("Title.*beta", "readme.md", ["1:# Title", "2:Alpha one", "3:beta two"])],
  ["the shortest", over("hit 3.*?4", "context.txt", ["3:hit 3", "4:4"])],
  ["two matches", over("hit \\d+\\n", "context.txt", ["3:hit 3", "5:hit 5", "10:hit 10"])],
  ["the beginning and the end of each line", over("^4$", "context.txt", ["4:4"])],
  ["as text", over("one\nbeta", "readme.md", ["2:Alpha one", "3:beta two"], { literal: true })],
  ["without case", over("alpha ONE\\nBETA", "readme.md", ["2:Alpha one", "3:beta two"], { ignoreCase: true })],
  ["up to the last line", over("three\\nlast.*", "readme.md", ["4:alpha three", "5:last without end"])],
  ["nothing", over("two\\none", "readme.md", [])],
  ["with context", over("hit 3\\n4", "context.txt", ["2-2", "3:hit 3", "4:4", "5-hit 5"], { context: 1 })],
];
