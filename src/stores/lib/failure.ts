import { ToolFailure } from "../../core/words/result.ts";

const BUSY = 5;
const LOCKED = 6;
const PROTOCOL = 15;

const moveAway = "It was left as it is: move it away to start over, or restore it from a backup.";

const known: Record<number, [problem: string, hint: string]> = {
  [BUSY]: ["is locked by another process", "Try again; if that does not help, end the other process."],
  8: ["can't be written", "Check the permissions of the file and its folder."],
  10: ["could not be read or written", "Check the disk."],
  11: ["is damaged", moveAway],
  13: ["cannot grow: the disk is full", "Free some space and try again."],
  14: ["can't be opened", "Check that its folder exists and is writable."],
  26: ["is not a SQLite database", moveAway],
};

/** SQLite's fixed messages, for the driver that leaves the code out of some errors. */
const codeByText: Record<string, number> = {
  "database is locked": BUSY,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
};

function codeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  // the low byte is the primary result code, the rest only details it
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff;
  return codeByText[error.message] ?? 0;
}

export const isBusy = (error: unknown): boolean => [BUSY, LOCKED, PROTOCOL].includes(codeOf(error));

/** Adds the file and what to do to SQLite's own errors; returns any other error unchanged. */
export function explained(error: unknown, file: string): unknown {
  const entry = known[codeOf(error)];
  if (!entry) return error;
  return new ToolFailure("IO_ERROR", `The store ${file} ${entry[0]} (${(error as Error).message}).`, entry[1]);
}

export const closedFailure = (): ToolFailure =>
  new ToolFailure("IO_ERROR", "The store is closed.", "Open it again before using it.");

export const irregularFailure = (file: string): ToolFailure =>
  new ToolFailure("CONFIG_ERROR", `The store ${file} is not a regular file.`, "Move it away to start over.");

export const foreignFailure = (file: string): ToolFailure =>
  new ToolFailure(
    "CONFIG_ERROR",
    `${file} is a database of another program.`,
    "It was left as it is: name another file.",
  );

export const newerFailure = (file: string, found: number, understood: number): ToolFailure =>
  new ToolFailure(
    "CONFIG_ERROR",
    `The store ${file} was written by a newer Toolgate (format ${found}, this one knows up to ${understood}).`,
    "Update Toolgate, or name another file for the store.",
  );

export const duplicateFailure = (what: string, id: string): ToolFailure =>
  new ToolFailure("CONFLICT", `The id ${id} of ${what} was used before.`, "Use a new id.");
