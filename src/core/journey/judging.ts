import { Ending } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Verdict } from "../words/verdict.ts";
import { judge } from "./judge.ts";
import { preview } from "./preview.ts";
import { mark, type Trip } from "./trip.ts";

/** Every policy looks at the call as it stands; a no ends it. */
export function decide(trip: Trip): void {
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
export async function lookAhead(trip: Trip): Promise<void> {
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

/** Whether the same call would be allowed if it only read. */
function mayRead(trip: Trip): boolean {
  const touches = trip.ready!.touches.map((touch): Touch => ("place" in touch ? { ...touch, action: "read" } : touch));
  return (
    judge(trip.station.parts.policies, { ...trip.ready!, touches, danger: "safe" }, trip.station.facts).answer ===
    "allow"
  );
}

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
