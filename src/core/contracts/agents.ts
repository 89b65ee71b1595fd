import type { GateView } from "../words/gate.ts";

export type AgentTask = { agent: string; task: string; context?: string };
export type AgentReport = { output: string; finished: boolean };

/** Other agents that a tool may hand work to; they call through the gate that they are given. */
export interface Agents {
  run(task: AgentTask, gate: GateView, signal: AbortSignal): Promise<AgentReport>;
}
