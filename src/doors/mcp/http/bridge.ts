import type { IncomingMessage, ServerResponse } from "node:http";
import type { Refusal } from "./checks.ts";

export const PATH = "/mcp";

/** The body; undefined if it is larger than `most`. */
export async function bodyOf(request: IncomingMessage, most: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > most) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Converts a request for the SDK. The signal is aborted when the client has gone. */
export function webRequest(request: IncomingMessage, body: string | undefined, signal: AbortSignal): Request {
  const { method = "GET", headers } = request;
  const named = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  return new Request(`http://localhost${PATH}`, {
    method,
    headers: named,
    signal,
    ...(body !== undefined && method === "POST" && { body }),
  });
}

/** Streams the answer until it ends, or until nobody reads it any more. */
export async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  const reader = answer.body.getReader();
  const gone = () => void reader.cancel().catch(() => {});
  response.once("close", gone);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await drained(response);
    }
  } catch {
    // the stream was cut off, and so is the answer
  } finally {
    response.off("close", gone);
    response.end();
  }
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.once("drain", resolve);
    response.once("close", resolve);
  });

export function refuse({ status, message, headers = {} }: Refusal, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } });
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  response.end(body);
}
