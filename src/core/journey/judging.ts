import { labelOf } from "../words/label.ts";
import type { Ready } from "../words/ready.ts";
import { Ending } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Judgement } from "../words/verdict.ts";
import { judge } from "./opinions.ts";
import { preview } from "./preview.ts";
import type { Prepared } from "./stages.ts";
import { aboutTrip, mark, type Trip } from "./trip.ts";

/** Lets every policy judge the call; a deny ends it. A verdict that equals `before` is not reported again. */
export function decide(trip: Trip, ready: Ready, before?: Judgement): Judgement {
  const { policies, emit, heard } = trip.station.parts;
  if (trip.known.said) trip.known.said = [];
  const verdict = judge(policies, ready, trip.station.facts, trip.known.said);
  trip.known.verdict = verdict;
  if (before && before.answer === verdict.answer && before.by === verdict.by && before.reason === verdict.reason)
    return verdict;
  mark(trip, "judged", verdict.answer);
  if (heard()) emit({ type: "judged", call: ready.call, verdict }, aboutTrip(trip));
  if (verdict.answer === "deny") throw refusal(verdict);
  return verdict;
}

/** Previews the call. Content is read only now, when the call is allowed or will be asked about. */
export async function lookAhead(trip: Trip, prepared: Prepared): Promise<Prepared> {
  const { ready, verdict } = prepared;
  let seen: Awaited<ReturnType<typeof preview>>;
  try {
    seen = await preview(trip, ready, verdict.exclude);
  } catch (error) {
    // the error may quote the file: if reading it would need a yes, it is withheld until the person has answered
    if (verdict.answer === "allow" || mayRead(trip, ready)) throw error;
    return { ...prepared, withheld: { error } };
  }
  const { changes, look } = seen;
  const looked = { ...ready, changes };
  trip.known.ready = looked;
  mark(trip, "preview");
  const again = trip.station.parts.policies.some((policy) => policy.content);
  return { ready: looked, verdict: again ? decide(trip, looked, verdict) : verdict, look };
}

/** Whether the same call would be allowed if it only read. */
export function mayRead(trip: Trip, ready: Ready): boolean {
  const touches = ready.touches.map((touch): Touch => ("place" in touch ? { ...touch, action: "read" } : touch));
  const reading = { ...ready, touches, danger: "safe" as const };
  return judge(trip.station.parts.policies, reading, trip.station.facts).answer === "allow";
}

export const refusal = ({ by, reason, next, stop }: Pick<Judgement, "by" | "reason" | "next" | "stop">) =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    `Refused by ${labelOf(by)}: ${reason}.`,
    next ?? "Do not try to get around it. Try another approach, or ask the person to change the configuration.",
    { metadata: { by, ...(stop && { stop }) } },
  );
