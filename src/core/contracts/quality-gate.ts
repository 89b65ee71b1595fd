import type { IncomingCall } from "../words/call.ts";
import type { Stop } from "../words/result.ts";
import type { Facts } from "./policy.ts";

/** A command that has to pass before the work is finished. One that is not required is only reported. */
export type QualityGate = { readonly name: string; readonly command: string; required: boolean; timeout: number };

/** What has to hold before an agent may say that it is finished. */
export type Finishing = {
  readonly checks: readonly QualityGate[];
  /** The call that runs a check. It is judged like any other. */
  call(check: QualityGate): IncomingCall;
  /** Why the work cannot be finished yet, going by what the session did. */
  unfinished(facts: Facts): string | undefined;
};

export type Checked = { name: string; required: boolean; passed: boolean; output: string };

/**
 * `output` is what the model is told: what is left to do, and which checks that are not required have failed. `stop` is
 * set if a person or a hook stopped a check: the agent should stop, too.
 */
export type Finished = { done: boolean; output: string; checks: readonly Checked[]; stop?: Stop };
