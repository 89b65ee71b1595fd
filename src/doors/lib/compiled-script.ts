const DAY = 24 * 60 * 60 * 1000;

/**
 * Whoever can change compiled code decides what runs, so it is kept in the folder of the person's own configuration,
 * where no call may write.
 */
export function compiledFolder(): string {
  const { isAbsolute, join } = process.getBuiltinModule("node:path");
  const { homedir } = process.getBuiltinModule("node:os");
  const base = process.env.XDG_CONFIG_HOME;
  return join(base && isAbsolute(base) ? base : join(homedir(), ".config"), "toolgate", "compiled");
}

/**
 * Evaluates a script that we built, with V8's code cache, keyed by the versions of Node and of the script: compiling
 * takes most of the startup time. Node's own settings turn it off.
 */
export function compiledScript(name: string, file: string, version: string): unknown {
  const { readFileSync, statSync } = process.getBuiltinModule("node:fs");
  // the file contains only ASCII
  const text = readFileSync(file, "latin1");
  // in a test runner that loads modules into its own context, a script of Node's context would not share its classes
  if (!(process.getBuiltinModule instanceof Function)) return new Function(`return ${text}`)();
  const { Script } = process.getBuiltinModule("node:vm");
  const { NODE_DISABLE_COMPILE_CACHE, NODE_V8_COVERAGE } = process.env;
  const isKept = !NODE_DISABLE_COMPILE_CACHE && !NODE_V8_COVERAGE;
  const { size, mtimeMs } = statSync(file);
  const key = `${name}-${[version, process.version, process.arch, size, mtimeMs].join("-")}`;
  const cachedData = isKept ? ownFile(key) : undefined;
  const script = new Script(text, { filename: file, ...(cachedData && { cachedData }) });
  // another kind of run may have compiled more functions
  if (isKept && (!cachedData || script.cachedDataRejected || Math.random() < 0.05))
    process.on("exit", () => keep(name, key, script.createCachedData()));
  return script.runInThisContext();
}

/** Returns undefined if the file is missing, or if somebody else could have written it. */
function ownFile(key: string): Buffer | undefined {
  const { closeSync, fstatSync, openSync, readFileSync } = process.getBuiltinModule("node:fs");
  try {
    const descriptor = openSync(`${compiledFolder()}/${key}`, "r");
    try {
      const { uid, mode } = fstatSync(descriptor);
      const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
      return isOwn ? readFileSync(descriptor) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return;
  }
}

/** Failures are ignored: a person cannot do anything about them, and only the next start is slower. */
function keep(name: string, key: string, data: Buffer): void {
  const fs = process.getBuiltinModule("node:fs");
  try {
    const folder = compiledFolder();
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const unfinished = `${folder}/${key}.${process.pid}-${Math.random().toString(36).slice(2)}`;
    fs.writeFileSync(unfinished, data, { mode: 0o600, flag: "wx", flush: true });
    fs.renameSync(unfinished, `${folder}/${key}`);
    for (const each of fs.readdirSync(folder))
      if (each.startsWith(`${name}-`) && fs.statSync(`${folder}/${each}`).mtimeMs < Date.now() - 30 * DAY)
        fs.rmSync(`${folder}/${each}`);
  } catch {}
}
