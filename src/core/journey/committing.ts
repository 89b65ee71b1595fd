import { eachInTurns } from "../contracts/clock.ts";
import type { NewChange } from "../contracts/store/changes.ts";
import type { Stamp } from "../contracts/workspace.ts";
import { ToolFailure } from "../words/result.ts";
import type { Proposed } from "../words/tool.ts";
import type { Place } from "../words/touch.ts";
import { bytesAt } from "./preview.ts";
import { rowOf, type Trip } from "./trip.ts";

/** Makes changes of files for a call; one that has begun is waited for before the call ends. */
export async function commit(trip: Trip, changes: readonly Proposed[]): Promise<void> {
  trip.life.check();
  trip.deeds.underWay ??= new Set();
  const { underWay } = trip.deeds;
  const making = make(trip, changes);
  underWay.add(making);
  try {
    await making;
  } finally {
    underWay.delete(making);
  }
}

/** Intent first, then the files: a change that cannot be recorded does not happen. */
async function make(trip: Trip, changes: readonly Proposed[]): Promise<void> {
  const { station } = trip;
  const { store } = station.parts;
  const ids: number[] = [];
  try {
    await station.workspace.files.commit(changes, async () => {
      trip.life.check();
      for (const some of pieces(changes)) ids.push(...(await store.intend(await rowsFor(trip, some))));
    });
  } catch (error) {
    for (const [index, id] of ids.entries()) await concludeFailed(trip, id, changes[index]!, error);
    throw error;
  }
  trip.deeds.changed.push(...changes.map(({ place }) => place.shown));
  // if this fails, the file's own hash says that it happened
  for (const some of pieces(ids)) await store.conclude(some, "done").catch(() => {});
  for (const { place } of changes) await noteOwnChange(trip, place).catch(() => {});
}

/** Only the answer may have been lost: the file says how it ended. In doubt the row stays what it is, an intent. */
async function concludeFailed(trip: Trip, id: number, change: Proposed, error: unknown): Promise<void> {
  const { parts, workspace } = trip.station;
  const { place, before, after } = change;
  const conclude = (state: "done" | "void") => parts.store.conclude([id], state).catch(() => {});
  if (error instanceof ToolFailure && error.code === "CONFLICT") return conclude("void");
  const now = await bytesAt(workspace, place).catch(() => undefined);
  if (now === undefined || parts.equal(before, after)) return;
  if (parts.equal(now, before)) return conclude("void");
  if (!parts.equal(now, after)) return;
  trip.deeds.changed.push(place.shown);
  await conclude("done");
}

/** The session's own change counts as read, so that it is not taken for somebody else's. */
export async function noteOwnChange(trip: Trip, place: Place): Promise<void> {
  const info = await trip.station.workspace.files.stat(place);
  if (info) noteKnown(trip, place.real, info.stamp);
}

/** The session knows how this file is now; its record says so to whoever else works in it. */
export function noteKnown({ station, deeds }: Trip, real: string, stamp: Stamp): void {
  station.facts.session.noteRead(real, stamp);
  deeds.known ??= [];
  deeds.known.push({ real, stamp });
}

/** A store keeps so many rows in one go; with more of them nobody else in this process would have a turn. */
const MOST_ROWS = 500;

const pieces = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MOST_ROWS) }, (_, at) => all.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS));

/** What is told of very many files is hashed in turns. */
const rowsFor = (trip: Trip, changes: readonly Proposed[]): Promise<NewChange[]> =>
  eachInTurns(trip.station.parts.clock, changes, (change) => toRow(trip, change));

function toRow(trip: Trip, change: Proposed): NewChange {
  const { after, modeBefore, mode = modeBefore, undoes, redoes } = change;
  const outcome = { after: after && trip.station.parts.hash(after), ...(mode !== undefined && { modeAfter: mode }) };
  return { ...rowOf(trip, change, outcome), replaced: true, ...(undoes && { undoes }), ...(redoes && { redoes }) };
}
