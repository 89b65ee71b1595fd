import { type ChangeRow, type Outcome, UNTOLD } from "../contracts/store/changes.ts";
import type { Before, Bytes, Change, Found, Watch } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import { eachTouch, isPathTouch, type PathTouch, type Place, runsReadOnly, type Touch } from "../words/touch.ts";
import { countFound } from "./late-changes.ts";
import { rowOf, type Trip } from "./trip.ts";

/** Larger files are not read to learn their hash, so what became of them stays unknown. */
const MOST_HASHED = 64 << 20;
const MOST_SHOWN = 100;
const MOST_NAMED = 3;

type Undo = "full" | "partial" | "none";

/** What was saved before the run: the files and their rows, in the same order. */
type Kept = { known: readonly Before[]; ids: readonly number[]; since: number };

/** By shown names, what undo can restore and what it cannot; and the changed files themselves. */
type Account = { kept: readonly string[]; lost: readonly string[]; changed: readonly Before[] };

/**
 * Runs a command between two looks at the files. What it is known to change is saved durably first; other changes are
 * found by comparing. A command that is proven to be read-only is not watched.
 */
export async function underWatch(trip: Trip, { touches }: Ready, execute: () => Promise<Result>): Promise<Result> {
  const { parts, workspace } = trip.station;
  if (touches.every((touch) => touch.action !== "run" || runsReadOnly(touch))) return withUndo(await execute(), "full");
  const since = parts.clock.now();
  const watch = await workspace.watch?.(knownTouches(touches), parts.hash);
  if (!watch) return withUndo(await execute(), "none");
  const rows = watch.known.map((file) => rowOf(trip, file, { after: UNTOLD }));
  const ids = rows.length > 0 ? await parts.store.intend(rows) : [];
  const kept = { known: watch.known, ids, since };
  let result: Result;
  try {
    result = await execute();
  } catch (error) {
    await endAll(trip);
    const { account } = await accountFor(trip, kept, watch);
    trip.deeds.changed.push(...[...account.kept, ...account.lost].slice(0, MOST_SHOWN));
    throw error;
  }
  if (result.status === "timed-out" || result.status === "cancelled") await endAll(trip);
  if (isLeftRunning(trip) || feedsAnother(trip, touches)) {
    await count(trip, await conclude(trip, kept));
    return withUndo(result, "none", "[It is still running: what it changes from now on cannot be undone.]");
  }
  const { account, whole } = await accountFor(trip, kept, watch);
  return told(result, account, whole);
}

/** Certain writes and deletes, inside the roots. */
export const knownTouches = (touches: readonly Touch[]): PathTouch[] =>
  eachTouch(touches)
    .filter(isPathTouch)
    .filter(({ action, certain, place }) => certain && place.root && (action === "write" || action === "delete"));

const isLeftRunning = ({ deeds: { processes = [] } }: Trip): boolean =>
  processes.some(({ exit, left }) => exit === undefined || left?.ended === false);

/** It gave input to a command that another call started. */
const feedsAnother = ({ deeds: { processes = [] } }: Trip, touches: readonly Touch[]): boolean =>
  processes.length === 0 && touches.some((touch) => touch.action === "run" && touch.stays === true);

/** Kills the commands of a stopped call, so that none can still change something. */
async function endAll({ deeds: { processes = [] } }: Trip): Promise<void> {
  for (const running of processes) if (running.exit === undefined) await running.kill().catch(() => {});
}

/** Never fails: the command has run, and what could not be saved is reported as lost. */
export async function accountFor(trip: Trip, before: Kept, watch: Watch) {
  const known = await conclude(trip, before);
  try {
    const { found, lost, whole } = await watch.end();
    const more = await journal(trip, found, before.since);
    const account = {
      kept: [...known.kept, ...more.kept],
      lost: [...known.lost, ...more.lost, ...lost],
      changed: [...known.changed, ...more.changed],
    };
    await count(trip, account);
    return { account, whole };
  } catch {
    return { account: known, whole: false };
  }
}

/** Counts changed files against the limits. Their content is read only if a policy wants it. */
async function count(trip: Trip, { changed, lost }: Account): Promise<void> {
  if (changed.length + lost.length > 0) trip.deeds.commandChanged = true;
  if (changed.length === 0 || !trip.station.parts.policies.some(({ found }) => found)) return;
  const changes: Change[] = [];
  for (const { place, before } of changed) changes.push({ place, before, after: await afterwards(trip, place) });
  await countFound(trip, changes).catch(() => {});
}

async function afterwards({ station }: Trip, place: Place): Promise<Bytes | null> {
  const { files } = station.workspace;
  try {
    const info = await files.stat(place);
    return info?.kind === "file" && info.stamp.size <= MOST_HASHED ? (await files.read(place)).bytes : null;
  } catch {
    return null;
  }
}

