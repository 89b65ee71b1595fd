import { spawn } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo, createServer as createSocket } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bench } from "../harness.ts";

const freePort = async (): Promise<number> => {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  return port;
};

test.each([
  ["sse", "/sse"],
  ["streamableHttp", "/mcp"],
])("the published server works over %s", async (way, at) => {
  const everything = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
  const port = await freePort();
  const program = path.join(path.dirname(everything), "dist/index.js");
  const server = spawn(process.execPath, [program, way], { env: { ...process.env, PORT: String(port) } });
  onTestFinished(() => void server.kill());
  await new Promise((resolve) => server.stderr.on("data", (said) => /port/.test(String(said)) && resolve(0)));
  const setting = { url: `http://127.0.0.1:${port}${at}`, ...(way === "sse" && { type: "sse" }) };
  const it = await bench({}, { config: { mcp_servers: { far: setting } } });
  const titles: unknown[] = [];
  it.gate.on("event", (event) => event.type === "progress" && titles.push(event.metadata?.progress));
  expect((await it.call("mcp_far_echo", { message: "hello" })).output).toContain("hello");
  await it.call("mcp_far_trigger-long-running-operation", { duration: 0.4, steps: 2 });
  expect(titles.length).toBeGreaterThan(0);
  server.kill("SIGKILL");
  await new Promise((resolve) => server.once("exit", resolve));
  expect(await it.call("mcp_far_echo", { message: "x" })).toMatchObject({ status: "failed" });
});

type Message = { id?: number; method: string; params?: { protocolVersion?: string } };

/** A service that answers a call by doing its worst. */
async function hostile(worst: (response: ServerResponse, id: number) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    response.on("error", () => {});
    if (request.method !== "POST") return response.writeHead(405).end();
    let text = "";
    for await (const piece of request) text += piece;
    const { id, method, params } = JSON.parse(text) as Message;
    if (id === undefined) return response.writeHead(202).end();
    if (method === "tools/call") return worst(response, id);
    const results: Record<string, object> = {
      initialize: {
        ...{ protocolVersion: params?.protocolVersion, capabilities: { tools: {} } },
        serverInfo: { name: "s", version: "1" },
      },
      "tools/list": { tools: [{ name: "go", inputSchema: { type: "object" } }] },
    };
    const body = results[method] ? { result: results[method] } : { error: { code: -32601, message: "no" } };
    response.writeHead(200, { "content-type": "application/json" });
    return response.end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const JSON_TYPE = { "content-type": "application/json" };
const STREAM = { "content-type": "text/event-stream" };
const NOTICE = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } })}\n\n`;

/** Writes this again and again until nobody listens. */
const forever = (response: ServerResponse, text: string): void => {
  if (!response.destroyed) response.write(text, () => setImmediate(forever, response, text));
};

test.each<[string, (response: ServerResponse, id: number) => void, RegExp]>([
  [
    "sends a JSON body without end",
    (response) => {
      response.writeHead(200, JSON_TYPE).write("[");
      forever(response, "1,".repeat(1 << 19));
    },
    /more than 32 MB/,
  ],
  [
    "sends an event without end",
    (response) => {
      response.writeHead(200, STREAM).write("data: ");
      forever(response, "x".repeat(1 << 20));
    },
    /more than 32 MB|did not answer/,
  ],
  [
    "sends an event of lines without end",
    (response) => {
      response.writeHead(200, STREAM);
      forever(response, `data: ${"x".repeat(1 << 20)}\nx\n`);
    },
    /more than 32 MB|did not answer/,
  ],
  [
    "floods with messages",
    (response) => {
      response.writeHead(200, STREAM);
      forever(response, NOTICE.repeat(500));
    },
    /more than 5000 messages|did not answer/,
  ],
  ["sends garbage", (response) => response.writeHead(200, JSON_TYPE).end("<html>"), /failed/],
  ["sends nothing", (response) => response.writeHead(200, JSON_TYPE).end(), /failed/],
  ["sends another type", (response) => response.writeHead(200, { "content-type": "text/html" }).end("x"), /failed/],
  ["ends the connection", (response) => response.destroy(), /failed/],
  [
    "ends it within the answer",
    (response) => response.writeHead(200, JSON_TYPE).write("{", () => response.destroy()),
    /failed/,
  ],
  [
    "drips",
    (response) => {
      response.writeHead(200, STREAM);
      const timer = setInterval(() => response.write(": \n\n"), 100);
      response.once("close", () => clearInterval(timer));
    },
    /did not answer within 2 s/,
  ],
  [
    "sends to another host",
    (response) => response.writeHead(307, { location: "http://localhost:1/mcp" }).end(),
    /failed/,
  ],
  ["sends in circles", (response) => response.writeHead(307, { location: "/mcp" }).end(), /failed/],
])("a service that %s neither hangs nor ends the gate", async (_, worst, told) => {
  const url = await hostile(worst);
  const it = await bench(
    {},
    { config: { mcp_servers: { far: { url, timeout: 2, headers: { "X-Api-Key": "secret-key-1" } } } } },
  );
  const before = process.memoryUsage().rss;
  const result = await it.call("mcp_far_go");
  expect(result).toMatchObject({ status: "failed" });
  expect(result.error?.message).toMatch(told);
  expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
  expect((await it.call("file_info", { path: "." })).success).toBe(true);
});
