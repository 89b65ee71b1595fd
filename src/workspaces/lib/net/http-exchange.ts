import http from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import tls from "node:tls";
import type { NetworkRequest, NetworkResponse } from "../../../core/contracts/network.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import { addressOf } from "../../../rules/addresses.ts";
import { errorCode } from "../failures.ts";
import { decoded } from "./encodings.ts";

const MOST_HEADER_BYTES = 64 * 1024;

/** Headers that frame a message. A caller who could set them could smuggle a second request. */
const OURS =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|http2-settings|proxy-.*|:.*)$/i;

const isOurHeader = (name: string): boolean => OURS.test(name.trim());

/** Starts TLS over a connection to a checked address. The certificate must be valid for `host`. */
export function secured(socket: Socket, host: string, signal?: AbortSignal, ca?: string): Promise<tls.TLSSocket> {
  const name = addressOf(host) ? undefined : host.replace(/\.$/, "");
  return new Promise((resolve, reject) => {
    const secure = tls.connect({
      socket,
      ALPNProtocols: ["http/1.1"],
      rejectUnauthorized: true,
      ...(ca !== undefined && { ca }),
      ...(name === undefined ? { host: host.replace(/^\[|\]$/g, "") } : { servername: name, host: name }),
    });
    const fail = (error: unknown) => {
      signal?.removeEventListener("abort", stop);
      secure.on("error", () => {});
      secure.destroy();
      socket.destroy();
      reject(signal?.aborted ? signal.reason : failure(host, error));
    };
    const stop = () => fail(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    secure.once("error", fail);
    secure.once("secureConnect", () => {
      signal?.removeEventListener("abort", stop);
      secure.off("error", fail);
      resolve(secure);
    });
  });
}

export type Exchange = Omit<NetworkRequest, "url"> & {
  readonly url: URL;
  readonly socket: Socket;
  /** Set if a proxy reads the request, which is plain http. */
  readonly through?: { readonly headers: Readonly<Record<string, string>> };
};

/** Makes one request over a connection that it does not share. */
export function exchange({ url, socket, method = "GET", headers = {}, body, signal, through }: Exchange) {
  const wrong = Object.keys(headers).find(isOurHeader);
  const content = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return new Promise<NetworkResponse>((resolve, reject) => {
    const end = () => socket.destroy();
    const fail = (error: unknown) => {
      end();
      reject(signal?.aborted ? signal.reason : failure(url.host, error));
    };
    if (wrong !== undefined) {
      end();
      return reject(unfit(wrong));
    }
    signal?.addEventListener("abort", end, { once: true });
    socket.once("close", () => signal?.removeEventListener("abort", end));
    socket.on("error", () => {});
    let request: http.ClientRequest;
    try {
      request = http.request({
        createConnection: () => socket,
        method,
        path: through ? withoutHash(url) : `${url.pathname}${url.search}`,
        setHost: false,
        headers: {
          ...{ "accept-encoding": "gzip, deflate, br", ...lowered(headers), ...through?.headers },
          ...{ host: url.host, connection: "close" },
          ...((content || !/^(?:GET|HEAD)$/.test(method)) && { "content-length": String(content?.length ?? 0) }),
        },
        maxHeaderSize: MOST_HEADER_BYTES,
      });
    } catch (error) {
      return fail(error);
    }
    request.on("error", fail);
    request.once("upgrade", () => fail(new Error("it wants another protocol")));
    request.once("response", (response) => {
      response.once("error", end);
      resolve({
        url: url.href,
        status: response.statusCode ?? 0,
        headers: flat(response.headers),
        body: pieces(response, url, signal, end),
        drop: end,
      });
    });
    request.end(content);
  });
}

const withoutHash = ({ origin, pathname, search }: URL): string => `${origin}${pathname}${search}`;

const lowered = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const flat = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );

async function* pieces(
  response: http.IncomingMessage,
  url: URL,
  signal: AbortSignal | undefined,
  end: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    const body: Readable = decoded(response, response.headers["content-encoding"]);
    for await (const piece of body) yield piece as Uint8Array;
  } catch (error) {
    signal?.throwIfAborted();
    throw error instanceof ToolFailure ? error : failure(url.host, error);
  } finally {
    end();
  }
}

const unfit = (name: string) =>
  new ToolFailure(
    "VALIDATION_ERROR",
    `The header ${name} cannot be set: it says how the message travels.`,
    "Leave it out; it is added where it is needed.",
  );

function failure(host: string, error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error;
  const code = errorCode(error);
  const said = error instanceof Error ? error.message : String(error);
  if (/^ERR_(?:INVALID_CHAR|INVALID_HTTP_TOKEN|HTTP_INVALID_HEADER_VALUE|UNESCAPED_CHARACTERS)$/.test(code))
    return new ToolFailure("VALIDATION_ERROR", `The request cannot be sent: ${said}.`, "Check the headers.");
  const why = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(code)
    ? `its certificate does not hold (${code})`
    : code === "ECONNRESET"
      ? "the server ended the connection"
      : said;
  return new ToolFailure("IO_ERROR", `${host} did not answer as it should: ${why}.`, "Try again later.");
}
