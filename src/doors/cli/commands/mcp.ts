import type { Store } from "../../../core/contracts/store/store.ts";
import type { Gate } from "../../../core/gate.ts";
import { agentsAt } from "../../../crew.ts";
import type { OpenOptions } from "../../../open.ts";
import { openStore } from "../../../storing.ts";
import type { HttpOptions, HttpServing } from "../../mcp/http/serve.ts";
import { agentPrompts } from "../../mcp/lib/agent-prompts.ts";
import { recordResources } from "../../mcp/lib/record-resources.ts";
import { type McpDoor, mcp } from "../../mcp/server.ts";
import { serveStdio } from "../../mcp/stdio.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { addressOf } from "../lib/mcp-address.ts";
import { hasStore, openingOf, withGate, workspaceOf } from "../lib/opening.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { documentOf, print, visible } from "../lib/terminal.ts";

const FORMS = { install: "CLIENT", uninstall: "CLIENT", servers: "", login: "SERVER", logout: "SERVER" };

/** Serves the tools to an MCP client. */
export const run: Command = async (invocation) => {
  const [word] = invocation.words;
  if (word === "install" || word === "uninstall") {
    const { setUpServer } = await import("../lib/mcp-setup.ts");
    return setUpServer(invocation, word);
  }
  if (word === "servers" || word === "login" || word === "logout") {
    const { listedServers, logInOrOut } = await import("../lib/mcp-servers.ts");
    if (word !== "servers") return logInOrOut(invocation, word);
    if (invocation.words.length > 1) throw wrongWords("mcp", invocation.words, FORMS);
    return listedServers(invocation);
  }
  if (word !== undefined) throw wrongWords("mcp", invocation.words, FORMS);
  notByAgents();
  const door = mcp();
  const options = { ...openingOf(invocation), ...toolsOf(invocation), ...peopleOf(invocation, door) };
  const address = addressOf(invocation);
  const workspace = workspaceOf(invocation);
  return withGate(options, async (gate, signal) => {
    const { dialect } = invocation.values;
    checkDialect(gate, dialect);
    const kept = recordOf(workspace);
    const shown = {
      version: invocation.version,
      ...(dialect && { dialect }),
      resources: recordResources(kept.store),
      prompts: agentPrompts(() => agentsAt(workspace)),
    };
    const serving = address
      ? await onHttp(door, gate, { ...shown, ...address, onError: tell }, invocation.json)
      : await serveStdio(door, await door.factory(gate, shown), { onError: tell });
    const ended = "ended" in serving ? serving.ended : new Promise<void>(() => {});
    await Promise.race([ended, aborted(signal)]);
    await serving.close();
    door.close();
    await kept.close();
    return 0;
  });
};

/** The store of the workspace, opened on first use. */
function recordOf(workspace: string) {
  let opened: Promise<Store> | undefined;
  return {
    store: async (): Promise<Store | undefined> => {
      if (!opened && hasStore(workspace)) opened = openStore(workspace);
      return opened;
    },
    close: async () => (await opened)?.close(),
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

async function onHttp(door: McpDoor, gate: Gate, options: HttpOptions, json: boolean): Promise<HttpServing> {
  const { serveHttp } = await import("../../mcp/http/serve.ts");
  const serving = await serveHttp(door, gate, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
    throw new UsageFailure(
      `${options.host ?? "127.0.0.1"}:${options.port} cannot be listened on (${error.code}).`,
      "Give another port: --http PORT.",
    );
  });
  await print(json ? documentOf({ url: serving.url }) : `Serving MCP at ${serving.url}\n`);
  return serving;
}

/** Refuses agents: whoever starts the server may be the client that answers its questions. */
function notByAgents(): void {
  if (process.env.TOOLGATE_PROCESS !== undefined)
    throw new UsageFailure(
      "A command that an agent runs cannot serve the tools.",
      "Start it yourself, or let the client start it.",
    );
}

function checkDialect(gate: Pick<Gate, "schemas">, dialect: string | undefined): void {
  try {
    gate.schemas(dialect ? { dialect } : {});
  } catch (error) {
    throw new UsageFailure((error as Error).message, "Give another one with --dialect NAME.");
  }
}

const tell = (error: Error): void => void process.stderr.write(`toolgate mcp: ${visible(error.message)}\n`);

/** `--tools` means the same as `--toolset`, under the name that people look for here. */
function toolsOf({ values }: Invocation): Pick<OpenOptions, "toolset"> {
  const { tools, toolset } = values;
  if (tools === undefined) return {};
  if (toolset !== undefined) throw new UsageFailure("--tools and --toolset mean the same here.", "Give one of them.");
  return { toolset: tools.split(",").map((name) => name.trim()) };
}

function peopleOf(
  { values }: Invocation,
  { approve, ask }: Pick<OpenOptions, "approve" | "ask">,
): Partial<OpenOptions> {
  if (values.approvals === "queue") return { approve: "queue" };
  if (values.approvals === "refuse") return {};
  return { ...(approve && { approve }), ...(ask && { ask }) };
}
