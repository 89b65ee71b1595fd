import http from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { type PageProxy, type ProxyOptions, type Refusal, startProxy } from "./page-proxy.ts";

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

async function site(answer: http.RequestListener): Promise<number> {
  const server = http.createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ended.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return (server.address() as net.AddressInfo).port;
}

/** Dials the site for `site.test`, and nothing else: what it was asked for is noted. */
async function proxied(port: number, options: Partial<ProxyOptions> = {}) {
  const dialed: string[] = [];
  const refused: Refusal[] = [];
  const proxy = await startProxy({
    async dial(host, asked) {
      dialed.push(`${host}:${asked}`);
      if (host !== "site.test") throw new Error("out of reach");
      const socket = net.connect(port, "127.0.0.1");
      await new Promise((resolve) => socket.once("connect", resolve));
      return socket;
    },
    objection: () => undefined,
    refused: (refusal) => refused.push(refusal),
    mostBytes: 1_000_000,
    ...options,
  });
  ended.push(() => proxy.close());
  return { proxy, dialed, refused };
}

const basic = ({ username, password }: PageProxy): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** Says exactly these lines to the proxy, and reads until it hangs up. */
async function say(proxy: PageProxy, lines: readonly string[], body = ""): Promise<string> {
  const socket = net.connect(proxy.port as number, "127.0.0.1");
  socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`);
  return text(socket).catch((error: Error) => error.message);
}

const get = (proxy: PageProxy, url: string, ...more: string[]) =>
  say(proxy, [`GET ${url} HTTP/1.1`, "Host: x", `Proxy-Authorization: ${basic(proxy)}`, "Connection: close", ...more]);

describe("the proxy of the browser", () => {
  test.each(["HTTP/1.1 200 O\x01K", "HTTP/1.1 099 Odd", "HTTP/1.1 999 Odd", "HTTP/1.1 200 OK\r\nx: \x01"])(
    "outlives a server that answers %j",
    async (line) => {
      const odd = net.createServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket.end(`${line}\r\nContent-Length: 2\r\n\r\nhi`));
      });
      await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
      ended.push(() => odd.close());
      const { proxy } = await proxied((odd.address() as net.AddressInfo).port);
      await get(proxy, "http://site.test/");
      const port = await site((_, response) => response.end("well"));
      const second = await proxied(port);
      expect(await get(second.proxy, "http://site.test/")).toContain("well");
    },
  );

  test("outlives one who upgrades and hangs up", async () => {
    const { proxy } = await proxied(1);
    const socket = net.connect(proxy.port as number, "127.0.0.1").on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve).once("data", () => socket.resetAndDestroy()));
    const port = await site((_, response) => response.end("well"));
    expect(await get((await proxied(port)).proxy, "http://site.test/")).toContain("well");
  });

  test("passes a request on, without what was meant for the proxy", async () => {
    const port = await site((request, response) => {
      response.setHeader("x-toolgate-refused", "1");
      response.end(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    });
    const { proxy, dialed } = await proxied(port);
    const answer = await get(proxy, "http://site.test/a?b=c", "X-Own: 1");
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain("GET /a?b=c ");
    expect(answer).toContain('"x-own":"1"');
    expect(answer).not.toMatch(/proxy-authorization|x-toolgate-refused/i);
    expect(dialed).toEqual(["site.test:80"]);
  });

  test.each([
    ["nobody", []],
    ["another password", ["Proxy-Authorization: Basic cGFnZXM6eA=="]],
  ])("is closed for %s", async (_, credentials) => {
    const { proxy, dialed } = await proxied(1);
    const plain = await say(proxy, ["GET http://site.test/ HTTP/1.1", "Host: x", "Connection: close", ...credentials]);
    const tunnel = await say(proxy, ["CONNECT site.test:443 HTTP/1.1", "Host: x", ...credentials]);
    expect([plain, tunnel].map((answer) => answer.slice(0, 12))).toEqual(["HTTP/1.1 407", "HTTP/1.1 407"]);
    expect(dialed).toEqual([]);
  });

  test.each(["http://169.254.169.254/latest/meta-data/", "http://[::1]:8080/", "http://localhost/"])(
    "tells that %s was refused by the dialing",
    async (url) => {
      const { proxy, refused } = await proxied(1);
      expect(await get(proxy, url)).toMatch(/^HTTP\/1\.1 403 [\s\S]*x-toolgate-refused: 1/i);
      expect(refused).toEqual([{ url, method: "GET", reason: "out of reach" }]);
    },
  );

  test.each(["ftp://site.test/", "https://site.test/", "file:///etc/passwd", "/etc/passwd", "http://"])(
    "does not dial for %s",
    async (url) => {
      const { proxy, dialed } = await proxied(1);
      expect(await get(proxy, url)).toMatch(/^HTTP\/1\.1 40[03] /);
      expect(dialed).toEqual([]);
    },
  );

  test("what is objected to is not dialed, whether it is encrypted or not", async () => {
    const objected: string[] = [];
    const { proxy, dialed, refused } = await proxied(1, {
      objection: ({ url }) => {
        objected.push(url);
        return "a rule says so";
      },
    });
    await get(proxy, "http://site.test/");
    await say(proxy, ["CONNECT site.test:443 HTTP/1.1", `Proxy-Authorization: ${basic(proxy)}`]);
    await say(proxy, ["CONNECT site.test:8080 HTTP/1.1", `Proxy-Authorization: ${basic(proxy)}`]);
    expect(objected).toEqual(["http://site.test/", "https://site.test/", "https://site.test:8080/"]);
    expect(refused.map(({ reason }) => reason)).toEqual(Array(3).fill("a rule says so"));
    expect(dialed).toEqual([]);
  });

  test("a tunnel is refused for an unencrypted host on any port, if either reading is", async () => {
    const { proxy, dialed } = await proxied(1, {
      objection: ({ url }) => (url === "http://site.test:8080/" ? "no" : undefined),
    });
    const answer = await say(proxy, ["CONNECT site.test:8080 HTTP/1.1", `Proxy-Authorization: ${basic(proxy)}`]);
    expect(answer).toMatch(/^HTTP\/1\.1 403/);
    expect(dialed).toEqual([]);
  });

  test.each(["site.test", "user@site.test:443", "site.test:443/path", "site.test:99999", ":443", "a b:443"])(
    "a tunnel to %s is none",
    async (authority) => {
      const { proxy, dialed } = await proxied(1);
      expect(await say(proxy, [`CONNECT ${authority} HTTP/1.1`, `Proxy-Authorization: ${basic(proxy)}`])).not.toMatch(
        / 200 /,
      );
      expect(dialed).toEqual([]);
    },
  );

  test("a tunnel carries bytes both ways", async () => {
    const port = await site((request, response) => response.end(`through ${request.url}`));
    const { proxy } = await proxied(port);
    const socket = net.connect(proxy.port as number, "127.0.0.1");
    socket.write(`CONNECT site.test:443 HTTP/1.1\r\nProxy-Authorization: ${basic(proxy)}\r\n\r\n`);
    const [first] = await new Promise<[Buffer]>((resolve) => socket.once("data", (piece: Buffer) => resolve([piece])));
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200/);
    socket.write("GET /it HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toContain("through /it");
  });

  test("no more than so many bytes come in, and then nothing is dialed", async () => {
    const port = await site((_, response) => response.end("x".repeat(200_000)));
    const { proxy, dialed, refused } = await proxied(port, { mostBytes: 50_000 });
    expect((await get(proxy, "http://site.test/")).length).toBeLessThan(200_000);
    expect(await get(proxy, "http://site.test/")).toMatch(/^HTTP\/1\.1 403/);
    expect(dialed).toHaveLength(1);
    expect(refused).toEqual([
      { url: "http://site.test/", method: "GET", reason: "the browser has received its 50000 bytes" },
    ]);
  });
});
