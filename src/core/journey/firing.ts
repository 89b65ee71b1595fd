import { type Hook, type HookAnswer, MOMENTS, type Moment, type MomentName } from "../contracts/hook.ts";
import type { Result } from "../words/result.ts";
import { changesNothing, isRehearsed, messageOf, told, understood } from "./hooking.ts";
import type { Station } from "./journey-parts.ts";

/** What hooks said about a moment. `context` is for the model, and names the hook that said it. */
export type Fired = {
  /** Set if a hook objects. Only `pre_llm_call` can be blocked. */
  readonly blocked?: { readonly by: string; readonly reason: string };
  /** Set if a hook wants the agent to stop. */
  readonly stop?: string;
  readonly context: readonly string[];
  /** Hooks that were not run, because nothing may be changed here. */
  readonly leftOut: readonly string[];
};

const NOTHING: Fired = { context: [], leftOut: [] };
const CAN_BLOCK: readonly MomentName[] = ["pre_llm_call"];

const isMoment = (event: unknown): event is MomentName => MOMENTS.includes(event as MomentName);

export const wants = ({ parts: { hooks } }: Station, event: MomentName): boolean =>
  hooks.some(({ on }) => on?.[event] !== undefined);

/** Tells every hook of a moment, in order, until one blocks it. */
export async function fire(
  station: Station,
  event: MomentName,
  details: Moment["details"] = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Fired> {
  if (!isMoment(event))
    throw new TypeError(`There is no event ${String(event)}. The events are ${MOMENTS.join(", ")}.`);
  let fired = NOTHING;
  for (const hook of station.parts.hooks) {
    const handler = hook.on?.[event];
    if (!handler) continue;
    if (hook.inDryRun !== true && isRehearsed(station.facts.ceiling)) {
      fired = { ...fired, leftOut: [...fired.leftOut, hook.name] };
      continue;
    }
    fired = taken(fired, hook, event, await answerOf(handler, momentOf(station, event, details), signal));
    if (fired.blocked) break;
  }
  return fired;
}

const momentOf = (station: Station, event: MomentName, details: Moment["details"]): Moment => ({
  event,
  sessionID: station.callers?.sessionID ?? station.sessions[0] ?? "",
  agent: station.callers?.agent ?? station.agent,
  details,
  changesNothing: changesNothing(station.facts.ceiling),
});

type Handler = NonNullable<NonNullable<Hook["on"]>[MomentName]>;

async function answerOf(handler: Handler, moment: Moment, signal: AbortSignal): Promise<HookAnswer> {
  try {
    return understood(await handler(moment, signal)) ?? {};
  } catch (error) {
    return { decision: "ask", failed: messageOf(error) };
  }
}

/** Adds a hook's answer. Nobody can be asked before a model is called, so an ask blocks it like a deny. */
function taken(fired: Fired, hook: Hook, event: MomentName, answer: HookAnswer): Fired {
  const { decision, reason, context, failed, stop } = answer;
  const refuses = CAN_BLOCK.includes(event) && (decision === "deny" || decision === "ask");
  const text = [refuses ? undefined : reason, context].filter(Boolean).join("\n");
  const said = told(hook, { ...(text && { text }), ...(failed && { failed }) });
  return {
    ...fired,
    context: [...fired.context, ...said],
    ...(stop !== undefined && { stop }),
    ...(refuses && { blocked: { by: `hook ${hook.name}`, reason: reason ?? failed ?? "it gave no reason" } }),
  };
}

/** The first call of a gate, or whoever runs the model, starts its session; closing the gate ends it. */
export class Sitting {
  readonly #station: Station;
  #started: Promise<Fired> | undefined;
  #isStarted = false;
  #isUsed = false;

  constructor(station: Station) {
    this.#station = station;
  }

  /** What hooks say, for the first caller only. Undefined if there is nothing to wait for. */
  begin(): Promise<Fired> | undefined {
    this.#isUsed = true;
    if (this.#isStarted || !wants(this.#station, "session_start")) return undefined;
    return this.#started ? this.#started.then(() => NOTHING) : this.start();
  }

  start(details?: Moment["details"], signal?: AbortSignal): Promise<Fired> {
    this.#isUsed = true;
    const started = fire(this.#station, "session_start", details, signal).finally(() => {
      this.#isStarted = true;
    });
    this.#started ??= started;
    return started;
  }

  async end(): Promise<void> {
    if (this.#isUsed) await fire(this.#station, "session_end", { status: "closed" });
  }
}

const ERRORS: readonly Result["status"][] = ["failed", "timed-out"];

/** What hooks tell the model about a call that failed or timed out. */
export async function aboutError(
  station: Station,
  tool: string,
  callID: string,
  result: Result,
): Promise<readonly string[]> {
  const { status, error } = result;
  if (!ERRORS.includes(status) || !wants(station, "on_error")) return [];
  const details = {
    toolName: tool,
    toolUseID: callID,
    status,
    errorCode: error?.code ?? "",
    error: error?.message ?? "",
  };
  return (await fire(station, "on_error", details)).context;
}
