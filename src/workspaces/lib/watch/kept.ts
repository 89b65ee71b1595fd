import { type Bytes, sameStamp } from "../../../core/contracts/workspace.ts";
import { readWhole } from "../file-reading.ts";
import { Budget, type FileState, isFresh } from "./tree.ts";

export type KeepLimits = { keptFiles: number; keptBytes: number; keptEach: number; keepMs: number };

type Kept = { state: FileState; bytes: Bytes; at: number };

/** Caches file contents in memory between commands, so that unchanged files are not read again. */
export class KeptContents {
  #kept = new Map<string, Kept>();

  /** Keeps as many of these files as fit; if not all do, the newest first. */
  async keep(candidates: readonly [string, FileState][], limits: KeepLimits): Promise<ReadonlyMap<string, Kept>> {
    const kept = new Map<string, Kept>();
    const budget = new Budget(Number.POSITIVE_INFINITY, limits.keepMs);
    let bytes = 0;
    for (const [file, state] of chosen(candidates, limits)) {
      bytes += state.size;
      if (kept.size >= limits.keptFiles || bytes > limits.keptBytes) break;
      const known = this.#kept.get(file);
      if (known && sameStamp(known.state, state) && !isFresh(state, known.at)) {
        kept.set(file, known);
        continue;
      }
      try {
        await budget.spend(1);
      } catch {
        break;
      }
      const at = Date.now();
      const read = await readWhole({ real: file, shown: file, root: "/", exists: true }).catch(() => undefined);
      if (read && sameStamp(read.stamp, state)) kept.set(file, { state, bytes: read.bytes, at });
    }
    this.#kept = kept;
    return kept;
  }
}

function chosen(candidates: readonly [string, FileState][], limits: KeepLimits): readonly [string, FileState][] {
  const small = candidates.filter(([, { size }]) => size <= limits.keptEach);
  const bytes = small.reduce((sum, [, { size }]) => sum + size, 0);
  if (small.length <= limits.keptFiles && bytes <= limits.keptBytes) return small;
  return small.sort(([, a], [, b]) => b.mtimeMs - a.mtimeMs);
}
