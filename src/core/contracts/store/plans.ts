import type { Ceiling } from "../../words/ceiling.ts";
import type { Failure } from "../../words/result.ts";
import type { Part } from "../../words/sight.ts";
import type { Touch } from "../../words/touch.ts";
import type { Hash } from "./changes.ts";

/** One file as a planned call would leave it. Its contents before and after are kept by hash. */
export type PlannedChange = {
  real: string;
  shown: string;
  before: Hash | null;
  after: Hash | null;
  modeBefore?: number;
  mode?: number;
  /** When it was planned, the session had read the file in its state before the change. */
  known?: true;
  /** The lines that the session knew of it, if not all. */
  parts?: readonly Part[];
  /** Rows that it undoes or redoes, by their ids in the plan's journal. */
  undoes?: number[];
  redoes?: number[];
};

/** A call that was not run, with what it would touch and change, so that another process can show and run it. */
export type PlannedCall = {
  id: string;
  /** Its position in the plan, always rising; set by the store. */
  seq?: number;
  call: string;
  /** The name that the tool was called by, which may imply arguments. */
  name?: string;
  session: string;
  /** The sessions above, whose plans include this call, too. */
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
  /** It would change more than `changes`: nobody knows what a command does before it runs. */
  blind?: true;
  kind?: "plan" | "dry-run";
  /** How it was judged when it was planned. */
  verdict?: { answer: string; by: string; reason: string };
  /** Hash of tool, input, touches, changes and code: what a person who approves it has seen. */
  fingerprint?: Hash;
  /** The ceiling of the child gate that planned it, if it was one. */
  ceiling?: Ceiling;
  /** `interrupted`: its process died while it ran, and nobody knows how far it got. */
  state: "planned" | "approved" | "running" | "interrupted" | "dropped" | "done" | "failed";
  /** The state before it was run, and the record of that run. */
  was?: "planned" | "approved";
  record?: string;
  /** Why it failed when it was last tried. */
  error?: Pick<Failure, "code" | "message">;
};

/** States that may still be run. The contents of such calls are kept. */
export const OPEN_PLANS: readonly PlannedCall["state"][] = ["planned", "approved", "running", "interrupted"];

/** `after` is a position in the plan, exclusive. */
export type PlanQuery = {
  id?: string;
  session?: string;
  workspace?: string;
  states?: readonly PlannedCall["state"][];
  after?: number;
};

/** The last position used in a workspace's plan, and how many of its calls are open. */
export type PlanMark = { last: number; open: number };

/** What became known when a planned call moved on; `error: null` clears the last error. */
export type PlanMove = { was?: "planned" | "approved"; record?: string; error?: PlannedCall["error"] | null };

export interface Plans {
  /** Durable when it resolves. `contents` holds what its changes replace and leave, by hash. */
  plan(call: PlannedCall, contents: ReadonlyMap<Hash, Uint8Array>): Promise<void>;
  /** Oldest first. */
  planned(query: PlanQuery): Promise<PlannedCall[]>;
  /** A cheap way to see whether a plan has changed. */
  planMark(workspace: string): Promise<PlanMark>;
  plannedContent(hash: Hash): Promise<Uint8Array | undefined>;
  /** Durably moves calls that are in one of the states `from`. Returns the ids that were moved. */
  movePlan(
    ids: readonly string[],
    from: readonly PlannedCall["state"][],
    to: PlannedCall["state"],
    learnt?: PlanMove,
  ): Promise<string[]>;
}
