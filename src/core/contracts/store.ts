import type { Code, Status } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";
import type { Alert } from "./anomalies.ts";
import type { Bytes } from "./workspace.ts";

/** SHA-256, in hex. */
export type Hash = string;

/** Where a call was after so many microseconds. */
export type Mark = { stage: string; microseconds: number; verdict?: string };

/** How one call went. Written in groups: reads cost next to nothing. */
export type CallRecord = {
  id: string;
  call: string;
  session: string;
  message: string;
  agent: string;
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
};

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

/** The `after` of an intended row whose outcome nobody can tell beforehand, as of a command. Equals no hash. */
export const UNTOLD: Hash = "untold";

/** What a row's file turned out to be. */
export type Outcome = { after: Hash | null; modeAfter?: number };

/** `replaced`: nobody will write into the file itself, another takes its place; so a second name may keep it. */
export type NewChange = Omit<ChangeRow, "id" | "state"> & { content: Bytes | null; replaced?: boolean };

export type ApprovalRow = {
  id: string;
  call: string;
  session: string;
  agent: string;
  tool: string;
  at: number;
  /** Of tool, input, touches and changes: the answer holds for exactly this. */
  fingerprint: Hash;
  reason: string;
  touches: readonly Touch[];
  diff: string;
  answer?: string;
  message?: string;
  answeredAt?: number;
};

/** A person's standing yes: for one tool, one action, one exact target. */
export type Grant = { tool: string; action: string; target: string; session: string | null; at: number };

/**
 * Who holds a lock, by ids that are unique everywhere: `call` is the record's id, never the model's; `ancestors` are
 * the calls above it, whose locks it may pass.
 */
export type Holder = { token: string; call: string; ancestors: readonly string[] };
export type Held = { path: string; token: string; call: string; since: number };

export type RecordQuery = {
  session?: string;
  message?: string;
  call?: string;
  status?: Status;
  tool?: string;
  limit?: number;
};
export type ChangeQuery = {
  real?: string;
  session?: string;
  message?: string;
  record?: string;
  states?: readonly ChangeRow["state"][];
};

/** Where everything is kept. Every method may fail; the journey then fails closed. */
export interface Store {
  /** Appends in one go; need not be durable at once. */
  record(records: readonly CallRecord[]): Promise<void>;
  /** Newest first. */
  records(query: RecordQuery): Promise<CallRecord[]>;

  /** Durable when it resolves: rows and before-contents, all or none. Gives the rows' ids in order. */
  intend(changes: readonly NewChange[]): Promise<number[]>;
  /** How intended rows ended; `outcomes`, one a row, say what was not known when they were intended. */
  conclude(ids: readonly number[], state: "done" | "void", outcomes?: readonly Outcome[]): Promise<void>;
  /** Oldest first. */
  changes(query: ChangeQuery): Promise<ChangeRow[]>;
  /** undefined: never kept, or pruned. */
  content(hash: Hash): Promise<Bytes | undefined>;

  /** Takes all of these paths or none. Dead holders' locks are taken over; those of `ancestors` are passed. */
  lock(paths: readonly string[], holder: Holder): Promise<Held | undefined>;
  unlock(token: string): Promise<void>;
  locks(): Promise<Held[]>;

  grant(grants: readonly Grant[]): Promise<void>;
  grants(tool: string, session: string): Promise<Grant[]>;

  ask(approval: ApprovalRow): Promise<void>;
  /** The first answer wins; false: it was answered before, or is unknown. */
  answer(id: string, answer: string, message?: string): Promise<boolean>;
  approval(id: string): Promise<ApprovalRow | undefined>;
  pending(): Promise<ApprovalRow[]>;

  /** Compresses what is old, drops before-contents beyond these bounds; tells how much. */
  tidy(bounds: { maxAgeMs: number; maxBytes: number; now: number }): Promise<{ compressed: number; pruned: number }>;
  close(): Promise<void>;
}
