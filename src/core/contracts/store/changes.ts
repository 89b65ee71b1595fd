import type { Bytes } from "../workspace.ts";

/** SHA-256, in hex. */
export type Hash = string;

/** One file of one call: kept durably before the file changes, so that it can be told and taken back. */
export type ChangeRow = {
  id: number;
  record: string;
  call: string;
  session: string;
  message: string;
  tool: string;
  at: number;
  real: string;
  shown: string;
  before: Hash | null;
  after: Hash | null;
  modeBefore?: number;
  modeAfter?: number;
  /** intended: a crash may have come between; the file's hash then says whether it happened. */
  state: "intended" | "done" | "void";
  /** Rows that this one takes back, or brings back. */
  undoes?: number[];
  redoes?: number[];
};

/** The `after` of an intended row whose outcome is not known beforehand, such as a command's. Equals no hash. */
export const UNTOLD: Hash = "untold";

/** What a row's file turned out to be. */
export type Outcome = { after: Hash | null; modeAfter?: number };

/** `replaced`: nobody will write into the file itself, another takes its place; so a second name may keep it. */
export type NewChange = Omit<ChangeRow, "id" | "state"> & { content: Bytes | null; replaced?: boolean };

export type ChangeQuery = {
  real?: string;
  session?: string;
  message?: string;
  call?: string;
  record?: string;
  states?: readonly ChangeRow["state"][];
};

/** What was changed, and what it was before. */
export interface Changes {
  /** Durable when it resolves: rows and before-contents, all or none. Gives the rows' ids in order. */
  intend(changes: readonly NewChange[]): Promise<number[]>;
  /** How intended rows ended; `outcomes`, one a row, say what was not known when they were intended. */
  conclude(ids: readonly number[], state: "done" | "void", outcomes?: readonly Outcome[]): Promise<void>;
  /** Oldest first. */
  changes(query: ChangeQuery): Promise<ChangeRow[]>;
  /** undefined: never kept, or pruned. */
  content(hash: Hash): Promise<Bytes | undefined>;
  /** Compresses what is old, drops before-contents beyond these bounds; tells how much. */
  tidy(bounds: { maxAgeMs: number; maxBytes: number; now: number }): Promise<{ compressed: number; pruned: number }>;
}
