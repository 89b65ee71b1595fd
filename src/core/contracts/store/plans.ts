import type { Touch } from "../../words/touch.ts";
import type { Hash } from "./changes.ts";

/** One file as a planned call would leave it; its content is kept by its hash. */
export type PlannedChange = {
  real: string;
  shown: string;
  before: Hash | null;
  after: Hash | null;
  mode?: number;
};

/** A call that was not run, with what it would touch and change, so that another process can show and run it. */
export type PlannedCall = {
  id: string;
  /** Its place in the plan, always rising; set by the store. */
  seq?: number;
  call: string;
  session: string;
  message: string;
  agent: string;
  workspace: string;
  tool: string;
  args: unknown;
  at: number;
  touches: readonly Touch[];
  changes: readonly PlannedChange[];
  diff: string;
  state: "planned" | "approved" | "dropped" | "done" | "failed";
};

export type PlanQuery = { id?: string; session?: string; workspace?: string; states?: readonly PlannedCall["state"][] };

export interface Plans {
  /** Durable when it resolves. `contents` are the new contents of its changes, by their hashes. */
  plan(call: PlannedCall, contents: ReadonlyMap<Hash, Uint8Array>): Promise<void>;
  /** Oldest first. */
  planned(query: PlanQuery): Promise<PlannedCall[]>;
  plannedContent(hash: Hash): Promise<Uint8Array | undefined>;
  /** Moves calls on from one of `from`; gives the ids that were. */
  movePlan(ids: readonly string[], from: readonly PlannedCall["state"][], to: PlannedCall["state"]): Promise<string[]>;
}
