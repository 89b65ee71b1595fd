import type { Bytes } from "../workspace.ts";
import type { UnderWay } from "./records.ts";

/** SHA-256, in hex. */
export type Hash = string;

/** One file of one call, saved durably before the file changes, so that the change can be shown and undone. */
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
  /** `intended`: after a crash the file's hash tells whether the change happened. */
  state: "intended" | "done" | "void";
  /** Rows that this one undoes or redoes. */
  undoes?: number[];
  redoes?: number[];
};

/** The `after` of an intended row whose outcome is not known beforehand, such as a command's. Equals no hash. */
export const UNTOLD: Hash = "untold";

/** What became of a row's file. */
export type Outcome = { after: Hash | null; modeAfter?: number };

/** `replaced`: the file will be replaced rather than written into, so a hard link may keep its content. */
export type NewChange = Omit<ChangeRow, "id" | "state"> & { content: Bytes | null; replaced?: boolean };

export type ChangeQuery = {
  real?: string;
  session?: string;
  message?: string;
  call?: string;
  record?: string;
  states?: readonly ChangeRow["state"][];
};

/** The journal: what was changed, and what it was before. */
export interface Changes {
  /**
   * When it resolves, rows and before-contents are durable, all or none. Returns the ids of the rows in order. `begun`
   * is the call that makes the changes: from then on it is under way, as by `begin`.
   */
  intend(changes: readonly NewChange[], begun?: UnderWay): Promise<number[]>;
  /** Concludes intended rows. `outcomes`, one for each row, give what was not known when they were intended. */
  conclude(ids: readonly number[], state: "done" | "void", outcomes?: readonly Outcome[]): Promise<void>;
  /** Oldest first. */
  changes(query: ChangeQuery): Promise<ChangeRow[]>;
  /** Returns undefined if it was never kept, or was pruned. */
  content(hash: Hash): Promise<Bytes | undefined>;
  /** Compresses old before-contents, and drops those beyond the bounds. Returns how many. */
  tidy(bounds: { maxAgeMs: number; maxBytes: number; now: number }): Promise<{ compressed: number; pruned: number }>;
}
