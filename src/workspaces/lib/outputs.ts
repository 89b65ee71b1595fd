import fs from "node:fs";
import path from "node:path";
import { OUTPUT_FOLDER, outputFolderOf } from "../../core/words/governing.ts";
import { errorCode } from "./failures.ts";
import { openOrMakeFolder } from "./opened.ts";

const KEPT_MS = 7 * 86_400_000;
const MOST_BYTES = 200_000_000;
const MOST_FILES = 2_000;
/** After so much it is looked again what others have kept meanwhile. */
const LOOKED_AFTER = 16_000_000;
/** What another process has written to within this time is still being written, or somebody was just told of it. */
const FRESH_MS = 180_000;
/** A file that is open, and that nothing is written to, is marked as fresh so often. */
const RENEWED_MS = 30_000;
const MAKING_TRIES = 20;

/** `grant` tells how many of so many bytes there is room for; older outputs make room. `done` closes nothing. */
type Reserved = { file: string; fd: number; grant(bytes: number): number; done(): void };
type Kept = { file: string; size: number; mtimeMs: number };

/** Outputs that were too long to be shown, a folder a session: together they stay within bounds, and the oldest go. */
export class Outputs {
  readonly #folder: string;
  readonly #limit: string;
  readonly #most: number;
  /** Files that are being written, with what they were granted: not all of it may have reached the disk. */
  readonly #open = new Map<string, number>();
  /** Files that this process has written: their room may be taken at once. */
  #own = new Set<string>();
  #used: number | undefined;
  #sinceLook = 0;
  #renewing: NodeJS.Timeout | undefined;

  /** `folder` lies below `limit`, and no link on the way is followed. */
  constructor(folder: string, limit: string, most = MOST_BYTES) {
    this.#folder = folder;
    this.#limit = limit;
    this.#most = most;
  }

  /** A new file, never behind a link, open for writing; no process takes it away before it is done. */
  reserve(session: string, name: string): Reserved {
    const file = path.join(this.#folder, outputFolderOf(session), name);
    const fd = this.#make(file);
    this.#open.set(file, 0);
    this.#renewing ??= setInterval(() => this.renew(), RENEWED_MS).unref();
    return { file, fd, grant: (bytes) => this.#grant(file, bytes), done: () => this.#done(file) };
  }

  /** Made at once: another process may take away a folder that is empty. */
  #make(file: string): number {
    for (let tries = 1; ; tries += 1) {
      openOrMakeFolder(path.dirname(file), this.#limit, "output", [], 0o700).close();
      try {
        return fs.openSync(file, "wx", 0o600);
      } catch (error) {
        if (errorCode(error) !== "ENOENT" || tries >= MAKING_TRIES) throw error;
      }
    }
  }

  /** Says to other processes that what is open here is still being written. */
  renew(): void {
    const now = new Date();
    for (const file of this.#open.keys())
      try {
        fs.utimesSync(file, now, now);
      } catch {
        // somebody took it away, which whoever writes it finds out at the end
      }
  }

  #done(file: string): void {
    if (this.#open.delete(file)) this.#own.add(file);
    if (this.#open.size > 0) return;
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  #grant(file: string, bytes: number): number {
    if (this.#used === undefined || this.#used + bytes > this.#most || this.#sinceLook > LOOKED_AFTER)
      this.#used = this.#look(bytes);
    const granted = Math.max(0, Math.min(bytes, this.#most - this.#used));
    this.#used += granted;
    this.#sinceLook += granted;
    this.#open.set(file, (this.#open.get(file) ?? 0) + granted);
    return granted;
  }

  /** Counts what is there, and takes away what is old or too much for so many more, but nothing that is in use. */
  #look(wanted: number): number {
    this.#sinceLook = 0;
    let used = 0;
    for (const granted of this.#open.values()) used += granted;
    const kept = this.#all().filter(({ file }) => !this.#open.has(file));
    this.#own = new Set(kept.flatMap(({ file }) => (this.#own.has(file) ? [file] : [])));
    const theirs = kept.filter((each) => !this.#own.has(each.file) && isFresh(each));
    for (const { size } of theirs) used += size;
    let files = this.#open.size + theirs.length;
    let isFull = false;
    const inUse = new Set(theirs);
    const free = kept.filter((each) => !inUse.has(each));
    for (const { file, size, mtimeMs } of free.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      // whatever is older than the first that has no room goes, too
      isFull ||= used + size + wanted > this.#most || ++files > MOST_FILES;
      if (isFull || Date.now() - mtimeMs > KEPT_MS) remove(file, this.#folder);
      else used += size;
    }
    return used;
  }

  #all(): Kept[] {
    const kept: Kept[] = [];
    for (const entry of entriesOf(this.#folder)) {
      const at = path.join(this.#folder, entry.name);
      const files = entry.isDirectory() ? entriesOf(at).map(({ name }) => path.join(at, name)) : [at];
      for (const file of files) {
        const stats = fs.lstatSync(file, { throwIfNoEntry: false });
        if (stats && !stats.isDirectory()) kept.push({ file, size: stats.size, mtimeMs: stats.mtimeMs });
      }
    }
    return kept;
  }
}

/** A time that lies ahead says nothing about who is writing. */
const isFresh = ({ mtimeMs }: Kept): boolean => Math.abs(Date.now() - mtimeMs) < FRESH_MS;

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}

function remove(file: string, above: string): void {
  fs.rmSync(file, { force: true });
  try {
    if (path.dirname(file) !== above) fs.rmdirSync(path.dirname(file));
  } catch {
    // other outputs are in it
  }
}

const known = new Map<string, Outputs>();

/** One for each folder in a process, so that whoever writes there shares the bounds. */
export function outputsIn(state: string, limit: string): Outputs {
  const folder = path.join(state, OUTPUT_FOLDER);
  const outputs = known.get(folder) ?? new Outputs(folder, limit);
  known.set(folder, outputs);
  return outputs;
}
