import { OPEN_PLANS, type PlanMove, type PlannedCall } from "../contracts/store/plans.ts";
import { meet } from "../words/ceiling.ts";
import type { CallOptions } from "../words/gate-view.ts";
import { Ending, type Failure, type Result, ToolFailure } from "../words/result.ts";
import { runsSomething } from "../words/touch.ts";
import type { Below } from "./context.ts";
import { tried } from "./ending.ts";
import { GateFacts } from "./facts.ts";
import { answerQuestions, arrive, depart, type Traveller } from "./journey.ts";
import type { Station } from "./journey-parts.ts";
import { changedSince } from "./plan-conflicts.ts";
import { isEnded, isWaiting } from "./stages.ts";
import { begin, type Trip, workspaceOf } from "./trip.ts";

/** How a planned call went. `call` is its row in the state it was left in. */
export type PlanOutcome = { call: PlannedCall; result: Result };

/** The gate that runs the plan. `stopped` adds an aborted signal to the options once that gate is closed. */
export type Runner = { below: Below; stopped(options: CallOptions): CallOptions };

export type RunPlanOptions = {
  signal?: AbortSignal;
  /** Called for each call as soon as it has ended. */
  onOutcome?(outcome: PlanOutcome): void | Promise<void>;
};

/**
 * Runs these planned calls, oldest first, each judged again like any other. The first failure ends the run, because
 * later calls were planned on its outcome. One process at a time runs the plan of a workspace.
 */
export async function runPlan(
  station: Station,
  choose: () => Promise<readonly PlannedCall[]>,
  { signal, onOutcome }: RunPlanOptions,
  { below, stopped }: Runner,
): Promise<PlanOutcome[]> {
  if (station.facts.ceiling.plan || station.facts.ceiling.dryRun) throw stillPlanning();
  await openCalls(station);
  const free = await lockPlan(station);
  if (!free) throw alreadyRunning();
  const outcomes: PlanOutcome[] = [];
  try {
    for (const planned of await choose()) {
      if (signal?.aborted) break;
      const outcome = await carryOut(station, planned, stopped(signal ? { signal } : {}), below);
      outcomes.push(outcome);
      await onOutcome?.(outcome);
      if (!outcome.result.success) break;
    }
  } finally {
    await free();
  }
  return outcomes;
}

/** Returns undefined if a live process already runs the plan. */
async function lockPlan(station: Station): Promise<(() => Promise<void>) | undefined> {
  const { store, ids } = station.parts;
  const token = ids();
  // not a path, so it only blocks another run
  const held = await store.lock([`plan:${workspaceOf(station)}`], { token, call: token, ancestors: [] });
  return held ? undefined : () => store.unlock(token);
}

/** Judges, claims and runs one planned call, then updates its row. */
async function carryOut(
  station: Station,
  planned: PlannedCall,
  options: CallOptions,
  below: Below,
): Promise<PlanOutcome> {
  const { call: id, name = planned.tool, args, message: messageID, session: sessionID, agent } = planned;
  const trip = begin(stationFor(station, planned), { id, name, args, messageID, sessionID, agent }, options);
  trip.planned = planned;
  const traveller = await depart(trip);
  if (isWaiting(traveller.stage)) await answerQuestions([traveller]);
  const claimed = await claim(traveller, planned);
  const result = await arrive(traveller, below);
  return { call: await settleRow(trip, planned, claimed, result), result };
}

/** The gate that runs the plan, in the session that planned the call, and never above the planner's own ceiling. */
function stationFor(station: Station, { session, agent, ceiling }: PlannedCall): Station {
  const { facts, parts, sessions } = station;
  const { paths = [], hosts = [], ...rest } = ceiling ?? {};
  let most = meet(facts.ceiling, rest);
  for (const list of paths) most = meet(most, { paths: list });
  for (const list of hosts) most = meet(most, { hosts: list });
  const named = parts.sessions.named(session);
  const above = [facts.session, ...facts.above].filter((each) => each !== named);
  const { callers: _, ...own } = station;
  return {
    ...own,
    facts: new GateFacts(most, named, facts.budgets, above),
    sessions: [...new Set([session, ...sessions])],
    agent,
  };
}

