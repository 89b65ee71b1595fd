/** A count with its noun: `1 hit`, `2 hits`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const leftOut = (excluded: number, atLeast = false): string[] =>
  excluded === 0
    ? []
    : [
        `${atLeast ? "At least " : ""}${counted(excluded, "file")} left out: this call may not read ${excluded === 1 ? "it" : "them"}.`,
      ];

/** What a reader must know beside the findings. */
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
