import type { Stats } from "node:fs";
import type { FoundFile } from "../../../core/contracts/search.ts";
import type { Place } from "../../../core/words/touch.ts";
import { statExactly } from "../opened.ts";
import { Settled } from "./settled.ts";
import { placeBelow, shownBelow, type Task } from "./task.ts";

/** Size and time are looked up lazily, because that takes longer than finding the file. */
class RipgrepFile implements FoundFile {
  readonly path: string;
  readonly #folder: Place;
  readonly #below: string;
  #stats: Stats | undefined;
  constructor(folder: Place, below: string) {
    this.path = shownBelow(folder, below);
    this.#folder = folder;
    this.#below = below;
  }
  #look(): Stats | undefined {
    try {
      this.#stats ??= statExactly(placeBelow(this.#folder, this.#below));
    } catch {
      // gone with its folder, or replaced by something else
    }
    return this.#stats;
  }
  /** Whether a regular file is at its path, with no link on the way. */
  get isThere(): boolean {
    return this.#look()?.isFile() === true;
  }
  get size(): number {
    return this.#look()?.size ?? 0;
  }
  get mtimeMs(): number {
    return this.#look()?.mtimeMs ?? 0;
  }
}

/** Parses a NUL-separated list of paths, relative to the folder, as it arrives. */
export function pathsIn(): (piece: Buffer | undefined) => string[] {
  let rest: Buffer[] = [];
  return (piece) => {
    const end = piece?.lastIndexOf(0) ?? -1;
    if (!piece || end === -1) {
      if (piece) rest.push(piece);
      return [];
    }
    const whole = Buffer.concat([...rest, piece.subarray(0, end)]).toString("utf8");
    rest = [piece.subarray(end + 1)];
    return whole.split("\0").map((each) => each.slice(2));
  };
}

const MOST_TOGETHER = 1 << 16;

/** Parses the list of files of a task. Must be created before the search begins. */
export function filesIn({ filter, folder, report }: Task): (piece: Buffer | undefined) => FoundFile[] {
  const list = pathsIn();
  const settled = new Settled(folder);
  let waiting: string[] = [];
  let most = 1;
  return (piece) => {
    for (const below of list(piece)) {
      if (!filter.accepts(below)) continue;
      if (filter.isExcluded(below)) report.excluded += 1;
      else waiting.push(below);
    }
    if (piece && waiting.length < most) return [];
    const isSettled = settled.among(waiting);
    const found: FoundFile[] = [];
    for (const below of waiting) {
      const file = new RipgrepFile(folder, below);
      if (isSettled(below) || file.isThere) found.push(file);
    }
    // small batches at first, so that the first result comes soon
    most = Math.min(most * 8, MOST_TOGETHER);
    waiting = [];
    return found;
  };
}
