import { randomBytes, timingSafeEqual } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex, Readable } from "node:stream";

/** Connects to a host after checking its addresses. Rejects if it may not be reached. */
export type Dial = (host: string, port: number, signal: AbortSignal) => Promise<Duplex>;

/** A request that a page wants to make. Of an encrypted one only the host is known here. */
type Wanted = { url: string; method: string };
export type Refusal = Wanted & { reason: string };

export type ProxyOptions = {
  dial: Dial;
  /** Why a request may not be made, in addition to what dialing checks. */
  objection(wanted: Wanted): string | undefined;
  refused(refusal: Refusal): void;
  /** How many bytes the browser may receive in total. */
  mostBytes: number;
  /** The path of a Unix socket to listen on. Without it, a loopback port that requires credentials. */
  socket?: string;
};

export type PageProxy = {
  /** Absent if it listens on a socket. */
  readonly port?: number;
  readonly username: string;
  readonly password: string;
  close(): Promise<void>;
};

/** Where Chromium looks for updates whatever its flags say. Refused without a notice. */
const OWN_SERVICES: ReadonlySet<string> = new Set([
  ...["update.googleapis.com", "clients2.google.com", "optimizationguide-pa.googleapis.com"],
  ...["redirector.gvt1.com", "edgedl.me.gvt1.com"],
]);

