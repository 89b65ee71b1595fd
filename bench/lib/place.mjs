import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const dist = process.env.TOOLGATE_DIST ?? path.resolve(import.meta.dirname, "../../dist");

export const cli = path.join(dist, "cli/toolgate.js");
export const library = path.join(dist, "lib/index.js");

/** A part of the library, by its path: as it is published, or bundled by itself where it is not. */
export async function built(part) {
  const published = path.join(dist, "lib", part);
  if (existsSync(published)) return import(pathToFileURL(published).href);
  const outfile = path.join(dist, "bench", part);
  if (!existsSync(outfile)) {
    const { build } = await import("esbuild");
    const source = path.resolve(dist, "../src", part.replace(/\.js$/, ".ts"));
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
    });
  }
  return import(pathToFileURL(outfile).href);
}

/** A folder for one comparison, gone afterwards. */
export async function withFolder(work) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolgate-bench-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
