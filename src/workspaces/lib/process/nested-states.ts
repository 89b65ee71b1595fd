import fs from "node:fs";
import path from "node:path";
import { GIT_FOLDER, STATE_FOLDER } from "../../../core/words/governing.ts";

const STORE = "store.db";
const SKIPPED = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);
const MOST_FOLDERS = 2_000;
const DEEPEST = 4;
/** A scan takes some milliseconds, and a nested workspace is rarely opened. */
const LOOK_EVERY_MS = 60_000;

/** The state folders of workspaces inside this one. Commands must not see their records, either. */
export class NestedStates {
  readonly #roots: readonly string[];
  #found: readonly string[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  get folders(): readonly string[] {
    const now = performance.now();
    if (now - this.#lookedAt > LOOK_EVERY_MS) {
      this.#found = statesBelow(this.#roots);
      this.#lookedAt = now;
    }
    return this.#found.filter((folder) => fs.existsSync(folder));
  }
}

/** Breadth first, so that the nearest ones are found even if the limit is reached. */
function statesBelow(roots: readonly string[]): string[] {
  const found: string[] = [];
  let level = [...roots];
  let looked = 0;
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (++looked > MOST_FOLDERS) return found;
      const state = path.join(folder, STATE_FOLDER);
      if (depth > 0 && fs.existsSync(path.join(state, STORE))) found.push(state);
      if (depth < DEEPEST) for (const name of foldersIn(folder)) next.push(path.join(folder, name));
    }
    level = next;
  }
  return found;
}

function foldersIn(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
      .map(({ name }) => name);
  } catch {
    // a folder that we cannot read, a command cannot read either
    return [];
  }
}
