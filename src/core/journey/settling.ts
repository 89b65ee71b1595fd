import { Ending } from "../words/result.ts";
import { boundOf, changedFile } from "./binding.ts";
import { changesHash } from "./fingerprints.ts";
import { passHolds } from "./holding.ts";
import { decide } from "./judging.ts";
import { lockPaths, takeLocks } from "./path-locks.ts";
import { samePlaces } from "./places.ts";
import { preview, previewHolds, sameChanges } from "./preview.ts";
import { withTouches } from "./reading.ts";
import type { Prepared } from "./stages.ts";
import type { Trip } from "./trip.ts";

export const ROUNDS = 3;

export type Settled = { readonly prepared: Prepared; readonly release: () => Promise<void> };

/** Takes the locks and compares the world with what was judged. Whatever changed is judged again. */
export async function settle(trip: Trip, judged: Prepared, firstPaths: readonly string[]): Promise<Settled> {
  const { station } = trip;
  let prepared = judged;
  let paths = firstPaths;
  for (let round = 0; round < ROUNDS; round++) {
    const release = await takeLocks(trip, paths);
    try {
      const { prepared: now, samePlace } = await lookAgain(trip, prepared);
      if (samePlace) {
        await passHolds(trip, now.ready.touches);
        return { prepared: now, release };
      }
      prepared = now;
      paths = lockPaths(now.ready.touches, station.workspace.roots);
    } catch (error) {
      await release();
      throw error;
    }
    await release();
  }
  throw unsettled();
}

/** The call as the world is now. Whatever differs from what was judged is judged again. */
async function lookAgain(trip: Trip, judged: Prepared): Promise<{ prepared: Prepared; samePlace: boolean }> {
  const { parts } = trip.station;
  const read = await withTouches(trip, judged.ready);
  const samePlace = samePlaces(judged.ready.touches, read.touches);
  const placed: Prepared = { ...judged, ready: read };
  trip.known.ready = read;
  const changed = judged.bound && changedFile(judged.bound, await boundOf(trip, read));
  if (changed !== undefined) throw codeChanged(changed);
  if (samePlace && (await previewHolds(trip, placed))) return { prepared: placed, samePlace };
  const now = judged.withheld ? placed : await previewed(trip, placed);
  trip.known.ready = now.ready;
  if (samePlace && sameChanges(judged.ready.changes, now.ready.changes, parts.equal))
    return { prepared: now, samePlace };
  const { approved, expected } = judged;
  if (approved !== undefined) throw changedSince();
  if (expected !== undefined && (await changesHash(now.ready, parts)) !== expected) throw changedSince();
  return { prepared: decidedAgain(trip, now, samePlace), samePlace };
}

async function previewed(trip: Trip, prepared: Prepared): Promise<Prepared> {
  if (!prepared.ready.tool.definition.preview) return { ...prepared, ready: { ...prepared.ready, changes: [] } };
  const { changes, look } = await preview(trip, prepared.ready, prepared.verdict.exclude);
  return { ...prepared, ready: { ...prepared.ready, changes }, look };
}

/** A grant holds for the same places. Anything else would need a new question, and under the locks it is too late for one. */
function decidedAgain(trip: Trip, prepared: Prepared, samePlace: boolean): Prepared {
  const before = prepared.verdict;
  const verdict = decide(trip, prepared.ready);
  const stands = before.by === "grant" && samePlace;
  if (!stands && verdict.answer === "ask") throw changedSince();
  if (!stands) return { ...prepared, verdict };
  // the yes stands, with what the policies exclude, reserve and note now
  const { exclude, reserve, notes } = verdict;
  const { exclude: _, reserve: __, notes: ___, ...yes } = before;
  const standing = { ...yes, ...(exclude && { exclude }), ...(reserve && { reserve }), ...(notes && { notes }) };
  trip.known.verdict = standing;
  return { ...prepared, verdict: standing };
}

const codeChanged = (file: string) =>
  new Ending(
    "refused",
    "CONFLICT",
    `${file}, which decides what would run, changed after the call was approved, so nothing was run.`,
    "Call again: the question will be about the file as it is now.",
  );

const changedSince = () =>
  new Ending(
    "refused",
    "CONFLICT",
    "What the call would touch changed after it was approved, so nothing was done.",
    "Read the files again, then call again.",
  );

export const unsettled = () =>
  new Ending(
    "refused",
    "CONFLICT",
    "The call could not be settled: what it touches kept changing.",
    "Wait until nobody else works on the same files, then call again.",
  );
