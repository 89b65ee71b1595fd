import { request as httpRequest } from "node:http";
import { createConnection } from "node:net";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Rate } from "../../src/doors/mcp/http/checks.ts";
import { type HttpOptions, serveHttp } from "../../src/doors/mcp/http/serve.ts";
import { mcp } from "../../src/doors/mcp/server.ts";
import { type OpenOptions, open } from "../../src/index.ts";
import { folder, plain } from "../journeys/harness.ts";
import { clientOn, ERAS, type Era, type ServedOptions } from "./served.ts";

const TOKEN = "a-token-of-the-tests";

type Given = { files?: Record<string, string>; open?: OpenOptions; http?: Partial<HttpOptions> };

async function serving({ files = {}, open: options, http }: Given = {}) {
  const dir = folder(files);
  const door = mcp();
  const { approve, ask } = door;
  const config = { loops: "off", workspace: { write_safety: "off" } };
  const gate = await open({ workspace: dir, approve, ask, store: "memory", config, ...options });
  const serving = await serveHttp(door, gate, { port: 0, ...http });
  onTestFinished(async () => {
    await serving.close();
    door.close();
    await gate.close();
  });
  const client = async (era: Era, answers?: ServedOptions["answers"], token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const transport = new StreamableHTTPClientTransport(new URL(serving.url), { requestInit: { headers } });
    const made = await clientOn(transport, era, answers);
    onTestFinished(() => made.close());
    return Object.assign(made, { terminate: () => transport.terminateSession() });
  };
  return { dir, gate, url: serving.url, client };
}

describe.each(ERAS)("over HTTP, a client of %s", (era) => {
  test("lists and calls tools, is asked, hears progress and changes of the list, and cancels", async () => {
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const endless = plain("endless", {
      execute: (_, { metadata, abort }) =>
        new Promise((resolve) => {
          abort.addEventListener("abort", () => {
            stop();
            resolve("stopped");
          });
          metadata({ title: "on it" });
        }),
    });
    const { client: connect, gate } = await serving({ files: { "a.txt": "one\n" }, open: { tools: [endless] } });
    const client = await connect(era, () => ({ action: "accept", content: { decision: "once" } }));
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler("notifications/tools/list_changed", () => resolve());
    });
    if (era === "2026-07-28") await client.listen({ toolsListChanged: true });
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    const written = await client.callTool({ name: "write_file", arguments: { path: "a.txt", content: "two\n" } });
    expect(written.isError).toBeUndefined();
    expect(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } })).toMatchObject({
      content: [{ text: expect.stringContaining("two") }],
    });
    const controller = new AbortController();
    const heard = new Promise<unknown>((resolve) => {
      client
        .callTool(
          { name: "endless", arguments: {} },
          { onprogress: ({ message }) => resolve(message), signal: controller.signal },
        )
        .catch(() => {});
    });
    expect(await heard).toBe("on it");
    controller.abort();
    await stopped;
    void gate.registry.register(plain("late"));
    await changed;
  });

  test("needs the token where there is one", async () => {
    const { client } = await serving({ http: { token: TOKEN } });
    expect((await (await client(era, undefined, TOKEN)).listTools()).tools.length).toBeGreaterThan(5);
    await expect(client(era, undefined, `${TOKEN}x`)).rejects.toThrow();
    await expect(client(era)).rejects.toThrow();
  });
});

