import { throughSteps } from "../contracts/step.ts";
import type { Ready } from "../words/ready.ts";
import type { Ending, Result, Returned, Truncated } from "../words/result.ts";
import { changesSomething, runsReadOnly, runsSomething } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { commit } from "./committing.ts";
import { type Below, CallContext } from "./context.ts";
import { alreadyMade } from "./ending.ts";
import { hearAfter } from "./hooking.ts";
import { noteAgain } from "./known-files.ts";
import { lockPaths } from "./path-locks.ts";
import { reserve } from "./reserving.ts";
import { cutShort, toResult } from "./returned.ts";
import { settle } from "./settling.ts";
import { type Soon, whenThereWith } from "./soon.ts";
import type { Prepared } from "./stages.ts";
import { type Deeds, mark, type Trip } from "./trip.ts";
import { underWatch } from "./watching.ts";

/** Settles the call under locks, reserves what it counts against, and runs it through the steps. */
export function perform(trip: Trip, judged: Prepared, below: Below): Promise<Result> {
  const paths = lockPaths(judged.ready.touches, trip.station.workspace.roots);
  return paths.length === 0 ? counted(trip, judged, below) : underLocks(trip, judged, paths, below);
}

async function underLocks(trip: Trip, judged: Prepared, paths: readonly string[], below: Below): Promise<Result> {
  const { prepared, release } = await settle(trip, judged, paths);
  try {
    mark(trip, "settled");
    return await counted(trip, prepared, below);
  } finally {
    await release();
  }
}

/** Reserves what the call counts against, and gives it back if nothing happened. */
function counted(trip: Trip, prepared: Prepared, below: Below): Promise<Result> {
  return prepared.verdict.reserve || prepared.withheld ? reserved(trip, prepared, below) : done(trip, prepared, below);
}

async function reserved(trip: Trip, prepared: Prepared, below: Below): Promise<Result> {
  const giveBack = await reserve(trip, prepared.verdict);
  try {
    if (prepared.withheld) throw prepared.withheld.error;
    return await done(trip, prepared, below);
  } catch (error) {
    if (giveBack && !leftTraces(trip.deeds)) await giveBack();
    throw error;
  }
}

/** A started command and a sent request have happened, however the call ended. */
const leftTraces = ({ changed, processes, requested }: Deeds): boolean =>
  changed.length > 0 || requested === true || (processes?.length ?? 0) > 0;

function done(trip: Trip, prepared: Prepared, below: Below): Promise<Result> {
  const { station, life } = trip;
  const { steps, clock } = station.parts;
  const running = { ready: prepared.ready, life, clock, workspace: station.workspace };
  return throughSteps(
    steps,
    running,
    () => run(trip, prepared, below),
    (result) => told(trip, prepared, result),
  );
}

/** The result as the model gets it. */
function told(trip: Trip, prepared: Prepared, ran: Result): Soon<Result> {
  const { hooks } = trip.station.parts;
  const result = toldOfTries(trip, toldOfChanges(trip, ran));
  const heard = hooks.length > 0 ? hearAfter(trip, prepared, result) : result;
  const about = { trip, prepared };
  const shown = whenThereWith(heard, cutToBudget, about);
  const noted = trip.deeds.ran ? shown : noteAgain(trip, prepared.ready.touches).then(() => shown);
  return whenThereWith(noted, withNotes, about);
}

type About = { readonly trip: Trip; readonly prepared: Prepared };

const cutToBudget = (result: Result, { trip, prepared }: About): Soon<Result> =>
  withinBudget(trip, prepared.ready, result);

/** Commits what the preview showed, then lets the tool report on it or do its work. */
function run(trip: Trip, prepared: Prepared, below: Below): Promise<Result> {
  const { life, deeds } = trip;
  const { ready } = prepared;
  life.check();
  deeds.ran = true;
  deeds.tries = (deeds.tries ?? 0) + 1;
  const context = new CallContext(trip, prepared, below);
  return begun(trip, ready, context).then(
    (outcome) => whenThereWith(over(trip, context), isOver, { ready, outcome }),
    (error) => whenThereWith(over(trip, context), hasFailed, error),
  );
}

type Ran = { readonly ready: Ready; readonly outcome: Outcome };

const isOver = (_: unknown, { ready, outcome }: Ran): Result => outcomeOf(ready, outcome);
const hasFailed = (_: unknown, error: unknown): Promise<never> => Promise.reject(error);

/** A tool may throw before it returns a promise. */
function begun(trip: Trip, ready: Ready, context: CallContext): Promise<Outcome> {
  const isTold = ready.changes.length > 0 || changesSomething(ready.touches);
  try {
    return isTold ? toldAndWorked(trip, ready, context) : work(trip, ready, context);
  } catch (error) {
    return Promise.reject(error);
  }
}

