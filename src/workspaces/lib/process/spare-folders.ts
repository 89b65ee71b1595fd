import fs from "node:fs";
import path from "node:path";
import { errorCode } from "../failures.ts";
import { isEmptyFolder, removeEmpty } from "./remove.ts";

/**
 * Puts empty folders in places and removes them again. In between they are kept in a folder of ours: on a busy disk a
 * rename costs far less than mkdir and rmdir.
 */
export class SpareFolders {
  readonly #prefix: string;
  readonly #resting = new Map<string, string>();
  #count = 0;

  constructor(folder: string, id: string) {
    this.#prefix = path.join(folder, `${id}-spare-`);
  }

  /** Returns false if somebody created it in the meantime. */
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

  /** Removes only an empty folder. The trailing slash keeps the kernel from renaming anything but a folder. */
  takeAway(name: string): void {
    // another process put this one there while ours was stored away
    if (this.#resting.has(name)) removeEmpty(name);
    if (!isEmptyFolder(name)) return;
    const spare = `${this.#prefix}${this.#count++}`;
    try {
      fs.renameSync(`${name}/`, spare);
    } catch {
      // on another disk, or no longer a folder
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

/** Someone put something into the folder in that very moment. */
function putBack(spare: string, name: string): void {
  try {
    fs.renameSync(spare, name);
  } catch {
    // something else is in its place by now: both are kept
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
