import fs from "node:fs";
import path from "node:path";
import { OUTPUT_FOLDER, outputFolderOf } from "../../core/words/governing.ts";
import { errorCode } from "./failures.ts";
import { openOrMakeFolder } from "./opened.ts";

const KEPT_MS = 7 * 86_400_000;
const MOST_BYTES = 200_000_000;
const MOST_FILES = 2_000;
/** After this many bytes the folder is scanned again, because other processes write to it too. */
const LOOKED_AFTER = 16_000_000;
/** A file of another process that was written within this time counts as in use. */
const FRESH_MS = 180_000;
/** How often open files are touched, so that other processes take them as fresh even if nothing is written. */
const RENEWED_MS = 30_000;
const MAKING_TRIES = 20;

/** `grant` returns how many bytes there is room for, removing older outputs if needed. `done` does not close `fd`. */
type Reserved = { file: string; fd: number; grant(bytes: number): number; done(): void };
type Kept = { file: string; size: number; mtimeMs: number };

/** Outputs that were too long to show, in a folder per session. They share bounds; the oldest are removed first. */
export class Outputs {
  readonly #folder: string;
  readonly #limit: string;
  readonly #most: number;
  /** Files that are being written, with the bytes granted to each: not all of them may be on disk yet. */
  readonly #open = new Map<string, number>();
  /** Files that this process has finished. They may be removed at once, even while fresh. */
  #own = new Set<string>();
  #used: number | undefined;
  #sinceLook = 0;
  #renewing: NodeJS.Timeout | undefined;

  /** `folder` lies below `limit`; symbolic links in between are not followed. */
  constructor(folder: string, limit: string, most = MOST_BYTES) {
    this.#folder = folder;
    this.#limit = limit;
    this.#most = most;
  }

  /** Creates and opens a new file, never through a link. No process removes it until `done` is called. */
  reserve(session: string, name: string): Reserved {
    const file = path.join(this.#folder, outputFolderOf(session), name);
    const fd = this.#make(file);
    this.#open.set(file, 0);
    this.#renewing ??= setInterval(() => this.renew(), RENEWED_MS).unref();
    return { file, fd, grant: (bytes) => this.#grant(file, bytes), done: () => this.#done(file) };
  }

  /** Retries, because another process may remove the folder while it is still empty. */
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

  /** Touches the open files, so that other processes see that they are still being written. */
  renew(): void {
    const now = new Date();
    for (const file of this.#open.keys())
      try {
        fs.utimesSync(file, now, now);
      } catch {
        // it was removed; the writer finds out at the end
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

  /** Counts what is there. Removes what is too old, or has to make room for `wanted` bytes, but nothing in use. */
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
      // everything older than the first file that does not fit goes, too
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

/** A modification time in the future counts as fresh only within the same margin. */
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
    // the folder still holds other outputs
  }
}

const known = new Map<string, Outputs>();

/** One instance per folder and process, so that all writers share the bounds. */
export function outputsIn(state: string, limit: string): Outputs {
  const folder = path.join(state, OUTPUT_FOLDER);
  const outputs = known.get(folder) ?? new Outputs(folder, limit);
  known.set(folder, outputs);
  return outputs;
}
