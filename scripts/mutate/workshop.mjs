// A copy of the project in the temp folder, with a process that runs tests in it and is started again when it hangs.
import { execFileSync, fork } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** What git knows and what it would not ignore, as it is now. */
const projectFiles = () =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
    .split("\0")
    .filter(Boolean);

export class Workshop {
  #mode;
  #child;
  #folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-mutate-"));
  constructor(mode, environment = {}) {
    this.#mode = mode;
    this.environment = environment;
    for (const file of projectFiles()) {
      mkdirSync(path.dirname(path.join(this.#folder, file)), { recursive: true });
      cpSync(file, path.join(this.#folder, file), { force: true, errorOnExist: false, verbatimSymlinks: true });
    }
    cpSync("dist", path.join(this.#folder, "dist"), { recursive: true });
    symlinkSync(path.resolve("node_modules"), path.join(this.#folder, "node_modules"));
  }

  async #start() {
    this.#child = fork("scripts/mutate/job.mjs", [this.#mode], {
      cwd: this.#folder,
      env: { ...process.env, ...this.environment },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true,
    });
    await this.#answer(60_000);
  }

  /** undefined: it did not end in time, and was ended. */
  async run(task, milliseconds) {
    if (!this.#child) await this.#start();
    this.#child.send(task);
    const answer = await this.#answer(milliseconds);
    if (!answer && task.mutant) copyFileSync(task.mutant.file, path.join(this.#folder, task.mutant.file));
    if (answer?.error) throw new Error(answer.error);
    return answer;
  }

  #answer(milliseconds) {
    const child = this.#child;
    return new Promise((resolve) => {
      const settle = (answer) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      const stop = () => {
        this.#kill();
        settle(undefined);
      };
      const timer = setTimeout(stop, milliseconds);
      child.once("message", settle);
      child.once("exit", stop);
    });
  }

  #kill() {
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // it has ended
    }
    this.#child = undefined;
  }

  close() {
    if (this.#child) this.#kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