describe("sessions of clients before 2026-07-28", () => {
  test("each has its own session of the gate, so that a yes for one is no yes for another", async () => {
    const { client } = await serving();
    let asked = 0;
    const answers = () => {
      asked++;
      return { action: "accept" as const, content: { decision: "session" } };
    };
    for (const each of [await client("2025-11-25", answers), await client("2025-11-25", answers)])
      for (const content of ["1", "2"]) {
        const result = await each.callTool({ name: "write_file", arguments: { path: "a.txt", content } });
        expect(result.isError).toBeUndefined();
      }
    expect(asked).toBe(2);
  });

  test("one that was ended, or never was, is not found; the oldest makes room for a new one", async () => {
    const { client, url } = await serving({ http: { limits: { sessions: 2 } } });
    const [first, second] = [await client("2025-11-25"), await client("2025-11-25")];
    await first.terminate();
    const again = await client("2025-11-25");
    expect((await again.listTools()).tools.length).toBeGreaterThan(5);
    expect((await second.listTools()).tools.length).toBeGreaterThan(5);
    const headers = { ...JSON_HEADERS, "mcp-session-id": "nobody" };
    expect((await post(url, PING, headers)).status).toBe(404);
    expect((await post(url, PING, JSON_HEADERS)).status).toBe(400);
  });

  test("a stream that broke off goes on after the last event that was received", async () => {
    const { url } = await serving({
      open: { tools: [plain("slow", { execute: () => new Promise((resolve) => setTimeout(resolve, 50, "late")) })] },
    });
    const begun = await post(url, INITIALIZE, JSON_HEADERS);
    const session = begun.headers.get("mcp-session-id") ?? "";
    await begun.text();
    const headers = { ...JSON_HEADERS, "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
    await post(url, { jsonrpc: "2.0", method: "notifications/initialized" }, headers);
    const calling = await post(url, call("slow", {}, 7), headers);
    const reader = calling.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const [, last = ""] = /^id: (\S+)/m.exec(first) ?? [];
    expect(last).not.toBe("");
    await reader?.cancel();
    const resuming = { headers: { ...headers, accept: "text/event-stream", "last-event-id": last } };
    // until the server has noticed that the first stream is gone, it says that there is one
    const again = await vi.waitFor(async () => {
      const answer = await fetch(url, resuming);
      expect(answer.status).toBe(200);
      return answer;
    });
    const text = await firstMessage(again);
    expect(JSON.parse(text)).toMatchObject({ id: 7, result: { content: [{ text: "late" }] } });
  });
});

const JSON_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const call = (name: string, args: object, id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

const post = (url: string, body: unknown, headers: Record<string, string>) =>
  fetch(url, { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body) });

async function firstMessage(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  let text = "";
  for (;;) {
    const [, data] = /^data: (\{.*)$/m.exec(text) ?? [];
    if (data) {
      await reader?.cancel();
      return data;
    }
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) throw new Error(`no message in ${text}`);
    text += new TextDecoder().decode(value);
  }
}

/** fetch lets nobody choose the Host. */
function raw(url: string, headers: Record<string, string>, method = "POST", path?: string): Promise<number> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      hostname,
      port,
      path: path ?? pathname,
      method,
      headers: { ...JSON_HEADERS, ...headers },
    });
    sent.once("response", (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.once("error", reject);
    sent.end(method === "POST" ? JSON.stringify(INITIALIZE) : undefined);
  });
}

describe("who may come in", () => {
  test.each<[string, Record<string, string>, number]>([
    ["nothing unusual", {}, 200],
    ["localhost", { host: "localhost:1" }, 200],
    ["a name that was allowed", { host: "tools.example" }, 200],
    ["another name for this address", { host: "evil.example" }, 403],
    ["a name that begins like ours", { host: "localhost.evil.example" }, 403],
    ["a name with a user before it", { host: "evil@localhost" }, 403],
    ["a name with a path behind it", { host: "localhost/evil" }, 403],
    ["a name that is none", { host: "[" }, 403],
    ["a page of this machine", { origin: "http://localhost:5173" }, 200],
    ["a page from elsewhere", { origin: "https://evil.example" }, 403],
    ["a page without an origin", { origin: "null" }, 403],
    ["a file", { origin: "file://localhost" }, 403],
    ["an extension", { origin: "chrome-extension://localhost" }, 403],
  ])("%s", async (_, headers, status) => {
    const { url } = await serving({ http: { hosts: ["tools.example"] } });
    expect(await raw(url, headers)).toBe(status);
  });

  test.each<[string, Record<string, string>, number]>([
    ["the token", { authorization: `Bearer ${TOKEN}` }, 200],
    ["the token, with a small b", { authorization: `bearer ${TOKEN}` }, 200],
    ["none", {}, 401],
    ["another", { authorization: "Bearer another" }, 401],
    ["a part of it", { authorization: `Bearer ${TOKEN.slice(0, -1)}` }, 401],
    ["more than it", { authorization: `Bearer ${TOKEN}${TOKEN}` }, 401],
    ["another scheme", { authorization: `Basic ${TOKEN}` }, 401],
    ["an empty one", { authorization: "Bearer " }, 401],
  ])("of a server with a token: %s", async (_, headers, status) => {
    const { url } = await serving({ http: { token: TOKEN } });
    expect(await raw(url, headers)).toBe(status);
  });

  test.each([
    ["GET", "/mcp", 400],
    ["PUT", "/mcp", 405],
    ["OPTIONS", "/mcp", 405],
    ["POST", "/", 404],
    ["POST", "/mcp/../admin", 404],
    ["POST", "//evil/mcp", 404],
  ])("%s %s is answered with %i", async (method, path, status) => {
    const { url } = await serving();
    expect(await raw(url, {}, method, path)).toBe(status);
  });

  test("off loopback nothing is served without a token", async () => {
    await expect(serving({ http: { host: "0.0.0.0" } })).rejects.toThrow(/token is required/);
  });
});

