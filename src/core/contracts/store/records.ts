import type { Ceiling } from "../../words/ceiling.ts";
import type { Code, Status } from "../../words/result.ts";
import type { Part } from "../../words/sight.ts";
import type { Touch } from "../../words/touch.ts";
import type { Alert } from "../anomalies.ts";
import type { Stamp } from "../workspace.ts";

/** The stage that a call had reached after so many microseconds. */
export type Mark = { stage: string; microseconds: number; verdict?: string };

/** How one call went. Written in groups, so that a read costs next to nothing. */
export type CallRecord = {
  id: string;
  /** Its position among all records, always rising; set by the store. */
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
  /** What was unusual about the commands that it ran, or wanted to run. */
  alerts?: readonly Alert[];
  /** The length of the output, its beginning, and the file that holds all of it if it was cut. */
  output?: { bytes: number; head: string; path?: string };
  /** How many characters of the answer the model read. */
  told?: number;
  /** A hash that tells answers apart. Kept only if other processes may continue the session. */
  answer?: string;
  /** Files that it read or wrote, with their stamps at the time. */
  seen?: readonly Seen[];
  changed?: boolean;
  /** It brought text from outside into the session that its touches do not show. */
  outside?: boolean;
  /** The ceiling of the child gate that made the call. */
  ceiling?: Ceiling;
};

/** `parts`: the lines that the session knows of it, if not all. */
export type Seen = { real: string; stamp: Stamp; parts?: readonly Part[] };

/** `after` and `before` are sequence numbers, `since` and `until` are times; all exclusive. */
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

/** A call that has begun and not ended, as other processes see it. */
export type UnderWay = Pick<
  CallRecord,
  "id" | "call" | "parent" | "session" | "agent" | "workspace" | "tool" | "target" | "at"
>;

/** What was done, and what is being done. */
export interface Records {
  /** Appends in one transaction, in order; need not be durable at once. */
  record(records: readonly CallRecord[]): Promise<void>;
  records(query: RecordQuery): Promise<CallRecord[]>;
  /** With `durable`, it is on disk when this resolves: a call that kills its host leaves this behind. */
  begin(calls: readonly UnderWay[], durable?: boolean): Promise<void>;
  /** These calls have ended; their records say how. */
  finish(ids: readonly string[]): Promise<void>;
  /** Calls of live processes. */
  underWay(): Promise<UnderWay[]>;
  /** Calls that were under way when their process died. Returned once, then forgotten. */
  interrupted(): Promise<UnderWay[]>;
}
