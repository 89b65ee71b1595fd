import type { Checked, Finished } from "../../core/contracts/quality-gate.ts";
import type { Gate } from "../../core/gate.ts";
import type { GateView } from "../../core/words/gate-view.ts";
import type { Result, Stop } from "../../core/words/result.ts";
import { countTokens } from "../../text/tokens.ts";
import { Meter, type MeterLimits } from "./meter.ts";
import {
  type Message,
  type Model,
  type ModelCall,
  type ModelRequest,
  type ModelTurn,
  spendingOf,
  turnOf,
  type Usage,
} from "./model.ts";
import { spokenCalls } from "./spoken-calls.ts";
import { answerOf, answersTo, stopAmong, stopFrom } from "./tool-answers.ts";
import { masked, summarised, tailStart, tokensOf } from "./window.ts";

/** A gate, with what only a real one offers: hooks, budgets, quality gates. */
export type WorkGate = GateView & Partial<Pick<Gate, "begin" | "fire" | "spend" | "finish" | "registry" | "servers">>;

/** `window` is how many tokens of conversation the model is sent. */
export type LoopLimits = MeterLimits & { steps: number; window: number };
const USUAL_LIMITS: LoopLimits = { steps: 50, window: 100_000 };

export type LoopEvent =
  | { type: "text"; text: string }
  | { type: "turn"; turn: ModelTurn }
  | { type: "results"; calls: readonly ModelCall[]; results: readonly Result[] }
  | { type: "checks"; checks: readonly Checked[] }
  | { type: "note"; text: string };

export type Work = {
  gate: WorkGate;
  model: Model;
  system: string;
  task: string;
  /** The earlier messages to continue with. */
  history?: readonly Message[];
  /** Stores a message before anything is done about it. */
  keep?: (message: Message, about: { usage?: Usage; isTask?: true }) => Promise<void>;
  /** Whose conversation it is; by default the gate's session. */
  session?: string;
  limits?: Partial<LoopLimits>;
  /** Counts the usage; by default a meter of its own. */
  meter?: Meter;
  signal: AbortSignal;
  heard?: (event: LoopEvent) => void;
  /** Whether it may declare itself finished; otherwise its answer counts as unfinished. */
  finalizes?: boolean;
};

/** `stopped` says why it ended early; `stoppedBy` who wanted that: `person`, or the name of a hook or policy. */
export type Outcome = {
  output: string;
  finished: boolean;
  stopped?: string;
  stoppedBy?: string;
  messages: readonly Message[];
  turns: number;
  usage: Usage;
};

const MOST_RETURNS = 3;

const timeUp = (seconds = 0): string => `The time of ${seconds} seconds is used up.`;

