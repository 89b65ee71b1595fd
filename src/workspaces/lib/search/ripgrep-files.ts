import fs from "node:fs";
import type { FoundFile } from "../../../core/contracts/search.ts";
import type { Place } from "../../../core/words/touch.ts";
import { shownBelow } from "./task.ts";

/** The size and the time are looked up when somebody asks for them: that takes longer than finding the file. */
export class RipgrepFile implements FoundFile {
  readonly path: string;
  readonly #folder: Place;
  readonly #below: string;
  #stats: fs.Stats | undefined;
  constructor(folder: Place, below: string) {
    this.path = shownBelow(folder, below);
    this.#folder = folder;
    this.#below = below;
  }
  #look(): fs.Stats | undefined {
    try {
      this.#stats ??= fs.lstatSync(`${this.#folder.real}/${this.#below}`, { throwIfNoEntry: false });
    } catch {
      // gone with its folder
    }
    return this.#stats;
  }
  get size(): number {
    return this.#look()?.size ?? 0;
  }
  get mtimeMs(): number {
    return this.#look()?.mtimeMs ?? 0;
  }
}

/** The paths in a list with NULs, below the folder, as they come. */
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
