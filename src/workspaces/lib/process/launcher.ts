import { spawn } from "node:child_process";
import fs from "node:fs";
import type { Exit } from "../../../core/process.ts";

/** What is to be started, its streams given as named pipes whose other ends are open already. */
export type Order = {
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** In the order of file descriptors; null is /dev/null. */
  streams: readonly (string | null)[];
};
export type Launched = { pid: number; exit: Promise<Exit> };
export interface Launcher {
  launch(order: Order): Promise<Launched>;
}

/** Forks this very process, which costs the more the larger it is. */
export const directLauncher: Launcher = {
  launch({ file, args, env, cwd, streams }) {
    const opened: number[] = [];
    try {
      for (const [index, stream] of streams.entries())
        opened.push(fs.openSync(stream ?? "/dev/null", index === 0 ? "r" : fs.constants.O_WRONLY));
      const child = spawn(file, args, { env, cwd, detached: true, stdio: opened });
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
