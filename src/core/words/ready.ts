import type { Stamp } from "../contracts/workspace.ts";
import type { LoadedEntry } from "../registry.ts";
import type { Call } from "./call.ts";
import type { Proposed } from "./tool.ts";
import type { Claim, Danger, Place, Touch } from "./touch.ts";

export type Replaced = { readonly place: Place; readonly stamp: Stamp };

/** A call that was found, parsed and read: what policies judge and what will run. */
export type Ready = {
  readonly call: Call;
  readonly tool: LoadedEntry;
  readonly input: unknown;
  /** What the tool declared, where it follows from the input alone; such claims need not be asked for again. */
  readonly claims?: readonly Claim[];
  readonly touches: readonly Touch[];
  readonly danger: Danger;
  /** What it would change, as far as it was looked at. */
  readonly changes: readonly Proposed[];
  /** Files that a command would write for certain, as they are now. */
  readonly replaces?: readonly Replaced[];
  /** What was dropped or bent while parsing, and what hooks had to say, for the result. */
  readonly notes: readonly string[];
};
