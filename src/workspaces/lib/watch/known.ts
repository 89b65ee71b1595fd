import path from "node:path";
import type { Before } from "../../../core/contracts/workspace.ts";
import { STATE_FOLDER } from "../../../core/words/governing.ts";
import type { PathTouch, Place } from "../../../core/words/touch.ts";
import { readWhole } from "../file-reading.ts";
import { statExactly } from "../opened.ts";
import { Budget, isSkipped, namesIn } from "./tree.ts";

export type KnownLimits = { knownFiles: number; knownBytes: number; knownEach: number };

/** Reads the files that a command names: single files, and all files below a folder that it removes, within limits. */
export async function knownFiles(
  touches: readonly PathTouch[],
  limits: KnownLimits,
  locate: (real: string) => Place,
): Promise<Before[]> {
  const known = new Map<string, Before>();
  let bytes = 0;
  for (const place of await placesOf(touches, limits, locate)) {
    if (known.size >= limits.knownFiles) break;
    if (known.has(place.real)) continue;
    const before = await beforeOf(place, Math.min(limits.knownEach, limits.knownBytes - bytes));
    if (!before) continue;
    bytes += before.before?.length ?? 0;
    known.set(place.real, before);
  }
  return [...known.values()];
}

async function placesOf(
  touches: readonly PathTouch[],
  limits: KnownLimits,
  locate: (real: string) => Place,
): Promise<Place[]> {
  const places: Place[] = [];
  for (const { place, action, scope } of touches) {
    if (scope !== undefined || path.relative(place.root, place.real).split("/").includes(STATE_FOLDER)) continue;
    if (kindAt(place) !== "folder") places.push(place);
    else if (action === "delete") places.push(...(await filesBelow(place, limits, locate)));
  }
  return places;
}

const kindAt = (place: Place): "file" | "folder" | "none" | "other" => {
  try {
    const stats = statExactly(place);
    return !stats ? "none" : stats.isFile() ? "file" : stats.isDirectory() ? "folder" : "other";
  } catch {
    return "other";
  }
};

/** Returns none if there are too many; the watch then has to find the changes. */
async function filesBelow(place: Place, limits: KnownLimits, locate: (real: string) => Place): Promise<Place[]> {
  if (isSkipped(path.relative(place.root, place.real))) return [];
  try {
    const { files } = await namesIn([place.real], new Budget(limits.knownFiles, Number.POSITIVE_INFINITY));
    return files.map(locate);
  } catch {
    return [];
  }
}

async function beforeOf(place: Place, most: number): Promise<Before | undefined> {
  const kind = kindAt(place);
  if (kind === "none") return { place, before: null };
  if (kind !== "file") return undefined;
  try {
    const size = statExactly(place)?.size ?? 0;
    if (size > most) return undefined;
    const { bytes, mode } = await readWhole(place);
    return { place, before: bytes, modeBefore: mode };
  } catch {
    // what cannot be read cannot be kept; if it changes, that is reported afterwards
    return undefined;
  }
}
