declare const __VERSION__: string;

/**
 * Node 22 and later keep what was compiled, so that the next start need not compile it again. Whoever can change that
 * decides what runs, so it lies in the folder of the person's own configuration, where no call may write.
 */
function keepCompiled(): void {
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    enableCompileCache?: (folder: string) => unknown;
  };
  if (!enableCompileCache) return;
  const { isAbsolute, join } = process.getBuiltinModule("node:path");
  const { homedir } = process.getBuiltinModule("node:os");
  const base = process.env.XDG_CONFIG_HOME;
  enableCompileCache(join(base && isAbsolute(base) ? base : join(homedir(), ".config"), "toolgate", "compiled"));
}

// the version must cost no more than starting Node does, so nothing is imported for it
const [first] = process.argv.slice(2);
if (first === "--version" || first === "-V" || first === "-v") process.stdout.write(`${__VERSION__}\n`);
else {
  keepCompiled();
  const { main } = await import("./main.ts");
  await main(process.argv.slice(2), __VERSION__);
}
