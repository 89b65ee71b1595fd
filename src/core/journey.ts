import { fingerprint } from "./approval.ts";
import { ask, isWaiting } from "./asking.ts";
import type { IncomingCall } from "./call.ts";
import type { CallOptions } from "./ceiling.ts";
import { judge, type Verdict } from "./judge.ts";
import { lockPaths, takeLocks } from "./locks.ts";
import { type Below, run } from "./performing.ts";
import { dangerOfCall, samePlaces, toTouches, undeclared } from "./places.ts";
import { preview, previewHolds, sameChanges, TripLook } from "./preview.ts";
import type { Ready } from "./ready.ts";
import type { Entry } from "./registry.ts";
import { Ending, type Result } from "./result.ts";
import { throughSteps } from "./step.ts";
import { changesSomething, type Touch } from "./touch.ts";
import { alreadyMade, attempt, begin, end, mark, type Station, type Trip } from "./trip.ts";

const ROUNDS = 3;

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
  for (let round = 0, waiting = trips.filter(isWaiting); waiting.length > 0; waiting = waiting.filter(isWaiting)) {
    if (round++ === ROUNDS) for (const trip of waiting) await attempt(trip, () => Promise.reject(unsettled()));
    await ask(waiting);
    for (const trip of waiting) if (!trip.result && !trip.ready) await attempt(trip, prepare);
  }
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

/** Finds the tool, parses the arguments, names what the call would touch. */
export async function read(trip: Trip): Promise<void> {
  const { call } = trip;
  const tool = await find(trip);
  const parsed = tool.parse(call.args, call.name);
  if (!parsed.ok)
    throw new Ending("invalid", "VALIDATION_ERROR", parsed.message, parsed.hint, {
      metadata: { issues: parsed.issues },
    });
  trip.ready = { call, tool, input: parsed.input, touches: [], danger: "dangerous", changes: [], notes: parsed.notes };
  await readTouches(trip, trip.ready);
  mark(trip, "touches");
}

async function find(trip: Trip): Promise<Entry> {
  const { registry, resolve, nearest } = trip.station.parts;
  const { name } = trip.call;
  let tool = registry.get(name);
  if (!tool && resolve) {
    const late = await resolve(name);
    if (late) await registry.register(late);
    tool = registry.get(name) ?? (late ? registry.get(late.name) : undefined);
  }
  if (!tool) {
    const near = nearest(name, registry.names());
    const hint =
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : `The tools are ${registry
            .list()
            .map((each) => each.name)
            .join(", ")}.`;
    throw new Ending("unknown", "UNKNOWN_TOOL", `There is no tool named ${name}.`, hint);
  }
  return tool.loaded ? tool : tool.load();
}

async function readTouches(trip: Trip, ready: Ready): Promise<void> {
  const { station } = trip;
  const definition = ready.tool.definition!;
  const required = ready.tool.permissions?.required;
  const claims = definition.touches
    ? await definition.touches(ready.input as never, new TripLook(trip))
    : undeclared(required);
  const touches: readonly Touch[] = claims.length > 0 ? await toTouches(claims, station.workspace) : [];
  const declares = definition.touches !== undefined || required !== undefined;
  trip.ready = { ...ready, touches, danger: dangerOfCall(definition, ready.input, touches, declares) };
}

/** Every policy looks at the call as it stands; a no ends it. */
function decide(trip: Trip): void {
  const { station, ready, call } = trip;
  const { policies, emit, heard } = station.parts;
  const verdict = judge(policies, ready!, station.facts);
  trip.verdict = verdict;
  trip.exclude = verdict.exclude ?? [];
  mark(trip, "judged", verdict.answer);
  if (heard()) emit({ type: "judged", call, verdict });
  if (verdict.answer === "deny") throw refusal(verdict);
}

/** Content is read only now that the call may be made, or may be asked about. */
async function lookAhead(trip: Trip): Promise<void> {
  const { station } = trip;
  try {
    trip.ready = { ...trip.ready!, changes: await preview(trip, trip.ready!.touches) };
  } catch (error) {
    // a miss quotes the file: where reading alone would be asked about, it is told after the answer
    if (trip.verdict?.answer === "allow" || mayRead(trip)) throw error;
    trip.withheld = error;
    return;
  }
  mark(trip, "preview");
  if (station.parts.policies.some((policy) => policy.content)) decide(trip);
}

