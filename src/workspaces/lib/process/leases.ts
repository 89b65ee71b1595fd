import fs from "node:fs";
import path from "node:path";
import { ToolFailure } from "../../../core/words/result.ts";
import { errorCode } from "../failures.ts";
import { openOrMakeFolder } from "../opened.ts";
import { removeEmpty, removeFile } from "./remove.ts";

/** What a process holds: paths, with its pid and start time, which tell it from a later process with the same pid. */
type Lease = { pid: number; since: string; paths: readonly string[] };
export type Dead = { paths: readonly string[]; forget: () => void };

const ENDING = ".lease";
const STALE_MS = 2000;
const PATIENCE_MS = 10_000;
const asleep = new Int32Array(new SharedArrayBuffer(4));

const startOf = (pid: number): string => {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
};

let own: string | undefined;

const isAlive = ({ pid, since }: Lease): boolean => startOf(pid) === since;

/**
 * Files in one folder by which processes tell each other what they hold. Creating or truncating a file is the most
 * expensive part, so each process has one file that stays, is overwritten in place, and is hard-linked as the lock.
 */
export class Leases {
  readonly #folder: string;
  readonly #file: string;
  readonly #lock: string;
  #fd: number | undefined;
  #bytes = 0;

  constructor(folder: string, id: string) {
    this.#folder = folder;
    this.#file = path.join(folder, `${id}${ENDING}`);
    this.#lock = path.join(folder, "lock");
  }

  /** Runs `act` under the folder's lock, so that one process at a time reads leases and acts on them (under 1 ms). */
  alone<Value>(act: () => Value): Value {
    // never through a link that was put in place of the folder
    openOrMakeFolder(this.#folder, "/", this.#folder, [], 0o700).close();
    for (const deadline = Date.now() + PATIENCE_MS; !this.#takeLock(); ) {
      // creating or linking a lock is its last change, so its ctime tells how old it is
      if (isStale(this.#lock)) removeFile(this.#lock);
      else if (Date.now() > deadline) throw stuck(this.#lock);
      else Atomics.wait(asleep, 0, 0, 1);
    }
    try {
      return act();
    } finally {
      removeFile(this.#lock);
    }
  }

  #takeLock(): boolean {
    if (this.#fd === undefined) this.#open();
    try {
      fs.linkSync(this.#file, this.#lock);
      return true;
    } catch (error) {
      if (errorCode(error) !== "ENOENT") return makeLock(this.#lock);
      // somebody cleared the folder: the next attempt uses a new file
      this.#open();
      return false;
    }
  }

  #open(): void {
    if (this.#fd !== undefined) fs.closeSync(this.#fd);
    this.#fd = undefined;
    this.#fd = fs.openSync(this.#file, "wx", 0o600);
    this.#bytes = 0;
    this.note([]);
  }

  /** Overwrites the lease in place. A process that is killed here leaves either the old lease or the new one. */
  note(paths: readonly string[]): void {
    own ??= startOf(process.pid);
    const text = Buffer.from(JSON.stringify({ pid: process.pid, since: own, paths } satisfies Lease));
    this.#bytes = Math.max(this.#bytes, text.length);
    const whole = Buffer.alloc(this.#bytes, " ");
    text.copy(whole);
    if (this.#fd !== undefined) fs.writeSync(this.#fd, whole, 0, whole.length, 0);
  }

  /** The paths that other living processes hold, and those that killed processes held. */
  others(): { living: string[]; dead: Dead[] } {
    const names = fs.readdirSync(this.#folder);
    const living: string[] = [];
    const dead: Dead[] = [];
    for (const name of names) {
      const file = path.join(this.#folder, name);
      if (!name.endsWith(ENDING) || file === this.#file) continue;
      const lease = readLease(file);
      if (lease && isAlive(lease)) living.push(...lease.paths);
      // an empty lease was left by a process that was killed before it held anything
      else if (lease || isStale(file))
        dead.push({ paths: lease?.paths ?? [], forget: () => this.#forget(name, names) });
    }
    return { living, dead };
  }

  /** Also removes what the process left in this folder, if it is empty. */
  #forget(lease: string, names: readonly string[]): void {
    const prefix = `${lease.slice(0, -ENDING.length)}-`;
    for (const name of names) if (name.startsWith(prefix)) removeEmpty(path.join(this.#folder, name));
    removeFile(path.join(this.#folder, lease));
  }

  close(): void {
    if (this.#fd === undefined) return;
    fs.closeSync(this.#fd);
    this.#fd = undefined;
    removeFile(this.#file);
  }
}

/** Fallback for file systems without hard links. Returns false if the lock exists already. */
function makeLock(lock: string): boolean {
  try {
    fs.closeSync(fs.openSync(lock, "wx"));
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return false;
  }
}

function isStale(file: string): boolean {
  const since = fs.lstatSync(file, { throwIfNoEntry: false })?.ctimeMs;
  return since !== undefined && Date.now() - since > STALE_MS;
}

function readLease(file: string): Lease | undefined {
  try {
    const lease = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<Lease>;
    const isWhole = Array.isArray(lease.paths) && lease.paths.every((each) => typeof each === "string") && lease.pid;
    return isWhole ? (lease as Lease) : undefined;
  } catch {
    return undefined;
  }
}

const stuck = (lock: string): ToolFailure =>
  new ToolFailure(
    "CONFIG_ERROR",
    `${lock} is in the way, so no command can be started.`,
    "A person can remove it, if no other process is at work here.",
  );
