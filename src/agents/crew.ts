import { AsyncLocalStorage } from "node:async_hooks";
import {
  type AgentDefinition,
  type AgentReport,
  type Agents,
  type AgentTask,
  isHeld,
  narrowingOf,
  underBuiltIn,
} from "../core/contracts/agents.ts";
import type { Offer } from "../core/contracts/servers.ts";
import type { ChildOptions, GateView } from "../core/words/gate-view.ts";
import { BUDGET, spentBy } from "../core/words/model-spending.ts";
import { ToolFailure } from "../core/words/result.ts";
import { nearest } from "../text/nearest.ts";
import { builtInAgents } from "./lib/built-in.ts";
import { type Beginning, type Conversations, conversations, type Kept, type Pen } from "./lib/conversations.ts";
import type { LoopLimits } from "./lib/loop.ts";
import { type LoopEvent, type Outcome, runLoop, type Work, type WorkGate } from "./lib/loop.ts";
import { Meter } from "./lib/meter.ts";
import type { Message, Model } from "./lib/model.ts";
import { reportParts } from "./lib/report.ts";
import { systemPrompt } from "./lib/system-prompt.ts";

export type { AgentSession, Conversations, Kept, Line, Told } from "./lib/conversations.ts";
export { conversations } from "./lib/conversations.ts";
export { EXPORTS, type Export, exported } from "./lib/exporting.ts";
export type { LoopEvent, LoopLimits, Outcome, WorkGate } from "./lib/loop.ts";
export type { Message, Model, ModelCall, ModelRequest, ModelTurn, ToolAnswer, Usage } from "./lib/model.ts";
export { priced } from "./lib/prices.ts";
export { scriptLine, scriptModel, taskIn } from "./lib/script-model.ts";
export { type SdkLanguageModel, sdkModel } from "./lib/sdk-model.ts";

const DEEPEST = 3;
const AT_ONCE = 4;

export type CrewOptions = {
  model: Model;
  /** Agents that people defined. One with a built-in name stays under the built-in's ceiling. */
  definitions?: readonly AgentDefinition[];
  /** Agents whose file cannot be understood. They do not exist, and no built-in agent stands in for them. */
  broken?: readonly string[];
  /** AGENTS.md of the workspace. */
  instructions?: string;
  limits?: Partial<LoopLimits>;
  /** Whether there is such a tool; an agent file may name tools of other clients. */
  isTool(name: string): boolean;
  /** The name that a tool has here. */
  canonical?(name: string): string;
  /** Where conversations are kept. Without it, they are not. */
  kept?: Kept;
  /** What agents that have a tool are told about it in advance, by any name of the tool. */
  briefing?(tools: readonly string[] | undefined): readonly string[];
  /** Replaces tool names by those that the model is shown. */
  spoken?(text: string): string;
};

export type LeadWork = {
  gate: WorkGate;
  agent: string;
  task: string;
  history?: readonly Message[];
  /** Continues the earlier conversation of the gate's session. */
  resume?: boolean;
  limits?: Partial<LoopLimits>;
  signal: AbortSignal;
  heard?: (event: LoopEvent) => void;
};

export type Crew = Agents & {
  readonly definitions: readonly AgentDefinition[];
  /** The system prompt of an agent, including the tools of other servers that its gate knows. */
  prompt(agent: string, gate?: WorkGate): Promise<string>;
  /** Runs the agent that a person talks to. */
  lead(work: LeadWork): Promise<Outcome>;
  /** The conversations, by session. Absent if they are not kept. */
  readonly sessions?: Conversations;
  /** Agents that are still working are recorded as unfinished. */
  close(): Promise<void>;
};

