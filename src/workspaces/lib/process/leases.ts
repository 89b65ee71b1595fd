import fs from "node:fs";
import path from "node:path";
import { ToolFailure } from "../../../core/result.ts";
import { errorCode } from "../failures.ts";
import { openOrMakeFolder } from "../opened.ts";
import { kindOf } from "./mounts.ts";

type Lease = { pid: number; since: string; paths: string[] };

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

function isEmptyFolder(folder: string): boolean {
  try {
    return fs.readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

const STALE_MS = 2000;
const PATIENCE_MS = 10_000;
const asleep = new Int32Array(new SharedArrayBuffer(4));

/** One process at a time looks who needs a placeholder and acts on it; it takes well under a millisecond. */
function alone<Value>(folder: string, act: () => Value): Value {
  const lock = path.join(folder, "lock");
  // never through a link that lies in the folder's stead
  openOrMakeFolder(folder, "/", folder, [], 0o700).close();
  for (const deadline = Date.now() + PATIENCE_MS; !takeLock(lock); ) {
    const since = fs.lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > STALE_MS) fs.rmSync(lock, { force: true });
    else if (Date.now() > deadline) throw stuck(lock);
    else Atomics.wait(asleep, 0, 0, 1);
  }
  try {
    return act();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

function takeLock(lock: string): boolean {
  try {
    fs.closeSync(fs.openSync(lock, "wx"));
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    return false;
  }
}

/**
 * Empty folders that stand where a protected name is missing, so that a sandbox can be told to keep it as it is.
 * Taking one away on the host also takes away the protection of every sandbox that has it mounted: so they are counted,
 * here and by a file for other processes, and the last one removes them. rmdir never takes anything but an empty folder.
 */
export class Placeholders {
  readonly #folder: string;
  readonly #file: string;
  readonly #held = new Map<string, number>();
  #swept = false;

  constructor(folder: string, id: string) {
    this.#folder = folder;
    this.#file = path.join(folder, `${id}.lease`);
  }

  /**
   * Those of the names that are missing have placeholders now, until `release`; names that cannot be made need none.
   * `further` names come into question once it is known which of the others are held.
   */
  hold(names: readonly string[], further: (held: readonly string[]) => readonly string[]): string[] {
    if (![...names, ...further([])].some(mayNeedOne)) return [];
    return alone(this.#folder, () => {
      if (!this.#swept) this.#sweep(names);
      const held = names.filter((name) => this.#take(name));
      held.push(...further(held).filter((name) => this.#take(name)));
      if (held.length > 0) this.#note();
      return held;
    });
  }

  #take(name: string): boolean {
    if (!mayNeedOne(name) || !(this.#isPlaceholder(name) || make(name))) return false;
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
    return true;
  }

  #isPlaceholder(file: string): boolean {
    if (!isEmptyFolder(file)) return false;
    return this.#held.has(file) || this.#others().some((lease) => lease.paths.includes(file));
  }

  /** Whether something else may take its place without any sandbox of another process losing it. */
  isOnlyMine(file: string): boolean {
    return isEmptyFolder(file) && !this.#others().some((lease) => isAlive(lease) && lease.paths.includes(file));
  }

  release(paths: readonly string[]): void {
    if (paths.length > 0) alone(this.#folder, () => this.#release(paths));
  }

  #release(paths: readonly string[]): void {
    const free: string[] = [];
    for (const each of paths) {
      const count = (this.#held.get(each) ?? 1) - 1;
      if (count > 0) this.#held.set(each, count);
      else {
        this.#held.delete(each);
        free.push(each);
      }
    }
    const others = free.length > 0 ? this.#others().filter(isAlive) : [];
    for (const each of free) if (!others.some((lease) => lease.paths.includes(each))) removeEmpty(each);
    this.#note();
  }

  #note(): void {
    own ??= startOf(process.pid);
    const lease: Lease = { pid: process.pid, since: own, paths: [...this.#held.keys()] };
    fs.writeFileSync(this.#file, JSON.stringify(lease), { mode: 0o600 });
  }

  /** The file stays between commands: making one costs more than all the rest. */
  close(): void {
    fs.rmSync(this.#file, { force: true });
  }

  #others(): Lease[] {
    return this.#files().flatMap((file) => readLease(file) ?? []);
  }

  #files(): string[] {
    try {
      const names = fs.readdirSync(this.#folder).filter((name) => name.endsWith(".lease"));
      return names.map((name) => path.join(this.#folder, name)).filter((file) => file !== this.#file);
    } catch {
      return [];
    }
  }

  /** What a process left that was killed. A note may have come with the folder: only our own names are believed. */
  #sweep(names: readonly string[]): void {
    this.#swept = true;
    for (const file of this.#files()) {
      const lease = readLease(file);
      if (!lease || isAlive(lease)) continue;
      for (const each of lease.paths) if (isAmong(each, names)) removeEmpty(each);
      fs.rmSync(file, { force: true });
    }
  }
}

function readLease(file: string): Lease | undefined {
  try {
    const lease = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<Lease>;
    return Array.isArray(lease.paths) && lease.pid ? (lease as Lease) : undefined;
  } catch {
    return undefined;
  }
}

const isAmong = (file: unknown, names: readonly string[]): file is string =>
  typeof file === "string" &&
  path.normalize(file) === file &&
  names.some((name) => file === name || file.startsWith(`${name}/`));

const stuck = (lock: string): ToolFailure =>
  new ToolFailure(
    "CONFIG_ERROR",
    `${lock} is in the way, so no command can be started.`,
    "A person can remove it, if no other process is at work here.",
  );

const mayNeedOne = (name: string): boolean => (kindOf(name) === undefined ? canMake(name) : isEmptyFolder(name));

/** Where we cannot make anything, a command cannot either. */
function canMake(name: string): boolean {
  try {
    fs.accessSync(path.dirname(name), fs.constants.W_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === "EACCES" || errorCode(error) === "EROFS") return false;
    throw error;
  }
}

/** False: somebody made it meanwhile. */
function make(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // gone, or a person put something there
  }
}
