import { AsyncLocalStorage } from "node:async_hooks";
import type { AgentDefinition, AgentReport, Agents, AgentTask } from "../core/contracts/agents.ts";
import type { ChildOptions, GateView } from "../core/words/gate.ts";
import { ToolFailure } from "../core/words/result.ts";
import { nearest } from "../text/nearest.ts";
import { builtInAgents } from "./lib/built-in.ts";
import type { LoopLimits } from "./lib/loop.ts";
import { type LoopEvent, type Outcome, runLoop, type WorkGate } from "./lib/loop.ts";
import type { Message, Model } from "./lib/model.ts";
import { systemPrompt } from "./lib/system-prompt.ts";

export type { LoopEvent, LoopLimits, Outcome, WorkGate } from "./lib/loop.ts";
export type { Message, Model, ModelCall, ModelRequest, ModelTurn, ToolAnswer, Usage } from "./lib/model.ts";
export { scriptLine } from "./lib/script-model.ts";
export { type SdkLanguageModel, sdkModel } from "./lib/sdk-model.ts";

const DEEPEST = 3;
const AT_ONCE = 4;

export type CrewOptions = {
  model: Model;
  /** Those that people wrote down; one with a built-in name stays under the built-in's ceiling. */
  definitions?: readonly AgentDefinition[];
  /** AGENTS.md of the workspace. */
  instructions?: string;
  limits?: Partial<LoopLimits>;
  /** Whether there is such a tool; an agent file may name tools of other clients. */
  isTool(name: string): boolean;
};

export type LeadWork = {
  gate: WorkGate;
  agent: string;
  task: string;
  history?: readonly Message[];
  limits?: Partial<LoopLimits>;
  signal: AbortSignal;
  heard?: (event: LoopEvent) => void;
};

export type Crew = Agents & {
  readonly definitions: readonly AgentDefinition[];
  prompt(agent: string): string;
  /** Runs the agent that a person talks to. */
  lead(work: LeadWork): Promise<Outcome>;
};

/** A model in the loop, and the agents that it can hand work to. */
export function crew({ model, definitions = [], instructions, limits, isTool }: CrewOptions): Crew {
  const depth = new AsyncLocalStorage<number>();
  const seats = new Map<number, Seats>();
  const all = merged(definitions);

  const find = (name: string): AgentDefinition => {
    const found = all.find((each) => each.name === name);
    if (found) return found;
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
  const prompt = (agent: AgentDefinition, isSubagent: boolean): string =>
    systemPrompt({
      agent,
      isSubagent,
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
    prompt: (agent) => prompt(find(agent), false),

    async lead({ agent, gate, ...work }) {
      const definition = find(agent);
      const below = agent === "build" ? gate : (gate.child(ceilingOf(definition, isTool)) as WorkGate);
      return runLoop({
        ...{ model, gate: below, system: prompt(definition, false), finalizes: mayFinish(definition) },
        ...work,
        limits: { ...limits, ...work.limits },
      });
    },

    async run(task, gate, signal) {
      const level = (depth.getStore() ?? 0) + 1;
      const definition = find(task.agent);
      if (level > DEEPEST)
        throw new ToolFailure(
          "PERMISSION_DENIED",
          `Agents may hand work on ${DEEPEST} times, and this would be one more.`,
          "Do the work in this agent.",
        );
      return seatsAt(level).taken(signal, () =>
        depth.run(level, async () => {
          const below = gate.child(ceilingOf(definition, isTool)) as WorkGate;
          const outcome = await runLoop({
            ...{ model, gate: below, system: prompt(definition, true), finalizes: mayFinish(definition) },
            ...{ task: taskText(task), signal, limits: limits ?? {} },
          });
          return reportOf(outcome, below);
        }),
      );
    },
  };
}

const mayFinish = ({ gates }: AgentDefinition): boolean => gates === undefined || gates.includes("Finalize");

const taskText = ({ task, context }: AgentTask): string => (context ? `${task}\n\nContext:\n${context}` : task);

const reportOf = ({ output, finished, stopped, turns }: Outcome, gate: GateView): AgentReport => ({
  ...{ output, finished, turns, session: gate.sessionID },
  ...(stopped !== undefined && { stopped }),
});

/** A file that takes a built-in agent's name may tell it something else, and nothing that it may do beyond. */
function merged(definitions: readonly AgentDefinition[]): AgentDefinition[] {
  const own = new Map(definitions.map((each) => [each.name, each]));
  const known = builtInAgents.map((built): AgentDefinition => {
    const { tools, gates, ...given } = own.get(built.name) ?? built;
    return {
      ...given,
      ...narrowest("tools", built.tools, tools),
      ...narrowest("gates", built.gates, gates),
      ...(built.autonomy && { autonomy: built.autonomy }),
      ...(built.commands && { commands: built.commands }),
    };
  });
  return [...known, ...definitions.filter(({ name }) => !builtInAgents.some((each) => each.name === name))];
}

const narrowest = <K extends string, T>(key: K, a: readonly T[] | undefined, b: readonly T[] | undefined) => {
  const list = a && b ? b.filter((each) => a.includes(each)) : (a ?? b);
  return (list ? { [key]: list } : {}) as { [Key in K]?: readonly T[] };
};

function ceilingOf(definition: AgentDefinition, isTool: (name: string) => boolean): ChildOptions {
  const { name, tools, gates, autonomy, commands } = definition;
  return {
    agent: name,
    ...(tools && !tools.includes("*") && { tools: tools.filter(isTool) }),
    ...(gates && { gates }),
    ...(autonomy && { autonomy }),
    ...(commands && { commands }),
  };
}

/** So many at once; the others wait for their turn. */
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
