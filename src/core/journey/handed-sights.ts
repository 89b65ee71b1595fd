import type { Hash } from "../contracts/store/changes.ts";
import type { CallRecord, Seen } from "../contracts/store/records.ts";
import type { Part } from "../words/sight.ts";
import { knownAfter, noteKnown, seenIn, seenOf } from "./known-files.ts";
import type { Prepared } from "./stages.ts";
import type { Trip } from "./trip.ts";

/** A file as a call is expected to leave it, and the lines that the session then knows of it, if not all. */
type Expected = { readonly real: string; readonly after: Hash; readonly parts?: readonly Part[] };

/** What the session will know once another agent has performed a call. */
export type Foreseen = { readonly reads: readonly Seen[]; readonly writes: readonly Expected[] };

/** `partly`: the call shows a part of what it reads, and nobody can tell which. */
export async function foresee(trip: Trip, { ready }: Prepared, partly: boolean): Promise<Foreseen> {
  const { facts, parts } = trip.station;
  const writes = ready.changes.flatMap((change) => {
    const { after, place } = change;
    const known = knownAfter(change, facts.seen(place.real));
    return after ? [{ real: place.real, after: parts.hash(after), ...(known && { parts: known }) }] : [];
  });
  return { reads: await readsOf(trip, ready, partly), writes };
}

async function readsOf(trip: Trip, { tool, input, touches }: Prepared["ready"], partly: boolean): Promise<Seen[]> {
  const { parts, workspace } = trip.station;
  const { shows } = tool.definition;
  if (shows && !partly) {
    const view = parts.guard(workspace, touches);
    try {
      await shows(input as never, view);
      return seenIn(view.sights);
    } catch {
      // what cannot be read here shows nothing
      return [];
    } finally {
      view.close();
    }
  }
  const seen: Seen[] = [];
  for (const touch of touches) {
    if (touch.action !== "read" || touch.scope !== undefined) continue;
    const info = await workspace.files.stat(touch.place);
    if (info?.kind === "file") seen.push(seenOf(touch.place.real, info.stamp, []));
  }
  return seen;
}

/** Notes what a call that another agent has performed showed and wrote. A file that is not as expected is known in no line. */
export async function noteForeseen(trip: Trip, { touches }: CallRecord, { reads, writes }: Foreseen): Promise<void> {
  const { parts, workspace } = trip.station;
  for (const seen of reads) noteKnown(trip, seen);
  for (const touch of touches) {
    if (touch.action !== "write" || touch.scope !== undefined) continue;
    const { real } = touch.place;
    const now = await Promise.resolve(workspace.files.read(touch.place)).catch(() => undefined);
    const expected = writes.find((each) => each.real === real);
    const isAsExpected = now && expected?.after === parts.hash(now.bytes);
    if (now) noteKnown(trip, seenOf(real, now.stamp, isAsExpected ? expected.parts : []));
  }
}
