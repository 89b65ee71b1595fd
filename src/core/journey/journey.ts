import { throughSteps } from "../contracts/step.ts";
import type { IncomingCall } from "../words/call.ts";
import type { CallOptions } from "../words/ceiling.ts";
import type { Ready } from "../words/ready.ts";
import { Ending, type Result, type Truncated } from "../words/result.ts";
import { changesSomething } from "../words/touch.ts";
import { ask, isWaiting } from "./asking.ts";
import { decide, lookAhead } from "./judging.ts";
import { lockPaths } from "./locks.ts";
import { type Below, noteOwnChange, run } from "./performing.ts";
import { read } from "./reading.ts";
import { ROUNDS, settle, unsettled } from "./settling.ts";
import { alreadyMade, attempt, begin, end, mark, type Station, type Trip } from "./trip.ts";

/** The only way to run a tool: prepare, ask if need be, settle, perform. Never throws. */
export async function travel(
  station: Station,
  incoming: IncomingCall,
  options: CallOptions,
  below: Below,
): Promise<Result> {
  const trip = begin(station, incoming, options);
  await attempt(trip, prepare);
  if (isWaiting(trip)) await settleQuestions([trip]);
  if (!trip.result) await attempt(trip, (each) => perform(each, below));
  return end(trip);
}

/** A person who changed the arguments gets the changed call judged anew, and is asked about that. */
export async function settleQuestions(trips: readonly Trip[]): Promise<void> {
  let waiting = trips.filter(isWaiting);
  for (let round = 0; round < ROUNDS && waiting.length > 0; round++) {
    await ask(waiting);
    for (const trip of waiting) if (!trip.result && !trip.ready) await attempt(trip, prepare);
    waiting = waiting.filter(isWaiting);
  }
  for (const trip of waiting) await attempt(trip, () => Promise.reject(unsettled()));
}

/** From a name and some arguments to a call that is read, judged, looked at, and kept if it is only planned. */
export async function prepare(trip: Trip): Promise<void> {
  trip.life.check();
  await inspect(trip);
  const { plan, dryRun } = trip.station.facts.ceiling;
  if ((plan || dryRun) && wouldChange(trip.ready!)) await keepAsPlanned(trip, trip.ready!);
}

/** Reads and judges the call and changes nothing at all. */
export async function inspect(trip: Trip): Promise<void> {
  await read(trip);
  decide(trip);
  if (trip.ready!.tool.definition?.preview) await lookAhead(trip);
}

const wouldChange = (ready: Ready): boolean =>
  changesSomething(ready.touches) &&
  !(ready.danger === "safe" && ready.touches.every((touch) => touch.action === "unknown"));

/** Kept in the overlay, so that what follows in the plan sees it; nothing reaches the disk. */
async function keepAsPlanned(trip: Trip, ready: Ready): Promise<void> {
  const { station } = trip;
  if (trip.withheld) throw trip.withheld;
  const diff = station.parts.diff(ready.changes);
  await station.workspace.files.commit(ready.changes, async () => trip.life.check());
  for (const { place } of ready.changes) await noteOwnChange(trip, place);
  const what = station.facts.ceiling.dryRun ? "Dry run" : "Planned";
  trip.verdict = { answer: "allow", by: "plan", reason: "nothing is changed" };
  trip.result = {
    success: true,
    status: "planned",
    title: `${what}: ${ready.tool.name}`,
    output: [`${what}: ${ready.tool.name} was not run.`, diff].filter(Boolean).join("\n\n"),
    metadata: { touches: ready.touches, diff },
  };
}

/** Under locks everything is looked at once more; then it is done, through the steps. */
export async function perform(trip: Trip, below: Below): Promise<void> {
  const { station, life } = trip;
  const { steps, clock } = station.parts;
  const paths = lockPaths(trip.ready!.touches, station.workspace.roots);
  const release = paths.length > 0 ? await settle(trip, paths) : undefined;
  const changes = wouldChange(trip.ready!);
  const usedUp = station.purse.reserve(changes, clock.now());
  try {
    if (usedUp)
      throw new Ending(
        "refused",
        "RATE_LIMITED",
        `The budget says no: ${usedUp}.`,
        "A person can raise the budget in the configuration.",
      );
    if (trip.withheld) throw trip.withheld;
    if (release) mark(trip, "settled");
    const running = { ready: trip.ready!, life, clock, workspace: station.workspace };
    const result = await throughSteps(steps, running, () => run(trip, below));
    const shown = withinBudget(trip, toldOfChanges(trip, result));
    trip.result = withNotes(shown instanceof Promise ? await shown : shown, trip.ready!.notes);
    if (trip.view) station.facts.noteSights(trip.view.sights);
    else if (!trip.ran) await noteReads(trip);
  } catch (error) {
    if (!usedUp && trip.changed.length === 0) station.purse.release(changes);
    throw error;
  } finally {
    if (release) await release();
  }
}

/** What an answer from the cache stands for. */
async function noteReads({ ready, station }: Trip): Promise<void> {
  for (const touch of ready?.touches ?? []) {
    if (touch.action !== "read") continue;
    const info = await station.workspace.files.stat(touch.place);
    if (info) station.facts.noteRead(touch.place.real, info.stamp);
  }
}

/** A long output is cut, and the whole of it kept where it can be read. */
function withinBudget(trip: Trip, result: Result): Result | Promise<Result> {
  const { text, truncated } = trip.station.parts.trim(result.output, trip.ready?.tool.definition?.outputLines);
  return truncated ? keptWhole(trip, result, text, truncated) : result;
}

async function keptWhole(trip: Trip, result: Result, text: string, truncated: Truncated): Promise<Result> {
  const path = await trip.station.parts.keep?.(trip.recordID, result.output).catch(() => undefined);
  if (path === undefined) return { ...result, output: text, truncated };
  return {
    ...result,
    output: `${text}\n\n[All ${truncated.totalBytes} bytes are in ${path}.]`,
    truncated: { ...truncated, path },
  };
}

/** A failure that a tool gave back reads like one that it threw. */
function toldOfChanges(trip: Trip, result: Result): Result {
  if (!result.error) return result;
  const { redact } = trip.station.parts;
  const { code, message, hint } = result.error;
  return { ...result, error: { code, message: redact(`${message}${alreadyMade(trip)}`), hint: redact(hint) } };
}

const withNotes = (result: Result, notes: readonly string[]): Result =>
  notes.length === 0
    ? result
    : {
        ...result,
        output: [result.output, ...notes].filter(Boolean).join("\n\n"),
        metadata: { ...result.metadata, notes },
      };
