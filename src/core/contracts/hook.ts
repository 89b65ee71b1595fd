import type { Result } from "../words/result.ts";
import type { Touch } from "../words/touch.ts";

/** Events besides calls. Those of an agent's loop are fired through `gate.fire`. */
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

/** Every event that a hook can be registered for. */
export const HOOK_EVENTS = ["pre_tool_use", "post_tool_use", ...MOMENTS] as const;
export type HookEventName = (typeof HOOK_EVENTS)[number];

/** A call as a hook sees it: read and judged, but not yet run. */
export type HookedCall = {
  readonly id: string;
  readonly tool: string;
  /** The name that the model used. */
  readonly calledAs: string;
  readonly args: unknown;
  /** The arguments as the tool takes them, under its own names. */
  readonly input: unknown;
  readonly touches: readonly Touch[];
  /** Names of other tools whose work this one does. Their hooks hear of the call, too. */
  readonly countsAs?: readonly string[];
  readonly diff: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly agent: string;
  /** Set in a plan, a dry run or under a read-only ceiling: whatever a hook runs must not change anything either. */
  readonly changesNothing: boolean;
};

/** An event besides calls that has happened, or is about to. */
export type Moment = {
  readonly event: MomentName;
  readonly sessionID: string;
  readonly agent: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly changesNothing: boolean;
};

/**
 * What a hook says before a call: `deny` ends it, `ask` lets a person decide, `allow` means no more than silence.
 * `args` replace the arguments as sent, `input` those under the tool's own names; either way the call is judged again.
 * `context` is for the model. `failed` says how the hook itself failed, and `stop` why the agent should stop.
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

/** What a hook says to the model after a call. */
export type HookSaid = { text?: string; failed?: string; stop?: string };

/** Somebody's own code around calls. If it throws before a call, a person is asked. */
export type Hook = {
  readonly name: string;
  /** The hook changes nothing where nothing may change. Absent: it is not run there, and the result says so. */
  readonly inDryRun?: boolean;
  /** Whether the hook wants to hear of this call. Absent: it hears of every call. */
  applies?(call: HookedCall): boolean;
  /** Called once for a call, after its preview and before anybody is asked. */
  before?(call: HookedCall, signal: AbortSignal): Promise<HookAnswer | undefined> | HookAnswer | undefined;
  /** Called after the run. What it returns is added to the result. */
  after?(
    call: HookedCall,
    result: Result,
    signal: AbortSignal,
  ): Promise<string | HookSaid | undefined> | string | HookSaid | undefined;
  /** Handlers by event. Only `pre_llm_call` can be blocked. */
  readonly on?: {
    readonly [Name in MomentName]?: (
      moment: Moment,
      signal: AbortSignal,
    ) => Promise<HookAnswer | undefined> | HookAnswer | undefined;
  };
};

/** A hook as people configure it: a script. */
export type ScriptHook = {
  readonly name: string;
  readonly command: string;
  /** Names of tools, or a regular expression. Absent: every tool. */
  readonly matcher?: string;
  readonly filePatterns: readonly string[];
  /** In seconds. */
  readonly timeout: number;
  /** Nobody waits for it, and its answer does not count. */
  readonly async: boolean;
  readonly enabled: boolean;
  /** Absent: a time-out or a failed start asks; any other failure lets the call go on and is reported. */
  readonly onFailure?: "allow" | "ask" | "deny";
  /** For hooks of the workspace itself: the hashes of their scripts, as a person accepted them. */
  readonly accepted?: Readonly<Record<string, string>>;
};
