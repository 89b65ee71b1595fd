import type { Enforcement } from "../contracts/process.ts";
import type { Mark } from "../contracts/store/records.ts";
import type { Failure, Status } from "./result.ts";
import type { CommandClass, CommandReading, Danger, Touch } from "./touch.ts";
import type { Answer } from "./verdict.ts";

/** A call as it would be judged, and why. */
export type Explanation = {
  verdict: Answer;
  by: string;
  reason: string;
  /** What other policies said that did not decide. */
  others?: readonly { by: string; answer: Answer; reason: string }[];
  /** For an ask: the rules that a standing yes would save. */
  always?: readonly string[];
  tool: string;
  /** For commands. */
  class?: CommandClass;
  risk?: CommandReading["risk"];
  danger?: Danger;
  /** How a command would be contained while it runs. */
  enforcement?: Enforcement;
  touches: readonly Touch[];
  diff?: string;
  /** What the model would be told along with the result. */
  notes?: readonly string[];
  trace: readonly Mark[];
  /** Why it could not be judged, or would fail. */
  status?: Status;
  error?: Failure;
  /** What a real call would also go through. */
  leftOut: readonly string[];
};
