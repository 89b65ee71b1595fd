import type { Clock } from "../contracts/clock.ts";
import { type Run, type Running, throughSteps } from "../contracts/step.ts";
import type { Workspace } from "../contracts/workspace.ts";
import type { Ready } from "../words/ready.ts";
import type { Result, Returned, Truncated } from "../words/result.ts";
import { changesSomething, runsReadOnly, runsSomething } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { commit } from "./committing.ts";
import { type Below, CallContext } from "./context.ts";
import { alreadyMade } from "./ending.ts";
import { hearAfter } from "./hooking.ts";
import { noteAgain } from "./known-files.ts";
import type { Life, Raced } from "./life.ts";
import { lockPaths } from "./path-locks.ts";
import { reserve } from "./reserving.ts";
import { cutShort, toResult } from "./returned.ts";
import { settle } from "./settling.ts";
import { followedBy, madeInto, type Sequel, type Soon, unchanged, whenThereWith } from "./soon.ts";
import type { Prepared } from "./stages.ts";
import { type Deeds, mark, type Trip } from "./trip.ts";
import { underWatch } from "./watching.ts";

/** Settles the call under locks, reserves what it counts against, and runs it through the steps. */
export function perform<T>(trip: Trip, judged: Prepared, below: Below, sequel: Sequel<Result, T>): Promise<T> {
  const paths = lockPaths(judged.ready.touches, trip.station.workspace.roots);
  return paths.length === 0
    ? counted(trip, judged, below, sequel)
    : followedBy(underLocks(trip, judged, paths, below), sequel);
}

async function underLocks(trip: Trip, judged: Prepared, paths: readonly string[], below: Below): Promise<Result> {
  const { prepared, release } = await settle(trip, judged, paths);
  try {
    mark(trip, "settled");
    return await counted(trip, prepared, below, unchanged());
  } finally {
    await release();
  }
}

/** Reserves what the call counts against, and gives it back if nothing happened. */
function counted<T>(trip: Trip, prepared: Prepared, below: Below, sequel: Sequel<Result, T>): Promise<T> {
  return prepared.verdict.reserve || prepared.withheld
    ? followedBy(reserved(trip, prepared, below), sequel)
    : done(trip, prepared, below, sequel);
}

async function reserved(trip: Trip, prepared: Prepared, below: Below): Promise<Result> {
  const giveBack = await reserve(trip, prepared.verdict);
  try {
    if (prepared.withheld) throw prepared.withheld.error;
    return await done(trip, prepared, below, unchanged());
  } catch (error) {
    if (giveBack && !leftTraces(trip.deeds)) await giveBack();
    throw error;
  }
}

/** A started command and a sent request have happened, however the call ended. */
const leftTraces = ({ changed, processes, requested }: Deeds): boolean =>
  changed.length > 0 || requested === true || (processes?.length ?? 0) > 0;

function done<T>(trip: Trip, prepared: Prepared, below: Below, sequel: Sequel<Result, T>): Promise<T> {
  const performance = new Performance(trip, prepared, below, sequel);
  return throughSteps(trip.station.parts.steps, performance, performance, performance);
}