/** Alternates between model and gate until the model makes no more calls or a limit is reached. Never rejects. */
export async function runLoop(work: Work): Promise<Outcome> {
  const { gate, model, system, task, heard, finalizes = true } = work;
  const limits = { ...USUAL_LIMITS, ...work.limits };
  const meter = work.meter ?? new Meter(limits);
  // neither the model nor a command may exceed the time limit
  const signal = meter.deadline ? AbortSignal.any([work.signal, meter.deadline]) : work.signal;
  const session = work.session ?? gate.sessionID;
  let messages: Message[] = [...(work.history ?? [])];
  const ids = new Map(
    messages.flatMap((each) => (each.role === "assistant" ? each.calls.map(({ id }) => [id, 1] as const) : [])),
  );
  const before = messages.filter(({ role }) => role === "assistant").length;
  let [turns, returns, said] = [0, 0, ""];

  const say = async (message: Message, about: { usage?: Usage; isTask?: true } = {}): Promise<void> => {
    messages.push(message);
    await work.keep?.(message, about)?.catch((error: unknown) => {
      throw new Unkept(`the conversation could not be kept: ${messageOf(error)}`);
    });
  };
  const tell = (text: string): Promise<void> => say({ role: "user", text });

  const ended = (finished: boolean, stopped?: string): Outcome => ({
    output: said,
    finished: finished && stopped === undefined,
    ...(stopped !== undefined && { stopped }),
    ...{ messages, turns, usage: { ...meter.usage } },
  });
  const stoppedBy = ({ reason, by }: Stop): Outcome => ({ ...ended(false, reason), stoppedBy: by });
  const ask = async (tools: ModelRequest["tools"], within: AbortSignal): Promise<ModelTurn> => {
    const turn = await turnOf(model, {
      ...{ system, messages, tools, session, signal: within },
      onText: (text) => heard?.({ type: "text", text }),
    });
    turns++;
    meter.add(turn.usage);
    heard?.({ type: "turn", turn });
    if (turn.text) said = turn.text;
    return turn;
  };
  /** Asks the model for a last word: what is done and what is left. */
  const lastWord = async (why: string): Promise<Outcome> => {
    try {
      await tell(`${why} No tool can be called any more. Say what is done and what is left.`);
      const { text, usage: took } = await ask(
        [],
        AbortSignal.any([work.signal, AbortSignal.timeout(meter.lastWordMs)]),
      );
      await say({ role: "assistant", text, calls: [] }, { ...(took && { usage: took }) });
      if (took) await gate.spend?.(spendingOf(took));
    } catch {
      // the earlier output is used instead
    }
    return ended(false, why);
  };

  try {
    await say({ role: "user", text: task }, { isTask: true });
    const begun = await gate.begin?.();
    if (begun?.stop !== undefined) return stoppedBy(stopFrom(begun.stop));
    if (begun?.context.length) await tell(begun.context.join("\n"));
    for (let step = 1; ; step++) {
      work.signal.throwIfAborted();
      if (step > limits.steps) return await lastWord(`All ${limits.steps} steps are used up.`);
      if (meter.isLate) return await lastWord(timeUp(meter.limits.seconds));
      // the agent that delegated the work has the last word
      if (meter.usedUpAbove) return ended(false, meter.usedUpAbove);
      const usedUp = meter.usedUp ?? (await budgetUsedUp(gate));
      if (usedUp) return turns === 0 ? ended(false, usedUp) : await lastWord(usedUp);
      messages = await withinWindow({ ...work, signal, meter }, messages, limits.window);
      const first = await gate.fire?.(
        "pre_llm_call",
        { model: model.name, step, messages: messages.length },
        { signal },
      );
      if (first?.blocked) return ended(false, `a hook stopped it: ${first.blocked.reason}`);
      if (first?.stop !== undefined) return stoppedBy(stopFrom(first.stop));
      if (first?.context.length) await tell(first.context.join("\n"));

      const turn = await ask(gate.schemas({ format: "mcp" }), signal);
      const after = await gate.fire?.(
        "post_llm_call",
        { model: model.name, step, text: turn.text, calls: turn.calls.length },
        { signal },
      );
      if (limits.cost !== undefined && turn.usage?.cost === undefined && turns === 1)
        heard?.({
          type: "note",
          text: `The price of ${model.name} is not known, so its cost cannot be limited: see budget.prices.`,
        });
      const spent = turn.usage && (await gate.spend?.(spendingOf(turn.usage)));
      const calls = named(wanted(turn, gate, step), ids);
      await say({ role: "assistant", text: turn.text, calls }, { ...(turn.usage && { usage: turn.usage }) });
      if (after?.stop !== undefined) return stoppedBy(stopFrom(after.stop));

      if (calls.length > 0) {
        const results = await answersTo(gate, calls, turnID(before + turns, session), signal);
        heard?.({ type: "results", calls, results });
        const answers = results.map((result, index) => answerOf(calls[index] as ModelCall, result));
        await say({ role: "tool", answers });
        const stop = stopAmong(results);
        if (stop) return stoppedBy(stop);
      } else if (turn.cutOff) await tell("Your answer was cut off. Go on where it ended.");
      else if (turn.text.trim() === "") {
        if (++returns > MOST_RETURNS) return ended(false, "the model answered with nothing");
        await tell("Your answer was empty. Call a tool, or say what you found and did.");
      } else {
        const { output: left, done, stop } = await leftToDo(gate, finalizes, signal, heard);
        if (stop) return stoppedBy(stop);
        if (done) return ended(finalizes, finalizes ? undefined : "this agent may not say that the work is finished");
        if (++returns > MOST_RETURNS) return ended(false, left);
        await tell(left);
      }
      const told = [...(after?.context ?? []), ...(spent?.context ?? [])];
      if (told.length > 0) await tell(told.join("\n"));
    }
  } catch (error) {
    if (work.signal.aborted) return ended(false, "it was stopped");
    if (meter.deadline?.aborted && !(error instanceof Unkept)) return await lastWord(timeUp(meter.limits.seconds));
    await gate.fire?.("on_error", { message: messageOf(error) }, {}).catch(() => undefined);
    return ended(false, error instanceof Unkept ? error.message : `the model could not be asked: ${messageOf(error)}`);
  }
}

