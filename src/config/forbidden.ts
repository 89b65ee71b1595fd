import { isAbsolute, join, posix } from "node:path";
import { realPlace } from "./files.ts";

/**
 * A glob by the names under which its files are met: without `.`, `..` and doubled slashes, and where its links lead.
 * Calls are judged by real places, so a glob that knew other names alone would forbid nothing.
 */
export function spellings(glob: string, workspace: string): string[] {
  const evened = evenly(glob, workspace);
  const named = isAbsolute(evened) ? evened : join(realPlace(workspace), evened);
  const real = realPlace(named);
  return real === named ? [evened] : [evened, real];
}

/** What is not above the workspace stays relative to it: there, a name without a slash is meant at any depth. */
function evenly(glob: string, workspace: string): string {
  const normal = posix.normalize(glob);
  return normal === ".." || normal.startsWith("../") ? join(realPlace(workspace), normal) : normal;
}
