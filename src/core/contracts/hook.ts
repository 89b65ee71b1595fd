import type { Result } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";

/** What happens around calls; those of an agent's loop are told by `gate.fire`. */
export const MOMENTS = [
  "pre_llm_call",
  "post_llm_call",
  "session_start",
  "session_end",
  "on_error",
  "budget_warning",
  "context_compress",
  "agent_complete",
] as const;
export type MomentName = (typeof MOMENTS)[number];

/** Everything that a hook can be for. */
export const HOOK_EVENTS = ["pre_tool_use", "post_tool_use", ...MOMENTS] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

/** A call as a hook sees it: read and judged, not yet made. */
export type HookedCall = {
  readonly id: string;
  readonly tool: string;
  /** The name that the model used. */
  readonly calledAs: string;
  readonly args: unknown;
  /** The arguments as the tool takes them, under its own names. */
  readonly input: unknown;
  readonly touches: readonly Touch[];
  /** Names of another tool whose work it does: hooks for that one hear of it, too. */
  readonly countsAs?: readonly string[];
  readonly diff: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
  /** In a plan, a dry run or under a read-only ceiling, whatever is run for the call must not change anything either. */
  readonly changesNothing: boolean;
};

/** Something that happened, or is about to, and is no call. */
export type Moment = {
  readonly event: MomentName;
  readonly sessionID: string;
  readonly agent: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly changesNothing: boolean;
};

/**
 * What a hook says before a call: `deny` ends it, `ask` has a person decide; an `allow` is no more than silence.
 * `args` take the place of the call's, `input` does too but has the tool's own names; either is read and judged anew.
 * `context` is told to the model. `failed` says how the hook itself failed, and `stop` why the agent should stop.
 */
export type HookAnswer = {
  decision?: "allow" | "ask" | "deny";
  reason?: string;
  args?: unknown;
  input?: unknown;
  context?: string;
  failed?: string;
  stop?: string;
};

/** What a hook says after a call, for the model. */
export type HookSaid = { text?: string; failed?: string; stop?: string };

/** Somebody's own code around calls. One that throws before a call has a person asked. */
export type Hook = {
  readonly name: string;
  /** It changes nothing where nothing may be changed. Absent: it is not run there, and the result says so. */
  readonly inDryRun?: boolean;
  /** Whether it wants to hear of this call; absent: of every one. */
  applies?(call: HookedCall): boolean;
  /** Once a call, after its preview and before anybody is asked. */
  before?(call: HookedCall, signal: AbortSignal): Promise<HookAnswer | undefined> | HookAnswer | undefined;
  /** After it ran; what it gives back is added to the result. */
  after?(
    call: HookedCall,
    result: Result,
    signal: AbortSignal,
  ): Promise<string | HookSaid | undefined> | string | HookSaid | undefined;
  /** By what happens; before a model is called it may say no. */
  readonly on?: {
    readonly [Name in MomentName]?: (
      moment: Moment,
      signal: AbortSignal,
    ) => Promise<HookAnswer | undefined> | HookAnswer | undefined;
  };
};

/** A hook as people write it down: a script. */
export type ScriptHook = {
  readonly name: string;
  readonly command: string;
  /** Names of tools, or a regular expression for them; absent: every tool. */
  readonly matcher?: string;
  readonly filePatterns: readonly string[];
  /** In seconds. */
  readonly timeout: number;
  /** Nobody waits for it, and nothing that it says counts. */
  readonly async: boolean;
  readonly enabled: boolean;
  /** Absent: a time-out or a failed start asks, another failure lets the call go on and is told. */
  readonly onFailure?: "allow" | "ask" | "deny";
  /** It is the workspace's own: a person has accepted what its scripts held. */
  readonly accepted?: Readonly<Record<string, string>>;
};
