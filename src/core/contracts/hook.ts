import type { Result } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";

/** A call as a hook sees it: read and judged, not yet made. */
export type HookedCall = {
  readonly id: string;
  readonly tool: string;
  /** The name that the model used. */
  readonly calledAs: string;
  readonly args: unknown;
  readonly touches: readonly Touch[];
  readonly diff: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
};

/**
 * What a hook says before a call: `deny` ends it, `ask` has a person decide; an `allow` is no more than silence.
 * `args` take the place of the call's, which is then read and judged anew. `context` is told to the model.
 */
export type HookAnswer = { decision?: "allow" | "ask" | "deny"; reason?: string; args?: unknown; context?: string };

/** Somebody's own code around calls. One that throws before a call has a person asked. */
export type Hook = {
  readonly name: string;
  /** Whether it wants to hear of this call; absent: of every one. */
  applies?(call: HookedCall): boolean;
  /** Once a call, after its preview and before anybody is asked. */
  before?(call: HookedCall, signal: AbortSignal): Promise<HookAnswer | undefined> | HookAnswer | undefined;
  /** After it ran; what it gives back is added to the result. */
  after?(call: HookedCall, result: Result, signal: AbortSignal): Promise<string | undefined> | string | undefined;
};
