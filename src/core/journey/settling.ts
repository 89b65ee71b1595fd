import { Ending } from "../words/result.ts";
import { fingerprint } from "./grants.ts";
import { decide } from "./judging.ts";
import { lockPaths, takeLocks } from "./locks.ts";
import { samePlaces } from "./places.ts";
import { preview, previewHolds, sameChanges } from "./preview.ts";
import { readTouches } from "./reading.ts";
import type { Trip } from "./trip.ts";

export const ROUNDS = 3;

/** Takes the locks and holds the world against what was judged: unchanged goes on, changed is judged again. */
export async function settle(trip: Trip, firstPaths: readonly string[]): Promise<() => Promise<void>> {
  const { station, life } = trip;
  const { store, clock, ids, equal, hash } = station.parts;
  let paths = firstPaths;
  for (let round = 0; round < ROUNDS; round++) {
    const holder = { token: ids(), call: trip.recordID, ancestors: station.ancestors };
    const release = await takeLocks(store, paths, holder, life, clock);
    try {
      const judged = trip.ready!;
      await readTouches(trip, judged);
      const samePlace = samePlaces(judged.touches, trip.ready!.touches);
      if (samePlace && (await previewHolds(trip))) return release;
      if (!trip.withheld) trip.ready = { ...trip.ready!, changes: await preview(trip, trip.ready!.touches) };
      if (samePlace && sameChanges(judged.changes, trip.ready!.changes, equal)) return release;
      if (trip.approved !== undefined && fingerprint(trip.ready!, hash) !== trip.approved) throw changedSince();
      decideAgain(trip, samePlace);
      if (samePlace) return release;
      paths = lockPaths(trip.ready!.touches, station.workspace.roots);
    } catch (error) {
      await release();
      throw error;
    }
    await release();
  }
  throw unsettled();
}

/** What a person allowed stands for what they saw, and a standing yes for the same places; else a new question is too late. */
function decideAgain(trip: Trip, samePlace: boolean): void {
  const before = trip.verdict;
  decide(trip);
  const stands = trip.approved !== undefined || (before?.by === "grant" && samePlace);
  if (stands && before) trip.verdict = before;
  else if (trip.verdict?.answer === "ask") throw changedSince();
}

const changedSince = () =>
  new Ending(
    "refused",
    "CONFLICT",
    "What the call would touch changed after it was approved, so nothing was done.",
    "Look at the files again and call once more.",
  );

export const unsettled = () =>
  new Ending(
    "refused",
    "CONFLICT",
    "The call could not be settled: what it touches kept changing.",
    "Wait until nobody else works on the same files, then call again.",
  );
