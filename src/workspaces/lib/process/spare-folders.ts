import fs from "node:fs";
import path from "node:path";
import { errorCode } from "../failures.ts";
import { isEmptyFolder, removeEmpty } from "./remove.ts";

/**
 * Puts empty folders in places and takes them away again. In between they rest in a folder of ours: where a disk is
 * busy, renaming one costs a small part of what making and removing it does.
 */
export class SpareFolders {
  readonly #prefix: string;
  readonly #resting = new Map<string, string>();
  #count = 0;

  constructor(folder: string, id: string) {
    this.#prefix = path.join(folder, `${id}-spare-`);
  }

  /** False: somebody made it meanwhile. */
  place(name: string): boolean {
    const spare = this.#resting.get(name);
    this.#resting.delete(name);
    if (spare === undefined) return make(name);
    try {
      fs.renameSync(`${spare}/`, name);
      return true;
    } catch {
      removeEmpty(spare);
      return make(name);
    }
  }

  /** Only what is an empty folder. The slash keeps the kernel from renaming anything but a folder. */
  takeAway(name: string): void {
    // one that another process had put there, while ours rests
    if (this.#resting.has(name)) removeEmpty(name);
    if (!isEmptyFolder(name)) return;
    const spare = `${this.#prefix}${this.#count++}`;
    try {
      fs.renameSync(`${name}/`, spare);
    } catch {
      // on another disk, or not a folder any more
      removeEmpty(name);
      return;
    }
    if (isEmptyFolder(spare)) this.#resting.set(name, spare);
    else putBack(spare, name);
  }

  close(): void {
    for (const spare of this.#resting.values()) removeEmpty(spare);
    this.#resting.clear();
  }
}

/** A person put something there in that very moment. */
function putBack(spare: string, name: string): void {
  try {
    fs.renameSync(spare, name);
  } catch {
    // and something else in its place: both are kept
  }
}

function make(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o755 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
