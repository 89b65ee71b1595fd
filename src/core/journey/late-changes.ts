import type { Change } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import type { Reserve } from "../words/verdict.ts";
import { commit } from "./committing.ts";
import { refusal } from "./judging.ts";
import { noteKnown, seenOf } from "./known-files.ts";
import { opinion } from "./opinions.ts";
import { countAnyway, reserve, sessionsOf } from "./reserving.ts";
import type { Prepared } from "./stages.ts";
import type { Trip } from "./trip.ts";

/**
 * Judges a change that no preview showed when it is about to be made. It is too late to ask, so an ask is a deny unless
 * a person has agreed to the call.
 */
export async function commitJudged(trip: Trip, prepared: Prepared, change: Change): Promise<void> {
  const { ready, verdict, approved } = prepared;
  const { policies } = trip.station.parts;
  if (!policies.some(({ content }) => content)) return commit(trip, [change]);
  noteOwnSight(trip, change);
  const isAgreed = approved !== undefined || verdict.by === "grant";
  const wanted = judged(trip, { ...ready, changes: [change] }, isAgreed);
  const giveBack = await reserve(trip, { ...verdict, reserve: wanted });
  try {
    await commit(trip, [change]);
  } catch (error) {
    if (!trip.deeds.changed.includes(change.place.shown)) await giveBack?.();
    throw error;
  }
}

/** What the call itself has read is known to its session, too. */
function noteOwnSight(trip: Trip, { place }: Change): void {
  const sight = trip.deeds.view?.sights.findLast((each) => each.place.real === place.real);
  if (sight?.stamp) noteKnown(trip, seenOf(place.real, sight.stamp, sight.parts));
}

function judged(trip: Trip, ready: Ready, isAgreed: boolean): (Reserve & { by: string })[] {
  const { parts, facts } = trip.station;
  const taken: (Reserve & { by: string })[] = [];
  for (const policy of parts.policies) {
    const said = policy.content ? opinion(policy, ready, facts) : undefined;
    if (!said) continue;
    if (said.answer === "deny" || (said.answer === "ask" && !isAgreed)) throw refusal(said);
    taken.push(...(said.reserve ?? []).map((each) => ({ ...each, by: said.by })));
    if (said.notes) trip.deeds.notes = [...(trip.deeds.notes ?? []), ...said.notes];
  }
  return taken;
}

/** Counts what a command changed against the limits, as soon as it is known. */
export async function countFound(trip: Trip, changes: readonly Change[]): Promise<void> {
  const wanted = trip.station.parts.policies.flatMap((policy) =>
    (policy.found?.(changes) ?? []).map((each) => ({ ...each, by: policy.name })),
  );
  await countAnyway(trip.station.parts.store, wanted, (each) => sessionsOf(trip, each));
}
