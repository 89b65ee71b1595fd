import { userConfigFolder } from "./config/files.ts";
import type { Settings } from "./config/settings.ts";
import type { LateTools } from "./core/contracts/servers.ts";
import type { Workspace } from "./core/contracts/workspace.ts";
import type { Registry } from "./core/registry.ts";
import { toolSearch } from "./parts.ts";

/**
 * The tools of other servers that a configuration names. They are a person's own and run outside the sandbox; their code
 * is loaded where there are some.
 */
export async function serversIn(
  { servers: settings }: Pick<Settings, "servers">,
  workspace: Pick<Workspace, "locate" | "roots">,
  registry: Registry,
): Promise<LateTools | undefined> {
  if (!Object.values(settings).some(({ enabled }) => enabled)) return undefined;
  const { Servers } = await import("./sources/mcp/servers.ts");
  const { pipedProcesses } = await import("./workspaces/piped.ts");
  const { real: root } = await workspace.locate(".");
  const folder = `${userConfigFolder()}/servers`;
  const servers = new Servers({ settings, root, folder, registry, processes: pipedProcesses(workspace.roots) });
  await registry.register(toolSearch(servers));
  return servers;
}
