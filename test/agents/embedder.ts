import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type Asked = { url: string; headers: IncomingHttpHeaders; model: string; input: string[] };
/** What the service answers: by itself, or a status, headers and a body. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: string; hang?: true };

/** What means the same here, a dimension each. */
const CONCEPTS = [
  ["deploy", "release", "ship", "rollout"],
  ["cat", "kitten", "feline"],
  ["database", "postgres", "sql"],
  ["colour", "color", "paint", "blue"],
];

/** A vector of what a text is about; what it has no word for is about nothing in particular. */
export const meant = (text: string, extra = 0): number[] => {
  const lower = text.toLowerCase();
  const about = CONCEPTS.map((words) => words.filter((word) => lower.includes(word)).length);
  return [...about, 0.1, ...new Array<number>(extra).fill(0.01)];
};

export const dataOf = (vectors: readonly unknown[]): string =>
  JSON.stringify({ data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })) });

/** A service on loopback that speaks the embeddings API. */
export async function embedder(reply: (asked: Asked, count: number) => Reply | undefined = () => undefined) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { model, input } = JSON.parse(body) as Asked;
    asked.push({ url: request.url ?? "", headers: request.headers, model, input });
    const said = reply(asked.at(-1) as Asked, asked.length) ?? {};
    if (said.hang) return;
    response.writeHead(said.status ?? 200, { "content-type": "application/json", ...said.headers });
    response.end(said.body ?? dataOf(input.map((text) => meant(text))));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}
