import { compiledFolder, compiledScript } from "../lib/compiled-script.ts";

declare const __VERSION__: string;
// this file is built as CommonJS, because an ESM entry takes longer to start
declare const __dirname: string;
declare const require: NodeJS.Require;

/** Node 22 and later cache compiled code, so that the next start need not compile it again. */
function keepCompiled(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(compiledFolder());
}

type Main = (argv: readonly string[], version: string) => Promise<void>;
type Exports = { main?: Main };

/** A hook is started for every call of an agent, and scripts make many calls: these must be about as fast as Node. */
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

/** Commands that people and scripts run often, and that load no third-party packages. */
const OFTEN = new Set("call explain tools log undo redo plan approvals grants tasks locks memory".split(" "));

async function start([first = "", second = "", ...more]: readonly string[]): Promise<void> {
  // printing the version must cost no more than starting Node, so nothing is imported for it
  if (first === "--version" || first === "-V" || first === "-v") process.stdout.write(`${__VERSION__}\n`);
  // only what a client starts; installing and help are for people
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
