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

/** `grant` tells how many of so many bytes there is room for; older outputs make room. */
type Reserved = { file: string; grant(bytes: number): number; done(): void };
type Kept = { file: string; size: number; mtimeMs: number };

/** Outputs that were too long to be shown, a folder a session: together they stay within bounds, and the oldest go. */
export class Outputs {
  readonly #folder: string;
  readonly #limit: string;
  readonly #most: number;
  /** Files that are being written, with what they were granted: not all of it may have reached the disk. */
  readonly #open = new Map<string, number>();
  #used: number | undefined;
  #sinceLook = 0;

  /** `folder` lies below `limit`, and no link on the way is followed. */
  constructor(folder: string, limit: string, most = MOST_BYTES) {
    this.#folder = folder;
    this.#limit = limit;
    this.#most = most;
  }

  /** Where a new file may be made, never behind a link; it stays at least until it is done. */
  reserve(session: string, name: string): Reserved {
    const folder = path.join(this.#folder, outputFolderOf(session));
    openOrMakeFolder(folder, this.#limit, "output", [], 0o700).close();
    const file = path.join(folder, name);
    this.#open.set(file, 0);
    return {
      file,
      grant: (bytes) => this.#grant(file, bytes),
      done: () => void this.#open.delete(file),
    };
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

  /** Counts what is there, and takes away what is old or too much for so many more, but nothing that is being written. */
  #look(wanted: number): number {
    this.#sinceLook = 0;
    let used = 0;
    for (const granted of this.#open.values()) used += granted;
    let files = this.#open.size;
    let isFull = false;
    const kept = this.#all().filter(({ file }) => !this.#open.has(file));
    for (const { file, size, mtimeMs } of kept.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
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
