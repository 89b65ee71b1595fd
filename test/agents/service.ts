import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { onTestFinished } from "vitest";
import { type SdkLanguageModel, sdkModel } from "../../src/agents/crew.ts";

export type Sent = { messages: { role: string; content: unknown; tool_calls?: unknown[] }[]; tools?: unknown[] };
type Chunk = object | string;
/** One answer of the service: chunks of a stream, an error, or whatever the test wants to do with the response. */
export type Answer =
  | { chunks: Chunk[]; cut?: boolean }
  | { status: number; headers?: Record<string, string>; body?: string };

export const text = (content: string): Answer => ({ chunks: [delta({ content }), finish("stop")] });
export const calls = (...wanted: { id?: string; name: string; args: unknown }[]): Answer => ({
  chunks: [
    ...wanted.map(({ id, name, args }, index) =>
      delta({
        tool_calls: [
          {
            index,
            id: id ?? `c${index}`,
            type: "function",
            function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
          },
        ],
      }),
    ),
    finish("tool_calls"),
  ],
});
export const delta = (given: object) => ({ choices: [{ index: 0, delta: given }] });
const finish = (finish_reason: string) => ({
  choices: [{ index: 0, delta: {}, finish_reason }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

/** A service on loopback that speaks the chat API and answers as it is told, one request after the other. */
export async function service(answers: Answer[]) {
  const requests: Sent[] = [];
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await bodyOf(request)) as Sent);
    reply(response, answers[requests.length - 1] ?? text("nothing more to say"));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const provider = createOpenAICompatible({ name: "openai-compatible", baseURL: url, includeUsage: true });
  /** How long it would have waited before it asked again. */
  const waits: number[] = [];
  const model = sdkModel(provider("scripted") as unknown as SdkLanguageModel, async (ms) => void waits.push(ms));
  return { url, requests, waits, model };
}

function reply(response: ServerResponse, answer: Answer): void {
  if ("status" in answer) {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body ?? '{"error":{"message":"no"}}');
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of answer.chunks)
    response.write(
      `data: ${typeof chunk === "string" ? chunk : JSON.stringify({ id: "x", created: 1, model: "m", ...chunk })}\n\n`,
    );
  if (answer.cut) setTimeout(() => response.destroy(), 20);
  else response.end("data: [DONE]\n\n");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const part of request) body += part;
  return body;
}
