import type { Hash } from "../../../core/contracts/store/changes.ts";
import type { Bytes } from "../../../core/contracts/workspace.ts";

type Bounds = { maxAgeMs: number; maxBytes: number; now: number };

export function memoryContents() {
  const contents = new Map<Hash, { bytes: Bytes; at: number }>();
  return {
    keep(hash: Hash, bytes: Bytes, at: number): void {
      const known = contents.get(hash);
      contents.set(hash, known ? { bytes: known.bytes, at: Math.max(known.at, at) } : { bytes, at });
    },
    read: (hash: Hash): Bytes | undefined => contents.get(hash)?.bytes.slice(),

    /** Removes the oldest contents beyond the bounds, except those that are needed. */
    prune({ maxAgeMs, maxBytes, now }: Bounds, needed: ReadonlySet<Hash | null>): number {
      let total = [...contents.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
      let pruned = 0;
      for (const [hash, { bytes, at }] of [...contents].sort(([, a], [, b]) => a.at - b.at)) {
        if (at >= now - maxAgeMs && total <= maxBytes) break;
        if (needed.has(hash)) continue;
        contents.delete(hash);
        total -= bytes.length;
        pruned++;
      }
      return pruned;
    },
  };
}

export type MemoryContents = ReturnType<typeof memoryContents>;
