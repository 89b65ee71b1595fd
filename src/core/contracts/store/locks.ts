/**
 * Who holds a lock, by ids that are unique everywhere. `call` is the id of the record, never the model's; `ancestors`
 * are the calls above, whose locks do not block it.
 */
export type Holder = { token: string; call: string; ancestors: readonly string[] };
export type Held = { path: string; token: string; call: string; since: number };

/** How long to wait for others; without it, not at all. Aborting the signal ends the wait without taking the lock. */
export type Patience = { milliseconds: number; signal?: AbortSignal };

/** Paths that only one call may change at a time, across all processes. `/**` at the end includes all below. */
export interface Locks {
  /**
   * Takes all of these paths or none. Returns a lock of somebody else that is still in the way after the wait. Locks of
   * dead holders are taken over; those of `ancestors` do not block.
   */
  lock(paths: readonly string[], holder: Holder, patience?: Patience): Promise<Held | undefined>;
  /** Frees what the token holds. `done`: rows of the journal that are concluded as done with it, both or neither. */
  unlock(token: string, done?: readonly number[]): Promise<void>;
  locks(): Promise<Held[]>;
}
