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

/** Paths below the roots; those of `others` are links, pipes and the like, with what tells that they changed. */
export type Names = { files: string[]; others: Map<string, string>; skipped: Map<string, string> };

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

const listed = (folder: string): fs.Dirent[] => {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    // gone, or not ours to see: then it is so afterwards too
    return [];
  }
};

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

/** Every file by name, near ones first; never through a link, and nothing of what is skipped. */
export async function namesIn(roots: readonly string[], budget: Budget): Promise<Names> {
  const names: Names = { files: [], others: new Map(), skipped: new Map() };
  const folders = [...roots];
  // grows while it is gone through
  for (const folder of folders) {
    const entries = listed(folder);
    const pause = budget.spend(entries.length);
    if (pause) await pause;
    for (const entry of entries) {
      const path = pathIn(folder, entry.name);
      if (entry.isFile()) names.files.push(path);
      else if (!entry.isDirectory()) names.others.set(path, signOf(path));
      else if (!SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.name !== STATE_FOLDER) names.skipped.set(path, signOfSkipped(path, entry.name));
    }
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
