import fs from "node:fs";
import path from "node:path";
import { isWithinAny } from "../../../core/words/containment.ts";
import { GIT_FOLDER, STATE_FOLDER } from "../../../core/words/governing.ts";
import { globMatcher } from "../../../text/glob.ts";
import { blank, empty, kindOf, type Mount, readOnly, realPath } from "./mounts.ts";

/** Globs of files that a command must not see, and of files that it must not change. */
export type GuardedGlobs = { hidden: readonly string[]; fixed: readonly string[] };

/** So that a command starts in a moment; what is beyond is kept by reading the command alone. */
const MOST_ENTRIES = 50_000;
const MOST_MOUNTS = 500;
const SKIPPED = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);

/** What of the roots matches now, as mounts; a command that creates such a file itself is not kept from it. */
export function guardMounts(roots: readonly string[], { hidden, fixed }: GuardedGlobs): Mount[] {
  const concealed = matching(roots, hidden);
  const kept = matching(roots, fixed).filter((file) => !isWithinAny(file, concealed));
  return [
    ...kept.map((file) => readOnly(file)),
    ...concealed.map((file) => (kindOf(file) === "folder" ? empty(file) : blank(file))),
  ];
}

/** By their real paths: where a link matches, what it leads to, if that is inside the roots. */
function matching(roots: readonly string[], globs: readonly string[]): string[] {
  if (globs.length === 0) return [];
  const isMatch = globMatcher(globs);
  const found = new Set<string>();
  let entries = 0;
  for (const root of roots) {
    const ahead = [root];
    for (let folder = ahead.pop(); folder !== undefined; folder = ahead.pop()) {
      for (const entry of entriesOf(folder)) {
        if (++entries > MOST_ENTRIES || found.size >= MOST_MOUNTS) return [...found];
        const file = path.join(folder, entry.name);
        if (isMatch(path.relative(root, file)) !== undefined || isMatch(file) !== undefined) {
          const real = entry.isSymbolicLink() ? realPath(file) : file;
          if (real !== undefined && isInside(real, roots)) found.add(real);
        } else if (entry.isDirectory() && !SKIPPED.has(entry.name)) ahead.push(file);
      }
    }
  }
  return [...found];
}

const isInside = (file: string, roots: readonly string[]): boolean =>
  isWithinAny(file, roots) && !roots.includes(file) && !file.split("/").some((name) => name === GIT_FOLDER);

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
