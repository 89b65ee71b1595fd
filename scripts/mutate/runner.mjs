// Runs a test file as always, and then again for every mutant that its tests reach, with that mutant switched on.
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { startTests } from "@vitest/runner";
import { TestRunner } from "vitest";
import { begin, end, note, verdictsIn } from "./verdicts.mjs";

const {
  wanted,
  patience,
  verdicts,
  fixed,
  most,
  atLoad = [],
} = JSON.parse(readFileSync(process.env.TOOLGATE_MUTANTS, "utf8"));
/** So many times what a test took without a mutant, and so much more, it may take with one. */
const SLOWER = 20;
const MORE_MS = 20_000;
const WORK_MORE_MS = 5_000;
const NONE = -1;

const sought = new Set(wanted);
const loading = new Set(atLoad);
let active = NONE;
let collecting = true;
let reached = new Set();
let accidents = 0;

globalThis.__mutant = (number) => {
  if (collecting && sought.has(number)) reached.add(number);
  return number === active;
};
process.on("unhandledRejection", () => accidents++);
process.on("uncaughtException", () => accidents++);

const hasFailed = (task) => task.result?.state === "fail" || (task.tasks ?? []).some(hasFailed);

export default class MutantRunner extends TestRunner {
  #tests = new Map();
  #shared = new Set();

  onBeforeCollect() {
    this.#tests = new Map();
    this.#shared = new Set();
    reached = new Set();
  }

  /** What is reached before the first test is reached by all. */
  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    if (this.#tests.size === 0) for (const each of reached) this.#shared.add(each);
    reached = new Set();
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test);
    const { state, duration = 0 } = test.result ?? {};
    if (state === "pass") this.#tests.set(test.id, { reached, milliseconds: Math.ceil(duration) });
    reached = new Set();
  }

  async onAfterRunFiles(files) {
    for (const file of files) {
      const failed = hasFailed(file);
      if (fixed !== undefined) note(verdicts, { number: fixed, ...(failed && { killer: file.name }) });
      else if (!failed) await this.#tryAll(file);
      note(verdicts, { done: file.name, ...(failed && { failed }) });
    }
    super.onAfterRunFiles();
  }

  async #tryAll(file) {
    const known = verdictsIn(verdicts);
    for (const number of this.#shared) if (!known.get(number)?.early) note(verdicts, { number, early: true });
    const numbers = new Set([...this.#shared, ...[...this.#tests.values()].flatMap((test) => [...test.reached])]);
    for (const number of [...numbers].sort((a, b) => a - b)) {
      const { killer, survived, spent = 0, poisoned = 0 } = known.get(number) ?? {};
      if (killer || survived?.has(file.name)) continue;
      if (this.#isPast(number)) {
        note(verdicts, { number, survived: file.name });
        continue;
      }
      const { ids, milliseconds } = this.#testsOf(number, patience - spent);
      if (ids.length > 0 && milliseconds <= most) await this.#tryOne(file, number, ids, milliseconds, poisoned);
    }
  }

  /** Modules are loaded once: what only happens then does not happen again, and needs a new process. */
  #isPast(number) {
    return loading.has(number) && ![...this.#tests.values()].some((test) => test.reached.has(number));
  }

  /** Those that reach it, the quickest first, as many as patience allows. */
  #testsOf(number, left) {
    let milliseconds = 0;
    const fitting = [...this.#tests]
      .filter(([, test]) => this.#shared.has(number) || test.reached.has(number))
      .sort(([, a], [, b]) => a.milliseconds - b.milliseconds)
      .filter(([, test]) => {
        milliseconds += test.milliseconds;
        return milliseconds <= left;
      });
    return {
      ids: fitting.map(([id]) => id),
      milliseconds: fitting.reduce((sum, [, test]) => sum + test.milliseconds, 0),
    };
  }

  async #tryOne(file, number, ids, milliseconds, poisoned) {
    const failed = await this.#run(file, ids, number, milliseconds);
    if (failed.length === 0) return note(verdicts, { number, survived: file.name, spent: milliseconds });
    // a test that fails without the mutant, too, says nothing about it
    const again = await this.#run(file, failed, NONE, milliseconds);
    if (again.length === 0) return note(verdicts, { number, killer: file.name });
    // what the mutant left behind fails others: a new process looks once more, and then believes it
    note(verdicts, poisoned > 0 ? { number, killer: file.name } : { number, poisoned: true });
    process.kill(process.pid, "SIGKILL");
  }

  /** The tests that fail; after the first one the others are left out. */
  async #run(file, testIds, number, milliseconds) {
    const failed = [];
    const before = accidents;
    const module = this.workerState.evaluatedModules.getModuleById(file.filepath);
    if (module) this.workerState.evaluatedModules.invalidateModule(module);
    const callOff = watch(number, WORK_MORE_MS + SLOWER * milliseconds);
    if (number !== NONE) begin(verdicts, number);
    active = number;
    collecting = false;
    try {
      const files = await startTests([{ filepath: file.filepath, testIds }], this.#silent(failed, milliseconds));
      if (failed.length === 0 && (accidents > before || files.some(hasFailed))) failed.push(...testIds);
    } finally {
      active = NONE;
      collecting = true;
      end(verdicts);
      callOff();
    }
    return failed;
  }

  /** The same runner, of which nobody hears. */
  #silent(failed, milliseconds) {
    const limit = MORE_MS + SLOWER * milliseconds;
    const nothing = () => {};
    return Object.assign(Object.create(this), {
      config: { ...this.config, testTimeout: limit, hookTimeout: limit },
      ...{ onBeforeCollect: nothing, onCollected: nothing, onTaskUpdate: nothing, onTestAnnotate: nothing },
      ...{ onAfterRunFiles: nothing, onCollectStart: (file) => TestRunner.prototype.onCollectStart.call(this, file) },
      onBeforeRunTask: async (test) => {
        if (failed.length > 0) test.mode = "skip";
        await TestRunner.prototype.onBeforeRunTask.call(this, test);
      },
      onAfterRunTask: (test) => {
        TestRunner.prototype.onAfterRunTask.call(this, test);
        if (test.result?.state === "fail") failed.push(test.id);
      },
      onAfterRunSuite: async (suite) => {
        if (suite.mode !== "skip" && "filepath" in suite) await this.snapshotClient.finish(suite.file.filepath);
      },
    });
  }
}

const state = new Int32Array(new SharedArrayBuffer(12));
let dog;
let runs = 0;

/** Ends the process, and says why, when the work takes longer; gives the function that calls it off. */
function watch(number, milliseconds) {
  if (!dog) {
    dog = new Worker(new URL("watchdog.mjs", import.meta.url), { workerData: { state: state.buffer, verdicts } });
    dog.unref();
  }
  Atomics.store(state, 1, number);
  Atomics.store(state, 2, milliseconds);
  Atomics.store(state, 0, ++runs);
  return () => Atomics.store(state, 0, 0);
}
