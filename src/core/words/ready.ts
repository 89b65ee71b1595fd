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
  /** The tool's claims, if they follow from the input alone and need not be asked for again. */
  readonly claims?: readonly Claim[];
  readonly touches: readonly Touch[];
  readonly danger: Danger;
  /** What it would change, as far as a preview showed it. */
  readonly changes: readonly Proposed[];
  /** Files that a command would certainly overwrite, as they are now. */
  readonly replaces?: readonly Replaced[];
  /** Notes for the result: what was dropped or converted while parsing, and what hooks said. */
  readonly notes: readonly string[];
};
