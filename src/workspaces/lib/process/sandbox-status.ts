import fs from "node:fs";
import type net from "node:net";
import { oneTurn, readerOf } from "./streams.ts";

const MOST_TURNS = 20;
const MOST_BYTES = 8_000;
const MOST_NAMED = 10;

/** Reads the sandbox's descriptors 3 and 4: the pid of its first process, that the command starts, leftovers. */
export class SandboxStatus {
  readonly #fd: number;
  #socket: net.Socket | undefined;
  #heard = "";
  #notify: () => void = () => {};
  #finish: () => void = () => {};
  #isHeardOut = false;
  readonly #heardOut = new Promise<void>((resolve) => {
    this.#finish = () => {
      this.#isHeardOut = true;
      resolve();
    };
  });
  /** The sandbox's first process, by the host's pid. Everything inside is dead when it is. */
  init: number | undefined;
  stood = false;

  constructor(pipe: string) {
    this.#fd = fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  }

  /** Resolves when the command is about to run, or when `ended` does. */
  async settled(ended: Promise<unknown>): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      this.#notify = resolve;
    });
    this.#socket = readerOf(this.#fd);
    this.#socket.on("error", () => {});
    this.#socket.on("data", (chunk: Buffer) => this.#hear(chunk.toString("latin1")));
    this.#socket.once("close", () => this.#finish());
    await Promise.race([reached, ended]);
  }

  #hear(text: string): void {
    this.#heard = (this.#heard + text).slice(0, MOST_BYTES);
    const pid = /"child-pid":\s*(\d+)/.exec(this.#heard)?.[1];
    if (pid !== undefined) this.init ??= Number(pid);
    if (!this.stood && /^started$/m.test(this.#heard)) {
      this.stood = true;
      this.#notify();
    }
  }

  /** After the sandbox ended, waits until nothing inside is alive. Returns false if that cannot be determined. */
  async emptied(): Promise<boolean> {
    for (let turn = 0; turn < MOST_TURNS && !this.#isHeardOut; turn++) {
      if (this.stood && this.#isEmpty()) return true;
      await Promise.race([this.#heardOut, oneTurn()]);
    }
    for (let turn = 0; turn < MOST_TURNS && this.init !== undefined; turn++) {
      if (this.#isEmpty()) return true;
      await pause(1);
    }
    return false;
  }

  #isEmpty(): boolean {
    if (this.init === undefined) return false;
    return (this.stood && isChildless(this.init)) || hasEnded(this.init);
  }

  /** What the command had left running when it ended. */
  left(): string[] {
    if (!this.#isHeardOut) this.#hear(restOf(this.#fd));
    const names = [...this.#heard.matchAll(/^left (.*)$/gm)].map(([, name = ""]) => name.trim()).filter(Boolean);
    return names.slice(0, MOST_NAMED).map((name) => Buffer.from(name, "latin1").toString("utf8"));
  }

  abandon(): void {
    if (this.#socket) this.#socket.destroy();
    else fs.closeSync(this.#fd);
  }
}

/** What is in the pipe by now. */
function restOf(fd: number): string {
  const bytes = Buffer.alloc(MOST_BYTES);
  try {
    return bytes.toString("latin1", 0, fs.readSync(fd, bytes));
  } catch {
    return "";
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Orphans become children of the sandbox's first process, which itself starts only the command. So it is childless when
 * the sandbox is empty, and exits later, when its mounts are gone. Not every kernel has this file.
 */
function isChildless(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1") === "";
  } catch {
    return false;
  }
}

/** Gone, or a zombie. The sandbox's first process becomes one only after all others were killed. */
function hasEnded(pid: number): boolean {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return true;
  }
}
