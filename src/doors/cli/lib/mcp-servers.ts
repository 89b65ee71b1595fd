import type { ListedServer } from "../../../doctor.ts";
import { counted } from "../../../text/counted.ts";
import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { openingOf } from "./opening.ts";
import { suggestion } from "./suggestion.ts";
import { colours, documentOf, print, visible } from "./terminal.ts";
import { aPerson } from "./workspace-store.ts";

const LOGIN_MS = 5 * 60_000;

/** The configured servers, what is known about them, and who trusted each. Starts none. */
export async function listedServers(invocation: Invocation): Promise<number> {
  const { listServers } = await import("../../../doctor.ts");
  const { workspace, config } = openingOf(invocation);
  const servers = await listServers({ workspace, ...(config !== undefined && { config }) });
  if (invocation.json) await print(documentOf(servers));
  else await print(servers.length === 0 ? NONE : servers.map(entry).join(""));
  return 0;
}

const NONE = "No servers are named here. Name some under mcp_servers in toolgate.yaml.\n";

const SAYS: Readonly<Record<ListedServer["state"], string>> = {
  off: "switched off",
  unknown: "its tools are not known before it was started once",
  known: "started when one of its tools is called",
  connected: "connected",
  failed: "it could not be reached",
  "not trusted": "not trusted: it counts once you have run `toolgate config trust`",
};

function entry({ name, transport, where, file, state, tools, login, notes }: ListedServer): string {
  const known = state === "known" ? `${counted(tools, "tool")}, ` : "";
  const lines = [
    `${transport}: ${where}`,
    `${known}${SAYS[state]}${login ? "; logged in" : ""}`,
    ...notes,
    `from ${file}`,
  ];
  return `${colours().bold(visible(name))}\n${lines.map((line) => `    ${visible(line)}\n`).join("")}`;
}

/** Logs a person in at a service through their browser, or forgets the login. */
export async function logInOrOut(invocation: Invocation, verb: "login" | "logout"): Promise<number> {
  const { words, values, json } = invocation;
  const [, name, ...more] = words;
  if (name === undefined || more.length > 0)
    throw new UsageFailure(`toolgate mcp ${verb} needs the name of one server.`, "`toolgate mcp servers` lists them.");
  aPerson(invocation, verb === "login" ? "log in to a server" : "log out of a server");
  const setting = await serviceNamed(invocation, name);
  const { logInTo, logOutOf } = await import("../../../doctor.ts");
  if (verb === "logout") {
    const forgotten = await logOutOf(name, setting);
    const told = forgotten ? `Forgot the login at ${name}.` : `There was no login at ${name}.`;
    await print(json ? documentOf({ server: name, forgotten }) : `${visible(told)}\n`);
    return 0;
  }
  const port = values.port ?? "0";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageFailure(`--port ${port} is not a port.`, "Write for example --port 8765.");
  const show = (page: URL) =>
    void process.stderr.write(`Open this page in a browser to log in to ${visible(name)}:\n${visible(page.href)}\n`);
  const signal = AbortSignal.timeout(LOGIN_MS);
  const tools = await logInTo(name, setting, { port: Number(port), signal, show }).catch((error: Error) => {
    const why = signal.aborted ? "the browser did not come back in time" : error.message.replace(/\.$/, "");
    throw new UsageFailure(`The login to ${name} failed: ${why}.`, "Try again, or contact the server's operator.");
  });
  await print(
    json
      ? documentOf({ server: name, tools })
      : `Logged in at ${visible(name)}, which has ${counted(tools, "tool")}.\n`,
  );
  return 0;
}

async function serviceNamed(invocation: Invocation, name: string) {
  const { readConfig } = await import("../../../doctor.ts");
  const { workspace, config } = openingOf(invocation);
  const { settings } = await readConfig({ workspace, ...(config !== undefined && { config: config as string }) });
  const { servers } = settings;
  const setting = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (!setting)
    throw new UsageFailure(
      `No server in use here is named ${name}.`,
      suggestion(name, Object.keys(servers)) ?? "`toolgate mcp servers` lists those that are named.",
    );
  if (setting.type === "stdio")
    throw new UsageFailure(`${name} is a program on this machine.`, "Only servers with a url need a login.");
  if (setting.tokenEnv !== undefined || setting.oauth?.grant === "client_credentials")
    throw new UsageFailure(`${name} is configured with its own secret.`, "It needs no login.");
  return setting;
}
