import { type ChildProcess, spawn } from "node:child_process";
import { guardThread } from "./apart-guard.ts";
import { type Allowance, whenSpent } from "./spent.ts";

export type Means = {
  /** Plain JavaScript that a thread of the process runs. It answers each message with `{ found }`, or with `{}`. */
  readonly code: string;
  /** Given to the code as its `workerData`: paths of what it loads. */
  readonly libraries: Record<string, string>;
  readonly allowance: Allowance;
  readonly memoryMb: number;
};

/** How much longer to wait for a process that watches its own time, but may be unable to. Includes its start. */
const GRACE_MS = 5_000;

/**
 * Work in a process of its own: V8 aborts a whole process that reaches its heap limit, even if only a thread did, and
 * native code may crash. One task at a time.
 */
export class Apart {
  readonly #means: () => Means;
  readonly #mostMs: number;
  #child: ChildProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #wanted = 0;

  constructor(wallMs: number, means: () => Means) {
    this.#means = means;
    this.#mostMs = wallMs + GRACE_MS;
  }

  /** Undefined if the task costs too much or the process is lost. */
  ask<T>(task: unknown): Promise<T | undefined> {
    this.#wanted++;
    const mine = this.#turn
      .then(() => this.#answered<T>(task))
      .catch(() => undefined)
      .finally(() => this.#wanted--);
    this.#turn = mine;
    return mine;
  }

  /** Ends the process, unless somebody waits for it. The next task starts another. */
  endIfIdle(): void {
    if (this.#child && this.#wanted === 0) this.#drop(this.#child);
  }

  #answered<T>(task: unknown): Promise<T | undefined> {
    this.#child ??= this.#started();
    const asked = this.#child;
    return new Promise((resolve) => {
      const end = (found?: T) => {
        clearTimeout(late);
        asked.off("message", told).off("error", lost).off("exit", lost).off("disconnect", lost);
        // an idle process must not keep the host alive
        asked.unref();
        asked.channel?.unref();
        resolve(found);
      };
      const lost = () => {
        end();
        this.#drop(asked);
      };
      const told = ({ found }: { found?: T }) => end(found);
      const late = setTimeout(lost, this.#mostMs);
      asked.on("message", told).on("error", lost).on("exit", lost).on("disconnect", lost);
      asked.ref();
      asked.channel?.ref();
      asked.send(task as object, (error) => error && lost());
    });
  }

  #drop(lost: ChildProcess): void {
    if (this.#child === lost) this.#child = undefined;
    lost.kill("SIGKILL");
  }

  #started(): ChildProcess {
    const { code, libraries, allowance, memoryMb } = this.#means();
    const made = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, "-e", guard(allowance)], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { ELECTRON_RUN_AS_NODE: "1" },
      cwd: "/",
      // a terminal's Ctrl-C is for the host, which may go on after it
      detached: true,
      windowsHide: true,
      serialization: "advanced",
    });
    for (const event of ["error", "exit", "disconnect"]) made.on(event, () => this.#child === made && this.#drop(made));
    made.send({ code, libraries });
    return made;
  }
}

// plain JavaScript, so that it needs no file of its own
const guard = (allowance: Allowance): string => `
(${String(guardThread)})({
  Thread: require("node:worker_threads").Worker,
  whenSpent: ${String(whenSpent)},
  allowance: ${JSON.stringify(allowance)},
});
`;
