import type { Process, Processes } from "../../core/contracts/process.ts";
import type { Place } from "../../core/words/touch.ts";
import type { ScriptEnd } from "./answer.ts";
import type { Message } from "./message.ts";

const MOST_BYTES = 4 << 20;

/** Where scripts run: on the person's machine, or in a sandbox in which nothing can be changed. */
export type Grounds = {
  readonly root: Place;
  readonly open: Processes;
  /** Returns undefined if there is no sandbox here. */
  readOnly(): Promise<Processes | undefined>;
};

export type Run = {
  readonly command: string;
  readonly message: Message;
  readonly seconds: number;
  readonly changesNothing: boolean;
};

/** Limits concurrency, so that a large batch of calls does not start as many processes. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }
}

/** Runs a script to its end and kills whatever it left behind. Never rejects. */
export async function runScript(grounds: Grounds, run: Run, signal?: AbortSignal): Promise<ScriptEnd> {
  const failed = (trouble: string): ScriptEnd => ({ code: null, stdout: "", stderr: "", trouble });
  const { command, message, changesNothing } = run;
  const processes = changesNothing ? await grounds.readOnly() : grounds.open;
  if (!processes)
    return failed("it was not run: nothing may be changed here, and there is no sandbox to keep it to that");
  try {
    let trouble: string | undefined;
    let running: Process | undefined;
    const stop = (why: string): void => {
      trouble ??= why;
      running?.kill().catch(() => {});
    };
    const watchOutput = (): void => {
      const { stdout, stderr } = running?.captured() ?? {};
      if ((stdout?.bytes ?? 0) + (stderr?.bytes ?? 0) > MOST_BYTES) stop(`it printed more than ${MOST_BYTES >> 20} MB`);
    };
    const { env, input } = message;
    const launch = { command, cwd: grounds.root, env, input };
    running = await processes.start({ ...launch, ...(changesNothing && { access: "read-only" }) }, watchOutput);
    const timer = setTimeout(() => stop(`timed out after ${run.seconds} s`), run.seconds * 1000);
    const cancel = (): void => stop("it was stopped with its call");
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      const { code } = await running.exited;
      await running.kill();
      const { stdout, stderr } = running.captured();
      return { code, stdout: stdout.text, stderr: stderr.text, ...(trouble !== undefined && { trouble }) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    }
  } catch (error) {
    return failed(`it could not be started: ${error instanceof Error ? error.message : String(error)}`);
  }
}
