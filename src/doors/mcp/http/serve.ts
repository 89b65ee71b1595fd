import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Gate } from "../../../core/gate.ts";
import type { McpDoor, ServeOptions } from "../server.ts";
import { bodyOf, PATH, refuse, send, webRequest } from "./bridge.ts";
import { type Guarded, hostsFor, isLoopback, Rate, refusalOf } from "./checks.ts";
import { Sessions } from "./http-sessions.ts";

export type Limits = {
  /** The largest message. */
  readonly bodyBytes: number;
  readonly connections: number;
  readonly sessions: number;
  /** Requests that are being answered. */
  readonly open: number;
  readonly burst: number;
  readonly perSecond: number;
};

const LIMITS: Limits = {
  bodyBytes: 32 << 20,
  connections: 256,
  sessions: 64,
  open: 256,
  burst: 500,
  perSecond: 100,
};

export type HttpOptions = ServeOptions & {
  readonly port: number;
  /** Where to listen; loopback by default. */
  readonly host?: string;
  /** Required unless it listens on loopback. */
  readonly token?: string;
  /** Further names under which this server is addressed. */
  readonly hosts?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly onError?: (error: Error) => void;
};

export type HttpServing = { readonly url: string; close(): Promise<void> };

const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;

/** Serves clients of both protocol eras on one address. */
export async function serveHttp(door: McpDoor, gate: Gate, options: HttpOptions): Promise<HttpServing> {
  const { port, host = "127.0.0.1", token, hosts = [], limits: given, onError, ...shown } = options;
  if (token === undefined && !isLoopback(host)) throw new TypeError("A token is required off loopback.");
  const limits = { ...LIMITS, ...given };
  const sdk = await import("@modelcontextprotocol/server");
  const factory = await door.factory(gate, shown);
  const modern = sdk.createMcpHandler(factory, { legacy: "reject", ...(onError && { onerror: onError }) });
  const sessions = new Sessions(sdk, gate, factory, limits.sessions);
  const forget = gate.on("event", ({ type }) => {
    if (type === "register" || type === "unregister") modern.notify.toolsChanged();
  });
  const front = new Front({ hosts: hostsFor(host, hosts), ...(token !== undefined && { token }) }, limits);
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS }, (request, response) => {
    front
      .handle(request, response, async (web, body) =>
        (await sdk.isLegacyRequest(web, body)) ? sessions.handle(web, body) : modern.fetch(web, { parsedBody: body }),
      )
      .catch((error: Error) => {
        onError?.(error);
        refuse({ status: 500, message: "This request could not be answered." }, response);
      });
  });
  server.maxConnections = limits.connections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host.replace(/^\[|\]$/g, ""), resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${bound}${PATH}`,
    async close() {
      forget();
      await modern.close();
      await sessions.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

type Answering = (request: Request, body: unknown) => Promise<Response>;

/** Checks every request before any of it is read. */
class Front {
  readonly #guarded: Guarded;
  readonly #limits: Limits;
  readonly #rate: Rate;
  #open = 0;

  constructor(guarded: Guarded, limits: Limits) {
    this.#guarded = guarded;
    this.#limits = limits;
    this.#rate = new Rate(limits.burst, limits.perSecond);
  }

  async handle(request: IncomingMessage, response: ServerResponse, answering: Answering): Promise<void> {
    const refused = refusalOf(request.headers, this.#guarded) ?? this.#tooMuch(request);
    if (refused) return refuse(refused, response);
    this.#open++;
    const gone = new AbortController();
    response.once("close", () => {
      this.#open--;
      if (!response.writableFinished) gone.abort();
    });
    const text = request.method === "POST" ? await bodyOf(request, this.#limits.bodyBytes) : "";
    if (text === undefined) return refuse({ status: 413, message: "This message is too large." }, response);
    const body = request.method === "POST" ? parsed(text) : undefined;
    if (request.method === "POST" && body === undefined)
      return refuse({ status: 400, message: "Parse error: the message is not JSON." }, response);
    await send(await answering(webRequest(request, text, gone.signal), body), response);
  }

  #tooMuch({ url = "", method = "" }: IncomingMessage) {
    if (url.split("?", 1)[0] !== PATH) return { status: 404, message: `MCP is served at ${PATH}.` };
    if (!["POST", "GET", "DELETE"].includes(method))
      return { status: 405, message: "Method not allowed.", headers: { allow: "POST, GET, DELETE" } };
    if (!this.#rate.take())
      return { status: 429, message: "Too many requests. Try again in a second.", headers: { "retry-after": "1" } };
    if (this.#open >= this.#limits.open)
      return { status: 503, message: "Too many requests are open.", headers: { "retry-after": "1" } };
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
