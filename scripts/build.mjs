// Types are made by tsc, the library by rolldown, the command line by esbuild: in few chunks, many small files load slowly.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build, transform } from "esbuild";
import { rolldown } from "rolldown";

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
// small packages come along: many files take longer to find than to read, and schemas of zod know each other across copies
const within = ["zod", "picocolors", "picomatch", "tokenx"];
const packages = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !within.includes(name));

/** zod brings sixty languages, a fifth of all there is to compile. Each is loaded when somebody asks for it. */
const lateLanguages = {
  name: "late-languages",
  load(id) {
    if (!/zod\/v4\/locales\/index\.js$/.test(id)) return null;
    const names = readFileSync(id, "utf8").matchAll(/default as (\w+) \} from "\.\/(.*)\.js"/g);
    const load = `import { createRequire } from "node:module";
      const load = (file) => createRequire(import.meta.url)(\`zod/v4/locales/\${file}.js\`).default();`;
    return [load, ...Array.from(names, ([, name, file]) => `export const ${name} = () => load("${file}");`)].join("\n");
  },
};

/** All that is loaded with the library: in one file, whatever else needs parts of it. */
const atOnce = new Set();
const findAtOnce = {
  name: "find-at-once",
  buildEnd() {
    const add = (id) => {
      if (atOnce.has(id)) return;
      atOnce.add(id);
      const { code, importedIds } = this.getModuleInfo(id) ?? { importedIds: [] };
      // other files get the values as they are once all of it has been loaded
      if (id.startsWith(resolve("src")) && /^export let\b/m.test(code ?? ""))
        throw new Error(`${id}: export a function instead of a variable that changes`);
      importedIds.forEach(add);
    };
    add(resolve("src/index.ts"));
  },
};

/** Less to read and to compile; in lines, so that Node shows one of them with an error and not the whole file. */
const compact = {
  name: "compact",
  renderChunk: async (code) =>
    (await transform(code, { minifyWhitespace: true, minifySyntax: true, lineLimit: 120, target: shared.target })).code,
};
const library = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  platform: "node",
  external: (id) => id.startsWith("node:") || packages.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [lateLanguages, findAtOnce, compact],
});
const { output } = await library.write({
  dir: "dist/lib",
  chunkFileNames: ({ name }) => `chunks/${name === "gate" ? "gate" : "[name]-[hash]"}.js`,
  minify: false,
  codeSplitting: { groups: [{ name: "gate", test: (id) => atOnce.has(id) }] },
});

/** The command line speaks English, as we do; zod brings sixty languages, and a reader of JSON Schema, which we have. */
const lessOfZod = {
  name: "less-of-zod",
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/classic\/from-json-schema\.js$/ }, () => ({
      contents: "export const fromJSONSchema = undefined",
    }));
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js"',
      resolveDir: dirname(path),
    }));
  },
};
const commandLine = {
  ...shared,
  plugins: [lessOfZod],
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
// the same in one file, for what is started most
const { inOneFile, gateInOneFile } = await import("./compiled-scripts.mjs");
await inOneFile({
  ...commandLine,
  entryPoints: { hook: "src/doors/hook/main.ts", main: "src/doors/cli/main.ts" },
  supported: { "dynamic-import": false },
});
const gate = output.find(({ name }) => name === "gate");
await gateInOneFile(gate, { ...shared, define: commandLine.define });
if (existsSync("dist/cli/toolgate.js")) chmodSync("dist/cli/toolgate.js", 0o755);
