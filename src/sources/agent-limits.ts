import { existsSync } from "node:fs";
import { join } from "node:path";
import { type AgentDefinition, type AgentLimits, isHeld, narrowingOf, underBuiltIn } from "../core/contracts/agents.ts";
import { SERVED_PREFIX } from "../core/contracts/servers.ts";
import type { Registry } from "../core/registry.ts";
import type { Narrowing } from "../core/words/ceiling.ts";
import { AGENT_FOLDERS } from "./lib/agent-folders.ts";

const NOTHING: Narrowing = { tools: [], autonomy: "readonly" };
const isForeign = (tool: string): boolean => tool.startsWith(SERVED_PREFIX) || tool === "tool_search";

export type WrittenAgents = { limits: AgentLimits; notes: readonly string[] };

/**
 * The limits of calls that name an agent: a built-in one, or one of the configuration or the workspace's files. An
 * agent that cannot be understood may do nothing.
 */
export async function writtenAgents(
  workspace: string,
  registry: Pick<Registry, "get">,
  configured: readonly AgentDefinition[],
  builtIn: readonly AgentDefinition[],
): Promise<WrittenAgents> {
  const hasFiles = AGENT_FOLDERS.some((folder) => existsSync(join(workspace, folder)));
  const { definitions, broken, notes } = hasFiles
    ? await (await import("./agent-files.ts")).agentFiles(workspace)
    : { definitions: [], broken: [], notes: [] };
  const written = byName([...definitions, ...configured]);
  const always = byName(builtIn);
  const unclear = new Set<string>(broken);
  const canonical = (name: string): string => registry.get(name)?.name ?? name;
  const limits: AgentLimits = (agent, tool) => {
    const own = written.get(agent);
    if (!own && unclear.has(agent)) return NOTHING;
    const built = always.get(agent);
    const definition = built ? underBuiltIn(built, own, canonical) : own;
    if (!definition) return undefined;
    const wanted = canonical(tool);
    const joins = isForeign(wanted) && !isHeld(definition) ? [wanted] : [];
    const tools = definition.tools?.map(canonical);
    return narrowingOf({ ...definition, ...(tools && { tools }) }, () => true, joins);
  };
  return { limits, notes };
}

const byName = (agents: readonly AgentDefinition[]) => new Map(agents.map((each) => [each.name, each]));