/** A model in the loop, and the agents that it can delegate work to. */
export function crew(options: CrewOptions): Crew {
  const { model, instructions, limits, isTool, kept, briefing, spoken } = options;
  const place = new AsyncLocalStorage<Place>();
  const seats = new Map<number, Seats>();
  const all = merged(options);
  const sessions = kept && conversations(kept);
  const pens = new Set<Pen>();

  /** Runs the loop and keeps its conversation. With `resumes`, the earlier messages come first. */
  const work = async (about: Omit<Beginning, "model">, resumes: boolean, given: Work): Promise<Outcome> => {
    const pen = await sessions?.begin({ ...about, model: model.name });
    const here = place.getStore() ?? { level: 0, changed: new Set() };
    const run = async (more: Partial<Work>): Promise<Outcome> => {
      const before = resumes && kept ? await spentBy(about.id, kept.reserved, BUDGET) : {};
      const meter = new Meter(given.limits, here.meter, before);
      return place.run({ ...here, meter }, () => runLoop({ ...given, ...more, meter }));
    };
    if (!pen) return run({});
    pens.add(pen);
    let outcome: Outcome | undefined;
    try {
      const history = resumes ? { history: pen.history } : {};
      outcome = await run({ ...history, keep: pen.keep, session: about.id });
      return outcome;
    } finally {
      if (pens.delete(pen)) await pen.end(outcome ?? { finished: false }).catch(() => undefined);
    }
  };

  const find = (name: string): AgentDefinition => {
    const found = all.find((each) => each.name === name);
    if (found) return found;
    if (options.broken?.includes(name))
      throw new ToolFailure(
        "NOT_FOUND",
        `The file of the agent ${name.slice(0, 80)} cannot be understood, so the agent may do nothing.`,
        "The notes of the gate say what is wrong with the file.",
      );
    const near = nearest(
      name,
      all.map((each) => each.name),
    );
    const names =
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : `The agents are ${all.map((each) => each.name).join(", ")}.`;
    throw new ToolFailure("NOT_FOUND", `There is no agent named ${name.slice(0, 80)}.`, names);
  };
  const prompt = (agent: AgentDefinition, isSubagent: boolean, offer?: Offer): string =>
    systemPrompt({
      agent,
      isSubagent,
      ...(spoken && { spoken }),
      more: [
        ...(briefing?.(agent.tools?.includes("*") ? undefined : agent.tools) ?? []),
        ...(offer?.text ? [offer.text] : []),
      ],
      ...(instructions && { instructions }),
      ...(!isSubagent && { others: all.filter(({ name }) => name !== agent.name && name !== "build") }),
    });
  const seatsAt = (level: number): Seats => {
    const found = seats.get(level) ?? new Seats(AT_ONCE);
    seats.set(level, found);
    return found;
  };

  return {
    definitions: all,
    async prompt(agent, gate) {
      const definition = find(agent);
      return prompt(definition, false, await offerTo(definition, gate));
    },

    ...(sessions && { sessions }),

    async lead({ agent, gate, resume = false, ...given }) {
      const definition = find(agent);
      const offer = await offerTo(definition, gate);
      const session = { sessionID: gate.sessionID };
      const below =
        agent === "build" && !isLimited(definition)
          ? gate
          : (gate.child({ ...ceilingOf(definition, isTool, offer), ...session }) as WorkGate);
      return work({ id: gate.sessionID, agent, task: given.task }, resume, {
        ...{ model, gate: below, system: prompt(definition, false, offer), finalizes: mayFinish(definition) },
        ...given,
        limits: { ...limits, ...given.limits },
      });
    },

    async close() {
      for (const pen of pens) await pen.end({ finished: false, stopped: "the gate was closed" }).catch(() => undefined);
      pens.clear();
    },

    async run(task, gate, signal) {
      const above = place.getStore();
      const level = (above?.level ?? 0) + 1;
      const definition = find(task.agent);
      if (task.resume !== undefined) await mayResume(task, sessions);
      if (level > DEEPEST)
        throw new ToolFailure(
          "PERMISSION_DENIED",
          `Agents may hand work on ${DEEPEST} times, and this would be one more.`,
          "Do the work in this agent.",
        );
      return seatsAt(level).taken(signal, () =>
        place.run({ ...above, level, changed: new Set() }, async () => {
          const offer = await offerTo(definition, gate);
          const goesOn = task.resume === undefined ? {} : { sessionID: task.resume };
          const below = gate.child({ ...ceilingOf(definition, isTool, offer), ...goesOn }) as WorkGate;
          const about = { agent: task.agent, task: task.task, ...(task.from && { parent: task.from }) };
          const started = Date.now();
          const outcome = await work({ id: below.sessionID, ...about }, task.resume !== undefined, {
            ...{ model, gate: below, system: prompt(definition, true, offer), finalizes: mayFinish(definition) },
            ...{ task: taskText(task), signal, limits: limits ?? {} },
            ...(task.heard && { heard: callsTo(task.heard) }),
          });
          const rows = (await kept?.changes({ session: below.sessionID, states: ["done"] }).catch(() => [])) ?? [];
          const own = rows.filter(({ at }) => at >= started).map(({ shown }) => shown);
          const changed = new Set([...own, ...(place.getStore()?.changed ?? [])]);
          for (const file of changed) above?.changed.add(file);
          return reportOf(outcome, below, [...changed].sort());
        }),
      );
    },
  };
}

