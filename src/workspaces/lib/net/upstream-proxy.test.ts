import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { bodyOf } from "../../../tools/lib/web/fetching.ts";
import { type NetworkOptions, networkOf } from "./local-network.ts";

const listening = async (server: http.Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** A proxy that leads every request to one server, and says what it was asked for. */
async function proxied(options: Partial<NetworkOptions> = {}) {
  const asked: string[] = [];
  const end = await listening(http.createServer((request, response) => response.end(`end ${request.url}`)));
  const proxy = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    response.end("by proxy");
  });
  proxy.on("connect", (request, socket) => {
    asked.push(`CONNECT ${request.url} ${request.headers["proxy-authorization"] ?? ""}`.trim());
    if (request.url?.startsWith("closed.")) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const other = net.connect(end, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\nx-a: b\r\n\r\n");
      other.pipe(socket).pipe(other);
    });
    socket.on("error", () => other.destroy());
    other.on("error", () => socket.destroy());
  });
  const port = await listening(proxy);
  const network = networkOf({
    ...{ deny: [], allowPrivateHosts: [], secrets: {}, env: {} },
    lookup: async () => [{ address: "93.184.216.34" }],
    proxy: `http://ida:word@127.0.0.1:${port}`,
    ...options,
  });
  return { network, asked };
}
const AUTHORISED = `Basic ${Buffer.from("ida:word").toString("base64")}`;

describe("a proxy", () => {
  test("reads plain requests, with the whole address and its own password", async () => {
    const { network, asked } = await proxied();
    const response = await network.request({ url: "http://example.com/x?y#z" });
    expect(Buffer.from((await bodyOf(response, 100)).bytes).toString()).toBe("by proxy");
    expect(asked).toEqual([`GET http://example.com/x?y ${AUTHORISED}`]);
  });

  test("leads to a host for whatever speaks for itself", async () => {
    const { network, asked } = await proxied();
    const socket = await network.dial("example.com", 443);
    socket.write("GET /deep HTTP/1.0\r\n\r\n");
    let said = "";
    for await (const piece of socket) said += piece;
    expect(said).toContain("end /deep");
    expect(asked).toEqual([`CONNECT example.com:443 ${AUTHORISED}`]);
    await expect(network.dial("closed.example", 443)).rejects.toThrow(
      "The proxy does not connect to closed.example:443 (HTTP/1.1 403 Forbidden).",
    );
  });

  test.each(["http://127.0.0.1", "http://localhost", "http://169.254.169.254", "https://[::1]", "http://x.internal"])(
    "is not asked for %s",
    async (url) => {
      const { network, asked } = await proxied();
      await expect(network.request({ url })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
      expect(asked).toEqual([]);
    },
  );

  test("is not asked for a name that is private here, and for one that is unknown here it is", async () => {
    const inside = await proxied({ lookup: async () => [{ address: "10.0.0.1" }] });
    await expect(inside.network.request({ url: "http://example.com" })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(inside.asked).toEqual([]);
    const unknown = await proxied({
      lookup: async () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
    });
    await unknown.network.request({ url: "http://example.com/" });
    expect(unknown.asked).toHaveLength(1);
  });

  test("that is not there is told", async () => {
    const { network } = await proxied({ proxy: "http://127.0.0.1:1" });
    await expect(network.request({ url: "http://example.com/" })).rejects.toThrow(
      "The proxy 127.0.0.1:1 cannot be connected to.",
    );
  });
});
