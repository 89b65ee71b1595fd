import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { removeFile } from "./remove.ts";
import { trustedProgram } from "./trusted-program.ts";

const FIRST = 16;
const BATCH = 128;
const FEW = 12;

/**
 * Named pipes for the streams of commands. Node's own pipes are sockets, which a command cannot reopen (`tee
 * /dev/stderr` fails on them), and named ones can be opened by a process that is not our child.
 */
export class Fifos {
  #folder: string | undefined;
  #ready: string[] = [];
  #made = 0;
  #making: Promise<void> | undefined;

  async take(count: number): Promise<string[]> {
    while (this.#ready.length < count) await this.#refill();
    const taken = this.#ready.splice(0, count);
    if (this.#ready.length < FEW) this.#refill().catch(() => {});
    return taken;
  }

  /** Removes the names: everyone who needs the pipes has them open. */
  give(pipes: readonly string[]): void {
    for (const pipe of pipes) removeFile(pipe);
  }

  #refill(): Promise<void> {
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #make(): Promise<void> {
    this.#folder ??= fs.mkdtempSync(path.join(os.tmpdir(), "toolgate-"));
    const folder = this.#folder;
    const paths = Array.from({ length: this.#made === 0 ? FIRST : BATCH }, () =>
      path.join(folder, String(this.#made++)),
    );
    await promisify(execFile)(trustedProgram("mkfifo") ?? "/usr/bin/mkfifo", ["-m", "600", ...paths], { env: {} });
    this.#ready.push(...paths);
  }

  async close(): Promise<void> {
    await this.#making?.catch(() => {});
    if (this.#folder) fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
    this.#ready = [];
  }
}
