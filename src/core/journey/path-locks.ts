import { type Clock, sleep } from "../contracts/clock.ts";
import type { Held, Holder, Locks } from "../contracts/store/locks.ts";
import { pathIn } from "../words/containment.ts";
import { Ending } from "../words/result.ts";
import { isPathTouch, runsReadOnly, type Touch } from "../words/touch.ts";
import type { Trip } from "./trip.ts";

const PATIENCE_MS = 30_000;
const UNLOCK_PAUSES_MS = [5, 50, 500, 0];

/** How locks name a folder and everything in it. */
export const allBelow = (folder: string): string => pathIn(folder, "**");

/** The paths that the call changes, or everything if it is not known what it changes. */
export function lockPaths(touches: readonly Touch[], roots: readonly string[]): string[] {
  if (touches.length === 0) return [];
  const paths = new Set<string>();
  for (const touch of touches) {
    if (isPathTouch(touch)) {
      if (touch.action === "write" || touch.action === "delete")
        paths.add(touch.scope ? allBelow(touch.place.real) : touch.place.real);
    } else if (reachesAnywhere(touch)) for (const root of roots) paths.add(allBelow(root));
  }
  // one order for everybody, so that there is no deadlock
  return [...paths].sort();
}

const reachesAnywhere = (touch: Touch): boolean =>
  touch.action === "run"
    ? !runsReadOnly(touch)
    : touch.action === "unknown" &&
      touch.permissions.some((permission) => permission === "write" || permission === "execute");

/** Waits for the locks, up to a limit. Returns the function that frees them, and concludes what was changed under them. */
export async function takeLocks(trip: Trip, paths: readonly string[]): Promise<() => Promise<void>> {
  const { station, life, recordID, deeds } = trip;
  const { store, clock, ids } = station.parts;
  const holder: Holder = { token: ids(), call: recordID, ancestors: station.ancestors };
  const free = () => {
    const done = deeds.unconcluded;
    delete deeds.unconcluded;
    return unlock(store, holder.token, clock, done);
  };
  life.check();
  let held: Held | undefined;
  try {
    held = await store.lock(paths, holder);
    if (held) held = await store.lock(paths, holder, { milliseconds: PATIENCE_MS, signal: life.signal });
  } catch (error) {
    // the lock may have been taken and only the answer been lost
    await free();
    throw error;
  }
  if (!held) {
    deeds.unconcluded ??= [];
    return free;
  }
  life.check();
  throw new Ending(
    "failed",
    "CONFLICT",
    `${held.path} is being changed by another call (${held.call}), which has held it for more than ${Math.round(PATIENCE_MS / 1000)} s.`,
    "Try again later, or work on another file first.",
  );
}

/** Never fails. Retries, because a lock that stays would block everybody else until this process ends. */
async function unlock(store: Locks, token: string, clock: Clock, done?: readonly number[]): Promise<void> {
  for (const pause of UNLOCK_PAUSES_MS) {
    try {
      await store.unlock(token, done);
      return;
    } catch {
      if (pause > 0) await sleep(clock, pause);
    }
  }
}