describe("what is too much", () => {
  const failing = async (url: string, body: string, headers: Record<string, string> = JSON_HEADERS) =>
    (await post(url, body, headers)).status;

  test("a message that is too large, whether it says so or not", async () => {
    const { url } = await serving({ http: { limits: { bodyBytes: 1000 } } });
    expect(await failing(url, JSON.stringify({ ...INITIALIZE, more: "x".repeat(2000) }))).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let index = 0; index < 20; index++) controller.enqueue(new TextEncoder().encode("x".repeat(100)));
        controller.close();
      },
    });
    const sent = fetch(url, { method: "POST", headers: JSON_HEADERS, body: stream, duplex: "half" } as RequestInit);
    expect((await sent).status).toBe(413);
    expect(await failing(url, JSON.stringify(INITIALIZE))).toBe(200);
  });

  test("more requests than the rate allows", async () => {
    const { url } = await serving({ http: { limits: { burst: 3, perSecond: 0.001 } } });
    const statuses = [];
    for (let index = 0; index < 5; index++) statuses.push(await failing(url, JSON.stringify(INITIALIZE)));
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  test("what is refused does not count against the rate of others", async () => {
    const { url } = await serving({ http: { token: TOKEN, limits: { burst: 1, perSecond: 0.001 } } });
    for (let index = 0; index < 5; index++) expect(await raw(url, {})).toBe(401);
    expect(await raw(url, { authorization: `Bearer ${TOKEN}` })).toBe(200);
  });

  test("a rate comes back with time", () => {
    let now = 0;
    const rate = new Rate(2, 1, () => now);
    expect([rate.take(), rate.take(), rate.take()]).toEqual([true, true, false]);
    now = 1000;
    expect([rate.take(), rate.take()]).toEqual([true, false]);
    now = 60_000;
    expect([rate.take(), rate.take(), rate.take()]).toEqual([true, true, false]);
  });

  test.each([
    ["garbage", "}{", 400],
    ["nothing", "", 400],
    ["a number", "7", 400],
    ["a list of nothing", "[]", 400],
    ["an object that is no message", "{}", 400],
  ])("%s is answered with an error, and the next client is served", async (_, body, status) => {
    const { url, client } = await serving();
    expect(await failing(url, body)).toBe(status);
    expect((await (await client("2026-07-28")).listTools()).tools.length).toBeGreaterThan(5);
  });

  test("what is not JSON by its own word is refused, as a web page would send it", async () => {
    const { url } = await serving();
    expect(await failing(url, JSON.stringify(INITIALIZE), { ...JSON_HEADERS, "content-type": "text/plain" })).toBe(415);
  });

  test("connections that never finish a request keep nobody else out", async () => {
    const { url, client } = await serving();
    const { port } = new URL(url);
    const halves = Array.from({ length: 30 }, () => createConnection(Number(port), "127.0.0.1"));
    onTestFinished(() => {
      for (const each of halves) each.destroy();
    });
    for (const [index, each] of halves.entries()) {
      each.on("error", () => {});
      each.write(index % 2 ? "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{" : "POST /mc");
    }
    expect((await (await client("2026-07-28")).listTools()).tools.length).toBeGreaterThan(5);
  });
});
