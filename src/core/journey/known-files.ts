import type { LastSeen } from "../contracts/policy.ts";
import type { Seen } from "../contracts/store/records.ts";
import { type Sight, type Stamp, sameStamp } from "../contracts/workspace.ts";
import { type Part, partsAfter } from "../words/sight.ts";
import type { Proposed } from "../words/tool.ts";
import type { Touch } from "../words/touch.ts";
import type { Trip } from "./trip.ts";

/** Without parts, the whole file is known. */
export const seenOf = (real: string, stamp: Stamp, parts?: readonly Part[]): Seen => ({
  real,
  stamp,
  ...(parts && { parts }),
});

/** What a view has shown of the files; a file of which it showed nothing does not count as seen. */
export const seenIn = (sights: readonly Sight[]): Seen[] =>
  sights.flatMap(({ place, stamp, parts }) => (stamp && parts?.length !== 0 ? [seenOf(place.real, stamp, parts)] : []));

/** Notes a file's stamp and what is known of it in the session, and in the record for other processes that share it. */
export function noteKnown({ station, deeds }: Trip, seen: Seen): void {
  station.facts.session.noteRead(seen);
  deeds.known ??= [];
  deeds.known.push(seen);
}

/** The session's own change is not mistaken for somebody else's. `now`: the new file's stamp, if that is known. */
export async function noteOwnChange(trip: Trip, change: Proposed, now?: Stamp): Promise<void> {
  const { real } = change.place;
  const stamp = now ?? (await trip.station.workspace.files.stat(change.place))?.stamp;
  if (stamp) noteKnown(trip, seenOf(real, stamp, knownAfter(change, trip.station.facts.seen(real))));
}

/** The lines that a session knows of a file that it has changed; undefined means all. What it knew before stays known. */
export function knownAfter(change: Proposed, known: LastSeen | undefined): readonly Part[] | undefined {
  const { before, after, stamp, whole, undoes, redoes } = change;
  const isRestored = undoes !== undefined || redoes !== undefined;
  if (whole || (before === null && !isRestored)) return undefined;
  if (!before || !after || !stamp || !known || !sameStamp(known, stamp)) return [];
  // counting the lines of a large file takes as long as writing it
  return known.inPart?.length ? partsAfter(known.inPart, before, after) : known.inPart;
}

/** An answer from the cache shows again what the session was shown before. */
export async function noteAgain(trip: Trip, touches: readonly Touch[]): Promise<void> {
  const { workspace, facts } = trip.station;
  for (const touch of touches) {
    if (touch.action !== "read") continue;
    const info = await workspace.files.stat(touch.place);
    const seen = facts.seen(touch.place.real);
    if (info && seen && sameStamp(seen, info.stamp)) noteKnown(trip, seenOf(touch.place.real, info.stamp, seen.inPart));
  }
}
