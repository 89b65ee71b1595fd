import { turnsBy } from "../contracts/clock.ts";
import type { Hash } from "../contracts/store/changes.ts";
import {
  type Bytes,
  type Change,
  type FileInfo,
  type FileRead,
  type FileView,
  type GuardedView,
  placesAmong,
  type Sight,
  type Stamp,
  sameStamp,
  type Workspace,
} from "../contracts/workspace.ts";
import type { Call } from "../words/call.ts";
import type { Ready, Replaced } from "../words/ready.ts";
import { ToolFailure } from "../words/result.ts";
import type { JournalView, Look, Proposal, Proposed } from "../words/tool.ts";
import { eachTouch, isPathTouch, type PathTouch, type Place, type Touch } from "../words/touch.ts";
import { ownProcesses } from "./commanding.ts";
import type { Prepared } from "./stages.ts";
import type { Trip } from "./trip.ts";

/** What a tool may look at before it runs: the files it declared, and the journal. Created as it is used. */
export class TripLook implements Look {
  readonly #trip: Trip;
  #files: GuardedView | undefined;
  /** The tool looked at something besides its input, so it may answer differently another time. */
  used = false;
  readJournal = false;
  constructor(trip: Trip, files?: GuardedView) {
    this.#trip = trip;
    this.#files = files;
  }
  get call(): Call {
    return this.#trip.known.call;
  }
  get files(): FileView {
    this.used = true;
    const { parts, workspace } = this.#trip.station;
    this.#files ??= parts.guard(workspace, []);
    return this.#files;
  }
  get journal(): JournalView {
    this.used = true;
    this.readJournal = true;
    const { plan, parts } = this.#trip.station;
    return plan?.journal ?? parts.store;
  }
  // getters that return functions: a tool may destructure the look, and they are created only if used
  get hash(): (bytes: Bytes) => Hash {
    return this.#trip.station.parts.hash;
  }
  get realPath(): Look["realPath"] {
    this.used = true;
    const { workspace } = this.#trip.station;
    return async (path, itself) => (await workspace.locate(path, itself)).real;
  }
  get seen(): Look["seen"] {
    this.used = true;
    const { workspace, facts } = this.#trip.station;
    return async (path) => facts.seen((await workspace.locate(path)).real);
  }
  get page(): Look["page"] {
    this.used = true;
    return () => this.#trip.station.workspace.pages?.at(this.call.sessionID);
  }
  get fed(): Look["fed"] {
    this.used = true;
    const { processes } = this.#trip.station.workspace;
    return (id) => processes && ownProcesses(processes, this.call).find((each) => each.id === id)?.fed;
  }
  get turn(): Look["turn"] {
    return turnsBy(this.#trip.station.parts.clock);
  }
  get patch(): Look["patch"] {
    return this.#trip.station.workspace.patch;
  }
}

export type Previewed = { changes: Proposed[]; look: NonNullable<Prepared["look"]> };

/** Asks the tool what it would change. Nothing is written; what the tool saw is compared again under the locks. */
export async function preview(
  trip: Trip,
  { tool, input, touches }: Ready,
  exclude: readonly string[] = [],
): Promise<Previewed> {
  const { station, deeds } = trip;
  const view = station.parts.guard(station.workspace, touches, { exclude });
  deeds.previews ??= [];
  deeds.previews.push(view);
  const look = new TripLook(trip, view);
  const proposals = (await tool.definition.preview?.(input as never, look)) ?? [];
  const changes: Proposed[] = [];
  const known = knownOf(trip, view, touches);
  for (const proposal of proposals) {
    const change = await toChange(trip, known, proposal);
    if (change) changes.push(change);
  }
  return { changes, look: { view, readJournal: look.readJournal } };
}

/** Declared touches and seen contents by real path, because a patch may name very many files. */
type Known = {
  placeOf: (path: string) => Promise<Place>;
  declared: ReadonlyMap<string, readonly PathTouch[]>;
  seen: ReadonlyMap<string, Sight>;
};

function knownOf({ station }: Trip, { sights }: GuardedView, touches: readonly Touch[]): Known {
  const declared = new Map<string, PathTouch[]>();
  for (const touch of touches)
    if (isPathTouch(touch)) declared.set(touch.place.real, [...(declared.get(touch.place.real) ?? []), touch]);
  const seen = new Map<string, Sight>();
  for (const sight of sights)
    if (sight.bytes !== undefined && !seen.has(sight.place.real)) seen.set(sight.place.real, sight);
  return { placeOf: placesAmong(touches, station.workspace), declared, seen };
}

/** The proposal with the file's current content, or undefined if it changes nothing. */
async function toChange(
  trip: Trip,
  { placeOf, declared, seen }: Known,
  proposal: Proposal,
): Promise<Proposed | undefined> {
  const { workspace, parts } = trip.station;
  const { path, after, ...more } = proposal;
  const place = await placeOf(path);
  if (!declared.get(place.real)?.some((touch) => mayMake(touch, after))) throw undeclaredChange(path);
  const sight = seen.get(place.real);
  const now = fileSeen(sight) ?? (await fileAt(workspace, place, sight?.bytes));
  const before = now?.bytes ?? null;
  const change: Change = { place, before, after, ...(now && { modeBefore: now.mode, stamp: now.stamp }) };
  const sameMode = more.mode === undefined || more.mode === now?.mode;
  return sameMode && parts.equal(before, after) ? undefined : { ...change, ...more };
}

/** The file as the preview read it; it is compared again under the locks. */
const fileSeen = (sight: Sight | undefined): FileRead | undefined =>
  sight?.bytes && sight.stamp && sight.mode !== undefined
    ? { bytes: sight.bytes, stamp: sight.stamp, mode: sight.mode }
    : undefined;

/** The file as it is now, with its content if that is known already; undefined if there is none. */
async function fileAt({ files }: Workspace, place: Place, known?: Bytes | null): Promise<FileRead | undefined> {
  const info = await files.stat(place);
  return info && { bytes: known ?? (await files.read(place)).bytes, mode: info.mode, stamp: info.stamp };
}

/** The call with the files that its command would certainly overwrite, as they are now. */
export async function withReplaced(trip: Trip, ready: Ready): Promise<Ready> {
  const replaces: Replaced[] = [];
  for (const touch of eachTouch(ready.touches)) {
    if (touch.action !== "write" || !touch.certain || touch.scope !== undefined || !isThere(touch)) continue;
    const info = await trip.station.workspace.files.stat(touch.place);
    if (info?.kind === "file") replaces.push({ place: touch.place, stamp: info.stamp });
  }
  if (replaces.length === 0) return ready;
  const known = { ...ready, replaces };
  trip.known.ready = known;
  return known;
}

const isThere = ({ place }: PathTouch): boolean => place.exists && place.root !== "" && !place.link;

const mayMake = (touch: PathTouch, after: unknown): boolean =>
  after === null ? touch.action === "delete" || touch.restores === true : touch.action === "write";

const undeclaredChange = (path: string) =>
  new ToolFailure(
    "PERMISSION_DENIED",
    `The tool wants to change ${path}, which it did not declare.`,
    "This is a mistake in the tool's definition: its touches must name every file that it changes.",
  );

/**
 * Whether everything the preview saw is unchanged, given that the named places are still the same ones. A preview that
 * read the journal must be made again.
 */
export async function previewHolds({ station }: Trip, { look, ready }: Prepared): Promise<boolean> {
  if (!look || look.readJournal) return false;
  const { workspace, parts } = station;
  const named = new Set(ready.touches.filter(isPathTouch).map(({ place }) => place.real));
  const replaced = new Set(ready.changes.map(({ before }) => before));
  for (const { place, bytes, stamp } of [...look.view.sights, ...unseenBefores(ready, look.view)]) {
    if (bytes === undefined) return false;
    if (!named.has(place.real) && (await workspace.locate(place.shown, place.link)).real !== place.real) return false;
    // the commit itself compares every byte of what it replaces
    if (replaced.has(bytes) && stamp && isStill(stamp, await workspace.files.stat(place))) continue;
    if (!parts.equal(await bytesAt(workspace, place), bytes)) return false;
  }
  return true;
}

const isStill = (stamp: Stamp, info: FileInfo | undefined): boolean =>
  info !== undefined && sameStamp(stamp, info.stamp);

/** A file that would be replaced without having been read counts as seen, too. */
function unseenBefores({ changes }: Ready, { sights }: GuardedView): Sight[] {
  const seen = new Set(sights.map(({ place }) => place.real));
  return changes.filter(({ place }) => !seen.has(place.real)).map(({ place, before }) => ({ place, bytes: before }));
}

/** The current content, or null if there is no file. */
export async function bytesAt(workspace: Workspace, place: Place): Promise<Bytes | null> {
  return (await fileAt(workspace, place))?.bytes ?? null;
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