/** Marks the row as running, so that a crash shows. A second runner finds it taken. */
async function claim(traveller: Traveller, { id, state }: PlannedCall): Promise<boolean> {
  const { trip, stage } = traveller;
  if (isEnded(stage)) return false;
  const { store } = trip.station.parts;
  const was = state === "approved" ? "approved" : "planned";
  const taken = await tried(trip, async () => {
    const moved = await store.movePlan([id], [state], "running", { was, record: trip.recordID, error: null });
    if (moved.length === 0) throw takenMeanwhile();
    return true as const;
  });
  if (taken === true) return true;
  traveller.stage = taken;
  return false;
}

/** A call that did not run stays in the plan, with the reason. */
async function settleRow(trip: Trip, planned: PlannedCall, claimed: boolean, result: Result): Promise<PlannedCall> {
  const { store } = trip.station.parts;
  const { id, state } = planned;
  const error = result.error ? brief(result.error) : null;
  const from = claimed ? "running" : state;
  const to = result.success ? "done" : trip.deeds.ran ? "failed" : state;
  const learnt: PlanMove = { error };
  // if this fails, the next run learns from the journal how it ended
  await store.movePlan([id], [from], to, learnt).catch(() => []);
  const { error: _, ...rest } = planned;
  return { ...rest, state: to, ...(error && { error }), ...(claimed && { record: trip.recordID }) };
}

const brief = ({ code, message }: Failure): Pick<Failure, "code" | "message"> => ({ code, message });

/** The open calls in the plan of a workspace. Rows that a dead process left running are settled first. */
export async function openCalls(station: Station): Promise<PlannedCall[]> {
  const { store } = station.parts;
  const query = { workspace: workspaceOf(station), states: OPEN_PLANS };
  const open = await store.planned(query);
  const running = open.filter(({ state }) => state === "running");
  const free = running.length > 0 ? await lockPlan(station) : undefined;
  if (!free) return open;
  try {
    await settleInterrupted(station, running);
  } finally {
    await free();
  }
  return store.planned(query);
}

/**
 * Settles rows of a killed run by the journal: what happened is done, what did not is planned as before, and what
 * nobody can know is left to a person. Call it only while nobody else runs the plan.
 */
async function settleInterrupted(station: Station, rows: readonly PlannedCall[]): Promise<void> {
  const { store } = station.parts;
  for (const row of rows) {
    const { id, was = "planned" } = row;
    const how = await outcomeOf(station, row);
    if (how === "done") await store.movePlan([id], ["running"], "done", { error: null });
    else if (how === "nothing") await store.movePlan([id], ["running"], was, { error: null });
    else await store.movePlan([id], ["running"], "interrupted", { error: { code: "UNKNOWN", message: HALFWAY } });
  }
}

const HALFWAY = "The process ended while it ran, so it is not known how far it came.";

async function outcomeOf(
  station: Station,
  { record, changes, call, touches }: PlannedCall,
): Promise<"done" | "nothing" | "unknown"> {
  const { store } = station.parts;
  if (record === undefined) return "unknown";
  const [kept] = (await store.records({ call, limit: 100 })).filter(({ id }) => id === record);
  if (kept?.status === "done") return "done";
  if (changes.length === 0 || runsSomething(touches)) return "unknown";
  const rows = await store.changes({ record });
  if (rows.every(({ state }) => state === "void")) return "nothing";
  if (rows.every(({ state }) => state === "done")) return "done";
  // intended: the files themselves show whether it happened
  const files = await Promise.all(changes.map((change) => changedSince(station, change)));
  if (files.every((found) => found === undefined)) return "nothing";
  const { hash } = station.parts;
  const isMade = files.every((found, index) => {
    const after = changes[index]?.after ?? null;
    return found && (found.now && hash(found.now)) === after;
  });
  return isMade ? "done" : "unknown";
}

const stillPlanning = () =>
  new ToolFailure(
    "CONFIG_ERROR",
    "A plan cannot be run in plan mode or in a dry run.",
    "Run it from a gate that is opened without plan and dryRun, or with `toolgate plan run`.",
  );

const alreadyRunning = () =>
  new ToolFailure(
    "CONFLICT",
    "The plan of this workspace is being run by another process.",
    "Wait until it has ended; what it has not run by then stays in the plan.",
  );

const takenMeanwhile = () =>
  new Ending(
    "failed",
    "CONFLICT",
    "This call was run, approved or dropped by somebody else meanwhile, so nothing was done.",
    "Look at the plan again.",
  );
