import { eachInTurns } from "../contracts/clock.ts";
import type { PlannedCall, PlannedChange } from "../contracts/store/plans.ts";
import { type Bytes, isLinkMode } from "../contracts/workspace.ts";
import { isWithin } from "../words/containment.ts";
import type { Ready } from "../words/ready.ts";
import { Ending } from "../words/result.ts";
import type { Place } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { changesHash } from "./fingerprints.ts";
import type { Station } from "./journey-parts.ts";
import { mayRead } from "./judging.ts";
import { seenOf } from "./known-files.ts";
import { bytesAt } from "./preview.ts";
import type { Prepared } from "./stages.ts";
import type { Trip } from "./trip.ts";

/** The place of a planned change. */
export function plannedPlace({ workspace }: Station, { real, shown, mode, modeBefore }: PlannedChange): Place {
  const root = workspace.roots.find((each) => isWithin(real, each)) ?? "";
  const link = isLinkMode(modeBefore ?? mode) && { link: true as const };
  return { shown, real, root, exists: true, ...link };
}

/** What is there now, if it is not what the change was planned on. Undefined if nothing has changed. */
export async function changedSince(
  station: Station,
  change: PlannedChange,
): Promise<{ place: Place; now: Bytes | null } | undefined> {
  const place = plannedPlace(station, change);
  if (place.root === "") return undefined;
  const info = await station.workspace.files.stat(place);
  if (info?.kind === "folder" || info?.kind === "other") return { place, now: null };
  const now = await bytesAt(station.workspace, place);
  return (now && station.parts.hash(now)) === change.before ? undefined : { place, now };
}

/** A planned call runs on the files that it was planned on, or not at all. What the session had read counts as read. */
export async function lookForConflict(trip: Trip, ready: Ready, verdict: Judgement): Promise<void> {
  const { station, planned } = trip;
  for (const change of planned?.changes ?? []) {
    const found = await changedSince(station, change);
    if (found) throw conflict(planned, change.shown, await comparison(trip, ready, verdict, change, found));
    const info = change.known && (await station.workspace.files.stat(plannedPlace(station, change)));
    if (info) station.facts.session.noteRead(seenOf(change.real, info.stamp, change.parts));
  }
}

/** What changed since the planning. Quotes the file only if the call may read it. */
async function comparison(
  trip: Trip,
  ready: Ready,
  verdict: Judgement,
  { before }: PlannedChange,
  { place, now }: { place: Place; now: Bytes | null },
): Promise<string> {
  const { parts } = trip.station;
  if (verdict.answer !== "allow" && !mayRead(trip, ready)) return "";
  const was = before === null ? null : await parts.store.plannedContent(before);
  return was === undefined
    ? ""
    : `What happened since it was planned:\n${parts.diff([{ place, before: was, after: now }])}`;
}

/** Throws if the call would now do anything but what was planned. The hash is compared again under the locks. */
export async function heldToPlan(trip: Trip, prepared: Prepared): Promise<Prepared> {
  const { planned, station } = trip;
  // without a preview, the changes show only when the call has run
  if (!planned || !prepared.ready.tool.definition.preview) return prepared;
  if (prepared.withheld) return prepared;
  const { parts } = station;
  const { changes } = prepared.ready;
  const made = new Map(changes.map((change) => [change.place.real, change]));
  const differs = await eachInTurns(parts.clock, planned.changes, (change) => {
    const now = made.get(change.real);
    return !now || (now.after && parts.hash(now.after)) !== change.after || now.mode !== change.mode;
  });
  const differing = planned.changes[differs.indexOf(true)];
  const known = new Set(planned.changes.map(({ real }) => real));
  const extra = changes.find(({ place }) => !known.has(place.real));
  if (differing || extra) throw conflict(planned, differing?.shown ?? extra?.place.shown ?? "", "");
  return { ...prepared, expected: await changesHash(prepared.ready, parts) };
}

const conflict = (planned: PlannedCall | undefined, file: string, output: string) =>
  new Ending(
    "failed",
    "CONFLICT",
    `${file} has changed since ${planned?.tool ?? "this"} was planned, so nothing was changed.`,
    "It stays in the plan. Drop it and plan the change again, or put the file back as it was.",
    { output, metadata: { file } },
  );
