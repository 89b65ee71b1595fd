/** Time as the journey needs it; tests bring their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A fine, steady reading in milliseconds, for durations. */
  ticks(): number;
  /** Calls back once, unless the returned function was called before. */
  after(ms: number, callback: () => void): () => void;
}

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve));
