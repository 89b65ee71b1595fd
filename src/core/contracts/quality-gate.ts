import type { IncomingCall } from "../words/call.ts";
import type { Facts } from "./policy.ts";

/** A command that has to pass before the work is finished; one that is not required is only reported. */
export type QualityGate = { readonly name: string; readonly command: string; required: boolean; timeout: number };

/** What has to hold before an agent may say that it is finished. */
export type Finishing = {
  readonly checks: readonly QualityGate[];
  /** The call by which a check is run; it is judged like any other. */
  call(check: QualityGate): IncomingCall;
  /** Why the work cannot be finished yet, by what was done in the session. */
  unfinished(facts: Facts): string | undefined;
};

export type Checked = { name: string; required: boolean; passed: boolean; output: string };

/** `output` is what the model is told: what is left to do, or what was not required and failed. */
export type Finished = { done: boolean; output: string; checks: readonly Checked[] };
