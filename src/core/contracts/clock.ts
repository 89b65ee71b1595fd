/** The only source of time for the journey. Tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A monotonic, fine-grained reading in milliseconds, for durations. */
  ticks(): number;
  /** Calls back once, unless the returned function cancels it first. */
  after(ms: number, callback: () => void): () => void;
}

/** The longest that work on very many things may block the process. */
const LONGEST_TURN_MS = 15;

/** For work on very many things: returns a promise to await once the process has been blocked for too long. */
export function turnsBy(clock: Clock): () => Promise<void> | undefined {
  let last = clock.ticks();
  return () =>
    clock.ticks() - last < LONGEST_TURN_MS
      ? undefined
      : sleep(clock, 0).then(() => {
          last = clock.ticks();
        });
}

/** Applies `act` to each of very many things, in order, and yields now and then. */
export async function eachInTurns<T, R>(clock: Clock, all: readonly T[], act: (one: T) => R): Promise<R[]> {
  const turn = turnsBy(clock);
  const results: R[] = [];
  for (const one of all) {
    results.push(act(one));
    const wait = turn();
    if (wait) await wait;
  }
  return results;
}

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
