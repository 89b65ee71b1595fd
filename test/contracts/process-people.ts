import { type ChildProcess, type StdioOptions, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import type { Enforcement, Launch } from "../../src/core/contracts/process.ts";
import type { ProcessOptions } from "../../src/workspaces/processes.ts";
import { type Needs, needs, when } from "../capabilities.ts";

export type Answer = {
  code: number | null;
  stdout: string;
  stderr: string;
  error?: string;
  enforcement?: Enforcement;
};

export type Person = { name: string; prefix: readonly string[]; uid: number; options: Needs };

export const LEFT_OPEN = 40;
const NOBODY = 65534;
const asNobody = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];

/** Who commands are run as in the sandbox: whoever runs the tests, and an ordinary user beside root. */
export function people(): Person[] {
  const uid = process.getuid?.() ?? -1;
  const options = needs("bubblewrap");
  if (uid !== 0) return [{ name: "an ordinary user", prefix: [], uid, options }];
  const [file, ...args] = [...asNobody, process.execPath, "-e", `fs.readdirSync(${JSON.stringify(process.cwd())})`];
  const canBeNobody = spawnSync(file as string, args).status === 0;
  const reason = "nobody cannot read this folder, or setpriv is missing";
  return [
    { name: "root", prefix: [], uid: 0, options },
    { name: "nobody", prefix: asNobody, uid: NOBODY, options: canBeNobody ? options : when(false, reason) },
  ];
}

let naps = 0;
/** A command that takes long, in words that no other process was started with. */
export const newNap = (): string => `sleep 300.${process.pid}${String(naps++).padStart(4, "0")}`;

/** Living processes of anybody that were started with exactly these words. */
export const running = (words: string): string[] =>
  fs.readdirSync("/proc").filter((pid) => {
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8") === `${words.replaceAll(" ", "\0")}\0`;
    } catch {
      return false;
    }
  });

/** A folder outside every temporary folder, so that hiding those is not what makes a test pass. */
export function farFolder(uid: number): string {
  const base = path.resolve("node_modules/.cache");
  fs.mkdirSync(base, { recursive: true });
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(base, "sandbox-")));
  fs.chmodSync(folder, 0o755);
  if (process.getuid?.() === 0) fs.chownSync(folder, uid, uid);
  return folder;
}

export async function buildDriver(folder: string): Promise<string> {
  const outfile = path.join(folder, "driver.mjs");
  const entryPoints = [path.resolve(import.meta.dirname, "process-driver.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
  return outfile;
}

/** Commands run by somebody else, in a process of their own. */
export class Driver {
  readonly child: ChildProcess;
  readonly #waiting = new Map<number, { begun: () => void; ended: (answer: Answer) => void }>();
  #count = 0;

  constructor(script: string, prefix: readonly string[], home: string, options: ProcessOptions) {
    const [file = "", ...args] = [...prefix, process.execPath, script, JSON.stringify(options)];
    // a careless host: it leaves a folder open for whatever is started
    const left = fs.openSync(home, "r");
    const between = Array<"ignore">(LEFT_OPEN - 3).fill("ignore");
    const stdio: StdioOptions = ["pipe", "pipe", "ignore", ...between, left];
    this.child = spawn(file, args, { env: { ...process.env, HOME: home }, stdio, cwd: "/" });
    fs.closeSync(left);
    createInterface({ input: this.child.stdout as NonNullable<ChildProcess["stdout"]> }).on("line", (line) => {
      const { begun, id, ...answer } = JSON.parse(line) as Answer & { begun?: number; id: number };
      if (begun !== undefined) this.#waiting.get(begun)?.begun();
      else this.#waiting.get(id)?.ended(answer);
    });
  }

  start(command: string, how: Partial<Launch> = {}): { begun: Promise<void>; ended: Promise<Answer> } {
    const id = this.#count++;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const ended = new Promise<Answer>((resolve) => this.#waiting.set(id, { begun: begin, ended: resolve }));
    this.child.stdin?.write(`${JSON.stringify({ id, command, ...how })}\n`);
    return { begun, ended };
  }

  /** Ends the host without closing anything. */
  end(how: "exit" | "throw" | "SIGKILL"): Promise<unknown> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    if (how === "SIGKILL") this.child.kill(how);
    else this.child.stdin?.write(`${JSON.stringify({ end: how })}\n`);
    return ended;
  }

  run(command: string, how: Partial<Launch> = {}): Promise<Answer> {
    return this.start(command, how).ended;
  }

  forget(session: string): void {
    this.child.stdin?.write(`${JSON.stringify({ forget: session })}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) return resolve();
      this.child.once("exit", () => resolve());
      this.child.stdin?.end();
    });
  }
}
