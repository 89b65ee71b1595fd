/**
 * An event that other processes can follow. Records and events share one sequence, so whoever knows the last number
 * knows everything before it.
 */
export type KeptEvent = {
  seq: number;
  id: string;
  type: string;
  at: number;
  session?: string;
  /** The record of the call that the event is about. */
  record?: string;
  body: unknown;
};

/** Events that other processes can follow. */
export interface Events {
  /** Written in groups, like records; need not be durable at once. */
  tell(events: readonly Omit<KeptEvent, "seq">[]): Promise<void>;
  /** Oldest first, after `after`. Every record is an event, too: `done` or `failed`, with the record as its body. */
  events(query: { after?: number; session?: string; limit?: number }): Promise<KeptEvent[]>;
}
