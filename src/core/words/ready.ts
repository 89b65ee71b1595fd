import type { Entry } from "../registry.ts";
import type { Call } from "./call.ts";
import type { Proposed } from "./tool.ts";
import type { Danger, Touch } from "./touch.ts";

/** A call that was found, parsed and read: what policies judge and what will run. */
export type Ready = {
  readonly call: Call;
  readonly tool: Entry;
  readonly input: unknown;
  readonly touches: readonly Touch[];
  readonly danger: Danger;
  /** What it would change, as far as it was looked at. */
  readonly changes: readonly Proposed[];
  /** What was dropped or bent while parsing, for the result. */
  readonly notes: readonly string[];
};
