// Types are made by tsc; the library and the command line by esbuild, in few chunks: many small files load slowly.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const { version, exports } = JSON.parse(readFileSync("package.json", "utf8"));
const shared = {
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  logLevel: "warning",
};

/** What package.json exports, by the names of the sources. */
const entries = Object.values(exports).flatMap(
  ({ types }) => /^\.\/dist\/lib\/(.*)\.d\.ts$/.exec(types ?? "")?.[1] ?? [],
);
await build({
  ...shared,
  entryPoints: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  outdir: "dist/lib",
  chunkNames: "chunks/[name]-[hash]",
  packages: "external",
});

await build({
  ...shared,
  entryPoints: { toolgate: "src/doors/cli/toolgate.ts" },
  outdir: "dist/cli",
  minify: true,
  external: ["@photostructure/sqlite", "ajv", "@vscode/ripgrep", "oxc-parser"],
  // its build for Node loads `process` in a way that a bundle in ESM cannot follow
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
  define: { __VERSION__: JSON.stringify(version) },
  banner: { js: "#!/usr/bin/env node" },
});
if (existsSync("dist/cli/toolgate.js")) chmodSync("dist/cli/toolgate.js", 0o755);
