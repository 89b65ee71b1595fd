/** A patch of one file that must be applied, and what the file is then. */
export type AppliedCase = { name: string; before: string; patch: string; after: string; how?: string[]; path?: string };

/** A patch of one file that must not be applied; `why` is the kind of the problem, `says` a part of its text. */
export type RefusedCase = { name: string; before: string; patch: string; why: string; says?: string; path?: string };

/** A patch and its operations in short, or the line and a part of the text of its first problem. */
export type ReadCase = { name: string; patch: string; path?: string; gives?: string[]; line?: number; says?: string };

export const lines = (...rows: string[]): string => rows.map((row) => `${row}\n`).join("");

/** A unified diff of f.txt with these lines below its header. */
export const diff = (...rows: string[]): string => lines("--- a/f.txt", "+++ b/f.txt", ...rows);

/** An update of f.txt in the other format. */
export const update = (...rows: string[]): string =>
  lines("*** Begin Patch", "*** Update File: f.txt", ...rows, "*** End Patch");

export const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

export const noNewline = "\\ No newline at end of file";

/** The numbers from 1 on, one a line. */
export const numbers = (count: number): string => lines(...Array.from({ length: count }, (_, index) => `${index + 1}`));
