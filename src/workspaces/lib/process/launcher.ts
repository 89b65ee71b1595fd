import { spawn } from "node:child_process";
import fs from "node:fs";
import type { Exit } from "../../../core/contracts/process.ts";

/** A program to start. Its streams are named pipes whose other ends are already open. */
export type Order = {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** In the order of file descriptors; null stands for /dev/null. */
  streams: readonly (string | null)[];
};
export type Launched = { pid: number; exit: Promise<Exit> };
export interface Launcher {
  launch(order: Order): Promise<Launched>;
}

const CLOSED_BY_EXEC = 0o2000000;
const HIGHEST = 4096;

/** Descriptors that our parent left open for every program that we start. Commands must not get them. */
function inherited(): number[] {
  const left: number[] = [];
  try {
    for (const name of fs.readdirSync("/proc/self/fd")) {
      const fd = Number(name);
      if (fd > 2 && fd <= HIGHEST && !(flagsOf(name) & CLOSED_BY_EXEC)) left.push(fd);
    }
  } catch {
    // only Linux has it
  }
  return left;
}

function flagsOf(fd: string): number {
  try {
    return Number.parseInt(/^flags:\s*(\d+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "", 8);
  } catch {
    return CLOSED_BY_EXEC;
  }
}

let left: { fds: readonly number[]; nothing: number } | undefined;

/** Replaces inherited descriptors by /dev/null, because Node cannot close them in the child. */
export function withoutInherited<Stream>(streams: readonly Stream[]): (Stream | number | "ignore")[] {
  left ??= { fds: inherited(), nothing: fs.openSync("/dev/null", "r+") };
  const all: (Stream | number | "ignore")[] = [...streams];
  for (const fd of left.fds) {
    while (all.length <= fd) all.push("ignore");
    if (fd >= streams.length) all[fd] = left.nothing;
  }
  return all;
}

/** Standard input, and what is handed over after the sandbox's own two descriptors. */
const isRead = (index: number): boolean => index === 0 || index > 4;

/** Spawns from this process. The larger the process, the more a fork costs. */
export const directLauncher: Launcher = {
  launch({ file, args, env, cwd, streams }) {
    const opened: number[] = [];
    try {
      for (const [index, stream] of streams.entries())
        opened.push(fs.openSync(stream ?? "/dev/null", isRead(index) ? "r" : fs.constants.O_WRONLY));
      const child = spawn(file, args, { env, cwd, detached: true, stdio: withoutInherited(opened) });
      const exit = new Promise<Exit>((resolve) => {
        child.once("exit", (code, signal) => resolve({ code, signal }));
      });
      const { pid } = child;
      if (pid !== undefined) return Promise.resolve({ pid, exit });
      return new Promise((_, reject) => child.once("error", reject));
    } catch (error) {
      return Promise.reject(error);
    } finally {
      for (const fd of opened) fs.closeSync(fd);
    }
  },
};
