// Builds the library with tsc (JavaScript and types) and the command line with esbuild (few, small chunks).
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
await build({
  entryPoints: { toolgate: "src/doors/cli/toolgate.ts" },
  outdir: "dist/cli",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minify: true,
  external: ["@photostructure/sqlite", "ajv", "@vscode/ripgrep", "oxc-parser"],
  // its build for Node loads `process` in a way that a bundle in ESM cannot follow
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
  define: { __VERSION__: JSON.stringify(version) },
  banner: { js: "#!/usr/bin/env node" },
  logLevel: "warning",
});
if (existsSync("dist/cli/toolgate.js")) chmodSync("dist/cli/toolgate.js", 0o755);
