import type { Worker } from "node:worker_threads";
import type { Allowance, whenSpent as spent } from "./spent.ts";

export type GuardTools = {
  readonly Thread: typeof Worker;
  readonly whenSpent: typeof spent;
  readonly allowance: Allowance;
};
/** The first message says what the thread runs; each one after it is a task for the thread. */
export type ThreadStart = { readonly code: string; readonly libraries: Record<string, string> };

/**
 * The main thread of a process that works apart from the agent. All work is done in a second thread, so this one always hears
 * that its host is gone, and sees what is spent. Its source is sent to that process, so it must be self-contained.
 */
export function guardThread({ Thread, whenSpent, allowance }: GuardTools): void {
  // unlike an exit, this does not wait for a thread that is busy
  const end = () => process.kill(process.pid, "SIGKILL");
  let stopWatching = () => {};

  process.on("disconnect", end);
  process.once("message", ({ code, libraries }: ThreadStart) => {
    const thread = new Thread(code, { eval: true, workerData: libraries });
    thread.on("error", end).on("exit", end);
    thread.on("message", (answer) => {
      stopWatching();
      process.send?.(answer);
    });
    process.on("message", (task) => {
      stopWatching = whenSpent(allowance, end);
      thread.postMessage(task);
    });
  });
}