const isLimited = ({ tools, gates, autonomy, commands }: AgentDefinition): boolean =>
  [tools, gates, autonomy, commands].some((each) => each !== undefined);

const mayFinish = ({ gates }: AgentDefinition): boolean => gates === undefined || gates.includes("Finalize");

const taskText = ({ task, context }: AgentTask): string => (context ? `${task}\n\nContext:\n${context}` : task);

/** The depth of delegation, what was changed there, and the meter. */
type Place = { level: number; changed: Set<string>; meter?: Meter };

/** An agent may resume only its own conversations, and only for the session that it worked for. */
async function mayResume({ resume = "", agent, from }: AgentTask, sessions: Conversations | undefined): Promise<void> {
  const known = await sessions?.get(resume);
  if (!known || known.parent !== from)
    throw new ToolFailure(
      "NOT_FOUND",
      `No agent of this session has the id ${resume.slice(0, 80)}.`,
      "The result of spawn_agent names the id to resume. Leave resume out to start a new session.",
    );
  if (known.agent !== agent)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${resume} is a session of ${known.agent}, not of ${agent}.`,
      `Call again with agent ${known.agent}.`,
    );
}

const callsTo =
  (heard: (title: string) => void) =>
  (event: LoopEvent): void => {
    if (event.type !== "results") return;
    for (const [index, { title, status, error }] of event.results.entries())
      heard(`${event.calls[index]?.name ?? ""} ${error ? `${status}: ${error.message}` : title}`);
  };

function reportOf(
  { output, finished, stopped, turns }: Outcome,
  gate: GateView,
  changed: readonly string[],
): AgentReport {
  const parts = reportParts(output);
  return {
    ...{ output, finished, turns, session: gate.sessionID, changed },
    ...(parts && { parts }),
    ...(stopped !== undefined && { stopped }),
  };
}

function merged({ definitions = [], broken = [], canonical = (name) => name }: CrewOptions): AgentDefinition[] {
  const own = new Map(definitions.map((each) => [each.name, each]));
  const known = builtInAgents.map((built) => underBuiltIn(built, own.get(built.name), canonical));
  const others = definitions.filter(({ name }) => !builtInAgents.some((each) => each.name === name));
  return [...known, ...others].filter(({ name }) => !broken.includes(name));
}

const FINDS_TOOLS = "tool_search";

const offerTo = async (agent: AgentDefinition, gate: WorkGate | undefined): Promise<Offer | undefined> =>
  isHeld(agent) ? undefined : gate?.servers?.offer();

/** Tools of other servers are added to an agent's own list. */
const ceilingOf = (definition: AgentDefinition, isTool: (name: string) => boolean, offer?: Offer): ChildOptions => ({
  agent: definition.name,
  ...narrowingOf(definition, isTool, offer && offer.names.length > 0 ? [FINDS_TOOLS, ...offer.names] : []),
});

/** Limits how many run at once; the others wait. */
class Seats {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  constructor(count: number) {
    this.#free = count;
  }
  async taken<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
