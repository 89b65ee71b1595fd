/** read: others may read and write; write: others may read; exclusive: nobody else. */
export type HoldMode = "read" | "write" | "exclusive";

/** An agent in its session. */
export type Keeper = { readonly session: string; readonly agent: string };

/** An agent that wants a hold, and those it works for, whose holds do not block it. */
export type Asking = Keeper & { readonly above?: readonly Keeper[] };

/** `paths`: globs of real paths, which conflict if both can match one path. `names`: conflict if they are equal. */
export type HoldSpace = "paths" | "names";

/** Each of `resources` is held. `shown` is how the agent wrote it. */
export type Wanted = { resources: readonly string[]; shown: string; mode: HoldMode };

/** What an agent keeps for itself for a while. `until` is a time of the store's own clock. */
export type Hold = Wanted & Keeper & { token: string; space: HoldSpace; since: number; until: number };

export type HoldAnswer = { hold: Hold } | { wanted: Wanted; by: Hold };

/** What agents keep for themselves across calls. A hold ends when its time is up, or when its process ends. */
export interface Holds {
  /**
   * Takes each by itself, in order, unless another holds it. Whoever already holds the same keeps the token, with the
   * new mode and time.
   */
  hold(space: HoldSpace, wanted: readonly Wanted[], by: Asking, milliseconds: number): Promise<HoldAnswer[]>;
  /** Returns the tokens that were released. With a keeper, only its own can be. */
  letGo(tokens: readonly string[], keeper?: Keeper): Promise<string[]>;
  /** Releases all holds that agents of this session took through this store. */
  letGoOf(session: string): Promise<void>;
  /** Oldest first, without those that are over. */
  holds(space?: HoldSpace): Promise<Hold[]>;
  /** The first hold of somebody else that forbids using these resources. */
  holdOver(space: HoldSpace, wanted: Omit<Wanted, "shown">, by: Asking): Promise<Hold | undefined>;
}
