import fs from "node:fs";
import path from "node:path";
import { GIT_FOLDER, STATE_FOLDER } from "../../core/words/governing.ts";
import type { Place } from "../../core/words/touch.ts";
import { openFolder, statExactly } from "./opened.ts";

const MOST_ENTRIES = 2000;
const MOST_NAMES = 50;
const SKIPPED = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);

/** At most this many entries of a folder; none if it cannot be opened. */
function someEntries(real: string, most: number): fs.Dirent[] {
  const entries: fs.Dirent[] = [];
  try {
    const folder = openFolder(real, real);
    try {
      const reader = fs.opendirSync(folder.self);
      try {
        for (let entry = reader.readSync(); entry && entries.length < most; entry = reader.readSync())
          entries.push(entry);
      } finally {
        reader.closeSync();
      }
    } finally {
      folder.close();
    }
  } catch {
    // suggestions are optional: a failure here must not fail the caller
  }
  return entries;
}

/** Counts the characters that two names share at their beginnings and ends. */
function likeness(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return start + end;
}

const exists = (real: string): boolean => {
  try {
    return statExactly({ real, shown: real }) !== undefined;
  } catch {
    return false;
  }
};

/** Suggestions as real paths: the same name elsewhere, then the most similar names in the missing one's folder. */
export function nearPaths(place: Place): string[] {
  const wanted = path.basename(place.real).toLowerCase();
  const elsewhere: string[] = [];
  let left = MOST_ENTRIES;
  for (const queue = [place.root]; queue.length > 0 && left > 0; ) {
    const folder = queue.shift() as string;
    for (const entry of someEntries(folder, left)) {
      left -= 1;
      const real = path.join(folder, entry.name);
      if (entry.name.toLowerCase() === wanted && real !== place.real) elsewhere.push(real);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) queue.push(real);
    }
  }

  let folder = path.dirname(place.real);
  let missing = wanted;
  while (folder.length > place.root.length && !exists(folder)) {
    missing = path.basename(folder).toLowerCase();
    folder = path.dirname(folder);
  }
  const beside = someEntries(folder, MOST_ENTRIES)
    .map((entry) => ({ real: path.join(folder, entry.name), likeness: likeness(entry.name.toLowerCase(), missing) }))
    .filter((neighbour) => neighbour.real !== place.real)
    .sort((a, b) => b.likeness - a.likeness || (a.real < b.real ? -1 : 1))
    .map((neighbour) => neighbour.real);
  return [...new Set([...elsewhere.slice(0, MOST_NAMES / 2), ...beside])].slice(0, MOST_NAMES);
}
