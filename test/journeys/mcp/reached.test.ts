import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { crewAt } from "../../../src/crew.ts";
import { diagnose } from "../../../src/doctor.ts";
import { bench, folder } from "../harness.ts";
import { plainServer } from "./serving.ts";

type Message = { id?: number; method: string; params?: { name?: string; protocolVersion?: string } };

/** A service by hand that wants this token; answers as JSON. */
async function service(token: string): Promise<{ url: string; refused(): number }> {
  let refused = 0;
  const answer = ({ method, params }: Message): object | undefined => {
    const tools = [{ name: "echo", description: "Echoes.", inputSchema: { type: "object" } }];
    if (method === "tools/list") return { tools };
    if (method === "tools/call") return { content: [{ type: "text", text: `${params?.name} over HTTP` }] };
    if (method !== "initialize") return undefined;
    return {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: "s", version: "1" },
    };
  };
  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) {
      refused += 1;
      return response.writeHead(401).end();
    }
    if (request.method !== "POST") return response.writeHead(405).end();
    let text = "";
    for await (const chunk of request) text += chunk;
    const message = JSON.parse(text) as Message;
    if (message.id === undefined) return response.writeHead(202).end();
    const result = answer(message);
    const body = result ? { result } : { error: { code: -32601, message: "Method not found" } };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...body }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, refused: () => refused };
}

test("a service is reached over HTTP, with a token from the environment", async () => {
  const { url } = await service("the-token-of-the-test");
  vi.stubEnv("TEST_MCP_TOKEN", "the-token-of-the-test");
  const it = await bench({}, { config: { mcp_servers: { web: { url, token_env: "TEST_MCP_TOKEN" } } } });
  expect((await it.call("mcp_web_echo")).output).toContain("echo over HTTP");
  const headers = { Authorization: "Bearer ${TEST_MCP_TOKEN}" };
  const other = await bench({}, { config: { mcp_servers: { web: { url, headers } } } });
  expect((await other.call("mcp_web_echo")).output).toContain("echo over HTTP");
});

test("a service that refuses, or is not there, is told without what was sent in confidence", async () => {
  const { url, refused } = await service("another");
  vi.stubEnv("TEST_MCP_TOKEN", "the-token-of-the-test");
  const it = await bench({}, { config: { mcp_servers: { web: { url, token_env: "TEST_MCP_TOKEN" } } } });
  const result = await it.call("mcp_web_echo");
  expect(result).toMatchObject({ success: false, error: { code: "IO_ERROR" } });
  expect(refused()).toBeGreaterThan(0);
  expect(JSON.stringify(result)).not.toContain("the-token-of-the-test");
  const gone = await bench({}, { config: { mcp_servers: { web: { url: "http://127.0.0.1:1/mcp" } } } });
  expect(await gone.call("mcp_web_echo")).toMatchObject({ success: false, error: { code: "IO_ERROR" } });
});

test("tools of servers join an agent's own list, and the prompt; an agent that only looks has none", async () => {
  const fake = plainServer();
  const agent = "---\nname: writer\ndescription: Writes.\ntools: [read_file]\n---\nWrite.";
  const asked: { system: string; tools: string[] }[] = [];
  const model = {
    name: "test",
    turn: async ({ system, tools }: { system: string; tools: readonly { name: string }[] }) => {
      asked.push({ system, tools: tools.map(({ name }) => name) });
      const calls = asked.length % 2 === 1 ? [{ id: "1", name: "mcp_fake_echo", args: { text: "a" } }] : [];
      return { text: "done", calls };
    },
  };
  const it = await bench({ ".toolgate/agents/writer.md": agent }, { config: { mcp_servers: { fake: fake.setting } } });
  const crew = await crewAt(it.dir, model, it.gate.registry);
  const { signal } = new AbortController();
  await crew.lead({ gate: it.gate, agent: "writer", task: "x", signal });
  expect(asked[0]?.system).toContain("mcp_fake_echo: Echo a text back");
  expect(asked[0]?.tools).toEqual(["read_file", "tool_search"]);
  expect(asked[1]?.tools).toEqual(["mcp_fake_echo", "read_file", "tool_search"]);
  expect(fake.log()).toContain("tools/call echo");
  const calls = fake.log().length;
  await crew.lead({ gate: it.gate, agent: "explore", task: "x", signal });
  expect(asked[2]?.system).not.toContain("mcp_fake");
  expect(asked[2]?.tools.join()).not.toContain("mcp_");
  expect(fake.log()).toHaveLength(calls);
});

test("doctor says what is known of each server, and starts none", async () => {
  const fake = plainServer();
  const dir = folder();
  const config = { mcp_servers: { fake: fake.setting, off: { ...fake.setting, enabled: false } } };
  const about = async () =>
    (await diagnose({ workspace: dir, config })).filter(({ what }) => what.startsWith("server "));
  expect(await about()).toMatchObject([{ what: "server fake", state: "partly" }]);
  expect(fake.log()).toEqual([]);
  const it = await bench({}, { dir, config });
  await it.gate.servers?.offer();
  await it.gate.close();
  const [known] = await about();
  expect(known).toMatchObject({ state: "holds" });
  expect(known?.says).toContain("2 tools");
});
