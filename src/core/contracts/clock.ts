/** Time as the journey needs it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A fine, steady reading in milliseconds, for durations. */
  ticks(): number;
  /** Calls back once, unless the returned function was called before. */
  after(ms: number, callback: () => void): () => void;
}

/** Others shall not wait longer than this for their turn. */
const LONGEST_TURN_MS = 15;

/** For work on very many things: whether there is something to wait for, because others have had no turn for a while. */
export function turnsBy(clock: Clock): () => Promise<void> | undefined {
  let last = clock.ticks();
  return () =>
    clock.ticks() - last < LONGEST_TURN_MS
      ? undefined
      : sleep(clock, 0).then(() => {
          last = clock.ticks();
        });
}

/** The same for each of very many things, in their order. */
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
