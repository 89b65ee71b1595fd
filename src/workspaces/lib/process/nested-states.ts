import fs from "node:fs";
import path from "node:path";
import { GIT_FOLDER, STATE_FOLDER } from "../../../core/words/governing.ts";

const STORE = "store.db";
const SKIPPED = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);
const MOST_FOLDERS = 2_000;
const DEEPEST = 4;
/** Looking takes some milliseconds, and people do not open a workspace inside of another one every minute. */
const LOOK_EVERY_MS = 60_000;

/** The state folders of workspaces that lie inside of this one: their records are none of a command's, either. */
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

/** Level by level, so that what is nearest is found where there is very much. */
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
    // what nobody here may look into, a command may not either
    return [];
  }
}
