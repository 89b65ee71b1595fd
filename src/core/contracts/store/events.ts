/**
 * An event as other processes can follow it. Records and events share one sequence, so that whoever knows the last
 * number knows all that came before it.
 */
export type KeptEvent = {
  seq: number;
  id: string;
  type: string;
  at: number;
  session?: string;
  /** The record of the call that it is about. */
  record?: string;
  body: unknown;
};

/** What happened, to be followed from another process. */
export interface Events {
  /** In groups, like records; need not be durable at once. */
  tell(events: readonly Omit<KeptEvent, "seq">[]): Promise<void>;
  /** Oldest first, those after `after`; every record is told too, as `done` or `failed` with the record as its body. */
  events(query: { after?: number; session?: string; limit?: number }): Promise<KeptEvent[]>;
}