/** One call on its way through the steps: begins each run, and makes of its result what the model gets. */
class Performance<T> implements Running, Run, Sequel<Result, T> {
  readonly ready: Ready;
  readonly life: Life;
  readonly clock: Clock;
  readonly workspace: Workspace;
  readonly #trip: Trip;
  readonly #prepared: Prepared;
  readonly #below: Below;
  readonly #sequel: Sequel<Result, T>;
  constructor(trip: Trip, prepared: Prepared, below: Below, sequel: Sequel<Result, T>) {
    this.ready = prepared.ready;
    this.life = trip.life;
    this.clock = trip.station.parts.clock;
    this.workspace = trip.station.workspace;
    this.#trip = trip;
    this.#prepared = prepared;
    this.#below = below;
    this.#sequel = sequel;
  }
  begin<U>(sequel: Sequel<Result, U>): Promise<U> {
    return run(this.#trip, this.#prepared, this.#below, sequel);
  }
  done(ran: Result): Soon<T> {
    return madeInto(this.#sequel, told, { trip: this.#trip, prepared: this.#prepared }, ran);
  }
  failed(error: unknown): Soon<T> {
    return this.#sequel.failed(error);
  }
}

/** The result as the model gets it. */
function told(about: About, ran: Result): Soon<Result> {
  const { trip, prepared } = about;
  const { hooks } = trip.station.parts;
  const result = toldOfTries(trip, toldOfChanges(trip, ran));
  const heard = hooks.length > 0 ? hearAfter(trip, prepared, result) : result;
  const shown = whenThereWith(heard, cutToBudget, about);
  const noted = trip.deeds.ran ? shown : noteAgain(trip, prepared.ready.touches).then(() => shown);
  return whenThereWith(noted, withNotes, about);
}

type About = { readonly trip: Trip; readonly prepared: Prepared };

const cutToBudget = (result: Result, { trip, prepared }: About): Soon<Result> =>
  withinBudget(trip, prepared.ready, result);

/** Commits what the preview showed, then lets the tool report on it or do its work. */
function run<T>(trip: Trip, prepared: Prepared, below: Below, sequel: Sequel<Result, T>): Promise<T> {
  const { life, deeds } = trip;
  const { ready } = prepared;
  life.check();
  deeds.ran = true;
  deeds.tries += 1;
  const context = new CallContext(trip, prepared, below);
  const closing = new Closing(trip, ready, context, sequel);
  try {
    return isDeed(ready) || runsSomething(ready.touches)
      ? followedBy(worked(trip, ready, context), closing)
      : execute(trip, ready, context, closing);
  } catch (error) {
    return Promise.resolve(closing.failed(error));
  }
}
/** Ends a run: waits for commits that have begun, whose locks are held, because the result must tell of them. */
class Closing<T> implements Sequel<Outcome, T> {
  readonly #trip: Trip;
  readonly #ready: Ready;
  readonly #context: CallContext;
  readonly #sequel: Sequel<Result, T>;
  constructor(trip: Trip, ready: Ready, context: CallContext, sequel: Sequel<Result, T>) {
    this.#trip = trip;
    this.#ready = ready;
    this.#context = context;
    this.#sequel = sequel;
  }
  done(outcome: Outcome): Soon<T> {
    const waiting = this.#close();
    if (waiting) return waiting.then(() => madeInto(this.#sequel, outcomeOf, this.#ready, outcome));
    return madeInto(this.#sequel, outcomeOf, this.#ready, outcome);
  }
  failed(error: unknown): Soon<T> {
    const waiting = this.#close();
    return waiting ? waiting.then(() => this.#sequel.failed(error)) : this.#sequel.failed(error);
  }
  #close(): Promise<unknown> | undefined {
    CallContext.close(this.#context);
    const { underWay } = this.#trip.deeds;
    return underWay?.size ? Promise.allSettled(underWay) : undefined;
  }
}

/** Whether a call is more than a look, so that the store has to know that it begins. */
const isDeed = ({ changes, touches }: Ready): boolean => changes.length > 0 || changesSomething(touches);

async function worked(trip: Trip, ready: Ready, context: CallContext): Promise<Outcome> {
  if (isDeed(ready)) await tellOfStart(trip, ready);
  if (ready.changes.length > 0) await commit(trip, ready.changes);
  const executed = () => execute(trip, ready, context, unchanged<Raced<unknown>>());
  if (!runsSomething(ready.touches)) return executed();
  return { result: await underWatch(trip, ready, async () => outcomeOf(ready, await executed())) };
}

/**
 * Tells the store that work begins, so that a crash leaves a record. For commands and requests it is on disk before
 * they begin; for files, their intents are, and where those come first they tell of the call, too.
 */
async function tellOfStart({ station, opening }: Trip, { touches, changes }: Ready): Promise<void> {
  const durably = touches.some((touch) => (touch.action === "run" ? !runsReadOnly(touch) : touch.action === "fetch"));
  if (opening && (durably || changes.length === 0)) await station.parts.recorder.begun(opening, durably);
}

/** What a tool returned, or the result that was already made of it. */
type Outcome = Raced<unknown> | { result: Result };

function execute<T>(
  { life }: Trip,
  { tool, input }: Ready,
  context: CallContext,
  sequel: Sequel<Raced<unknown>, T>,
): Promise<T> {
  life.check();
  return life.raceThen(Promise.resolve(tool.definition.execute(input as never, context)), sequel);
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

const toldOfTries = ({ deeds: { tries } }: Trip, result: Result): Result =>
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
