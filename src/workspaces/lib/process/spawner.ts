import { type ChildProcess, spawn } from "node:child_process";
import type { Exit } from "../../../core/contracts/process.ts";
import { directLauncher, type Launched, type Launcher, type Order, withoutInherited } from "./launcher.ts";

/** Forking costs about 50 ms per GB of this process's memory, so a small helper process forks instead. */
const LARGE_BYTES = 200 * 1024 * 1024;

// plain JavaScript in a string, so that it works from the library, from a bundle and from the sources
const SCRIPT = `
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const living = new Set();
process.on("message", ({ id, file, args, env, cwd, streams }) => {
  const opened = [];
  const say = (message) => process.connected && process.send({ id, ...message });
  try {
    streams.forEach((stream, index) =>
      opened.push(fs.openSync(stream ?? "/dev/null", index === 0 || index > 4 ? "r" : fs.constants.O_WRONLY)));
    const child = spawn(file, args, { env, cwd, detached: true, stdio: opened });
    child.once("error", (error) => say({ error: error.message, code: error.code }));
    child.once("exit", (code, signal) => {
      living.delete(child.pid);
      say({ exit: { code, signal } });
    });
    if (child.pid !== undefined) {
      living.add(child.pid);
      say({ pid: child.pid });
    }
  } catch (error) {
    say({ error: error.message, code: error.code });
  } finally {
    for (const fd of opened) fs.closeSync(fd);
  }
});
process.on("disconnect", () => {
  for (const pid of living) try { process.kill(-pid, "SIGKILL"); } catch {}
  process.exit();
});
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => {});
process.send({ ready: true });
`;

type Message = { id: number; ready?: true; pid?: number; exit?: Exit; error?: string; code?: string };
type Waiting = {
  started: (launched: Launched) => void;
  failed: (error: Error) => void;
  ended: (exit: Exit) => void;
  exit: Promise<Exit>;
};

/** A small process that starts commands for a large one, and kills them if the large one dies. */
class Helper implements Launcher {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  readonly ready: Promise<boolean>;

  constructor() {
    this.#child = spawn(process.execPath, ["--max-old-space-size=64", "-e", SCRIPT], {
      stdio: withoutInherited(["ignore", "ignore", "ignore", "ipc"] as const),
      env: { ELECTRON_RUN_AS_NODE: "1" },
      cwd: "/",
      detached: true,
      serialization: "json",
    });
    this.ready = new Promise((resolve) => {
      this.#child.on("message", (message: Message) => (message.ready ? resolve(true) : this.#hear(message)));
      for (const event of ["exit", "error", "disconnect"] as const)
        this.#child.once(event, () => {
          resolve(false);
          this.#lost();
        });
    });
    this.#child.unref();
    this.#child.channel?.unref();
  }

  get usable(): boolean {
    return this.#child.connected;
  }

  launch(order: Order): Promise<Launched> {
    const id = this.#count++;
    let ended: (exit: Exit) => void = () => {};
    const exit = new Promise<Exit>((resolve) => {
      ended = resolve;
    });
    this.#child.channel?.ref();
    return new Promise((started, failed) => {
      this.#waiting.set(id, { started, failed, ended, exit });
      this.#child.send({ id, ...order }, (error) => error && this.#hear({ id, error: error.message }));
    });
  }

  #hear({ id, pid, exit, error, code }: Message): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (pid !== undefined) waiting.started({ pid, exit: waiting.exit });
    if (exit) waiting.ended(exit);
    if (error !== undefined) waiting.failed(Object.assign(new Error(error), { code }));
    if (!exit && error === undefined) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#child.channel?.unref();
  }

  /** The helper died and took its commands with it; how they ended is unknown. */
  #lost(): void {
    for (const { failed, ended } of this.#waiting.values()) {
      failed(new Error("the process that starts commands ended"));
      ended({ code: null, signal: "SIGKILL" });
    }
    this.#waiting.clear();
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

/** Starts commands directly while this process is small, and through a helper once it is large. */
export class Spawner implements Launcher {
  #helper: Helper | undefined;
  #ready = false;
  readonly #largeBytes: number;

  constructor(largeBytes: number = LARGE_BYTES) {
    this.#largeBytes = largeBytes;
  }

  /** The helper is started next to a command that is started directly, so that nobody waits for it. */
  launch(order: Order): Promise<Launched> {
    if (this.#helper && this.#ready && this.#helper.usable) return this.#helper.launch(order);
    const launched = directLauncher.launch(order);
    const isLarge = process.memoryUsage.rss() >= this.#largeBytes;
    if (isLarge && (!this.#helper || (this.#ready && !this.#helper.usable))) this.#start();
    return launched;
  }

  #start(): void {
    this.#ready = false;
    const helper = new Helper();
    this.#helper = helper;
    helper.ready.then((ready) => {
      this.#ready = ready;
    });
  }

  close(): void {
    this.#helper?.close();
    this.#helper = undefined;
  }
}