/** Tells the journal what became of the files that were saved before the run. */
async function conclude(trip: Trip, { known, ids, since }: Kept): Promise<Account> {
  const { store } = trip.station.parts;
  const unchanged: number[] = [];
  const changed: { id: number; file: Before; outcome: Outcome }[] = [];
  try {
    for (const [index, file] of known.entries()) {
      const id = ids[index] as number;
      const outcome = await outcomeAt(trip, file.place);
      const others = await rowsSince(trip, file.place, since, ids);
      if (isSame(trip, file, outcome) || others.at(-1)?.after === outcome.after) unchanged.push(id);
      else changed.push({ id, file, outcome });
    }
    const changedIDs = changed.map(({ id }) => id);
    const outcomes = changed.map(({ outcome }) => outcome);
    await store.conclude(unchanged, "void");
    await store.conclude(changedIDs, "done", outcomes);
    const lost: string[] = [];
    const kept: string[] = [];
    for (const { file, outcome } of changed) ((await isLost(trip, file, outcome)) ? lost : kept).push(file.place.shown);
    return { kept, lost, changed: changed.map(({ file }) => file) };
  } catch {
    // the rows stay intents, so deleted files can still be restored
    return { kept: [], lost: known.map(({ place }) => place.shown), changed: known };
  }
}

/** A file that is gone cannot come back where something else is in its place or in that of a folder above it. */
async function isLost({ station }: Trip, { before, place }: Before, { after }: Outcome): Promise<boolean> {
  if (after !== null || before === null) return after === UNTOLD;
  try {
    const there = await station.workspace.locate(place.real);
    return there.real !== place.real || (await station.workspace.files.stat(there)) !== undefined;
  } catch {
    return true;
  }
}

/** A folder in its place means that the file is gone. */
async function outcomeAt({ station }: Trip, place: Place): Promise<Outcome> {
  const { files } = station.workspace;
  try {
    const info = await files.stat(place);
    if (!info || info.kind === "folder") return { after: null };
    if (info.stamp.size > MOST_HASHED) return { after: UNTOLD };
    const { bytes, mode } = await files.read(place);
    return { after: station.parts.hash(bytes), modeAfter: mode };
  } catch {
    return { after: UNTOLD };
  }
}

const isSame = ({ station }: Trip, { before, modeBefore }: Before, { after, modeAfter }: Outcome): boolean =>
  before === null ? after === null : modeBefore === modeAfter && station.parts.hash(before) === after;

/** What calls below this one, or its own writes, have journalled for a file. */
async function rowsSince(
  { station }: Trip,
  { real }: Place,
  since: number,
  except: readonly number[] = [],
): Promise<ChangeRow[]> {
  const rows = await station.parts.store.changes({ real, states: ["intended", "done"] });
  return rows.filter(({ id, at }) => at > since && !except.includes(id));
}

/** Journals what was found, except what is already journalled. */
async function journal(trip: Trip, found: readonly Found[], since: number): Promise<Account> {
  const { store } = trip.station.parts;
  const own: Found[] = [];
  const lost: string[] = [];
  for (const file of found) {
    const others = await rowsSince(trip, file.place, since);
    if (others.length === 0) own.push(file);
    else if (others.at(-1)?.after !== file.after) lost.push(file.place.shown);
  }
  if (own.length === 0) return { kept: [], lost, changed: [] };
  const kept = own.map(({ place }) => place.shown);
  try {
    const ids = await store.intend(own.map((file) => rowOf(trip, file, outcomeOf(file))));
    // if this fails, the files' hashes still show that it happened
    await store.conclude(ids, "done").catch(() => {});
    return { kept, lost, changed: own };
  } catch {
    return { kept: [], lost: [...lost, ...kept], changed: own };
  }
}

const outcomeOf = ({ after, modeAfter }: Found): Outcome => ({ after, ...(modeAfter !== undefined && { modeAfter }) });

/** Adds a line that says what undo cannot restore. */
function told(result: Result, { kept, lost }: Account, whole: boolean): Result {
  const changed = [...kept, ...lost];
  const undo: Undo = lost.length === 0 && whole ? "full" : kept.length === 0 && whole ? "none" : "partial";
  const counted = { changed: changed.slice(0, MOST_SHOWN), changedCount: changed.length };
  const says = [
    lost.length > 0
      ? `Cannot be undone: ${named(lost)}${kept.length > 0 ? ` (of ${changed.length} changed)` : ""}.`
      : "",
    whole ? "" : "Not every file could be looked at: only the changes that were noticed can be undone.",
  ];
  const line = says.filter(Boolean).join(" ");
  return withUndo({ ...result, metadata: { ...result.metadata, ...counted } }, undo, line && `[${line}]`);
}

const named = (names: readonly string[]): string => {
  const more = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
};

const withUndo = (result: Result, undo: Undo, line = ""): Result => ({
  ...result,
  output: [result.output, line].filter(Boolean).join("\n\n"),
  metadata: { ...result.metadata, undo },
});
