import type { AgentDefinition } from "../../../core/contracts/agents.ts";
import type { Prompts } from "./offering.ts";

/** The agents of a workspace, as MCP prompts: the agent's prompt, and the task. */
export function agentPrompts(read: () => Promise<readonly AgentDefinition[]>): Prompts {
  return {
    async list() {
      return (await read()).map(({ name, description }) => ({
        name,
        description: description || `The agent ${name}.`,
        arguments: [{ name: "task", description: "What to do", required: false }],
      }));
    },
    async get(wanted, { task = "" }) {
      const found = (await read()).find(({ name }) => name === wanted);
      if (!found) return undefined;
      const text = [found.prompt, task.trim()].filter(Boolean).join("\n\n");
      return { description: found.description, messages: [{ role: "user", content: { type: "text", text } }] };
    },
  };
}
