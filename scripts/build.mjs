// Types are made by tsc; the library and the command line by esbuild, in few chunks: many small files load slowly.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

const { version, exports, dependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
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
  // zod comes along: its hundred files take longer to find than to read, and its schemas know each other across copies
  external: [
    ...Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => name !== "zod"),
    "@langchain/core/*",
  ],
});

/** The command line speaks English, as we do; zod brings sixty languages. */
const englishOnly = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js"',
      resolveDir: dirname(path),
    }));
  },
};
const commandLine = {
  ...shared,
  plugins: [englishOnly],
  outdir: "dist/cli",
  minify: true,
  external: [
    "@modelcontextprotocol/client",
    "@photostructure/sqlite",
    "playwright-core",
    "ajv",
    "@vscode/ripgrep",
    "oxc-parser",
    "playwright-core",
    "@ai-sdk/openai-compatible",
    ...Object.keys(peerDependencies),
  ],
  // its build for Node loads `process` in a way that a bundle in ESM cannot follow
  alias: { yaml: "./node_modules/yaml/browser/index.js" },
  define: { __VERSION__: JSON.stringify(version) },
};
await build({ ...commandLine, entryPoints: { main: "src/doors/cli/main.ts" }, outExtension: { ".js": ".mjs" } });
const mainApart = {
  name: "main-apart",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/main\.ts$/ }, () => ({ path: "./main.mjs", external: true }));
  },
};
await build({
  ...commandLine,
  entryPoints: { toolgate: "src/doors/cli/toolgate.ts" },
  splitting: false,
  format: "cjs",
  plugins: [mainApart],
  banner: { js: "#!/usr/bin/env node" },
});
writeFileSync("dist/cli/package.json", `${JSON.stringify({ type: "commonjs" })}\n`);
// the same in one file, as a function, for what is started most: compiled once, see toolgate.ts
await build({
  ...commandLine,
  entryPoints: { hook: "src/doors/hook/main.ts", main: "src/doors/cli/main.ts" },
  splitting: false,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  supported: { "dynamic-import": false },
  define: { ...commandLine.define, "import.meta.url": "importMetaUrl" },
  banner: {
    // every import of a part of Node would copy all of its names, and some parts take long to load and are rarely used
    js: `(function (exports, given, module, __filename) {
const importMetaUrl = given("node:url").pathToFileURL(__filename).href;
const early = /^node:(?:fs|fs.promises|path|os|url|util|module)$/;
const thin = new Map();
const partOf = (name) => {
  if (!early.test(name)) return Object.create(new Proxy({}, { get: (_, key) => given(name)[key] }));
  const part = given(name);
  return typeof part === "object" ? Object.create(part) : part;
};
const require = (name) => {
  if (!name.startsWith("node:")) return given(name);
  if (!thin.has(name)) thin.set(name, partOf(name));
  return thin.get(name);
};`,
  },
  footer: { js: "})" },
});
if (existsSync("dist/cli/toolgate.js")) chmodSync("dist/cli/toolgate.js", 0o755);
