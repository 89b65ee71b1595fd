import { type ActionGate, type Autonomy, meet, type Narrowing } from "../words/ceiling.ts";
import type { GateView } from "../words/gate-view.ts";
import type { CommandClass } from "../words/touch.ts";

/** `from`: the session that hands it on. `resume`: the session of an agent that has worked for it before. */
export type AgentTask = {
  agent: string;
  task: string;
  context?: string;
  from?: string;
  resume?: string;
  /** Hears of each call that it makes. */
  heard?: (title: string) => void;
};

/** What stands under the headings of a report. */
export type ReportParts = {
  readonly findings: readonly string[];
  readonly actions: readonly string[];
  readonly failures: readonly string[];
  readonly nextSteps: readonly string[];
};

/** `stopped`: why it did not come to its own end. `changed`: files, by it and by those that it handed work to. */
export type AgentReport = {
  output: string;
  finished: boolean;
  stopped?: string;
  session?: string;
  turns?: number;
  parts?: ReportParts;
  changed?: readonly string[];
};

/** An agent as somebody wrote it down: what it is told, and the most that it may do. */
export type AgentDefinition = {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  /** Names of tools, by any alias; absent: all. */
  readonly tools?: readonly string[];
  /** Actions that are open to it; absent: all. */
  readonly gates?: readonly ActionGate[];
  readonly autonomy?: Autonomy;
  readonly commands?: readonly CommandClass[];
};

/** Other agents that a tool may hand work to; they call through the gate that they are given. */
export interface Agents {
  run(task: AgentTask, gate: GateView, signal: AbortSignal): Promise<AgentReport>;
}

/** Tools of other servers may do anything: an agent that is held to less is not given them. */
export const isHeld = ({ autonomy, gates, commands }: AgentDefinition): boolean =>
  autonomy === "readonly" || commands !== undefined || gates?.includes("Patch") === false;

/** The most that an agent may do. `more`: tools that join those it names. */
export const narrowingOf = (
  { tools, gates, autonomy, commands }: AgentDefinition,
  isTool: (name: string) => boolean,
  more: readonly string[] = [],
): Narrowing => ({
  ...(tools && !tools.includes("*") && { tools: [...new Set([...tools.filter(isTool), ...more])] }),
  ...(gates && { gates }),
  ...(autonomy && { autonomy }),
  ...(commands && { commands }),
});

/**
 * An agent that takes a built-in agent's name may be told something else, and may do nothing beyond. `canonical`: the
 * name that a tool has here.
 */
export function underBuiltIn(
  built: AgentDefinition,
  written: AgentDefinition | undefined,
  canonical: (name: string) => string,
): AgentDefinition {
  if (!written) return built;
  const most = [built, written].map(({ tools, ...rest }) =>
    narrowingOf({ ...rest, ...(tools && { tools: tools.map(canonical) }) }, () => true),
  );
  const { tools, gates, autonomy, commands } = most.reduce(meet, { mode: "yolo" });
  const { name, description, prompt } = written;
  return {
    ...{ name, description, prompt },
    ...(tools && { tools }),
    ...(gates && { gates }),
    ...(autonomy && { autonomy }),
    ...(commands && { commands }),
  };
}

/** What a call in the name of an agent may do at the most; undefined: nobody wrote that agent down. */
export type AgentLimits = (agent: string, tool: string) => Narrowing | undefined;
