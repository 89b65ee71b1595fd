import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const dist = process.env.TOOLGATE_DIST ?? path.resolve(import.meta.dirname, "../../dist");

export const cli = path.join(dist, "cli/toolgate.js");

/** A part of the built library, by its path. */
export const built = (part) => import(pathToFileURL(path.join(dist, "lib", part)).href);

/** A folder for one comparison, gone afterwards. */
export async function withFolder(work) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolgate-bench-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
