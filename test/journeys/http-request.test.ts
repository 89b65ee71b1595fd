import { describe, expect, test, vi } from "vitest";
import { memoryStore } from "../../src/stores/memory.ts";
import { bench } from "./harness.ts";
import { serve } from "./web-server.ts";

const SECRET = "s3cr3t-value-of-a-key-1234567890";

async function reaching(routes: Parameters<typeof serve>[0], web: object = {}, options: object = {}) {
  const server = await serve(routes);
  const config = { web: { allow_private_hosts: [server.host], ...web } };
  return { ...server, ...(await bench({}, { toolset: "all", mode: "yolo", config, ...options })) };
}

describe("http_request", () => {
  test.each([
    ["GET", undefined, "", undefined],
    ["HEAD", undefined, "", undefined],
    ["DELETE", undefined, "", undefined],
    ["POST", { a: [1, "ü"] }, '{"a":[1,"ü"]}', "application/json"],
    ["PUT", "plain words", "plain words", "text/plain; charset=utf-8"],
    ["PATCH", '{"b":2}', '{"b":2}', "application/json"],
    ["OPTIONS", undefined, "", undefined],
  ])("%s", async (method, body, sent, type) => {
    const { call, url, heard } = await reaching({ "/x": { headers: { "x-own": "yes" }, body: "answer" } });
    const { output, metadata } = await call("http_request", { url: url("/x?y=1"), method, ...(body && { body }) });
    expect(heard).toEqual([{ method, path: "/x?y=1", headers: expect.anything(), body: sent }]);
    expect(heard[0]?.headers["content-type"]).toBe(type);
    expect(output).toContain("Status: 200 OK");
    expect(output).toContain("x-own: yes");
    expect(output.includes("Body:\nanswer")).toBe(method !== "HEAD");
    expect(metadata).toMatchObject({ method, status: 200 });
  });

  test("an error of the server is an answer like any other, and a redirect is told and not followed", async () => {
    const { call, url, heard } = await reaching({
      "/bad": { status: 422, headers: { "content-type": "application/json" }, body: '{"error":"no"}' },
      "/away": { status: 302, headers: { location: "/bad" } },
    });
    const bad = await call("http_request", { url: url("/bad"), method: "post", json: { a: 1 } });
    expect([bad.status, bad.metadata.status]).toEqual(["done", 422]);
    expect(bad.output).toContain('Body:\n{\n  "error": "no"\n}');
    expect((await call("http_request", { url: url("/away") })).output).toContain(`[It redirects to ${url("/bad")}.`);
    expect(heard.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/bad", '{"a":1}'],
      ["GET", "/away", ""],
    ]);
  });

  test.each([
    [{ Host: "internal" }],
    [{ "Content-Length": "5" }],
    [{ "Transfer-Encoding": "chunked" }],
    [{ connection: "upgrade" }],
    [{ Upgrade: "h2c" }],
    [{ TE: "trailers" }],
    [{ "Proxy-Authorization": "x" }],
    [{ Expect: "100-continue" }],
    [{ "X-A": "b\r\nHost: internal" }],
    [{ "X-A\r\nHost": "internal" }],
    [{ "X A": "b" }],
    [{ Accept: "a", accept: "b" }],
    [{ "X-HTTP-Method-Override": "DELETE" }],
    [{ "x-http-method": "PUT" }],
    [{ "X-Method-Override": "POST" }],
    [{ "X-A": "b\nHost: internal" }],
    [{ "X-A": "b\0c" }],
    [{ "X-A": "b\r" }],
    [{ "X-A": "\u010a" }],
    [{ "": "b" }],
    [{ ":path": "/x" }],
    [{ "X-A:": "b" }],
    [{ " Host": "internal" }],
    [{ "Host ": "internal" }],
    [{ Trailer: "x" }],
    [{ "Keep-Alive": "x" }],
    [{ "HTTP2-Settings": "x" }],
    [{ "Proxy-Connection": "x" }],
  ])("the headers %j are refused, and nothing is sent", async (headers) => {
    const { call, url, heard } = await reaching({ "/": "x" });
    const { success } = await call("http_request", { url: url(), headers });
    expect([success, heard]).toEqual([false, []]);
  });

  test("what sends is told from what looks, and a rule that names no method allows only looking", async () => {
    const { gate, url } = await reaching({}, {}, { mode: "confirm-sensitive" });
    const asked = async (method: string) => {
      const { verdict, reason } = await gate.explain({ name: "http_request", args: { url: url(), method } });
      return `${verdict}: ${reason}`;
    };
    expect(await asked("GET")).toContain("ask: it reaches the network");
    expect(await asked("POST")).toContain("ask: it sends something over the network");
    const config = { web: { allow_private_hosts: ["127.0.0.1"] }, rules: { allow: [`fetch(127.0.0.1:*)`] } };
    const allowed = await bench({}, { toolset: "all", mode: "confirm-sensitive", config });
    const verdict = async (method: string) =>
      (await allowed.gate.explain({ name: "http_request", args: { url: url(), method } })).verdict;
    expect([await verdict("GET"), await verdict("HEAD"), await verdict("POST"), await verdict("DELETE")]).toEqual([
      "allow",
      "allow",
      "ask",
      "ask",
    ]);
  });

  test("a secret comes from its variable, goes to its host alone, and is nowhere to be read", async () => {
    vi.stubEnv("MY_KEY", SECRET);
    try {
      const echo = ({ headers }: { headers: object }) => ({
        headers: { "content-type": "application/json", "x-echo": SECRET },
        body: JSON.stringify(headers),
      });
      const own = await reaching({ "/": echo });
      const args = { url: own.url(), headers: { Authorization: "Bearer ${env:MY_KEY}" } };
      const refused = await own.call("http_request", args);
      expect(refused.error?.message).toBe(`The variable MY_KEY may not be sent to ${own.host}.`);
      expect(own.heard).toEqual([]);
      const store = memoryStore();
      const events: unknown[] = [];
      const { gate, call } = await bench(
        {},
        {
          ...{ toolset: "all", mode: "yolo", store },
          config: { web: { allow_private_hosts: ["127.0.0.1"], secrets: { MY_KEY: [own.host], UNSET: [own.host] } } },
        },
      );
      gate.on("event", (event) => events.push(event));
      const result = await call("http_request", args);
      expect(own.heard[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
      expect(result.output).toContain("Bearer [redacted]");
      expect(result.output).toContain("x-echo: [redacted]");
      const other = await serve({ "/": echo });
      expect((await call("http_request", { ...args, url: other.url() })).error?.code).toBe("PERMISSION_DENIED");
      expect((await call("http_request", { ...args, headers: { A: "${env:PATH}" } })).error?.code).toBe(
        "PERMISSION_DENIED",
      );
      expect((await call("http_request", { ...args, headers: { A: "${env:UNSET}" } })).error?.code).toBe(
        "CONFIG_ERROR",
      );
      expect(other.heard).toEqual([]);
      await gate.close();
      const records = await store.records({});
      expect(records).toHaveLength(4);
      expect(JSON.stringify([events, records])).not.toContain(SECRET);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("a secret that comes back in pieces is not put together", async () => {
    vi.stubEnv("MY_KEY", SECRET);
    try {
      const server = await serve({
        "/": (_, response) => {
          response.writeHead(200, { "content-type": "text/plain" });
          const pieces = [...`before ${SECRET} after ${SECRET}`];
          const next = () => {
            const piece = pieces.shift();
            if (piece === undefined) response.end();
            else response.write(piece, () => setImmediate(next));
          };
          next();
          return undefined;
        },
      });
      const config = { web: { allow_private_hosts: [server.host], secrets: { MY_KEY: ["127.0.0.1"] } } };
      const { call } = await bench({}, { toolset: "all", mode: "yolo", config });
      const { output } = await call("http_request", { url: server.url(), headers: { "X-Key": "${env:MY_KEY}" } });
      expect(output).toContain("Body:\nbefore [redacted] after [redacted]");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test("a long body is kept whole, and one that never ends is not read to its end", async () => {
    const { call, url, text } = await reaching({
      "/long": { headers: { "content-type": "text/plain" }, body: "line\n".repeat(30_000) },
      "/endless": (_, response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        const more = () => {
          while (response.write("x".repeat(65_536)));
          response.once("drain", more);
        };
        more();
        return undefined;
      },
    });
    const long = await call("http_request", { url: url("/long") });
    const [, where = ""] = /All of it is in (\S+)\.\]/.exec(long.output) ?? [];
    expect(text(where)).toBe("line\n".repeat(30_000));
    const endless = await call("http_request", { url: url("/endless") });
    expect(endless.metadata).toMatchObject({ bytes: 1_048_576, cut: true });
  });
});
