import type { Step } from "../core/contracts/step.ts";
import { type Stamp, sameStamp, type Workspace } from "../core/contracts/workspace.ts";
import type { Ready } from "../core/words/ready.ts";
import type { Result } from "../core/words/result.ts";
import { isPathTouch, type PathTouch } from "../core/words/touch.ts";

const MOST_ENTRIES = 256;
const MOST_OUTPUT = 256 * 1024;
/** A younger file could change again within one tick of the disk's clock and keep its stamp. */
const TOO_YOUNG_MS = 50;

type Cached = { stamps: Stamp[]; result: Result };

/**
 * Returns the cached result while the stamps of the files are the same. One cache for each workspace: the files of two
 * plans may differ only in content.
 */
export function readCache(): Step {
  const caches = new WeakMap<Workspace, Map<string, Cached>>();
  const entriesOf = (workspace: Workspace): Map<string, Cached> => {
    const entries = caches.get(workspace) ?? new Map<string, Cached>();
    caches.set(workspace, entries);
    return entries;
  };
  return {
    name: "read-cache",
    applies: ({ tool, touches }) =>
      tool.definition?.idempotent === true && touches.length > 0 && touches.every((touch) => touch.action === "read"),
    async around({ ready, workspace, clock }, next) {
      const before = await stampsOf(ready, workspace);
      if (!before) return next();
      const entries = entriesOf(workspace);
      // by session, because what a session has read is known from its own calls
      const key = JSON.stringify([
        ready.call.sessionID,
        ready.tool.name,
        ready.input,
        ready.touches.map((touch) => (touch as PathTouch).place.real),
      ]);
      const cached = entries.get(key);
      if (cached && same(cached.stamps, before)) {
        entries.delete(key);
        entries.set(key, cached);
        return { ...cached.result, metadata: { ...cached.result.metadata, cached: true } };
      }
      const result = await next();
      const after = await stampsOf(ready, workspace);
      const settled = before.every((stamp) => clock.now() - Math.max(stamp.mtimeMs, stamp.ctimeMs) > TOO_YOUNG_MS);
      if (
        result.success &&
        settled &&
        after &&
        same(before, after) &&
        result.output.length <= MOST_OUTPUT &&
        !result.attachments
      ) {
        entries.set(key, { stamps: before, result });
        if (entries.size > MOST_ENTRIES) entries.delete(entries.keys().next().value as string);
      }
      return result;
    },
  };
}

const same = (a: readonly Stamp[], b: readonly Stamp[]): boolean =>
  a.length === b.length && a.every((stamp, index) => sameStamp(stamp, b[index] as Stamp));

/** Returns undefined if one of them is not a regular file. */
async function stampsOf(ready: Ready, { files }: Workspace): Promise<Stamp[] | undefined> {
  const stamps: Stamp[] = [];
  for (const touch of ready.touches) {
    const info = isPathTouch(touch) ? await files.stat(touch.place) : undefined;
    if (info?.kind !== "file") return undefined;
    stamps.push(info.stamp);
  }
  return stamps;
}
