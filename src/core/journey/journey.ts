import type { Call, IncomingCall } from "../words/call.ts";
import type { CallOptions } from "../words/gate-view.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import { runsSomething } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { ask } from "./asking.ts";
import type { Below } from "./context.ts";
import { attempt, end, failed, tried } from "./ending.ts";
import type { GateFacts } from "./facts.ts";
import { aboutError } from "./firing.ts";
import { hear, hearAfter, isRehearsed, withSaid } from "./hooking.ts";
import type { Station } from "./journey-parts.ts";
import { decide, lookAhead } from "./judging.ts";
import { perform } from "./performing.ts";
import { heldToPlan, lookForConflict } from "./plan-conflicts.ts";
import type { PlanSoFar } from "./plan-so-far.ts";
import { isOnlyPlanned, keepAsPlanned, withDoubt } from "./planning.ts";
import { withReplaced } from "./preview.ts";
import { read } from "./reading.ts";
import { ROUNDS, unsettled } from "./settling.ts";
import { type Sequel, type Soon, whenThere, whenThereWith } from "./soon.ts";
import { isEdited, isEnded, isWaiting, type Prepared, type Stage } from "./stages.ts";
import { begin, type Trip } from "./trip.ts";

/** A call on its way, and how far it has come. */
export type Traveller = { readonly trip: Trip; stage: Stage };

/** The only way to run a tool: prepare, ask if need be, settle, perform. Never throws. */
export function travel(station: Station, incoming: IncomingCall, options: CallOptions, below: Below): Promise<Result> {
  const departed = depart(begin(station, incoming, options));
  const onTheWay = departed instanceof Promise || isWaiting(departed.stage) ? answered(departed) : departed;
  return Promise.resolve(whenThereWith(onTheWay, arrive, below));
}

async function answered(departed: Soon<Traveller>): Promise<Traveller> {
  const traveller = await departed;
  if (isWaiting(traveller.stage)) await answerQuestions([traveller]);
  return traveller;
}

export const depart = (trip: Trip): Soon<Traveller> =>
  attempt<Stage, Traveller, Call>(trip, prepare, travelling, trip.known.call);

const travelling = (stage: Stage, trip: Trip): Traveller => ({ trip, stage });

export function arrive({ trip, stage }: Traveller, below: Below): Soon<Result> {
  if (isEnded(stage)) return finished(trip, stage.ended);
  const finishing = new Finishing(trip, stage);
  try {
    return perform(trip, stage, below, finishing);
  } catch (error) {
    return finishing.failed(error);
  }
}

/** What ends a call that was performed, or that failed while it was. */
class Finishing implements Sequel<Result, Result> {
  readonly #trip: Trip;
  readonly #prepared: Prepared;
  constructor(trip: Trip, prepared: Prepared) {
    this.#trip = trip;
    this.#prepared = prepared;
  }
  done(result: Result): Soon<Result> {
    return finished(this.#trip, result);
  }
  failed(error: unknown): Soon<Result> {
    return finished(this.#trip, failed(this.#trip, error), this.#prepared);
  }
}

/** Lets hooks hear of the ending before it is recorded. `unfinished`: the call failed while it was performed. */
function finished(trip: Trip, result: Result, unfinished?: Prepared): Soon<Result> {
  if (trip.station.parts.hooks.length === 0) return end(trip, result);
  // `perform` tells hooks of what a tool returned, not of what it threw
  const unheard = unfinished && trip.deeds.ran && !trip.life.stopped;
  return (unheard ? hearAfter(trip, unfinished, result) : Promise.resolve(result)).then(async (heard) => {
    const { call, ready } = trip.known;
    const said = await aboutError(trip.station, ready?.tool.name ?? call.name, call.id, heard);
    return end(trip, withSaid(heard, said));
  });
}

/** Asks about all waiting calls. A call whose arguments a person edited is prepared, and maybe asked about, again. */
export async function answerQuestions(travellers: readonly Traveller[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const waiting = travellers.flatMap((traveller) =>
      isWaiting(traveller.stage) ? [{ traveller, trip: traveller.trip, prepared: traveller.stage }] : [],
    );
    if (waiting.length === 0) return;
    const answers = await ask(waiting);
    for (const [index, { traveller, trip }] of waiting.entries()) {
      const answer = answers[index];
      if (!answer) continue;
      // edited arguments are no longer what was planned
      if (isEdited(answer)) delete trip.planned;
      traveller.stage = isEdited(answer) ? await tried(trip, () => prepare(trip, answer.edited)) : answer;
    }
  }
  for (const traveller of travellers)
    if (isWaiting(traveller.stage))
      traveller.stage = await tried<Stage>(traveller.trip, () => Promise.reject(unsettled()));
}

/** Reads, judges and previews the call, lets hooks hear of it, and keeps it if it is only planned. */
function prepare(trip: Trip, call: Call): Soon<Stage> {
  trip.life.check();
  const { facts, plan } = trip.station;
  if (!facts.isShared && !plan) return looked(trip, call);
  return refreshed(facts, plan, call).then(() => looked(trip, call));
}

/** Learns what other processes did, and what was planned meanwhile. */
async function refreshed(facts: GateFacts, plan: PlanSoFar | undefined, { sessionID }: Call): Promise<void> {
  if (facts.isShared) await facts.refresh();
  await plan?.refresh(sessionID);
}

const looked = (trip: Trip, call: Call): Soon<Stage> => whenThereWith(inspect(trip, call), heardOrPlanned, trip);

/** Hooks hear of the call once. If they change its arguments, it is read and judged again. */
function heardOrPlanned(inspected: Prepared, trip: Trip): Soon<Stage> {
  const { parts, facts, plan } = trip.station;
  const heard = parts.hooks.length > 0 ? hear(trip, inspected, (call) => inspect(trip, call)) : inspected;
  if (plan) return whenThere(heard, (prepared) => plannedOrRun(trip, prepared, plan));
  if (isRehearsed(facts.ceiling)) throw new Error("There is nowhere to keep a plan.");
  return trip.planned ? whenThere(heard, (prepared) => heldToPlan(trip, prepared)) : heard;
}

function plannedOrRun(trip: Trip, prepared: Prepared, plan: PlanSoFar): Soon<Stage> {
  const doubted = withDoubt(prepared, plan);
  trip.known.ready = doubted.ready;
  return isOnlyPlanned(doubted.ready, plan) ? keepAsPlanned(trip, doubted, plan).then((ended) => ({ ended })) : doubted;
}

/** Reads, judges and previews the call, and changes nothing. */
export function inspect(trip: Trip, call: Call): Soon<Prepared> {
  trip.known.call = call;
  return whenThereWith(read(trip, call), found, trip);
}

const found = (ready: Ready, trip: Trip): Soon<Prepared> =>
  runsSomething(ready.touches)
    ? withReplaced(trip, ready).then((replacing) => judged(trip, replacing))
    : judged(trip, ready);

function judged(trip: Trip, ready: Ready): Soon<Prepared> {
  const verdict = decide(trip, ready);
  if (trip.planned) return lookForConflict(trip, ready, verdict).then(() => lookedAt(trip, ready, verdict));
  return lookedAt(trip, ready, verdict);
}

function lookedAt(trip: Trip, ready: Ready, verdict: Judgement): Soon<Prepared> {
  return ready.tool.definition.preview ? lookAhead(trip, { ready, verdict }) : { ready, verdict };
}
