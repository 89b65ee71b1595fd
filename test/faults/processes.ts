import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

export type Exit = { code: number | null; signal: string | null; errors: string };

/** Compiles process.ts, or another, once for the tests of a file; gives the function that runs it. */
export function processes(
  source = path.resolve(import.meta.dirname, "process.ts"),
): (...values: string[]) => Promise<Exit> {
  let folder: string;
  let script: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-process-"));
    script = path.join(folder, "process.mjs");
    symlinkSync(path.resolve("node_modules"), path.join(folder, "node_modules"), "junction");
    // one small file starts in two thirds of the time
    await build({
      entryPoints: [source],
      ...{ outfile: script, bundle: true, minify: true, platform: "node", format: "esm", logLevel: "error" },
      external: [
        ...["@photostructure/sqlite", "@vscode/*", "oxc-parser", "playwright-core"],
        ...["@modelcontextprotocol/*", "@ai-sdk/*", "ajv", "yaml"],
      ],
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  return async (...values) => {
    const child = spawn(process.execPath, [script, ...values], { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.on("data", (data) => {
      errors += data;
    });
    const [code, signal] = await once(child, "close");
    return { code, signal, errors };
  };
}