class Unkept extends Error {}

/** Checked before each turn, because agents below count against a session's budget, too. */
async function budgetUsedUp(gate: WorkGate): Promise<string | undefined> {
  const usedUp = (await gate.spend?.({}))?.usedUp;
  return usedUp && `${usedUp}.`;
}

/** The id of one turn of a conversation, for undo and the record. */
export const turnID = (number: number, session: string): string => `turn${number}_${session}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500);

/** The calls of a turn. A model that cannot call tools may write them as JSON. */
function wanted({ calls, text }: ModelTurn, gate: WorkGate, step: number): readonly ModelCall[] {
  if (calls.length > 0) return calls;
  const names = new Set(gate.schemas({ format: "mcp" }).map(({ name }) => name));
  return spokenCalls(text, (name) => names.has(name) || gate.registry?.has(name) === true, step);
}

/** Gives every call a unique id, so that each answer finds its call. `used` holds the last number given to each id. */
const named = (calls: readonly ModelCall[], used: Map<string, number>): ModelCall[] =>
  calls.map((call) => {
    const asked = call.id || "call";
    let [id, count] = [asked, used.get(asked) ?? 1];
    while (used.has(id)) id = `${asked}_${++count}`;
    used.set(id, 1);
    used.set(asked, count);
    return { ...call, id };
  });

/** What has to be done before the work counts as finished. */
async function leftToDo(
  gate: WorkGate,
  finalizes: boolean,
  signal: AbortSignal,
  heard: Work["heard"],
): Promise<Omit<Finished, "checks">> {
  if (!finalizes || !gate.finish) return { done: true, output: "" };
  const { checks, ...left } = await gate.finish({ signal });
  if (checks.length > 0) heard?.({ type: "checks", checks });
  return left;
}

/** Masks old outputs first; if that is not enough, the model summarizes the earlier part. */
async function withinWindow(work: Work & { meter: Meter }, messages: Message[], room: number): Promise<Message[]> {
  if (tokensOf(messages, countTokens) <= room) return messages;
  const { gate, model, signal, heard } = work;
  await gate.fire?.("context_compress", { tokens: tokensOf(messages, countTokens), window: room }, { signal });
  const short = masked(messages, room, countTokens);
  heard?.({ type: "note", text: "Older outputs were left out of the conversation to make room." });
  if (tokensOf(short, countTokens) <= room) return short;
  const start = tailStart(short, room / 2, countTokens);
  if (start <= 1) return short;
  const request: Message = {
    role: "user",
    text: "Sum up what was done, found and decided so far, and what is left to do, in at most 300 words.",
  };
  const { text, usage: took } = await turnOf(model, {
    system: work.system,
    messages: [...short.slice(0, start), request],
    tools: [],
    signal,
    session: work.session ?? gate.sessionID,
  });
  work.meter.add(took);
  if (took) await gate.spend?.(spendingOf(took));
  if (text.trim() === "") return short;
  heard?.({ type: "note", text: "The conversation so far was summed up to make room." });
  return summarised(short, text, start);
}
