import { realPlace, userConfigFolder } from "./config/files.ts";
import { type LoadedConfig, type LoadOptions, loadConfig } from "./config/load.ts";
import type { Settings } from "./config/settings.ts";
import { type LateTools, type ServerSetting, type ServerState, whereIs } from "./core/contracts/servers.ts";
import type { Workspace } from "./core/contracts/workspace.ts";
import type { Registry } from "./core/registry.ts";
import type { Finding } from "./core/words/finding.ts";
import { toolSearch } from "./parts.ts";
import type { LoginOptions } from "./sources/mcp/log-in.ts";
import { counted } from "./text/counted.ts";

/**
 * The tools of other servers that a configuration names. Servers belong to the person and run outside the sandbox;
 * their code is imported only if there are any.
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

/** Where the person's logins, and what is known of servers, are kept. */
const keptIn = (): string => `${userConfigFolder()}/servers`;

type Visiting = Pick<LoginOptions, "port" | "signal" | "show">;

/** Lets the person log in to a service of the configuration. Returns how many tools it has then. */
export async function logInTo(name: string, setting: ServerSetting, visiting: Visiting): Promise<number> {
  const { logIn } = await import("./sources/mcp/log-in.ts");
  return logIn({ name, setting, folder: keptIn(), ...visiting });
}

/** Forgets a login. Returns false if there was none. */
export async function logOutOf(name: string, setting: ServerSetting): Promise<boolean> {
  const { Login } = await import("./sources/mcp/login.ts");
  return new Login({ name, setting, folder: keptIn() }).forget();
}

/** A configured server, for people. `trusted`: false if its file has to be accepted first. */
export type ListedServer = Pick<ServerState, "name" | "where" | "notes"> & {
  readonly transport: ServerSetting["type"];
  /** The file that names it. */
  readonly file: string;
  readonly trusted: boolean;
  readonly state: ServerState["state"] | "not trusted";
  /** How many of its tools are known. */
  readonly tools: number;
  /** For a service: whether a person has logged in. */
  readonly login?: boolean;
};

/** Every configured server, trusted or not. None is started. */
export async function listServers(options: LoadOptions): Promise<ListedServer[]> {
  const [all, held] = [await loadConfig({ ...options, asTrusted: true }), await loadConfig(options)];
  const root = realPlace(options.workspace);
  const place = { roots: [root], locate: async () => ({ shown: ".", real: root, root, exists: true }) };
  const servers = await serversIn(held.settings, place, NOWHERE);
  const states = (await servers?.states()) ?? [];
  await servers?.close();
  const counting = Object.entries(held.settings.servers).map(async ([name, setting]): Promise<ListedServer> => {
    const { state = "off", tools = [], notes = [] } = states.find((each) => each.name === name) ?? {};
    const login = setting.type !== "stdio" && { login: await isLoggedIn(name, setting) };
    return { ...shownServer(name, setting, held), trusted: true, state, tools: tools.length, ...login, notes };
  });
  const others = Object.entries(all.settings.servers)
    .filter(([name, setting]) => whereIs(setting) !== whereOf(held.settings.servers[name]))
    .map(
      ([name, setting]): ListedServer => ({
        ...shownServer(name, setting, all),
        ...{ trusted: false, state: "not trusted", tools: 0, notes: [] },
      }),
    );
  return [...(await Promise.all(counting)), ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const whereOf = (setting: ServerSetting | undefined): string | undefined => setting && whereIs(setting);

const shownServer = (name: string, setting: ServerSetting, { origins }: LoadedConfig) => ({
  ...{ name, transport: setting.type, where: whereIs(setting), file: origins[`servers.${name}`] ?? "" },
});

async function isLoggedIn(name: string, setting: ServerSetting): Promise<boolean> {
  const { Login } = await import("./sources/mcp/login.ts");
  try {
    return (await new Login({ name, setting, folder: keptIn() }).kept()).tokens !== undefined;
  } catch {
    // its address contains a variable that is not set
    return false;
  }
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
