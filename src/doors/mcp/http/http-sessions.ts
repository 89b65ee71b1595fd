import { randomUUID } from "node:crypto";
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Gate } from "../../../core/gate.ts";
import type { ServerFactory } from "../server.ts";
import { RecentEvents } from "./recent-events.ts";

type Session = {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly gate: Gate;
  /** Open requests and streams. */
  open: number;
  used: number;
};

type Sdk = typeof import("@modelcontextprotocol/server");

const IDLE_MS = 30 * 60_000;

/** Clients from before protocol 2026-07-28 have sessions. Each gets its own session of the gate. */
export class Sessions {
  readonly #sdk: Sdk;
  readonly #gate: Gate;
  readonly #factory: ServerFactory;
  readonly #most: number;
  readonly #sessions = new Map<string, Session>();

  constructor(sdk: Sdk, gate: Gate, factory: ServerFactory, most: number) {
    this.#sdk = sdk;
    this.#gate = gate;
    this.#factory = factory;
    this.#most = most;
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null && !this.#sdk.isInitializeRequest(body))
      return problem(400, "This request needs the Mcp-Session-Id that `initialize` gave out.");
    const session = id === null ? await this.#begin(request) : this.#sessions.get(id);
    if (!session)
      return id === null
        ? problem(503, "There are too many sessions. Try again later.")
        : problem(404, "There is no such session. Begin another one with `initialize`.");
    session.open++;
    session.used = Date.now();
    const answer = await session.transport.handleRequest(request, { parsedBody: body });
    // a request that did not become a session leaves nothing behind
    if (session.transport.sessionId === undefined) await session.gate.close();
    return counted(answer, () => {
      session.open--;
      session.used = Date.now();
    });
  }

  async #begin(request: Request): Promise<Session | undefined> {
    await this.#makeRoom();
    if (this.#sessions.size >= this.#most) return undefined;
    const gate = this.#gate.child();
    const transport = new this.#sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      eventStore: new RecentEvents(),
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => this.#end(id),
    });
    const session: Session = { transport, gate, open: 0, used: Date.now() };
    await this.#factory({ era: "legacy", requestInfo: request }, gate).connect(transport);
    return session;
  }

  /** Ends sessions that were idle for long, then, if necessary, the least recently used one. */
  async #makeRoom(): Promise<void> {
    const idle = [...this.#sessions].filter(([, { open }]) => open === 0).sort(([, a], [, b]) => a.used - b.used);
    const old = idle.filter(([, { used }]) => Date.now() - used > IDLE_MS);
    const full = this.#sessions.size - old.length >= this.#most ? idle.slice(old.length, old.length + 1) : [];
    for (const [id] of [...old, ...full]) await this.#end(id);
  }

  async #end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    if (!session) return;
    this.#sessions.delete(id);
    await session.transport.close();
    await session.gate.close();
  }

  async close(): Promise<void> {
    for (const id of [...this.#sessions.keys()]) await this.#end(id);
  }
}

const problem = (status: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }, { status });

/** Calls `ended` when the answer was read to its end, or given up. */
function counted(answer: Response, ended: () => void): Response {
  if (!answer.body) {
    ended();
    return answer;
  }
  const reader = answer.body.getReader();
  let isOpen = true;
  const end = () => {
    if (isOpen) ended();
    isOpen = false;
  };
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (value) controller.enqueue(value);
        if (!done) return;
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: answer.status, headers: answer.headers });
}
