import type { Ceiling } from "../../words/ceiling.ts";
import type { Failure } from "../../words/result.ts";
import type { Touch } from "../../words/touch.ts";
import type { Hash } from "./changes.ts";

/** One file as a planned call would leave it; the contents before and after are kept by their hashes. */
export type PlannedChange = {
  real: string;
  shown: string;
  before: Hash | null;
  after: Hash | null;
  modeBefore?: number;
  mode?: number;
  /** The session had read the file as it is before this change. */
  known?: true;
  /** Rows that it takes back, or brings back, as the journal of the plan names them. */
  undoes?: number[];
  redoes?: number[];
};

/** A call that was not run, with what it would touch and change, so that another process can show and run it. */
export type PlannedCall = {
  id: string;
  /** Its place in the plan, always rising; set by the store. */
  seq?: number;
  call: string;
  /** The name that the tool was called by, which may imply arguments. */
  name?: string;
  session: string;
  /** The sessions above: the plan of each holds this call, too. */
  above?: readonly string[];
  message: string;
  agent: string;
  workspace: string;
  tool: string;
  args: unknown;
  at: number;
  touches: readonly Touch[];
  changes: readonly PlannedChange[];
  diff: string;
  /** Its changes are not all that it would change: nobody knows what a command does before it runs. */
  blind?: true;
  kind?: "plan" | "dry-run";
  /** How it was judged when it was planned. */
  verdict?: { answer: string; by: string; reason: string };
  /** Of tool, input, touches, changes and the code that would run: what a person who approves it has seen. */
  fingerprint?: Hash;
  /** The most that whoever planned it might do, where that was a child gate. */
  ceiling?: Ceiling;
  /** interrupted: its process died while it ran, and how far it came is not known. */
  state: "planned" | "approved" | "running" | "interrupted" | "dropped" | "done" | "failed";
  /** What it was before it was run, and the record of that run. */
  was?: "planned" | "approved";
  record?: string;
  /** Why it could not be made when it was last tried. */
  error?: Pick<Failure, "code" | "message">;
};

/** What may still be run; the contents of these calls are kept. */
export const OPEN_PLANS: readonly PlannedCall["state"][] = ["planned", "approved", "running", "interrupted"];

/** `after` is a place in the plan, not included. */
export type PlanQuery = {
  id?: string;
  session?: string;
  workspace?: string;
  states?: readonly PlannedCall["state"][];
  after?: number;
};

/** The last place that was taken in a workspace's plan, and how many of its calls are open. */
export type PlanMark = { last: number; open: number };

/** What is learnt about a planned call when it moves on; `error: null` forgets the last one. */
export type PlanMove = { was?: "planned" | "approved"; record?: string; error?: PlannedCall["error"] | null };

export interface Plans {
  /** Durable when it resolves. `contents` are what its changes replace and leave, by their hashes. */
  plan(call: PlannedCall, contents: ReadonlyMap<Hash, Uint8Array>): Promise<void>;
  /** Oldest first. */
  planned(query: PlanQuery): Promise<PlannedCall[]>;
  /** Tells cheaply whether a plan has changed. */
  planMark(workspace: string): Promise<PlanMark>;
  plannedContent(hash: Hash): Promise<Uint8Array | undefined>;
  /** Moves calls on from one of `from`, durably; gives the ids that were. */
  movePlan(
    ids: readonly string[],
    from: readonly PlannedCall["state"][],
    to: PlannedCall["state"],
    learnt?: PlanMove,
  ): Promise<string[]>;
}