async function toldAndWorked(trip: Trip, ready: Ready, context: CallContext): Promise<Outcome> {
  await tellOfStart(trip, ready);
  return work(trip, ready, context);
}

function work(trip: Trip, ready: Ready, context: CallContext): Promise<Outcome> {
  const hasEffects = ready.changes.length > 0 || runsSomething(ready.touches);
  return hasEffects ? withEffects(trip, ready, context) : execute(trip, ready, context);
}

/**
 * Tells the store that work begins, so that a crash leaves a record. For commands and requests it is on disk before
 * they begin; for files, their intents are, and where those come first they tell of the call, too.
 */
async function tellOfStart({ station, opening }: Trip, { touches, changes }: Ready): Promise<void> {
  const durably = touches.some((touch) => (touch.action === "run" ? !runsReadOnly(touch) : touch.action === "fetch"));
  if (opening && (durably || changes.length === 0)) await station.parts.recorder.begun(opening, durably);
}

async function withEffects(trip: Trip, ready: Ready, context: CallContext): Promise<Outcome> {
  if (ready.changes.length > 0) await commit(trip, ready.changes);
  if (!runsSomething(ready.touches)) return execute(trip, ready, context);
  return { result: await underWatch(trip, ready, async () => outcomeOf(ready, await execute(trip, ready, context))) };
}

/** Waits for commits that have begun: their locks are held, and the result must tell of them. */
function over({ deeds }: Trip, context: CallContext): Soon<unknown> {
  CallContext.close(context);
  return deeds.underWay?.size ? Promise.allSettled(deeds.underWay) : undefined;
}

/** What a tool returned, or the result that was already made of it. */
type Outcome = { value: unknown; stopped?: Ending } | { result: Result };

function execute({ life }: Trip, { tool, input }: Ready, context: CallContext): Promise<Outcome> {
  life.check();
  return life.race(Promise.resolve(tool.definition.execute(input as never, context)));
}

function outcomeOf({ tool }: Ready, outcome: Outcome): Result {
  if ("result" in outcome) return outcome.result;
  const { value, stopped } = outcome;
  const result = toResult(value as Returned, tool.name);
  return stopped ? cutShort(result, stopped) : result;
}

/** Cuts a long output, and keeps the whole of it where it can be read. */
export function withinBudget(trip: Trip, { tool }: Pick<Ready, "tool">, result: Result): Result | Promise<Result> {
  const { text, truncated } = trip.station.parts.trim(result.output, tool.definition.outputLines);
  if (!truncated) return result;
  // output that was cut before says where the whole is, and this text is not the whole
  return result.truncated ? { ...result, output: text } : keptWhole(trip, result, text, truncated);
}

async function keptWhole(trip: Trip, result: Result, text: string, truncated: Truncated): Promise<Result> {
  const { keep } = trip.station.parts;
  const { sessionID } = trip.known.call;
  const path = await keep?.(sessionID, trip.recordID, result.output).catch(() => undefined);
  if (path === undefined)
    return { ...result, output: keep ? `${text}\n\n[The rest of the output could not be kept.]` : text, truncated };
  return {
    ...result,
    output: `${text}\n\n[All ${truncated.totalBytes} bytes are in ${path}.]`,
    truncated: { ...truncated, path },
  };
}

/** A failure that a tool returned reads like one that it threw. */
function toldOfChanges(trip: Trip, result: Result): Result {
  if (!result.error) return result;
  const { redact } = trip.station.parts;
  const { code, message, hint } = result.error;
  return { ...result, error: { code, message: redact(`${message}${alreadyMade(trip)}`), hint: redact(hint) } };
}

const toldOfTries = ({ deeds: { tries = 1 } }: Trip, result: Result): Result =>
  tries > 1 ? { ...result, metadata: { ...result.metadata, attempts: tries } } : result;

const notesOf = ({ deeds }: Trip, { notes }: Ready, { notes: more }: Judgement): readonly string[] =>
  more || deeds.notes ? [...new Set([...notes, ...(more ?? []), ...(deeds.notes ?? [])])] : notes;

function withNotes(result: Result, { trip, prepared: { ready, verdict } }: About): Result {
  const notes = notesOf(trip, ready, verdict);
  if (notes.length === 0) return result;
  trip.deeds.unnoted = result.output;
  return {
    ...result,
    output: [result.output, ...notes].filter(Boolean).join("\n\n"),
    metadata: { ...result.metadata, notes },
  };
}