/** The browser's only way out. Judges and dials every connection that it makes. */
export async function startProxy(options: ProxyOptions): Promise<PageProxy> {
  const ended = new AbortController();
  const credentials = { username: "pages", password: randomBytes(24).toString("hex") };
  const open = new Set<Duplex>();
  let left = options.mostBytes;
  const allowed = options.socket === undefined ? knows(credentials) : () => true;

  /** Returns a connection, or undefined after a refusal. `plain` is a second URL that a tunnel may stand for. */
  async function reach(wanted: Wanted, host: string, port: number, plain?: string): Promise<Duplex | undefined> {
    if (OWN_SERVICES.has(host)) return undefined;
    const spent = left <= 0 ? `the browser has received its ${options.mostBytes} bytes` : undefined;
    const reason = spent ?? options.objection(wanted) ?? (plain && options.objection({ ...wanted, url: plain }));
    if (reason !== undefined) return void options.refused({ ...wanted, reason });
    try {
      const wire = await options.dial(host, port, ended.signal);
      open.add(wire);
      wire.once("close", () => open.delete(wire));
      wire.on("error", () => wire.destroy());
      return wire;
    } catch (error) {
      options.refused({ ...wanted, reason: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  /** Counts received bytes against the limit. Must be attached as the bytes begin to flow. */
  const count = (stream: Readable): void => {
    stream.on("data", (piece: Uint8Array) => {
      left -= piece.length;
      if (left <= 0) stream.destroy();
    });
  };

  const server = http.createServer((request, response) => {
    request.on("error", () => {});
    response.on("error", () => {});
    if (!allowed(request)) return void response.writeHead(407, { "proxy-authenticate": 'Basic realm="pages"' }).end();
    forward(request, response, { reach, count }).catch(() => response.destroy());
  });
  server.on("connect", (request: http.IncomingMessage, client: Duplex, head: Uint8Array) => {
    client.on("error", () => client.destroy());
    if (!allowed(request))
      return void client.end(
        'HTTP/1.1 407 Proxy\r\nProxy-Authenticate: Basic realm="pages"\r\nContent-Length: 0\r\n\r\n',
      );
    tunnel(request, client, head, { reach, count }).catch(() => client.destroy());
  });
  server.on("upgrade", (_: http.IncomingMessage, client: Duplex) => {
    client.on("error", () => {});
    client.destroy();
  });
  server.on("clientError", (_: Error, client: Duplex) => void client.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    if (options.socket === undefined) server.listen(0, "127.0.0.1", resolve);
    else server.listen(options.socket, resolve);
  });
  server.unref();
  return {
    ...(options.socket === undefined && { port: (server.address() as AddressInfo).port }),
    ...credentials,
    async close() {
      ended.abort(new Error("the browser was closed"));
      for (const wire of open) wire.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Way = {
  reach(wanted: Wanted, host: string, port: number, plain?: string): Promise<Duplex | undefined>;
  count(stream: Readable): void;
};

function knows({
  username,
  password,
}: {
  username: string;
  password: string;
}): (request: http.IncomingMessage) => boolean {
  const expected = Buffer.from(`Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`);
  return ({ headers }) => {
    const given = Buffer.from(headers["proxy-authorization"] ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
}

/** Tells a page that we refused from one that the site refused. */
export const REFUSED_HEADER = "x-toolgate-refused";
const refuse = (response: http.ServerResponse): void =>
  void response.writeHead(403, { [REFUSED_HEADER]: "1", "content-type": "text/plain" }).end("Refused by Toolgate.");

const OWN_HEADERS = new Set(["proxy-authorization", "proxy-connection", "connection", "keep-alive", "te", "upgrade"]);

/** Plain http: makes the request anew, over one connection each. */
async function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { reach, count }: Way,
): Promise<void> {
  const address = request.url ?? "";
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:") return refuse(response);
  const method = request.method ?? "GET";
  const wire = await reach({ url: url.href, method }, bare(url.hostname), Number(url.port || 80));
  if (!wire) return refuse(response);
  const raw = request.rawHeaders;
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2)
    if (!OWN_HEADERS.has((raw[index] ?? "").toLowerCase())) headers.push(raw[index] ?? "", raw[index + 1] ?? "");
  const onward = http.request({
    createConnection: () => wire as never,
    method,
    path: `${url.pathname}${url.search}`,
    host: url.hostname,
    setHost: false,
    headers: [...headers, "Connection", "close"] as never,
  });
  onward.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
  onward.on("response", (answer) => {
    answer.on("error", () => response.destroy());
    answer.once("close", () => (answer.readableEnded ? undefined : response.destroy()));
    const kept = answer.rawHeaders.filter((_, index, all) => !isOwn(all[index - (index % 2)]));
    if (!begun(response, answer.statusCode ?? 0, kept)) return void answer.destroy();
    count(answer);
    answer.pipe(response);
  });
  response.once("close", () => wire.destroy());
  request.pipe(onward);
}

/** Starts the answer. A server may send headers that cannot be passed on; then the connection is dropped. */
function begun(response: http.ServerResponse, status: number, headers: readonly string[]): boolean {
  try {
    response.writeHead(status >= 200 && status <= 599 ? status : 502, headers as never);
    return true;
  } catch {
    response.destroy();
    return false;
  }
}

const isOwn = (name = ""): boolean =>
  OWN_HEADERS.has(name.toLowerCase()) ||
  [REFUSED_HEADER, "transfer-encoding", "proxy-authenticate"].includes(name.toLowerCase());

const AUTHORITY = /^(?:\[[\da-f:.]+\]|[^\s:/@?#[\]]+):\d{1,5}$/i;

/** A CONNECT tunnel for https and WebSockets: passes bytes both ways. */
async function tunnel(
  request: http.IncomingMessage,
  client: Duplex,
  head: Uint8Array,
  { reach, count }: Way,
): Promise<void> {
  const authority = request.url ?? "";
  const whole = `https://${authority}`;
  const url = AUTHORITY.test(authority) && URL.canParse(whole) ? new URL(whole) : undefined;
  const wire = url
    ? await reach({ url: url.href, method: "GET" }, bare(url.hostname), Number(url.port || 443), plainly(url))
    : undefined;
  if (!wire) return void client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
  if (client.destroyed) return void wire.destroy();
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) wire.write(head);
  client.pipe(wire);
  count(wire);
  wire.pipe(client);
  client.once("close", () => wire.destroy());
  wire.once("close", () => client.end());
}

/** An unencrypted WebSocket also comes through a tunnel, so its http URL is judged, too. */
const plainly = ({ port, host }: URL): string | undefined =>
  port === "" ? undefined : new URL(`http://${host}/`).href;

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");
