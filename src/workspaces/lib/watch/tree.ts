import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { Stamp } from "../../../core/contracts/workspace.ts";
import { pathIn } from "../../../core/words/containment.ts";
import { GIT_FOLDER, STATE_FOLDER } from "../../../core/words/governing.ts";
import { modeOf } from "../opened.ts";
import { ticks } from "../ticks.ts";

/** What lies in these is made by programs for themselves, too much of it to be looked at file by file. */
const SKIPPED: ReadonlySet<string> = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);
/** What tells that a repository went somewhere else, without reading it. */
const GIT_MARKS = ["HEAD", "logs/HEAD", "logs/refs/stash"];
const BREATH = 512;

export type FileState = Stamp & { mode: number };

/**
 * Paths below the roots; those of `others` are links, pipes and the like, with what tells that they changed. `folders`:
 * what was in each, so that one to which nothing was added, and of which nothing was taken, need not be read again.
 */
export type Names = {
  files: string[];
  others: Map<string, string>;
  skipped: Map<string, string>;
  folders: Map<string, Contents>;
};
/**
 * `files`: where those of the folder stand among all files. `settled`: tells one state of the folder's names from
 * another; undefined where it cannot.
 */
type Contents = Omit<Entries, "files"> & { settled: string | undefined; files: [from: number, to: number] };
type Entries = { files: readonly string[]; others: readonly string[]; inside: readonly string[] };

/** How much may be looked at. Time is looked at now and then, when others get their turn as well. */
export class Budget {
  readonly #mostFiles: number;
  readonly #deadline: number;
  #files = 0;
  constructor(mostFiles: number, ms: number) {
    this.#mostFiles = mostFiles;
    this.#deadline = ticks() + ms;
  }
  /** Throws, or rejects, when it is used up. Nothing to wait for most of the time. */
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

/** The clock of a disk goes in steps: what changed so shortly before may change again with the same times. */
export const STEP_MS = 20;

/** Whether its times may hide a change that came after. */
export const isFresh = ({ ctimeMs }: { ctimeMs: number }, now: number): boolean => now - ctimeMs < STEP_MS;

const listed = (folder: string): fs.Dirent[] => {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // gone, or not ours to see: then it is so afterwards too
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
 * When names in a folder last came or went; undefined where that is so shortly ago, by the clock of the disk, that they
 * may come and go again at the same time.
 */
const settledAt = (folder: string, since: number): string | undefined => {
  const stats = looked(folder);
  return stats?.isDirectory() && !isFresh(stats, since) ? `${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs}` : undefined;
};

/**
 * Every file by name, near ones first; never through a link, and nothing of what is skipped. `before`: how it was at the
 * last look.
 */
export async function namesIn(roots: readonly string[], budget: Budget, before?: Names): Promise<Names> {
  const names: Names = { files: [], others: new Map(), skipped: new Map(), folders: new Map() };
  const since = Date.now();
  const folders = [...roots];
  // grows while it is gone through
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

/** Looks at all of these, as long as the budget lasts; what is no file any more is left out. */
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

/** Files in the order of a walk. The next walk mostly comes upon them in the same order: then none has to be looked up. */
export class Listing {
  readonly files: readonly string[];
  /** By the index of the file; undefined: it is there, and nobody looked closer. */
  readonly states: (FileState | undefined)[] = [];
  #indexes: ReadonlyMap<string, number> | undefined;
  #next = 0;
  constructor(files: readonly string[]) {
    this.files = files;
  }
  /** -1: it is not there. */
  indexOf(file: string): number {
    if (this.files[this.#next] === file) return this.#next++;
    this.#indexes ??= new Map(this.files.map((each, index) => [each, index]));
    const index = this.#indexes.get(file) ?? -1;
    if (index !== -1) this.#next = index + 1;
    return index;
  }
}

export const isSkipped = (inside: string): boolean => inside.split("/").some((name) => SKIPPED.has(name));
