import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Answer = {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
};
export type Heard = { method: string; path: string; headers: http.IncomingHttpHeaders; body: string };

/** A server on loopback that answers by path, and says what it heard. */
export async function serve(
  routes: Record<string, Answer | string | ((request: Heard, response: http.ServerResponse) => Answer | undefined)>,
) {
  const heard: Heard[] = [];
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { pathname } = new URL(request.url ?? "/", "http://x");
    const known = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
    heard.push(known);
    const route = routes[pathname] ?? { status: 404, body: "no such page" };
    const answer = typeof route === "function" ? route(known, response) : route;
    if (answer === undefined) return;
    const { status = 200, headers = {}, body: said = "" } = typeof answer === "string" ? { body: answer } : answer;
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { heard, port, host: `127.0.0.1:${port}`, url: (path = "/") => `http://127.0.0.1:${port}${path}` };
}
