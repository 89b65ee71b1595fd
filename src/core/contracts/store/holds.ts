/** read: others may read and write; write: others may read; exclusive: nobody else. */
export type HoldMode = "read" | "write" | "exclusive";

/** An agent in its session. */
export type Keeper = { readonly session: string; readonly agent: string };

/** Who asks: an agent, and those it works for, whose holds it passes. */
export type Asking = Keeper & { readonly above?: readonly Keeper[] };

/** What holds are apart by: `paths` are globs of real paths, which meet where both can mean one path; names are equal or not. */
export type HoldSpace = "paths" | "names";

/** Any of `resources` is held; `shown` is how the agent wrote it. */
export type Wanted = { resources: readonly string[]; shown: string; mode: HoldMode };

/** What an agent keeps for itself for a while: `until` is a time of the store's own clock. */
export type Hold = Wanted & Keeper & { token: string; space: HoldSpace; since: number; until: number };

export type HoldAnswer = { hold: Hold } | { wanted: Wanted; by: Hold };

/** What agents keep for themselves across calls. A hold ends with its time, or with the process that took it. */
export interface Holds {
  /**
   * Each by itself, in order: taken, or held by another. Whoever holds the same already keeps the token, in the new
   * mode and for the new time.
   */
  hold(space: HoldSpace, wanted: readonly Wanted[], by: Asking, milliseconds: number): Promise<HoldAnswer[]>;
  /** Gives those that were let go. With a keeper, its own alone. */
  letGo(tokens: readonly string[], keeper?: Keeper): Promise<string[]>;
  /** All that agents of this session took through this store. */
  letGoOf(session: string): Promise<void>;
  /** Oldest first; those that are over are not among them. */
  holds(space?: HoldSpace): Promise<Hold[]>;
  /** The first hold of another that is in the way of using these resources. */
  holdOver(space: HoldSpace, wanted: Omit<Wanted, "shown">, by: Asking): Promise<Hold | undefined>;
}
