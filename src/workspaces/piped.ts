import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { PipedHearer, PipedLaunch, PipedProcess, PipedProcesses } from "../core/contracts/piped.ts";
import { environmentOf, MARKER } from "./lib/process/environment.ts";
import { withoutInherited } from "./lib/process/launcher.ts";
import { askToEnd, type Family, killAll, killOnce } from "./lib/process/process-tree.ts";

const GRACE_MS = 1_000;
const NONE: ReadonlySet<number> = new Set();

const open = new Set<LocalPiped>();
const endWithHost = (): void => {
  for (const processes of open) processes.killNow();
};

/** Programs that are spoken to over pipes, without a sandbox, because a person configured them. */
export function pipedProcesses(roots: readonly string[]): PipedProcesses {
  return new LocalPiped(roots);
}

class LocalPiped implements PipedProcesses {
  readonly #roots: readonly string[];
  readonly #mark = randomBytes(8).toString("hex");
  readonly #running = new Map<string, Family>();
  #count = 0;
  #closed = false;

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  async start({ program, args, env: asked, cwd }: PipedLaunch, hearer: PipedHearer): Promise<PipedProcess> {
    if (this.#closed) throw new Error("the workspace was closed");
    const mark = `${this.#mark}.${++this.#count}.`;
    const env = environmentOf({ host: process.env, passEnv: [], roots: this.#roots, bash: "/bin/bash" }, asked);
    env[MARKER] = mark;
    const child = spawn(program, args, {
      ...{ env, cwd, detached: true, windowsHide: true },
      stdio: withoutInherited(["pipe", "pipe", "pipe"] as const),
    });
    // a broken pipe is noticed by the exit of the program
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => {});
    const exited = endOf(child);
    if (child.pid === undefined) throw new Error(await exited);
    const family: Family = { leader: child.pid, leaderLives: true, mark };
    if (open.size === 0) process.on("exit", endWithHost);
    open.add(this);
    this.#running.set(mark, family);
    exited.then(() => {
      this.#running.set(mark, { ...family, leaderLives: false });
    });
    child.stdout?.on("data", (bytes: Uint8Array) => hearer.output(bytes));
    child.stderr?.on("data", (bytes: Uint8Array) => hearer.errors(bytes));
    let killing: Promise<void> | undefined;
    return {
      exited,
      write: (text) => written(child, text),
      kill: () => {
        killing ??= this.#end(mark, child);
        return killing;
      },
    };
  }

  /** Asks it to end by closing its input and by TERM, then kills what is left. */
  async #end(mark: string, child: ChildProcess): Promise<void> {
    child.stdin?.end();
    const families = () => [this.#running.get(mark)].filter((each) => each !== undefined);
    if (!(await askToEnd(families, NONE, GRACE_MS))) await killAll(families);
    this.#running.delete(mark);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  }

  killNow(): void {
    killOnce([...this.#running.values()]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await killAll(() => [...this.#running.values()]);
    open.delete(this);
    if (open.size === 0) process.off("exit", endWithHost);
  }
}

/** Resolves when the program itself exits, even if others still hold its pipes. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once("error", (error: NodeJS.ErrnoException) =>
      resolve(error.code === "ENOENT" ? `there is no program ${child.spawnfile}` : error.message),
    );
    child.once("exit", (code, signal) =>
      // its last output is still on its way
      setImmediate(() => resolve(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`)),
    );
  });

function written(child: ChildProcess, text: string): Promise<void> {
  const { stdin } = child;
  if (!stdin?.writable) return Promise.reject(new Error("it has ended"));
  return new Promise((resolve, reject) => stdin.write(text, (error) => (error ? reject(error) : resolve())));
}
