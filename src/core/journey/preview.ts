import type { Hash } from "../contracts/store.ts";
import {
  type Bytes,
  type Change,
  type FileInfo,
  type FileView,
  type GuardedView,
  type Sight,
  type Stamp,
  sameStamp,
  type Workspace,
} from "../contracts/workspace.ts";
import type { Call } from "../words/call.ts";
import { ToolFailure } from "../words/result.ts";
import type { JournalView, Look, Proposal, Proposed } from "../words/tool.ts";
import { isPathTouch, type PathTouch, type Place, type Touch } from "../words/touch.ts";
import type { Trip } from "./trip.ts";

/** What a tool may look at now: the files it declared, and the record of changes. Made as it is used. */
export class TripLook implements Look {
  readonly #trip: Trip;
  #files: GuardedView | undefined;
  constructor(trip: Trip, files?: GuardedView) {
    this.#trip = trip;
    this.#files = files;
  }
  get call(): Call {
    return this.#trip.call;
  }
  get files(): FileView {
    const { parts, workspace } = this.#trip.station;
    this.#files ??= parts.guard(workspace, []);
    return this.#files;
  }
  get journal(): JournalView {
    this.#trip.previewReadJournal = true;
    return this.#trip.station.parts.store;
  }
  // functions by way of getters: a tool may take them out of the look, and they are made only if it does
  get hash(): (bytes: Bytes) => Hash {
    return this.#trip.station.parts.hash;
  }
  get realPath(): Look["realPath"] {
    const { workspace } = this.#trip.station;
    return async (path) => (await workspace.locate(path)).real;
  }
  get seen(): Look["seen"] {
    const { workspace, facts } = this.#trip.station;
    return async (path) => facts.seen((await workspace.locate(path)).real);
  }
  get patch(): Look["patch"] {
    return this.#trip.station.workspace.patch;
  }
}

/** Asks the tool what it would change. Nothing is written; what the tool looked at is kept for the second look. */
export async function preview(trip: Trip, touches: readonly Touch[]): Promise<Proposed[]> {
  const { ready, station } = trip;
  const definition = ready?.tool.definition;
  if (!definition?.preview) return [];
  trip.preview?.close();
  trip.preview = station.parts.guard(station.workspace, touches, { exclude: trip.exclude });
  const proposals = await definition.preview(ready?.input as never, new TripLook(trip, trip.preview));
  const changes: Proposed[] = [];
  for (const proposal of proposals) {
    const change = await toChange(trip, trip.preview, proposal, touches);
    if (change) changes.push(change);
  }
  return changes;
}

/** The proposal with what is there now; undefined if it changes nothing. */
async function toChange(
  trip: Trip,
  view: GuardedView,
  proposal: Proposal,
  touches: readonly Touch[],
): Promise<Proposed | undefined> {
  const { workspace, parts } = trip.station;
  const { path, after, ...more } = proposal;
  const place = await workspace.locate(path);
  const touch = touches.find(
    (each): each is PathTouch => isPathTouch(each) && each.place.real === place.real && mayMake(each, after),
  );
  if (!touch) throw undeclaredChange(path);
  const info = await workspace.files.stat(place);
  const sight = view.sights.find((each) => each.place.real === place.real && each.bytes !== undefined);
  const before = info === undefined ? null : (sight?.bytes ?? (await workspace.files.read(place)).bytes);
  const change: Change = { place, before, after, ...(info && { modeBefore: info.mode }) };
  const sameMode = more.mode === undefined || more.mode === info?.mode;
  return sameMode && parts.equal(before, after) ? undefined : { ...change, ...more };
}

const mayMake = (touch: PathTouch, after: unknown): boolean =>
  after === null ? touch.action === "delete" || touch.restores === true : touch.action === "write";

const undeclaredChange = (path: string) =>
  new ToolFailure(
    "PERMISSION_DENIED",
    `The tool wants to change ${path}, which it did not declare.`,
    "This is a mistake in the tool's definition: its touches must name every file that it changes.",
  );

/** Whether everything the preview saw is still so. A preview that read the journal must be made again. */
export async function previewHolds(trip: Trip): Promise<boolean> {
  if (!trip.preview || trip.previewReadJournal) return false;
  const { workspace, parts } = trip.station;
  for (const { place, bytes, stamp } of [...trip.preview.sights, ...unseenBefores(trip, trip.preview)]) {
    if (bytes === undefined) return false;
    const now = await workspace.locate(place.shown);
    if (now.real !== place.real) return false;
    // of what is replaced, the commit compares every byte itself
    const isReplaced = trip.ready?.changes.some(({ before }) => before === bytes);
    if (isReplaced && stamp && isStill(stamp, await workspace.files.stat(now))) continue;
    if (!parts.equal(await bytesAt(workspace, now), bytes)) return false;
  }
  return true;
}

const isStill = (stamp: Stamp, info: FileInfo | undefined): boolean =>
  info !== undefined && sameStamp(stamp, info.stamp);

/** What would be replaced without the tool having read it counts as seen too. */
const unseenBefores = ({ ready }: Trip, { sights }: GuardedView): Sight[] =>
  (ready?.changes ?? [])
    .filter(({ place }) => !sights.some((sight) => sight.place.real === place.real))
    .map(({ place, before }) => ({ place, bytes: before }));

/** What is there now; null: nothing. */
export async function bytesAt({ files }: Workspace, place: Place): Promise<Bytes | null> {
  const info = await files.stat(place);
  return info === undefined ? null : (await files.read(place)).bytes;
}

export const sameChanges = (
  a: readonly Proposed[],
  b: readonly Proposed[],
  equal: (a: Change["after"], b: Change["after"]) => boolean,
): boolean =>
  a.length === b.length &&
  a.every((change, index) => {
    const other = b[index];
    return (
      other !== undefined &&
      change.place.real === other.place.real &&
      change.mode === other.mode &&
      equal(change.before, other.before) &&
      equal(change.after, other.after)
    );
  });
