// Scripts of one function each. What V8 compiled of them can be kept, see src/doors/lib/compiled-script.ts.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/** Every import of a part of Node would copy all of its names, and some parts take long to load and are rarely used. */
const BANNER = `(function (exports, given, module, __filename, $bring) {
const here = {
  get url() { return given("node:url").pathToFileURL(__filename).href; },
  get dirname() { return given("node:path").dirname(__filename); },
};
const early = /^node:(?:fs|path|os|url|util)$/;
const thin = new Map();
const late = (name) => new Proxy({}, {
  get(_, key, asked) {
    const part = given(name);
    Object.setPrototypeOf(asked, part);
    return part[key];
  },
});
const partOf = (name) => {
  if (!early.test(name)) return Object.create(late(name));
  const part = given(name);
  return typeof part === "object" ? Object.create(part) : part;
};
const require = (name) => {
  if (!name.startsWith("node:")) return given(name);
  if (!thin.has(name)) thin.set(name, partOf(name));
  return thin.get(name);
};
(function () {
`;

/** Packages of others may be written for sloppy mode, and the directive that esbuild writes must not come first then. */
const SLOPPY = ";";

export async function inOneFile(options, mode = SLOPPY) {
  const { metafile } = await build({
    ...options,
    bundle: true,
    splitting: false,
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    define: { ...options.define, "import.meta.url": "here.url", "import.meta.dirname": "here.dirname" },
    banner: { js: BANNER + mode },
    footer: { js: "})()})" },
    metafile: true,
  });
  for (const file of Object.keys(metafile.outputs)) lighten(file);
}

/** A getter for every name of a module: an object that grows so is faster as a dictionary from the beginning. */
function lighten(file) {
  const text = readFileSync(file, "utf8");
  const helper =
    /=\s*\((\w+),\s*(\w+)\)\s*=>\s*\{\s*for\s*\(var (\w+) in \2\)\s*[\w$]+\(\1,\s*\3,\s*\{\s*get:\s*\2\[\3\],\s*enumerable:\s*!0\s*\}\);?\s*\}/;
  if (!helper.test(text)) throw new Error(`${file}: esbuild writes the names of modules in another way`);
  writeFileSync(
    file,
    text.replace(
      helper,
      "=(to,all)=>{to.a=to.b=0;delete to.a;delete to.b;for(var name in all)to.__defineGetter__(name,all[name])}",
    ),
  );
}

const CHUNKS = "dist/lib/chunks";

/**
 * What every program that uses the library loads. Node loads the script, by way of `compiled-gate.js`; a bundler has to
 * see the module. `#gate` in package.json is the one or the other. `chunk` is what rolldown says about the module.
 */
export async function gateInOneFile({ exports, dynamicImports }, options) {
  const written = { minifyWhitespace: true, minifySyntax: true, lineLimit: 120, outdir: CHUNKS };
  const entryPoints = [`${CHUNKS}/gate.js`];
  await inOneFile({ ...options, ...written, entryPoints, plugins: [othersOutside] }, "");
  const imported = importThroughLoader(`${CHUNKS}/gate.cjs`, dynamicImports);
  await build({
    ...options,
    splitting: false,
    minifySyntax: true,
    stdin: { contents: loaderOf(exports, imported), resolveDir: ".", loader: "ts" },
    outfile: `${CHUNKS}/compiled-gate.js`,
    plugins: [othersOutside],
  });
  for (const file of readdirSync("dist/lib", { recursive: true })) {
    if (!file.endsWith(".js")) continue;
    const place = join("dist/lib", file);
    const text = readFileSync(place, "utf8");
    writeFileSync(place, text.replaceAll(/"\.{1,2}\/(?:chunks\/)?gate\.js"/g, '"#gate"'));
  }
}

/** A script cannot import by itself: the module that loads it does. */
function importThroughLoader(file, expected) {
  const text = readFileSync(file, "utf8");
  const found = [...new Set(Array.from(text.matchAll(/\bimport\("([^"]+)"\)/g), ([, name]) => name))];
  const named = (names) => [...new Set(names.map((name) => basename(name)))].sort().join(", ");
  if (named(found) !== named(expected))
    throw new Error(`${file}: it imports ${named(expected)}, and ${named(found)} was found`);
  writeFileSync(file, text.replaceAll(/\bimport\("([^"]+)"\)/g, '$$bring("$1")'));
  return found;
}

/** Each import is written out, for those who look for the files that a program needs. */
const loaderOf = (names, imported) => `
  import { compiledScript } from "./src/doors/lib/compiled-script.ts";
  declare const __VERSION__: string;
  const file = process.getBuiltinModule("node:url").fileURLToPath(new URL("gate.cjs", import.meta.url));
  if (!process.getBuiltinModule("node:fs").existsSync(file))
    throw new Error('toolgate was bundled without the condition "module": add it to the conditions of the bundler, or leave toolgate outside of the bundle.');
  const module = { exports: {} as Record<string, any> };
  const run = compiledScript("gate", file, __VERSION__) as (...given: unknown[]) => void;
  const brought: Record<string, () => Promise<unknown>> = {
    ${imported.map((name) => `"${name}": () => import("${name}")`).join(",\n    ")},
  };
  run(module.exports, process.getBuiltinModule, module, file, (name: string) => brought[name]!());
  const { ${names.map((name, index) => `${name}: _${index}`).join(", ")} } = module.exports;
  export { ${names.map((name, index) => `_${index} as ${name}`).join(", ")} };`;

const othersOutside = {
  name: "others-outside",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "entry-point" || /rolldown-runtime|compiled-script/.test(path) ? undefined : { path, external: true },
    );
  },
};
