import { isAbsolute, join, posix } from "node:path";
import { realPlace } from "./files.ts";

/**
 * The names under which the files of a glob may be met: without `.`, `..` and doubled slashes, and behind its links.
 * Calls are judged by real places, so a glob that only knew other names would forbid nothing.
 */
export function spellings(glob: string, workspace: string): string[] {
  const evened = evenly(glob, workspace);
  const named = isAbsolute(evened) ? evened : join(realPlace(workspace), evened);
  const real = realPlace(named);
  return real === named ? [evened] : [evened, real];
}

/** A glob inside the workspace stays relative, because there a name without a slash matches at any depth. */
function evenly(glob: string, workspace: string): string {
  const normal = posix.normalize(glob);
  return normal === ".." || normal.startsWith("../") ? join(realPlace(workspace), normal) : normal;
}
