import type { ActionGate, Autonomy } from "../words/ceiling.ts";
import type { GateView } from "../words/gate.ts";
import type { CommandClass } from "../words/touch.ts";

export type AgentTask = { agent: string; task: string; context?: string };
/** `stopped`: why it did not come to its own end. */
export type AgentReport = { output: string; finished: boolean; stopped?: string; session?: string; turns?: number };

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
