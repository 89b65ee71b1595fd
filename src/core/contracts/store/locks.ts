/**
 * Who holds a lock, by ids that are unique everywhere: `call` is the record's id, never the model's; `ancestors` are
 * the calls above it, whose locks it may pass.
 */
export type Holder = { token: string; call: string; ancestors: readonly string[] };
export type Held = { path: string; token: string; call: string; since: number };

/** How long to wait for others; without it, not at all. A signal ends the waiting, and the lock is not taken. */
export type Patience = { milliseconds: number; signal?: AbortSignal };

/** Paths that only one call may change at a time, across all processes; `/**` at the end means all below. */
export interface Locks {
  /**
   * Takes all of these paths or none; what is held by another after all the waiting is given back. Dead holders' locks
   * are taken over; those of `ancestors` are passed.
   */
  lock(paths: readonly string[], holder: Holder, patience?: Patience): Promise<Held | undefined>;
  unlock(token: string): Promise<void>;
  locks(): Promise<Held[]>;
}
