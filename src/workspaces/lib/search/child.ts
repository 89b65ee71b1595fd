import { type ChildProcess, spawn } from "node:child_process";
import { getDefaultHighWaterMark, type Readable, setDefaultHighWaterMark } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { errorCode } from "../failures.ts";
import { Unfit } from "./task.ts";

/** Started without a shell: a program by its path, arguments, a working directory, and a descriptor as input. */
export type Program = {
  path: string;
  args: readonly string[];
  cwd: string;
  input?: number;
  gather?: boolean;
  /** It starts no other processes, so it needs no process group; on a busy machine a group is scheduled later. */
  isAlone?: boolean;
};
export type Ended = { code: number | null; complaints: string };

const MOST_COMPLAINTS = 64 * 1024;
// none of our environment reaches the program, so that nothing in it changes the results
const ENVIRONMENT = { LC_ALL: "C" };

const alive = new Set<Child>();
const killAll = (): void => {
  for (const child of alive) child.kill();
};

// for output in many small pieces: waiting briefly lets several arrive at once, which is much cheaper to read
const SMALL = 16 * 1024;
const AT_ONCE = 4;
const GATHER_MS = 1;

/** Buffers at most one piece of each output, so that a program blocks until it is read. */
function spawnUnheard(...given: Parameters<typeof spawn>): ChildProcess {
  const usual = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 1);
  try {
    return spawn(...given);
  } finally {
    setDefaultHighWaterMark(false, usual);
  }
}

/** A program whose output is read at the listener's pace, and that can be killed at any time. */
export class Child {
  readonly #process: ChildProcess;
  readonly #output: Readable;
  readonly #gather: boolean;
  readonly #isAlone: boolean;
  #heard = 0;
  #isOver = false;
  #wake: (() => void) | undefined;
  readonly ended: Promise<Ended>;
  constructor({ path, args, cwd, input, gather = false, isAlone = false }: Program) {
    this.#gather = gather;
    this.#isAlone = isAlone;
    this.#process = (gather ? spawnUnheard : spawn)(path, args, {
      cwd,
      env: ENVIRONMENT,
      stdio: [input ?? "ignore", "pipe", "pipe"],
      detached: !isAlone,
    });
    this.#output = this.#process.stdout as Readable;
    this.#output.on("readable", () => this.#wake?.());
    for (const event of ["end", "error", "close"])
      this.#output.on(event, () => {
        this.#isOver = true;
        this.#wake?.();
      });
    this.ended = this.#end();
    // a listener that stops early does not ask how it ended
    this.ended.catch(() => {});
    if (alive.size === 0) process.on("exit", killAll);
    alive.add(this);
  }

  #end(): Promise<Ended> {
    const child = this.#process;
    let complaints = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (complaints.length < MOST_COMPLAINTS) complaints += text;
    });
    return new Promise<Ended>((resolve, reject) => {
      child.once("error", (error) => reject(new Unfit(`${child.spawnfile}: ${errorCode(error)}`)));
      child.once("close", (code) => resolve({ code, complaints }));
    }).finally(() => {
      alive.delete(this);
      if (alive.size === 0) process.off("exit", killAll);
    });
  }

  /** The next piece of its output; undefined at the end. `ended` tells how it ended. */
  async next(): Promise<Buffer | undefined> {
    while (!this.#isOver) {
      const { readableLength: held } = this.#output;
      if (this.#gather && held > 0 && held < SMALL && ++this.#heard > AT_ONCE) await wait(GATHER_MS);
      const piece = this.#output.read() as Buffer | null;
      if (piece) return piece;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (this.#isOver || this.#output.readableLength > 0) resolve();
      });
    }
    return undefined;
  }

  kill(): void {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(this.#isAlone ? pid : -pid, "SIGKILL");
    } catch {
      // it has just ended by itself
    }
  }

  /** Kills it and waits until it is gone. */
  async stop(): Promise<void> {
    this.kill();
    this.#process.stdout?.destroy();
    this.#process.stderr?.destroy();
    await this.ended.catch(() => {});
  }
}

/** The whole output of a short program. */
export async function outputOf(program: Program): Promise<Ended & { output: Buffer }> {
  const child = new Child(program);
  const pieces: Buffer[] = [];
  for (let piece = await child.next(); piece; piece = await child.next()) pieces.push(piece);
  return { ...(await child.ended), output: Buffer.concat(pieces) };
}

/** After this much silence we check whether something blocks the program. */
const SILENCE_MS = 1_000;

export type Hearing<T> = {
  parse(piece: Buffer | undefined): T[];
  finish(ended: Ended): Promise<void>;
  /** Returns why it will never end, if so. Asked once, after a silence. */
  stuck(isOver: () => boolean, hasBegun: () => boolean): Promise<Error | undefined>;
  signal: AbortSignal | undefined;
};

/** Iterates over the parsed output of a running program. Optimized for the usual case that the next item is there. */
export class Heard<T> implements AsyncIterator<T> {
  readonly #child: Child;
  readonly #hearing: Hearing<T>;
  readonly #abort = (): void => this.#child.kill();
  readonly #silence = setTimeout(() => void this.#look(), SILENCE_MS).unref();
  #ready: T[] = [];
  #at = 0;
  #hasBegun = false;
  #over = false;
  #stuck: Error | undefined;
  constructor(program: Program, hearing: Hearing<T>) {
    this.#child = new Child(program);
    this.#hearing = hearing;
    hearing.signal?.addEventListener("abort", this.#abort);
    if (hearing.signal?.aborted) this.#abort();
  }

  async #look(): Promise<void> {
    this.#stuck = await this.#hearing.stuck(
      () => this.#over,
      () => this.#hasBegun,
    );
    if (this.#stuck) this.#child.kill();
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#at < this.#ready.length) return Promise.resolve({ done: false, value: this.#ready[this.#at++] as T });
    return this.#more();
  }

  async #more(): Promise<IteratorResult<T>> {
    while (!this.#over) {
      const piece = await this.#child.next();
      this.#hasBegun ||= piece !== undefined;
      this.#ready = this.#hearing.parse(piece);
      this.#at = 0;
      if (piece === undefined) await this.#end();
      else this.#silence.refresh();
      if (this.#ready.length > 0) return this.next();
    }
    return { done: true, value: undefined };
  }

  #close(): void {
    this.#over = true;
    clearTimeout(this.#silence);
    this.#hearing.signal?.removeEventListener("abort", this.#abort);
  }

  async #end(): Promise<void> {
    this.#close();
    const ended = await this.#child.ended;
    if (this.#stuck) throw this.#stuck;
    await this.#hearing.finish(ended);
  }

  async return(): Promise<IteratorResult<T>> {
    this.#close();
    this.#ready = [];
    this.#at = 0;
    await this.#child.stop();
    return { done: true, value: undefined };
  }
}
