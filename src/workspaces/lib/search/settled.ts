import fs from "node:fs";
import type { Place } from "../../../core/words/touch.ts";
import { descriptors } from "../platform.ts";

/**
 * File systems that use this machine's clock: ext, xfs, btrfs, tmpfs, overlay, f2fs, zfs. A server's clock may lag, and
 * a change would then look old.
 */
const OWN_CLOCK = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1]);
/** The kernel stamps changes with a clock that lags by up to one tick. */
const TICK_MS = 25;

const fileSystem = (real: string): { dev: number; isTold: boolean } => {
  try {
    return { dev: fs.statSync(real).dev, isTold: descriptors !== undefined && OWN_CLOCK.has(fs.statfsSync(real).type) };
  } catch {
    return { dev: 0, isTold: false };
  }
};

/**
 * A program opens files by path, and somebody may swap a link for a folder between its check and its open. Every such
 * swap changes the mtime of the parent folder. So what was found below folders that have not changed since the search
 * began is really there; everything else is checked again by opening exactly that path.
 */
export class Settled {
  readonly #root: string;
  readonly #base: string;
  readonly #since = Date.now() - TICK_MS;
  readonly #dev: number;
  readonly #isTold: boolean;
  /** Must be created before the search begins. */
  constructor({ root, real }: Place) {
    this.#root = root;
    this.#base = real === "/" ? "" : real;
    const { dev, isTold } = fileSystem(root);
    this.#dev = dev;
    this.#isTold = isTold;
  }

  /** Tells for which of these files, relative to the searched folder, no swap can have happened so far. */
  among(files: Iterable<string>): (below: string) => boolean {
    if (!this.#isTold) return () => false;
    const folders = new Set<string>();
    for (const below of files) folders.add(folderOf(below));
    const ways = new Set<string>();
    for (const folder of folders)
      for (let way = this.#realOf(folder); !ways.has(way); way = parentOf(way)) {
        ways.add(way);
        if (way === this.#root) break;
      }
    // deepest first: an unchanged folder further up confirms the path that was taken to those below
    const changed = [...ways].sort((a, b) => b.length - a.length).filter((way) => !this.#isCalm(way));
    if (changed.length === 0) return () => true;
    const isBelow = (real: string) =>
      changed.some((way) => real === way || real.startsWith(way === "/" ? way : `${way}/`));
    const doubtful = new Set([...folders].filter((folder) => isBelow(this.#realOf(folder))));
    return (below) => !doubtful.has(folderOf(below));
  }

  #realOf(folder: string): string {
    return folder === "" ? this.#base || "/" : `${this.#base}/${folder}`;
  }

  #isCalm(folder: string): boolean {
    try {
      const stats = fs.lstatSync(folder);
      return stats.isDirectory() && stats.dev === this.#dev && stats.ctimeMs < this.#since;
    } catch {
      return false;
    }
  }
}

const folderOf = (below: string): string => below.slice(0, Math.max(0, below.lastIndexOf("/")));
const parentOf = (folder: string): string => folder.slice(0, folder.lastIndexOf("/")) || "/";
