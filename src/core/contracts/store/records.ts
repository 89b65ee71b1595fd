import type { Ceiling } from "../../words/ceiling.ts";
import type { Code, Status } from "../../words/result.ts";
import type { Touch } from "../../words/touch.ts";
import type { Alert } from "../anomalies.ts";
import type { Stamp } from "../workspace.ts";

/** Where a call was after so many microseconds. */
export type Mark = { stage: string; microseconds: number; verdict?: string };

/** How one call went. Written in groups: reads cost next to nothing. */
export type CallRecord = {
  id: string;
  /** Its place among all records, always rising; set by the store. */
  seq?: number;
  call: string;
  /** The record of the call that made this one. */
  parent?: string;
  session: string;
  message: string;
  agent: string;
  /** The folder that the call worked in. */
  workspace: string;
  tool: string;
  at: number;
  microseconds: number;
  status: Status;
  /** What the call was about, for people: its first path, command or address. */
  target: string;
  input: unknown;
  touches: readonly Touch[];
  trace: readonly Mark[];
  verdict?: { answer: string; by: string; reason: string };
  error?: { code: Code; message: string };
  /** What was unusual about the commands it ran, or wanted to run. */
  alerts?: readonly Alert[];
  /** How long the output was, the beginning of it, and the file that holds all of one that was cut. */
  output?: { bytes: number; head: string; path?: string };
  /** How many characters of answer the model read. */
  told?: number;
  /** Tells answers apart without keeping them. Only where other processes may go on with the session. */
  answer?: string;
  /** Files that were read whole, as they were then. */
  seen?: readonly { real: string; stamp: Stamp }[];
  /** Whether a file was changed. */
  changed?: boolean;
  /** It brought text from outside into the session, beside what its touches say. */
  outside?: boolean;
  /** What the child gate that made the call might do at most. */
  ceiling?: Ceiling;
};

/** `after` and `before` are sequence numbers, `since` and `until` times; none of them is included. */
export type RecordQuery = {
  session?: string;
  message?: string;
  call?: string;
  parent?: string;
  workspace?: string;
  status?: Status;
  tool?: string;
  since?: number;
  until?: number;
  before?: number;
  after?: number;
  limit?: number;
  /** Newest first unless this says otherwise. */
  order?: "oldest-first";
};

/** A call that has begun and not ended, as other processes may see it. */
export type UnderWay = Pick<
  CallRecord,
  "id" | "call" | "parent" | "session" | "agent" | "workspace" | "tool" | "target" | "at"
>;

/** What was done, and what is being done. */
export interface Records {
  /** Appends in one go, in order; need not be durable at once. */
  record(records: readonly CallRecord[]): Promise<void>;
  records(query: RecordQuery): Promise<CallRecord[]>;
  /** Durable when it resolves, where `durable` is asked for: a call that kills its host leaves this behind. */
  begin(calls: readonly UnderWay[], durable?: boolean): Promise<void>;
  /** These calls have ended; their records tell how. */
  finish(ids: readonly string[]): Promise<void>;
  /** Calls of processes that live. */
  underWay(): Promise<UnderWay[]>;
  /** Calls that had begun when their process died; given once, then forgotten. */
  interrupted(): Promise<UnderWay[]>;
}
