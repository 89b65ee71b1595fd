import type { Hook, HookAnswer, HookedCall } from "../contracts/hook.ts";
import { Ending, type Result } from "../words/result.ts";
import type { Judgement } from "../words/verdict.ts";
import type { Prepared } from "./stages.ts";
import { mark, type Trip } from "./trip.ts";

export type Heard = {
  /** Set where a hook wants other arguments. */
  readonly args?: { readonly value: unknown };
  /** Set where a hook wants a person to decide. */
  readonly ask?: Judgement;
  /** What the model is told besides. */
  readonly notes: readonly string[];
};

const NOTHING: Heard = { notes: [] };

/** Every hook hears of the call once, each with the arguments that the one before left; a no ends the call. */
export async function hear(trip: Trip, prepared: Prepared): Promise<Heard> {
  const { hooks } = trip.station.parts;
  let heard = NOTHING;
  for (const hook of hooks) {
    if (!hook.before) continue;
    const call = hookedCall(trip, prepared, heard.args ? heard.args.value : prepared.ready.call.args);
    trip.life.check();
    const answer = await answerOf(hook, call, trip);
    if (!answer) continue;
    mark(trip, `hook ${hook.name}`, answer.decision);
    if (answer.decision === "deny") throw refusal(hook, answer.reason);
    heard = taken(heard, hook, answer);
  }
  return heard;
}

function taken(heard: Heard, { name }: Hook, { decision, reason, args, context }: HookAnswer): Heard {
  const ask: Judgement | undefined =
    decision === "ask"
      ? { answer: "ask", by: `hook ${name}`, reason: reason ?? "the hook wants a person to decide" }
      : heard.ask;
  return {
    ...(args !== undefined ? { args: { value: args } } : heard.args && { args: heard.args }),
    ...(ask && { ask }),
    notes: context ? [...heard.notes, `[${name}] ${context}`] : heard.notes,
  };
}

/** A hook that fails has not said yes: a person decides. */
async function answerOf(hook: Hook, call: HookedCall, { life }: Trip): Promise<HookAnswer | undefined> {
  try {
    if (hook.applies && !hook.applies(call)) return undefined;
    const work = Promise.resolve(hook.before?.(call, life.signal));
    const { value, stopped } = await life.race(work, 0);
    if (stopped) throw stopped;
    return understood(value);
  } catch (error) {
    if (error instanceof Ending) throw error;
    return { decision: "ask", reason: `the hook failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const DECISIONS: readonly unknown[] = [undefined, "allow", "ask", "deny"];

function understood(answer: HookAnswer | undefined): HookAnswer | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer === "object" && DECISIONS.includes(answer.decision)) return answer;
  return { decision: "ask", reason: "the hook gave an answer that cannot be understood" };
}

const hookedCall = ({ station }: Trip, { ready }: Prepared, args: unknown): HookedCall => ({
  id: ready.call.id,
  tool: ready.tool.name,
  calledAs: ready.call.name,
  args,
  touches: ready.touches,
  get diff() {
    return station.parts.diff(ready.changes);
  },
  sessionID: ready.call.sessionID,
  messageID: ready.call.messageID,
  agent: ready.call.agent,
});

/** What hooks say after a run is added to its result; one that fails is named, and changes nothing else. */
export async function hearAfter(trip: Trip, prepared: Prepared, result: Result): Promise<Result> {
  const { hooks } = trip.station.parts;
  const said: string[] = [];
  const call = hookedCall(trip, prepared, prepared.ready.call.args);
  for (const hook of hooks) {
    if (!hook.after) continue;
    try {
      if (hook.applies && !hook.applies(call)) continue;
      const { value } = await trip.life.race(Promise.resolve(hook.after(call, result, trip.life.signal)), 0);
      if (value) said.push(`[${hook.name}] ${value}`);
    } catch (error) {
      said.push(`[The hook ${hook.name} failed: ${error instanceof Error ? error.message : String(error)}]`);
    }
  }
  return said.length === 0 ? result : { ...result, output: [result.output, ...said].filter(Boolean).join("\n\n") };
}

const refusal = ({ name }: Hook, reason = "it gave no reason") =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    `Refused by the hook ${name}: ${reason}`,
    "Do not try to get around it. Try another approach, or ask the person whose hook it is.",
    { metadata: { by: `hook ${name}` } },
  );
