declare const __VERSION__: string;
// this file is built as CommonJS: to start with a module of ESM takes longer
declare const __dirname: string;
declare const require: NodeJS.Require;

/**
 * Node 22 and later keep what was compiled, so that the next start need not compile it again. Whoever can change that
 * decides what runs, so it lies in the folder of the person's own configuration, where no call may write.
 */
function keepCompiled(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    enableCompileCache?: (folder: string) => unknown;
  };
  if (!enableCompileCache) return;
  enableCompileCache(compiledFolder());
}

function compiledFolder(): string {
  const { isAbsolute, join } = process.getBuiltinModule("node:path");
  const { homedir } = process.getBuiltinModule("node:os");
  const base = process.env.XDG_CONFIG_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), ".config"), "toolgate", "compiled");
}

type Main = (argv: readonly string[], version: string) => Promise<void>;

/**
 * A hook is started for every call of an agent, and so are calls by scripts: they have to cost little more than Node
 * itself. Each is one file, and what was compiled is kept for every version of Node.
 */
function mainOf(name: "hook" | "main"): Main {
  const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = process.getBuiltinModule("node:fs");
  const { Script } = process.getBuiltinModule("node:vm");
  const file = `${__dirname}/${name}.cjs`;
  const { size, mtimeMs } = statSync(file);
  const cache = `${compiledFolder()}/${name}-${[__VERSION__, process.version, process.arch, size, mtimeMs].join("-")}`;
  let cachedData: Buffer | undefined;
  try {
    cachedData = readFileSync(cache);
  } catch {
    // the first time, there is none
  }
  // it is written in ASCII
  const script = new Script(readFileSync(file, "latin1"), { filename: file, ...(cachedData && { cachedData }) });
  const module: { exports: { main?: Main } } = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file);
  // another kind of call may have compiled more
  if (!cachedData || script.cachedDataRejected || Math.random() < 0.05)
    process.on("exit", () => {
      try {
        mkdirSync(compiledFolder(), { recursive: true, mode: 0o700 });
        writeFileSync(`${cache}.${process.pid}`, script.createCachedData(), { mode: 0o600 });
        renameSync(`${cache}.${process.pid}`, cache);
      } catch {
        // it only takes longer then
      }
    });
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
