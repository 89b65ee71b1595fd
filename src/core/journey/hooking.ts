import type { Hook, HookAnswer, HookedCall, HookSaid } from "../contracts/hook.ts";
import type { CallRecord } from "../contracts/store/records.ts";
import type { Call } from "../words/call.ts";
import type { Ceiling } from "../words/ceiling.ts";
import { labelOf } from "../words/label.ts";
import type { Ready } from "../words/ready.ts";
import { Ending, type Result } from "../words/result.ts";
import { isSame } from "../words/same.ts";
import type { Judgement } from "../words/verdict.ts";
import { noteOwnChange } from "./known-files.ts";
import { bytesAt } from "./preview.ts";
import type { Soon } from "./soon.ts";
import type { Prepared } from "./stages.ts";
import { mark, rowOf, type Trip } from "./trip.ts";

type Heard = {
  readonly prepared: Prepared;
  /** Set if a hook wants a person to decide. */
  readonly ask?: Judgement;
  /** Notes from hooks for the model. */
  readonly notes: readonly string[];
};

/** In a plan or a dry run neither a call nor its hooks may change anything. */
export const isRehearsed = ({ plan, dryRun }: Ceiling): boolean => plan === true || dryRun === true;
export const changesNothing = (ceiling: Ceiling): boolean => isRehearsed(ceiling) || ceiling.autonomy === "readonly";

/**
 * Tells every hook of the call once, in order. Arguments that a hook changed are read and judged again by `inspect`
 * before the next hook hears of the call. A deny ends it.
 */
export async function hear(
  trip: Trip,
  inspected: Prepared,
  inspect: (call: Call) => Soon<Prepared>,
): Promise<Prepared> {
  let heard: Heard = { prepared: inspected, notes: [] };
  const notRun: string[] = [];
  for (const hook of trip.station.parts.hooks) {
    if (!hook.before && !hook.after) continue;
    if (!mayRun(hook, trip)) {
      if (wouldApply(hook, hookedCall(trip, heard.prepared))) notRun.push(hook.name);
      continue;
    }
    if (hook.before) heard = await heardOf(trip, heard, hook, inspect);
  }
  return concluded(trip, notRun.length > 0 ? { ...heard, notes: [...heard.notes, leftOut(notRun)] } : heard);
}

const mayRun = ({ inDryRun }: Hook, { station }: Trip): boolean =>
  inDryRun === true || !isRehearsed(station.facts.ceiling);

const leftOut = (names: readonly string[]): string =>
  `[Not run, because nothing may be changed here: ${names.length === 1 ? "the hook" : "the hooks"} ${names.join(", ")}.]`;

async function heardOf(trip: Trip, heard: Heard, hook: Hook, inspect: (call: Call) => Soon<Prepared>): Promise<Heard> {
  const { ready } = heard.prepared;
  trip.life.check();
  const answer = await answerOf(hook, hookedCall(trip, heard.prepared), trip);
  if (!answer) return heard;
  const { decision, reason, args, input, context, failed, stop } = answer;
  mark(trip, `hook ${hook.name}`, failed ? `failed: ${failed}` : decision);
  if (decision === "deny") throw refusal(hook, reason, stop);
  const call = changedCall(ready, args, input);
  return {
    prepared: call ? await inspect(call) : heard.prepared,
    ...(decision === "ask" ? { ask: question(hook, reason) } : heard.ask && { ask: heard.ask }),
    notes: [...heard.notes, ...told(hook, { ...(context && { text: context }), ...(failed && { failed }) })],
  };
}

/** Returns undefined if the new arguments equal the old ones. */
function changedCall({ call, tool, input: now }: Ready, args: unknown, input: unknown): Call | undefined {
  if (input !== undefined) return isSame(input, now) ? undefined : { ...call, name: tool.name, args: input };
  return args === undefined || isSame(args, call.args) ? undefined : { ...call, args };
}

const question = ({ name }: Hook, reason = "the hook wants a person to decide"): Judgement => ({
  ...{ answer: "ask", by: `hook ${name}`, reason },
});

function concluded(trip: Trip, { prepared, ask, notes }: Heard): Prepared {
  const ready = notes.length > 0 ? { ...prepared.ready, notes: [...prepared.ready.notes, ...notes] } : prepared.ready;
  trip.known.ready = ready;
  if (!ask) return { ...prepared, ready };
  // no standing yes answers a hook's question
  const { grantable: _, ...rest } = prepared.verdict;
  const verdict = { ...rest, ...ask };
  trip.known.verdict = verdict;
  return { ...prepared, ready, verdict };
}

/** A hook that fails has not said yes, so a person decides. */
async function answerOf(hook: Hook, call: HookedCall, { life }: Trip): Promise<HookAnswer | undefined> {
  try {
    if (hook.applies && !hook.applies(call)) return undefined;
    const work = Promise.resolve(hook.before?.(call, life.signal));
    const { value, stopped } = await life.race(work, 0);
    if (stopped) throw stopped;
    return understood(value);
  } catch (error) {
    if (error instanceof Ending) throw error;
    return { decision: "ask", reason: `the hook failed: ${messageOf(error)}` };
  }
}

export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "it threw something that cannot be read";
  }
}

const DECISIONS: readonly unknown[] = [undefined, "allow", "ask", "deny"];

export function understood(answer: HookAnswer | undefined): HookAnswer | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer === "object" && DECISIONS.includes(answer.decision)) return answer;
  return { decision: "ask", reason: "the hook gave an answer that cannot be understood" };
}

