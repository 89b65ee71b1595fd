import type { Call, IncomingCall } from "../words/call.ts";
import type { CallOptions } from "../words/gate.ts";
import type { Ready } from "../words/ready.ts";
import type { Result } from "../words/result.ts";
import { runsSomething } from "../words/touch.ts";
import { ask } from "./asking.ts";
import type { Below } from "./context.ts";
import { attempt, end, tried } from "./ending.ts";
import { hear, isRehearsed } from "./hooking.ts";
import { decide, lookAhead } from "./judging.ts";
import type { Station } from "./parts.ts";
import { perform } from "./performing.ts";
import { keepAsPlanned, wouldChange } from "./planning.ts";
import { withReplaced } from "./preview.ts";
import { read } from "./reading.ts";
import { ROUNDS, unsettled } from "./settling.ts";
import { type Soon, whenThere } from "./soon.ts";
import { isEdited, isEnded, isWaiting, type Prepared, type Stage } from "./stages.ts";
import { begin, type Trip } from "./trip.ts";

/** A call on its way, and how far it has come. */
export type Traveller = { readonly trip: Trip; stage: Stage };

/** The only way to run a tool: prepare, ask if need be, settle, perform. Never throws. */
export async function travel(
  station: Station,
  incoming: IncomingCall,
  options: CallOptions,
  below: Below,
): Promise<Result> {
  const departed = depart(begin(station, incoming, options));
  const traveller = departed instanceof Promise ? await departed : departed;
  if (isWaiting(traveller.stage)) await answerQuestions([traveller]);
  return await arrive(traveller, below);
}

export const depart = (trip: Trip): Soon<Traveller> =>
  attempt(
    trip,
    () => prepare(trip, trip.known.call),
    (stage): Traveller => ({ trip, stage }),
  );

export function arrive({ trip, stage }: Traveller, below: Below): Soon<Result> {
  if (isEnded(stage)) return end(trip, stage.ended);
  return attempt(
    trip,
    () => perform(trip, stage, below),
    (result) => end(trip, isEnded(result) ? result.ended : result),
  );
}

/** A person who changed the arguments gets the changed call judged anew, and is asked about that. */
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
      traveller.stage = isEdited(answer) ? await tried(trip, () => prepare(trip, answer.edited)) : answer;
    }
  }
  for (const traveller of travellers)
    if (isWaiting(traveller.stage))
      traveller.stage = await tried<Stage>(traveller.trip, () => Promise.reject(unsettled()));
}

/** From a name and some arguments to a call that is read, judged, looked at, and kept if it is only planned. */
function prepare(trip: Trip, call: Call): Soon<Stage> {
  trip.life.check();
  const { session } = trip.station.facts;
  const look = () => whenThere(inspect(trip, call), (inspected) => heardOrPlanned(trip, inspected));
  return session.isShared ? session.refresh().then(look) : look();
}

/** Other people's code hears of the call once; what they changed is read and judged anew. */
function heardOrPlanned(trip: Trip, inspected: Prepared): Soon<Stage> {
  const { parts, facts } = trip.station;
  const heard = parts.hooks.length > 0 ? hear(trip, inspected, (call) => inspect(trip, call)) : inspected;
  if (!isRehearsed(facts.ceiling)) return heard;
  return whenThere(heard, (prepared) =>
    wouldChange(prepared.ready) ? keepAsPlanned(trip, prepared).then((ended) => ({ ended })) : prepared,
  );
}

/** Reads and judges the call and changes nothing at all. */
export function inspect(trip: Trip, call: Call): Soon<Prepared> {
  trip.known.call = call;
  return whenThere(read(trip, call), (found) =>
    runsSomething(found.touches) ? withReplaced(trip, found).then((ready) => judged(trip, ready)) : judged(trip, found),
  );
}

function judged(trip: Trip, ready: Ready): Soon<Prepared> {
  const verdict = decide(trip, ready);
  return ready.tool.definition.preview ? lookAhead(trip, { ready, verdict }) : { ready, verdict };
}
