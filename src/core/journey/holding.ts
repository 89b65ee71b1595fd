import type { Asking, Hold, HoldAnswer, Wanted } from "../contracts/store/holds.ts";
import type { HoldView } from "../words/hold-view.ts";
import { keeperName, timeLeft } from "../words/hold-view.ts";
import { Ending, ToolFailure } from "../words/result.ts";
import { eachTouch, type PathTouch, type Place, type Touch } from "../words/touch.ts";
import { allBelow, takeLocks } from "./path-locks.ts";
import type { Trip } from "./trip.ts";

/** Who makes the call, and whom it works for. */
const askingOf = ({ station, known: { call } }: Trip): Asking => ({
  session: call.sessionID,
  agent: call.agent,
  above: station.keepers,
});

/** Ends the call if somebody else holds what it changes. Checked under the locks, for which a new hold waits. */
export async function passHolds(trip: Trip, touches: readonly Touch[]): Promise<void> {
  const { store, clock } = trip.station.parts;
  const changed = eachTouch(touches).filter((touch): touch is PathTouch => isChange(touch));
  if (changed.length === 0) return;
  // mostly there are none, and then nothing has to be compared
  if ((await store.holds("paths")).length === 0) return;
  const by = askingOf(trip);
  const all = changed.flatMap((touch) => globsOf(trip, touch.place, true));
  if (!(await store.holdOver("paths", { resources: all, mode: "write" }, by))) return;
  for (const touch of changed) {
    const resources = globsOf(trip, touch.place, await isTree(trip, touch));
    const hold = await store.holdOver("paths", { resources, mode: "write" }, by);
    if (hold) throw lockedBy(touch.place.shown, hold, clock.now());
  }
}

/** Globs held by others, for a command whose writes are not known. Throws if no sandbox enforces them. */
export async function lockedForCommand(trip: Trip, isHeld: () => Promise<boolean>): Promise<readonly string[]> {
  const { store, clock } = trip.station.parts;
  const { above = [], ...self } = askingOf(trip);
  const passed = new Set([self, ...above].map(({ session, agent }) => JSON.stringify([session, agent])));
  const others = (await store.holds("paths")).filter(
    ({ session, agent }) => !passed.has(JSON.stringify([session, agent])),
  );
  const [first] = others;
  if (first && !(await isHeld())) throw mayMeet(first, clock.now());
  return others.flatMap(({ resources }) => resources);
}

const isChange = ({ action }: Touch): boolean => action === "write" || action === "delete";

/** Whatever is not a file may be a folder, with everything below it. */
async function isTree({ station: { workspace } }: Trip, { place, scope }: PathTouch): Promise<boolean> {
  if (scope !== undefined) return true;
  try {
    const info = await workspace.files.stat(place);
    return info !== undefined && info.kind !== "file";
  } catch {
    return true;
  }
}

function globsOf({ station }: Trip, place: Place, below: boolean): string[] {
  const { ofPath, withBelow } = station.parts.globs;
  return spellings(place).flatMap((path) => (below ? [ofPath(path), withBelow(`${ofPath(path)}/`)] : ofPath(path)));
}

/** The real path, and the path as it was named: a hold on a link covers both. */
const spellings = ({ real, shown, root }: Place): string[] => [
  ...new Set([real, shown.startsWith("/") || root === "" ? real : `${root}/${shown}`]),
];

const lockedBy = (shown: string, hold: Hold, now: number) =>
  refused(`${shown} is locked by ${keeperName(hold)} (${hold.shown}) for another ${timeLeft(hold, now)}.`, hold);

const mayMeet = (hold: Hold, now: number) =>
  refused(
    `It is not known what the command would change, and ${hold.shown} is locked by ${keeperName(hold)} for another ${timeLeft(hold, now)}.`,
    hold,
  );

const refused = (message: string, hold: Hold) =>
  new Ending(
    "refused",
    "CONFLICT",
    message,
    "Work on something else, or try again when the lock has been released or has run out.",
    { metadata: { by: "locks", lockedBy: { session: hold.session, agent: hold.agent, until: hold.until } } },
  );

/** What a call may do with holds: take them, and release its own. */
export function holdView(trip: Trip): HoldView {
  const { store } = trip.station.parts;
  return {
    lockPaths: (globs, milliseconds) => lockPaths(trip, globs, milliseconds),
    hold: (wanted, milliseconds) => store.hold("names", wanted, askingOf(trip), milliseconds),
    letGo: (tokens) => store.letGo(tokens, askingOf(trip)),
    holds: (space) => store.holds(space),
  };
}

/** Waits for changes under way there: a call that settled before the hold may finish. */
async function lockPaths(trip: Trip, globs: readonly string[], milliseconds: number): Promise<HoldAnswer[]> {
  const { store } = trip.station.parts;
  const placed: { base: string; wanted: Wanted }[] = [];
  for (const glob of globs) placed.push(await place(trip, glob));
  const release = await takeLocks(trip, [...new Set(placed.map(({ base }) => allBelow(base)))].sort());
  try {
    const wanted = placed.map((each) => each.wanted);
    return await store.hold("paths", wanted, askingOf(trip), milliseconds);
  } finally {
    await release();
  }
}

/** Resolves a glob in the workspace, by its real folder and as it is written. */
async function place({ station }: Trip, glob: string): Promise<{ base: string; wanted: Wanted }> {
  const { workspace, parts } = station;
  if (glob.trim() === "" || glob.startsWith("!"))
    throw new ToolFailure(
      "VALIDATION_ERROR",
      glob.startsWith("!") ? `${glob} is an exclusion, and only files to lock can be named.` : "A glob is empty.",
      "Name what is to be locked: src/**, docs/*.md, package.json.",
    );
  const { ofPath, withBelow, split } = parts.globs;
  const { base, rest } = split(glob);
  if (rest.split("/").includes(".."))
    throw new ToolFailure("VALIDATION_ERROR", `${glob} has .. after a wildcard.`, "Write it without `..`.");
  const { real, shown, root } = await workspace.locate(base === "" && glob.startsWith("/") ? "/" : base || ".");
  // as everywhere, a pattern without a slash matches at any depth
  const below = rest !== "" && !glob.includes("/") ? `**/${rest}` : rest;
  const folders = spellings({ real, shown, root, exists: true });
  const resources = folders.map((folder) => withBelow(`${ofPath(folder)}/${below}`));
  return { base: real, wanted: { resources, shown: glob, mode: "exclusive" } };
}