/** A hook that cannot say whether a call concerns it counts as concerned. */
function wouldApply(hook: Hook, call: HookedCall): boolean {
  try {
    return hook.applies?.(call) !== false;
  } catch {
    return true;
  }
}

/** Hooks that would hear of the call before it runs. */
export const hooksFor = (trip: Trip, ready: Ready | undefined): Hook[] =>
  trip.station.parts.hooks.filter((hook) => hook.before && (!ready || wouldApply(hook, hookedCall(trip, { ready }))));

const hookedCall = ({ station }: Trip, { ready }: Pick<Prepared, "ready">): HookedCall => ({
  id: ready.call.id,
  tool: ready.tool.name,
  calledAs: ready.call.name,
  args: ready.call.args,
  input: ready.input,
  touches: ready.touches,
  ...(ready.tool.definition.countsAs?.tools && { countsAs: ready.tool.definition.countsAs.tools }),
  get diff() {
    return station.parts.diff(ready.changes);
  },
  sessionID: ready.call.sessionID,
  messageID: ready.call.messageID,
  agent: ready.call.agent,
  changesNothing: changesNothing(station.facts.ceiling),
});

/** Adds what hooks say after a run to its result. A hook that fails is named there and changes nothing else. */
export async function hearAfter(trip: Trip, prepared: Prepared, result: Result): Promise<Result> {
  const { said, stop, ran } = await heardAfter(trip, hookedCall(trip, prepared), result);
  if (ran) said.push(...(await journalChanged(trip, prepared.ready)));
  return withSaid({ ...result, metadata: { ...result.metadata, ...stop } }, said);
}

/** The same for a call that another agent performed, by its record. */
export async function hearAfterOthers(trip: Trip, record: CallRecord, result: Result): Promise<readonly string[]> {
  const { input, touches, tool } = record;
  const { call } = trip.known;
  const countsAs = trip.station.parts.registry.get(tool)?.definition?.countsAs?.tools;
  const hooked: HookedCall = {
    ...{ id: call.id, tool, calledAs: tool, args: input, input, touches, diff: "" },
    ...(countsAs && { countsAs }),
    ...{ sessionID: call.sessionID, messageID: call.messageID, agent: call.agent },
    changesNothing: changesNothing(trip.station.facts.ceiling),
  };
  return (await heardAfter(trip, hooked, result)).said;
}

async function heardAfter(trip: Trip, call: HookedCall, result: Result) {
  const said: string[] = [];
  let stop: Result["metadata"] = {};
  let ran = false;
  for (const hook of trip.station.parts.hooks) {
    if (!hook.after || !mayRun(hook, trip)) continue;
    try {
      if (hook.applies && !hook.applies(call)) continue;
      ran = true;
      const { value } = await trip.life.race(Promise.resolve(hook.after(call, result, trip.life.signal)), 0);
      const all = typeof value === "string" ? { text: value } : (value ?? {});
      said.push(...told(hook, all));
      if (all.failed) mark(trip, `hook ${hook.name}`, `failed: ${all.failed}`);
      if (all.stop !== undefined) stop = stopping(all.stop);
    } catch (error) {
      said.push(`[The hook ${hook.name} failed: ${messageOf(error)}]`);
    }
  }
  return { said, stop, ran };
}

/** Journals what hooks did to files that the call has just written, so that undo takes that back, too. */
async function journalChanged(trip: Trip, { changes }: Ready): Promise<string[]> {
  const { parts, workspace } = trip.station;
  const changed: string[] = [];
  for (const { place, after, modeBefore, mode = modeBefore } of changes) {
    if (!after) continue;
    const now = await bytesAt(workspace, place).catch(() => after);
    if (parts.equal(now, after)) continue;
    changed.push(place.shown);
    const before = { place, before: after, ...(mode !== undefined && { modeBefore: mode }) };
    const modeAfter = (await workspace.files.stat(place))?.mode;
    const outcome = { after: now && parts.hash(now), ...(modeAfter !== undefined && { modeAfter }) };
    try {
      await parts.store.conclude(await parts.store.intend([rowOf(trip, before, outcome)]), "done");
      const stamp = trip.station.facts.seen(place.real);
      await noteOwnChange(trip, { place, before: after, after: now, ...(stamp && { stamp }) });
    } catch {
      // it has happened: undo will find content that it does not know, and say so
    }
  }
  return changed.length > 0 ? [`[Changed by hooks: ${changed.join(", ")}.]`] : [];
}

export const withSaid = (result: Result, said: readonly string[]): Result =>
  said.length === 0 ? result : { ...result, output: [result.output, ...said].filter(Boolean).join("\n\n") };

/** Names the hook, so that a model does not take the text for the tool's own output. */
export function told({ name }: Hook, { text, failed }: HookSaid): string[] {
  if (failed) return [[`[Hook ${labelOf(name)}: FAILED (${failed})]`, text].filter(Boolean).join("\n")];
  return text ? [`[${name}] ${text}`] : [];
}

/** Metadata for the program that runs the model. */
const stopping = (reason: string) => ({ stop: true, ...(reason && { stopReason: reason }) });

const refusal = (hook: Hook, reason = "it gave no reason", stop?: string) =>
  new Ending(
    "refused",
    "PERMISSION_DENIED",
    `Refused by the hook ${labelOf(hook.name)}: ${reason}`,
    "Do not try to get around it. Try another approach, or ask the person whose hook it is.",
    { metadata: { by: `hook ${hook.name}`, ...(stop !== undefined && stopping(stop)) } },
  );
