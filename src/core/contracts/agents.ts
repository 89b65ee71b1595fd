import { type ActionGate, type Autonomy, meet, type Narrowing } from "../words/ceiling.ts";
import type { GateView } from "../words/gate-view.ts";
import type { CommandClass } from "../words/touch.ts";

/** `from`: the session that delegates. `resume`: the session of an agent that has worked for it before. */
export type AgentTask = {
  agent: string;
  task: string;
  context?: string;
  from?: string;
  resume?: string;
  /** Called for each call that the agent makes. */
  heard?: (title: string) => void;
};

/** The sections of a report. */
export type ReportParts = {
  readonly findings: readonly string[];
  readonly actions: readonly string[];
  readonly failures: readonly string[];
  readonly nextSteps: readonly string[];
};

/** `stopped`: why it ended before it was finished. `changed`: files, including those of agents that it delegated to. */
export type AgentReport = {
  output: string;
  finished: boolean;
  stopped?: string;
  session?: string;
  turns?: number;
  parts?: ReportParts;
  changed?: readonly string[];
};

/** An agent as somebody wrote it down: its prompt, and the most that it may do. */
export type AgentDefinition = {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  /** Names of tools, by any alias. Absent: all tools. */
  readonly tools?: readonly string[];
  /** Actions that are open to it. Absent: all actions. */
  readonly gates?: readonly ActionGate[];
  readonly autonomy?: Autonomy;
  readonly commands?: readonly CommandClass[];
};

/** Other agents that a tool may delegate to. They make their calls through the gate that they are given. */
export interface Agents {
  run(task: AgentTask, gate: GateView, signal: AbortSignal): Promise<AgentReport>;
}

/** Whether the agent is restricted. Then it gets no tools of other servers, as those may do anything. */
export const isHeld = ({ autonomy, gates, commands }: AgentDefinition): boolean =>
  autonomy === "readonly" || commands !== undefined || gates?.includes("Patch") === false;

/** The most that an agent may do. `more`: tools in addition to those that it names. */
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
 * A written agent with a built-in agent's name may have another prompt, but no more rights. `canonical` gives the name
 * that a tool has here.
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

/** The most that a call in the name of an agent may do, or undefined if there is no such agent. */
export type AgentLimits = (agent: string, tool: string) => Narrowing | undefined;
