import type { Reservations, Take } from "../contracts/store/reservations.ts";
import { labelOf } from "../words/label.ts";
import { Ending } from "../words/result.ts";
import type { Judgement } from "../words/verdict.ts";
import type { Trip } from "./trip.ts";

type Wanted = NonNullable<Judgement["reserve"]>[number];

/** Reserves what the call counts against, on its session and all above. Returns the function that gives it back. */
export async function reserve(
  trip: Trip,
  { reserve: wanted = [] }: Judgement,
): Promise<(() => Promise<void>) | undefined> {
  if (wanted.length === 0) return undefined;
  const { store } = trip.station.parts;
  const pairs = wanted.flatMap((each) =>
    sessionsOf(trip, each).map((session) => ({ each, take: takeOf(each, session) })),
  );
  const answer = await store.reserve(pairs.map(({ take }) => take));
  if ("token" in answer) return () => store.giveBack(answer.token).catch(() => {});
  const full = pairs.find(({ take }) => take.key === answer.full.key)?.each ?? (wanted[0] as Wanted);
  throw usedUp(full, answer.freeIn);
}

/** Counts what has already happened, whatever the limits say, so that the next call finds them used up. */
export async function countAnyway(
  store: Reservations,
  wanted: readonly Wanted[],
  sessionsFor: (each: Wanted) => readonly string[],
): Promise<void> {
  const takes = wanted.flatMap((each) =>
    sessionsFor(each).map((session) => ({ ...takeOf(each, session), limit: Number.POSITIVE_INFINITY })),
  );
  if (takes.length > 0) await store.reserve(takes);
}

/** A call in the name of another session counts there as well. */
export function sessionsOf({ station, known }: Trip, { session }: Wanted): readonly string[] {
  if (session !== undefined) return [session];
  return [...new Set([...station.sessions, known.call.sessionID])];
}

export const takeOf = ({ by, key, limit, amount = 1, window, once }: Wanted, session: string): Take => ({
  key: `${session} ${by} ${key}`,
  limit,
  amount,
  ...(window !== undefined && { window }),
  ...(once !== undefined && { once }),
});

const usedUp = ({ by, key, limit, full }: Wanted, freeIn: number | undefined) =>
  new Ending(
    "refused",
    "RATE_LIMITED",
    `Refused by ${labelOf(by)}: ${full ?? `all ${limit} of ${key} are used up`}.`,
    freeIn === undefined
      ? `A person can raise the ${by} in the configuration.`
      : `Try again in ${Math.ceil(freeIn / 1000)} s, or have a person raise the ${by} in the configuration.`,
    { metadata: { by, ...(freeIn !== undefined && { retryAfterMs: freeIn }) } },
  );
