import { compiledFolder, compiledScript } from "../lib/compiled-script.ts";

declare const __VERSION__: string;
// this file is built as CommonJS: to start with a module of ESM takes longer
declare const __dirname: string;
declare const require: NodeJS.Require;

/** Node 22 and later keep what was compiled, so that the next start need not compile it again. */
function keepCompiled(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(compiledFolder());
}

type Main = (argv: readonly string[], version: string) => Promise<void>;
type Exports = { main?: Main };

/** A hook is started for every call of an agent, and so are calls by scripts: they cost little more than Node itself. */
function mainOf(name: "hook" | "main"): Main {
  const file = `${__dirname}/${name}.cjs`;
  const run = compiledScript(name, file, __VERSION__) as (
    exports: Exports,
    given: NodeJS.Require,
    module: { exports: Exports },
    file: string,
  ) => void;
  const module: { exports: Exports } = { exports: {} };
  run(module.exports, require, module, file);
  return module.exports.main as Main;
}

/** What people and scripts start again and again, and what loads no packages of others. */
const OFTEN = new Set("call explain tools log undo redo plan approvals grants tasks locks memory".split(" "));

async function start([first = "", second = "", ...more]: readonly string[]): Promise<void> {
  // the version must cost no more than starting Node does, so nothing is imported for it
  if (first === "--version" || first === "-V" || first === "-v") process.stdout.write(`${__VERSION__}\n`);
  // what a client starts; a person installs it, or wants help
  else if (first === "hook" && /^(?!(?:un)?install$)\w+$/.test(second))
    await mainOf("hook")([second, ...more], __VERSION__);
  else if (OFTEN.has(first)) await mainOf("main")(process.argv.slice(2), __VERSION__);
  else {
    keepCompiled();
    const { main } = await import("./main.ts");
    await main(process.argv.slice(2), __VERSION__);
  }
}

void start(process.argv.slice(2));
