import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentDefinition, type AgentLimits, isHeld, narrowingOf } from "../core/contracts/agents.ts";
import { SERVED_PREFIX } from "../core/contracts/servers.ts";
import type { Registry } from "../core/registry.ts";
import type { Narrowing } from "../core/words/ceiling.ts";
import { AGENT_FOLDERS } from "./lib/agent-folders.ts";

const NOTHING: Narrowing = { tools: [], autonomy: "readonly" };
const isForeign = (tool: string): boolean => tool.startsWith(SERVED_PREFIX) || tool === "tool_search";

export type WrittenAgents = { limits?: AgentLimits; notes: readonly string[] };

/**
 * What a call may do that names an agent of the configuration or of the workspace's files. An agent that nobody can
 * understand may do nothing.
 */
export async function writtenAgents(
  workspace: string,
  registry: Pick<Registry, "get">,
  configured: readonly AgentDefinition[],
): Promise<WrittenAgents> {
  const hasFiles = AGENT_FOLDERS.some((folder) => existsSync(join(workspace, folder)));
  if (!hasFiles && configured.length === 0) return { notes: [] };
  const { agentFiles } = await import("./agent-files.ts");
  const { definitions, broken, notes } = await agentFiles(workspace);
  const known = new Map([...definitions, ...configured].map((each) => [each.name, each]));
  const canonical = (name: string): string => registry.get(name)?.name ?? name;
  const limits: AgentLimits = (agent, tool) => {
    const definition = known.get(agent);
    if (!definition) return broken.includes(agent) ? NOTHING : undefined;
    const wanted = canonical(tool);
    const joins = isForeign(wanted) && !isHeld(definition) ? [wanted] : [];
    const tools = definition.tools?.map(canonical);
    return narrowingOf({ ...definition, ...(tools && { tools }) }, () => true, joins);
  };
  return { limits, notes };
}
