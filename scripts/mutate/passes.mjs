// Has tests run with mutants, in processes that may hang or die of them.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { end, note, rowsIn, underway, verdictsIn } from "./verdicts.mjs";

/** However busy the machine is, the tests of one file take no longer. */
const LONGEST_MS = 10 * 60_000;
/** How often to look whether any mutant is still worth a test. */
const LOOK_MS = 2_000;
/** Of its patience: with less than the rest of it hardly a test can be tried. */
const SPENT = 0.95;
/** Tests that take longer for one mutant wait until quicker ones of all files have killed what they can. */
const QUICK_MS = 300;

export class Passes {
  #folder = mkdtempSync(path.join(os.tmpdir(), "toolgate-mutate-"));
  #verdicts = path.join(this.#folder, "verdicts");
  #task = path.join(this.#folder, "task.json");
  #about;
  #child;

  /** `numbers`: the number of each file's first mutant. `atLoad`: those outside of any function. `patience`: milliseconds of tests that one mutant may take. */
  constructor(about) {
    this.#about = about;
  }

  get verdicts() {
    return verdictsIn(this.#verdicts);
  }

  /** Every test file with all of these mutants that it reaches, as far as time allows. */
  async all(wanted, testFiles, deadline, tell) {
    for (const most of [QUICK_MS, Number.MAX_SAFE_INTEGER])
      await this.#round({ wanted, most }, testFiles, deadline, tell);
  }

  async #round({ wanted, most }, testFiles, deadline, tell) {
    const from = rowsIn(this.#verdicts).length;
    for (;;) {
      const rows = rowsIn(this.#verdicts).slice(from);
      const done = new Set(rows.map((row) => row.done));
      const pending = testFiles.filter((file) => !done.has(file));
      const alive = this.#alive(wanted);
      if (pending.length === 0 || alive.length === 0 || Date.now() >= deadline) return;
      tell(pending.length, alive.length);
      const looking = setInterval(() => this.#alive(wanted).length === 0 && this.#stop(), LOOK_MS);
      await this.#run({ wanted: alive, most }, pending, deadline);
      clearInterval(looking);
      if (rowsIn(this.#verdicts).length === from + rows.length && Date.now() < deadline) this.#blame(pending[0]);
    }
  }

  /** For a process that ended before it said anything: the mutant that was on, or else the test file is left out. */
  #blame(file) {
    const number = underway(this.#verdicts);
    note(this.#verdicts, number === undefined ? { done: file } : { number, killer: "it ends the process" });
  }

  /** Those that no test has killed, and for which there is patience left. */
  #alive(wanted) {
    const { verdicts } = this;
    return wanted.filter((number) => {
      const { killer, spent = 0 } = verdicts.get(number) ?? {};
      return !killer && spent < SPENT * this.#about.patience;
    });
  }

  /** One mutant from the start of a process on, as it takes where a module is loaded. */
  async one(number, testFiles, deadline) {
    for (const file of testFiles) {
      if (this.verdicts.get(number)?.killer || Date.now() >= deadline) return;
      const before = rowsIn(this.#verdicts).length;
      await this.#run({ wanted: [], fixed: number }, [file], Math.min(deadline, Date.now() + LONGEST_MS));
      if (rowsIn(this.#verdicts).length === before && Date.now() < deadline)
        note(this.#verdicts, { number, killer: "it ends the process" });
    }
    if (testFiles.length > 0) this.settle(number, deadline);
  }

  /** Nothing more will be tried with it. */
  settle(number, deadline) {
    if (Date.now() < deadline) note(this.#verdicts, { number, settled: true });
  }

  #run(task, testFiles, deadline) {
    end(this.#verdicts);
    writeFileSync(this.#task, JSON.stringify({ ...this.#about, verdicts: this.#verdicts, ...task }));
    const env = { ...process.env, TOOLGATE_MUTANTS: this.#task };
    const child = spawn(process.execPath, ["scripts/mutate/job.mjs", ...testFiles], {
      ...{ env, stdio: ["ignore", "ignore", "inherit", "ipc"], detached: true },
    });
    this.#child = child;
    const left = deadline - Date.now();
    const timer = Number.isFinite(left) ? setTimeout(() => this.#stop(), Math.max(0, left)) : undefined;
    return new Promise((resolve) => {
      child.once("exit", () => {
        clearTimeout(timer);
        this.#child = undefined;
        resolve();
      });
    });
  }

  #stop() {
    try {
      if (this.#child) process.kill(-this.#child.pid, "SIGKILL");
    } catch {
      // it has ended
    }
  }

  close() {
    this.#stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
