import { eachInTurns } from "../contracts/clock.ts";
import type { NewChange } from "../contracts/store/changes.ts";
import type { NewStamps } from "../contracts/workspace.ts";
import { ToolFailure } from "../words/result.ts";
import type { Proposed } from "../words/tool.ts";
import { noteOwnChange } from "./known-files.ts";
import { bytesAt } from "./preview.ts";
import { rowOf, type Trip } from "./trip.ts";

/** Commits changes of files for a call. A commit that has begun is waited for before the call ends. */
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

/** Journals the intents, then writes the files: a change that cannot be recorded does not happen. */
async function make(trip: Trip, changes: readonly Proposed[]): Promise<void> {
  const { station } = trip;
  const { store } = station.parts;
  const ids: number[] = [];
  let stamps: NewStamps | undefined;
  try {
    stamps = await station.workspace.files.commit(changes, async () => {
      trip.life.check();
      for (const some of pieces(changes)) ids.push(...(await intended(trip, await rowsFor(trip, some))));
    });
  } catch (error) {
    for (const [index, id] of ids.entries()) await concludeFailed(trip, id, changes[index]!, error);
    throw error;
  }
  for (const { place } of changes) trip.deeds.changed.push(place.shown);
  // if this fails, or never comes to it, the file's hash still shows that the change happened
  const { unconcluded } = trip.deeds;
  if (unconcluded && unconcluded.length + ids.length <= MOST_ROWS) unconcluded.push(...ids);
  else for (const some of pieces(ids)) await store.conclude(some, "done").catch(() => {});
  for (const [index, change] of changes.entries()) await noteOwnChange(trip, change, stamps?.[index]).catch(() => {});
}

/** With its first intents, the store also learns that the call has begun. */
function intended({ station, opening }: Trip, rows: readonly NewChange[]): Promise<number[]> {
  const { store, recorder } = station.parts;
  return opening ? recorder.begunWith(opening, (begun) => store.intend(rows, begun)) : store.intend(rows);
}

/** The write may have succeeded and only its answer been lost, so the file decides. In doubt, it stays an intent. */
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

/** Rows per call of the store. More at once would block this process for too long. */
const MOST_ROWS = 500;

const pieces = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MOST_ROWS) }, (_, at) => all.slice(at * MOST_ROWS, (at + 1) * MOST_ROWS));

/** Hashes the contents in turns, so that very many files do not block the process. */
const rowsFor = (trip: Trip, changes: readonly Proposed[]): Promise<NewChange[]> =>
  eachInTurns(trip.station.parts.clock, changes, (change) => toRow(trip, change));

function toRow(trip: Trip, change: Proposed): NewChange {
  const { after, modeBefore, mode = modeBefore, undoes, redoes } = change;
  const outcome = { after: after && trip.station.parts.hash(after), ...(mode !== undefined && { modeAfter: mode }) };
  return { ...rowOf(trip, change, outcome), replaced: true, ...(undoes && { undoes }), ...(redoes && { redoes }) };
}
