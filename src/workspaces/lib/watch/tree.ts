import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Stamp } from "../../../core/contracts/workspace.ts";
import { pathIn } from "../../../core/words/containment.ts";
import { GIT_FOLDER, STATE_FOLDER } from "../../../core/words/governing.ts";
import { modeOf } from "../opened.ts";
import { ticks } from "../ticks.ts";

/** Programs manage these folders for themselves; they hold too much to be compared file by file. */
const SKIPPED: ReadonlySet<string> = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);
/** Files that show that a repository moved to another commit, without reading it. */
const GIT_MARKS = ["HEAD", "logs/HEAD", "logs/refs/stash"];
const BREATH = 512;

export type FileState = Stamp & { mode: number };

/**
 * Paths below the roots. `others` are links, pipes and the like, with a sign that changes when they do. `folders` holds
 * the entries of each folder, so that an unchanged one need not be read again.
 */
export type Names = {
  files: string[];
  others: Map<string, string>;
  skipped: Map<string, string>;
  folders: Map<string, Contents>;
};
/**
 * `files` is the range of the folder's files among all files. `settled` identifies a state of the folder's entries;
 * undefined if it cannot.
 */
type Contents = Omit<Entries, "files"> & { settled: string | undefined; files: [from: number, to: number] };
type Entries = { files: readonly string[]; others: readonly string[]; inside: readonly string[] };

/** Limits how much is looked at. The time is checked now and then, when the event loop gets its turn. */
export class Budget {
  readonly #mostFiles: number;
  readonly #deadline: number;
  #files = 0;
  constructor(mostFiles: number, ms: number) {
    this.#mostFiles = mostFiles;
    this.#deadline = ticks() + ms;
  }
  /** Throws or rejects when the budget is used up. Mostly returns nothing to wait for. */
  spend(count: number): Promise<void> | undefined {
    const turn = Math.floor(this.#files / BREATH);
    this.#files += count;
    if (this.#files > this.#mostFiles) throw new Exceeded();
    return Math.floor(this.#files / BREATH) > turn ? this.#breathe() : undefined;
  }
  async #breathe(): Promise<void> {
    await setImmediate();
    if (ticks() > this.#deadline) throw new Exceeded();
  }
}

class Exceeded extends Error {}

/** Timestamps have a granularity: a file that changed this recently may change again with the same times. */
export const STEP_MS = 20;

/** Whether its times may hide a later change. */
export const isFresh = ({ ctimeMs }: { ctimeMs: number }, now: number): boolean => now - ctimeMs < STEP_MS;

const listed = (folder: string): fs.Dirent[] => {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // gone, or not readable: then it will be so afterwards, too
    return [];
  }
};

const entriesOf = (folder: string): Entries => {
  const files: string[] = [];
  const others: string[] = [];
  const inside: string[] = [];
  for (const entry of listed(folder))
    (entry.isFile() ? files : entry.isDirectory() ? inside : others).push(pathIn(folder, entry.name));
  return { files, others, inside };
};

const again = ({ files: [from, to], others, inside }: Contents, before: Names): Entries => ({
  files: before.files.slice(from, to),
  others,
  inside,
});

const QUIETLY = { throwIfNoEntry: false } as const;

const looked = (file: string): fs.Stats | undefined => {
  try {
    return fs.lstatSync(file, QUIETLY);
  } catch {
    return undefined;
  }
};

const signOf = (file: string): string => {
  const stats = looked(file);
  return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : "";
};

const signOfSkipped = (folder: string, name: string): string =>
  name === GIT_FOLDER ? GIT_MARKS.map((mark) => signOf(`${folder}/${mark}`)).join() : signOf(folder);

/**
 * Identifies when entries of a folder last changed; undefined if that is so recent that further changes may get the
 * same timestamp.
 */
const settledAt = (folder: string, since: number): string | undefined => {
  const stats = looked(folder);
  return stats?.isDirectory() && !isFresh(stats, since) ? `${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs}` : undefined;
};

/**
 * Every file by name, breadth first. Never follows links, and leaves out skipped folders. `before` is the last result.
 */
export async function namesIn(roots: readonly string[], budget: Budget, before?: Names): Promise<Names> {
  const names: Names = { files: [], others: new Map(), skipped: new Map(), folders: new Map() };
  const since = Date.now();
  const folders = [...roots];
  // grows during the loop
  for (const folder of folders) {
    const settled = settledAt(folder, since);
    const known = before?.folders.get(folder);
    const contents = known && known.settled !== undefined && known.settled === settled ? known : undefined;
    const { files, others, inside } = contents ? again(contents, before as Names) : entriesOf(folder);
    const pause = budget.spend(files.length + others.length + inside.length);
    if (pause) await pause;
    const from = names.files.length;
    for (const file of files) names.files.push(file);
    for (const other of others) names.others.set(other, signOf(other));
    for (const each of inside) {
      const name = each.slice(each.lastIndexOf("/") + 1);
      if (!SKIPPED.has(name)) folders.push(each);
      else if (name !== STATE_FOLDER) names.skipped.set(each, signOfSkipped(each, name));
    }
    names.folders.set(folder, { settled, files: [from, names.files.length], others, inside });
  }
  return names;
}

export const stateOf = (stats: fs.Stats): FileState => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  ino: stats.ino,
  mode: modeOf(stats),
});

/** Stats all of these while the budget lasts. What is no longer a file is left out. */
export async function lookAtAll(
  files: readonly string[],
  budget: Budget,
  see: (file: string, stats: fs.Stats, index: number) => void,
): Promise<void> {
  for (const [index, file] of files.entries()) {
    const pause = budget.spend(1);
    if (pause) await pause;
    const stats = looked(file);
    if (stats?.isFile()) see(file, stats, index);
  }
}

/** Files in the order of a walk. The next walk mostly meets them in the same order, and then needs no lookup. */
export class Listing {
  readonly files: readonly string[];
  /** By the index of the file; undefined if it exists but was not examined. */
  readonly states: (FileState | undefined)[] = [];
  #indexes: ReadonlyMap<string, number> | undefined;
  #next = 0;
  constructor(files: readonly string[]) {
    this.files = files;
  }
  /** Returns -1 if the file is not in the listing. */
  indexOf(file: string): number {
    if (this.files[this.#next] === file) return this.#next++;
    this.#indexes ??= new Map(this.files.map((each, index) => [each, index]));
    const index = this.#indexes.get(file) ?? -1;
    if (index !== -1) this.#next = index + 1;
    return index;
  }
}

export const isSkipped = (inside: string): boolean => inside.split("/").some((name) => SKIPPED.has(name));
