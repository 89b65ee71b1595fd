import { counted } from "../../text/counted.ts";

/** What was left out, and why; nothing is left out silently. */
export function leftOut({ excluded, unreadable }: { excluded: number; unreadable: number }, atLeast = false): string[] {
  const notes: string[] = [];
  const start = atLeast ? "At least " : "";
  const them = (count: number): string => (count === 1 ? "it" : "them");
  if (excluded > 0)
    notes.push(`${start}${counted(excluded, "file")} left out: this call may not read ${them(excluded)}.`);
  if (unreadable > 0)
    notes.push(
      `${start}${unreadable} ${unreadable === 1 ? "file or folder" : "files or folders"} skipped: the system does not let this user read ${them(unreadable)}.`,
    );
  return notes;
}

/** Appends notes that a reader needs. */
export const withNotes = (body: string, notes: readonly string[]): string =>
  notes.length === 0 ? body : `${body}${body === "" ? "" : "\n\n"}[${notes.join(" ")}]`;

export const byPath = (a: { path: string }, b: { path: string }): number =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** A size for people: `812 bytes`, `1.5 KB`. */
export function sizeOf(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < UNITS.length - 1; unit += 1) size /= 1024;
  return `${unit === 0 || size >= 100 ? Math.round(size) : Math.round(size * 10) / 10} ${bytes === 1 ? "byte" : UNITS[unit]}`;
}