function mayRead(trip: Trip): boolean {
  const touches = trip.ready!.touches.map((touch): Touch => ("place" in touch ? { ...touch, action: "read" } : touch));
  return (
    judge(trip.station.parts.policies, { ...trip.ready!, touches, danger: "safe" }, trip.station.facts).answer ===
    "allow"
  );
}

const wouldChange = (ready: Ready): boolean =>
  changesSomething(ready.touches) &&
  !(ready.danger === "safe" && ready.touches.every((touch) => touch.action === "unknown"));

/** Kept in the overlay, so that what follows in the plan sees it; nothing reaches the disk. */
async function keepAsPlanned(trip: Trip, ready: Ready): Promise<void> {
  const { station } = trip;
  if (trip.withheld) throw trip.withheld;
  const diff = station.parts.diff(ready.changes);
  await station.workspace.files.commit(ready.changes, async () => {});
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
    mark(trip, "settled");
    const running = { ready: trip.ready!, life, clock, workspace: station.workspace };
    const result = await throughSteps(steps, running, () => run(trip, below));
    trip.result = withNotes(await withinBudget(trip, toldOfChanges(trip, result)), trip.ready!.notes);
    if (trip.view) station.facts.noteSights(trip.view.sights);
  } catch (error) {
    if (!usedUp && trip.changed.length === 0) station.purse.release(changes);
    throw error;
  } finally {
    await release?.();
  }
}

/** Takes the locks and holds the world against what was judged: unchanged goes on, changed is judged again. */
async function settle(trip: Trip, firstPaths: readonly string[]): Promise<() => Promise<void>> {
  const { station, life } = trip;
  const { store, clock, ids, equal, hash } = station.parts;
  let paths = firstPaths;
  for (let round = 0; round < ROUNDS; round++) {
    const holder = { token: ids(), call: trip.recordID, ancestors: station.ancestors };
    const release = await takeLocks(store, paths, holder, life, clock);
    try {
      const judged = trip.ready!;
      await readTouches(trip, judged);
      const samePlace = samePlaces(judged.touches, trip.ready!.touches);
      if (samePlace && (await previewHolds(trip))) return release;
      if (!trip.withheld) trip.ready = { ...trip.ready!, changes: await preview(trip, trip.ready!.touches) };
      if (samePlace && sameChanges(judged.changes, trip.ready!.changes, equal)) return release;
      if (trip.approved !== undefined && fingerprint(trip.ready!, hash) !== trip.approved) throw changedSince();
      const approved = trip.verdict;
      decide(trip);
      if (trip.approved !== undefined && approved) trip.verdict = approved;
      else if (trip.verdict?.answer === "ask") throw changedSince();
      if (samePlace) return release;
      paths = lockPaths(trip.ready!.touches, station.workspace.roots);
    } catch (error) {
      await release();
      throw error;
    }
    await release();
  }
  throw unsettled();
}

/** A long output is cut, and the whole of it kept where it can be read. */
async function withinBudget(trip: Trip, result: Result): Promise<Result> {
  const { trim, keep } = trip.station.parts;
  const { text, truncated } = trim(result.output);
  if (!truncated) return result;
  const path = await keep?.(trip.recordID, result.output).catch(() => undefined);
  if (path === undefined) return { ...result, output: text, truncated };
  return {
    ...result,
    output: `${text}\n\n[All ${truncated.totalBytes} bytes are in ${path}.]`,
    truncated: { ...truncated, path },
  };
}

const toldOfChanges = (trip: Trip, result: Result): Result =>
  result.error
    ? { ...result, error: { ...result.error, message: `${result.error.message}${alreadyMade(trip)}` } }
    : result;

const withNotes = (result: Result, notes: readonly string[]): Result =>
  notes.length === 0
    ? result
    : {
        ...result,
        output: [result.output, ...notes].filter(Boolean).join("\n\n"),
        metadata: { ...result.metadata, notes },
      };

const refusal = ({ by, reason }: Verdict) =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    `Refused by ${by}: ${reason}.`,
    "Do not try to get around it: choose another way, or ask the person to change the configuration.",
    {
      metadata: { by },
    },
  );

const changedSince = () =>
  new Ending(
    "refused",
    "CONFLICT",
    "What the call would touch changed after it was approved, so nothing was done.",
    "Look at the files again and call once more.",
  );

const unsettled = () =>
  new Ending(
    "refused",
    "CONFLICT",
    "The call could not be settled: what it touches kept changing.",
    "Wait until nobody else works on the same files, then call again.",
  );
