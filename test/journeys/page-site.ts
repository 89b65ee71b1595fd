import http from "node:http";
import type { AddressInfo } from "node:net";

/** What was asked of the site: method, path and body. */
export type Asked = { method: string; path: string; body: string; host: string };

export type Site = { port: number; asked: Asked[]; paths(): string[]; close(): Promise<void> };

type Page =
  | string
  | ((asked: Asked) => string | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array });

/** A site of our own on loopback, whatever host it is asked for. */
export async function site(pages: Readonly<Record<string, Page>>): Promise<Site> {
  const asked: Asked[] = [];
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const path = request.url ?? "";
      const one = { method: request.method ?? "", path, body, host: request.headers.host ?? "" };
      asked.push(one);
      const page = pages[path.split("?")[0] ?? ""];
      const made = typeof page === "function" ? page(one) : page;
      if (made === undefined) return void response.writeHead(404).end();
      const answer = typeof made === "string" ? { body: made } : made;
      response.writeHead(answer.status ?? 200, { "content-type": "text/html; charset=utf-8", ...answer.headers });
      response.end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    paths: () => asked.filter(({ path }) => path !== "/favicon.ico").map(({ method, path }) => `${method} ${path}`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
