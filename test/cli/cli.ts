import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll } from "vitest";
import { shareCompiled } from "../compiled.ts";

const BIN = resolve("dist/cli/toolgate.js");
if (!existsSync(BIN)) throw new Error("The command line is not built: run `npm run build` first (`npm test` does).");

// util-linux has a `script` that passes the exit status on; elsewhere there is no terminal to test with
const TERMINAL = "script";

const folders: string[] = [];
const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

export type Ended = { status: number | null; out: string; err: string };
export type RunOptions = {
  input?: string;
  env?: NodeJS.ProcessEnv;
  during?: (child: ChildProcess, out: () => string) => void;
};

/** A fresh folder with these files, a home of its own, and the command line on it. */
export async function workspace(files: Record<string, string> = {}) {
  const parent = await mkdtemp(join(tmpdir(), "toolgate-cli-"));
  folders.push(parent);
  const dir = join(parent, "ws");
  await mkdir(dir);
  const at = (name: string) => join(dir, name);
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), content);
  }
  // what these say about colours is not about a person at a terminal
  const { FORCE_COLOR: _, NO_COLOR: __, CI: ___, ...inherited } = process.env;
  const config = join(parent, "config");
  shareCompiled(config);
  const env = { ...inherited, HOME: parent, XDG_CONFIG_HOME: config, TERM: "xterm" };

  const start = (command: string, args: string[], { input, env: more, during }: RunOptions = {}) =>
    new Promise<Ended>((done, failed) => {
      const child = spawn(command, args, { cwd: dir, env: { ...env, ...more } });
      children.add(child);
      let [out, err] = ["", ""];
      child.stdout.on("data", (data) => (out += data));
      child.stderr.on("data", (data) => (err += data));
      child.stdin.on("error", () => {});
      child.on("error", failed);
      child.on("close", (status) => {
        children.delete(child);
        done({ status, out, err });
      });
      if (during) during(child, () => out);
      else child.stdin.end(input ?? "");
    });

  return {
    dir,
    at,
    has: (name: string) => existsSync(at(name)),
    read: (name: string) => readFile(at(name), "utf8"),
    write: (name: string, content: string) => writeFile(at(name), content),
    run: (args: string[], options?: RunOptions) => start(process.execPath, [BIN, ...args], options),
    /** In a terminal of its own; `keys` are pressed one after the other, each once its text is on the screen, or at once for "". */
    terminal: (
      args: string[],
      keys: readonly [shown: string, press: string | (() => string)][],
      redirected = "",
      program = BIN,
    ) => {
      const words = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
      const line = [...words, redirected].join(" ");
      const during: RunOptions["during"] = (child, out) => {
        let [next, from] = [0, 0];
        const look = () => {
          const [shown, press] = keys[next] ?? [];
          if (shown === undefined || press === undefined) return;
          const found = out().indexOf(shown, from);
          if (found === -1) return;
          from = found + shown.length;
          next += 1;
          child.stdin?.write(typeof press === "string" ? press : press());
        };
        look();
        child.stdout?.on("data", look);
      };
      return start(TERMINAL, ["-qec", line, "/dev/null"], { during });
    },
  };
}
