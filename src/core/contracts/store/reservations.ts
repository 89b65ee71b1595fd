/**
 * At most `limit` of `key`, in total or within the last `window` milliseconds by the store's clock. Whatever has a name
 * in `once` counts once for its key: taken again, it needs no more room.
 */
export type Take = { key: string; limit: number; amount: number; window?: number; once?: string };

/** `full` is the first that has no room; `freeIn` says in how many milliseconds there may be some. */
export type Reserved = { token: string } | { full: Take; used: number; freeIn?: number };

/** Limits that hold across calls, gates, sessions and processes. */
export interface Reservations {
  /** All of these or none, atomically. */
  reserve(takes: readonly Take[]): Promise<Reserved>;
  /** Gives back what was not used after all. */
  giveBack(token: string): Promise<void>;
  /** How much of a key is taken now. */
  reserved(key: string, window?: number): Promise<number>;
}
