import { userConfigFolder } from "./config/files.ts";
import type { Settings } from "./config/settings.ts";
import type { LateTools, ServerSetting } from "./core/contracts/servers.ts";
import type { Workspace } from "./core/contracts/workspace.ts";
import type { Registry } from "./core/registry.ts";
import type { Finding } from "./core/words/finding.ts";
import { toolSearch } from "./parts.ts";
import type { LoginOptions } from "./sources/mcp/log-in.ts";
import { counted } from "./text/counted.ts";

/**
 * The tools of other servers that a configuration names. They are a person's own and run outside the sandbox; their code
 * is loaded where there are some.
 */
export async function serversIn(
  { servers: settings }: Pick<Settings, "servers">,
  workspace: Pick<Workspace, "locate" | "roots">,
  registry: Pick<Registry, "get" | "has" | "register" | "unregister">,
): Promise<LateTools | undefined> {
  if (!Object.values(settings).some(({ enabled }) => enabled)) return undefined;
  const { Servers } = await import("./sources/mcp/servers.ts");
  const { pipedProcesses } = await import("./workspaces/piped.ts");
  const { real: root } = await workspace.locate(".");
  const folder = keptIn();
  const servers = new Servers({ settings, root, folder, registry, processes: pipedProcesses(workspace.roots) });
  await registry.register(toolSearch(servers));
  return servers;
}

/** Where what servers said, and what logins at services allow, is kept for the person. */
const keptIn = (): string => `${userConfigFolder()}/servers`;

type Visiting = Pick<LoginOptions, "port" | "signal" | "show">;

/** Has the person log in at a service of the configuration; how many tools it has then. */
export async function logInTo(name: string, setting: ServerSetting, visiting: Visiting): Promise<number> {
  const { logIn } = await import("./sources/mcp/log-in.ts");
  return logIn({ name, setting, folder: keptIn(), env: process.env, ...visiting });
}

/** Forgets a login; false: there was none. */
export async function logOutOf(name: string, setting: ServerSetting): Promise<boolean> {
  const { Login } = await import("./sources/mcp/login.ts");
  return new Login({ name, setting, folder: keptIn(), env: process.env }).forget();
}

const NOWHERE = { get: () => undefined, has: () => false, register: async () => {}, unregister: () => false };

/** What is known of each server, without starting any. */
export async function serverFindings(
  settings: Pick<Settings, "servers">,
  workspace: Pick<Workspace, "locate" | "roots">,
): Promise<Finding[]> {
  const servers = await serversIn(settings, workspace, NOWHERE);
  if (!servers) return [];
  const states = await servers.states();
  await servers.close();
  return states
    .filter(({ state }) => state !== "off")
    .map(({ name, where, state, tools, notes }): Finding => {
      const what = `server ${name}`;
      if (state === "unknown")
        return { what, state: "partly", says: `${where}: its tools are not known until it has been started once` };
      const says = `${counted(tools.length, "tool")}, from ${where}, started when one is called`;
      return { what, state: notes.length > 0 ? "partly" : "holds", says: [says, ...notes].join("; ") };
    });
}
