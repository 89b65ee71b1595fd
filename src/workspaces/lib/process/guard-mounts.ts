import fs from "node:fs";
import path from "node:path";
import { isWithinAny } from "../../../core/words/containment.ts";
import { GIT_FOLDER, STATE_FOLDER } from "../../../core/words/governing.ts";
import { meansEverything, placeMatcher } from "../../../text/glob.ts";
import { blank, closed, kindOf, type Mount, readOnly, realPath } from "./mounts.ts";

/** How a guard covers a path: "whole" with everything below it, or only "itself" if something below is excepted. */
export type Covers = (file: string, root: string) => "whole" | "itself" | undefined;

/** What a command must not see (`hidden`) or change (`fixed`) in the roots, and must not see `outside` of them. */
export type GuardedFiles = {
  readonly hidden: readonly Covers[];
  readonly fixed: readonly Covers[];
  readonly outside: readonly string[];
};

/** Bounds, so that a command starts quickly. Beyond them, only the reading of the command line protects files. */
const MOST_ENTRIES = 50_000;
const MOST_MOUNTS = 500;
const SKIPPED = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);

export function coversOf(globs: readonly string[]): Covers {
  const isMatch = placeMatcher(globs);
  return (file, root) => {
    const covers =
      file === root ? globs.some(meansEverything) : isMatch({ shown: file, real: file, root }) !== undefined;
    return covers ? "whole" : undefined;
  };
}

/** Covers what others have locked, by real path. A lock on all of a root covers the root itself. */
export function coversLocked(globs: readonly string[]): Covers {
  const isMatch = placeMatcher(globs);
  return (file, root) => (isMatch({ shown: file, real: file, root }) === undefined ? undefined : "whole");
}

/** Mounts for what exists now. A command can still create a file that would match. */
export function guardMounts(roots: readonly string[], { hidden, fixed, outside }: GuardedFiles): Mount[] {
  const unseen = matching(roots, hidden);
  const concealed = [...unseen, ...otherNames(roots, unseen), ...outside.flatMap((file) => elsewhere(file, roots))];
  const all = roots.filter((root) => fixed.some((covers) => covers(root, root) === "whole"));
  const unchanged = matching(roots, fixed);
  const open = roots.filter((root) => !all.includes(root));
  const kept = [...all, ...unchanged, ...(open.length === 0 ? [] : otherNames(open, unchanged))].filter(
    (file) => !isWithinAny(file, concealed),
  );
  return [
    ...kept.map((file) => readOnly(file)),
    ...concealed.map((file) => (kindOf(file) === "folder" ? closed(file) : blank(file))),
  ];
}

/** Mounts that make the matching files of the roots appear empty. Folders that match are searched. */
export function emptied(roots: readonly string[], globs: readonly string[], empty: () => string): Mount[] {
  const isMatch = placeMatcher(globs);
  const files = matching(roots, [
    (file, root) => (isMatch({ shown: file, real: file, root }) === undefined ? undefined : "itself"),
  ]);
  return [...files, ...otherNames(roots, files)]
    .filter((file) => kindOf(file) === "file")
    .map((file) => readOnly(file, empty()));
}

/** Real paths of what the guards cover. For a link, its target, if that is inside the roots. */
function matching(roots: readonly string[], guards: readonly Covers[]): string[] {
  if (guards.length === 0) return [];
  const found = new Set<string>();
  for (const root of roots)
    walk([root], MOST_ENTRIES, (file, entry) => {
      const far = guards.map((covers) => covers(file, root));
      if (far.includes("whole") || (far.includes("itself") && !entry.isDirectory())) {
        const real = entry.isSymbolicLink() ? realPath(file) : file;
        if (real !== undefined && isInside(real, roots)) found.add(real);
        return "pass";
      }
      return found.size >= MOST_MOUNTS ? "end" : SKIPPED.has(entry.name) ? "pass" : "go in";
    });
  return [...found];
}

/** At most this many files below guarded paths are checked for further hard links. */
const MOST_LOOKED_AT = 2_000;

/** Other hard links to guarded files, which must not be readable or writable under another name. */
function otherNames(roots: readonly string[], kept: readonly string[]): string[] {
  const linked = new Set<string>();
  const look = (file: string) => {
    const stats = fs.lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.nlink > 1) linked.add(`${stats.dev}:${stats.ino}`);
    return "go in" as const;
  };
  for (const file of kept) look(file);
  walk([...kept], MOST_LOOKED_AT, look);
  if (linked.size === 0) return [];
  const found: string[] = [];
  walk([...roots], MOST_ENTRIES, (file, entry) => {
    if (kept.includes(file) || SKIPPED.has(entry.name)) return "pass";
    const stats = entry.isFile() ? fs.lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (stats && linked.has(`${stats.dev}:${stats.ino}`)) found.push(file);
    return found.length >= MOST_MOUNTS ? "end" : "go in";
  });
  return found;
}

type Step = "go in" | "pass" | "end";

function walk(folders: string[], most: number, visit: (file: string, entry: fs.Dirent) => Step): void {
  let entries = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of entriesOf(folder)) {
      const file = path.join(folder, entry.name);
      const step = ++entries > most ? "end" : visit(file, entry);
      if (step === "end") return;
      if (step === "go in" && entry.isDirectory()) folders.push(file);
    }
}

const isInside = (file: string, roots: readonly string[]): boolean =>
  isWithinAny(file, roots) && !roots.includes(file) && !file.split("/").some((name) => name === GIT_FOLDER);

/** No program starts without these, so they stay visible. Only the reading of commands protects them, and `/*`. */
const NEEDED = "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /dev /proc /sys /nix /run /tmp /var/tmp".split(" ");

function elsewhere(file: string, roots: readonly string[]): string[] {
  const real = realPath(file);
  if (real === undefined || real.split("/").length < 3 || isWithinAny(real, [...NEEDED, ...roots])) return [];
  return roots.some((root) => isWithinAny(root, [real])) ? [] : [real];
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
