import { Client, type ClientOptions, type ElicitResult, InMemoryTransport } from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import { agentsAt } from "../../src/crew.ts";
import { agentPrompts } from "../../src/doors/mcp/lib/agent-prompts.ts";
import { recordResources } from "../../src/doors/mcp/lib/record-resources.ts";
import { mcp, type ServeOptions } from "../../src/doors/mcp/server.ts";
import { type OpenOptions, open } from "../../src/index.ts";
import { memoryStore } from "../../src/stores/memory.ts";
import { folder } from "../journeys/harness.ts";

export type Era = "2025-11-25" | "2026-07-28";
export const ERAS: readonly Era[] = ["2025-11-25", "2026-07-28"];

type Asked = { message: string; requestedSchema: { properties: Record<string, { enum?: string[] }> } };
type Answering = (asked: Asked) => Promise<ElicitResult> | ElicitResult;

export type ServedOptions = {
  era?: Era;
  files?: Record<string, string | Uint8Array>;
  dir?: string;
  open?: OpenOptions;
  serve?: ServeOptions;
  /** How the person at the client answers; absent: the client cannot ask. */
  answers?: Answering;
};

const QUIET = { loops: "off", workspace: { write_safety: "off" } };

/** A gate on a folder with these files, served in this process, and a client of the SDK that speaks to it. */
export async function served(options: ServedOptions = {}) {
  const { era = "2026-07-28", files = {}, dir = folder(files), answers } = options;
  const door = mcp();
  const { approve, ask } = door;
  const store = memoryStore();
  const gate = await open({ workspace: dir, approve, ask, store, config: QUIET, ...options.open });
  const offered = {
    resources: recordResources(async () => store),
    prompts: agentPrompts(() => agentsAt(dir)),
  };
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(await door.factory(gate, { version: "1.2.3", ...offered, ...options.serve }), {
    transport: far,
  });
  const client = await clientOn(near, era, answers);
  onTestFinished(async () => {
    await client.close();
    await handle.close();
    door.close();
    await gate.close();
  });
  return { client, gate, dir, call: (name: string, args: object = {}) => calling(client, name, args) };
}

export async function clientOn(
  transport: Parameters<Client["connect"]>[0],
  era: Era,
  answers?: Answering,
): Promise<Client> {
  const options: ClientOptions = {
    ...(answers && { capabilities: { elicitation: { form: {} } } }),
    ...(era === "2026-07-28" && { versionNegotiation: { mode: { pin: era } } }),
  };
  const client = new Client({ name: "test-client", version: "1.0.0" }, options);
  if (answers) client.setRequestHandler("elicitation/create", (request) => answers(request.params as unknown as Asked));
  await client.connect(transport);
  return client;
}

type Content = { type: string; text?: string; data?: string; mimeType?: string }[];

/** What the client got: its text, and whether it is an error. */
async function calling(client: Client, name: string, args: object) {
  const result = await client.callTool({ name, arguments: { ...args } });
  const content = result.content as Content;
  return {
    text: content.flatMap(({ text }) => text ?? []).join("\n"),
    isError: result.isError === true,
    content,
    structured: result.structuredContent,
  };
}
