import type { Network, NetworkResponse } from "../../../core/contracts/network.ts";
import { ToolFailure } from "../../../core/words/result.ts";

const MOST_REDIRECTS = 10;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** A body that was read; `cut` if there was more. */
export type Body = { readonly bytes: Uint8Array; readonly cut: boolean };
export type Fetched = Body & Pick<NetworkResponse, "url" | "status" | "headers">;

/** Reads at most this many bytes, then ends the connection. */
export async function bodyOf(response: NetworkResponse, most: number): Promise<Body> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let cut = false;
  for await (const piece of response.body) {
    const taken = piece.subarray(0, most - length);
    // copied, because a piece may be part of a much larger buffer
    pieces.push(taken.slice());
    length += taken.length;
    cut = taken.length < piece.length;
    if (cut) break;
  }
  response.drop();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, cut };
}

/** Gets a page and follows redirects: each hop is judged. */
export async function fetched(
  network: Network,
  first: string,
  headers: Readonly<Record<string, string>>,
  most: number,
): Promise<Fetched> {
  let url = first;
  let from: string | undefined;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await network.request({ url, headers, ...(from !== undefined && { from }) });
    const { status, headers: answered } = response;
    const next = REDIRECTS.includes(status) ? answered.location : undefined;
    if (next === undefined) return { url, status, headers: answered, ...(await bodyOf(response, most)) };
    response.drop();
    const target = redirectTarget(next, url);
    if (!target)
      throw new ToolFailure("IO_ERROR", `${url} redirects to something that is not a URL.`, "Try another address.");
    target.hash = "";
    from = url;
    url = target.href;
  }
  throw new ToolFailure("IO_ERROR", `${first} redirects more than ${MOST_REDIRECTS} times.`, "Try another address.");
}

/** The target of a redirect. The header's bytes arrive as Latin-1 and are read as UTF-8 if possible, as browsers do. */
export function redirectTarget(location: string, from: string): URL | undefined {
  const written = inUtf8(location);
  return written !== "" && URL.canParse(written, from) ? new URL(written, from) : undefined;
}

function inUtf8(header: string): string {
  if (!/[\u0080-\u00ff]/.test(header)) return header;
  try {
    const bytes = Uint8Array.from(header, (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return header;
  }
}

const NAMES: Readonly<Record<number, string>> = {
  ...{ 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed" },
  ...{ 406: "Not Acceptable", 408: "Request Timeout", 410: "Gone", 418: "I'm a Teapot", 429: "Too Many Requests" },
  ...{ 451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 502: "Bad Gateway" },
  ...{ 503: "Service Unavailable", 504: "Gateway Timeout", 200: "OK", 201: "Created", 202: "Accepted" },
  ...{ 204: "No Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified" },
  ...{ 307: "Temporary Redirect", 308: "Permanent Redirect" },
};

export const statusText = (status: number): string => {
  const name = NAMES[status];
  return name === undefined ? String(status) : `${status} ${name}`;
};

/** Only a number of seconds: anything else that a server writes would be repeated in our own words. */
export const pauseIn = (header = ""): string | undefined => (/^\d{1,6}$/.test(header) ? `${header} s` : undefined);

/** The failure for an answer that is not a page; `shown` is what else the server said. */
export function answeredBadly({ url, status, headers }: Pick<Fetched, "url" | "status" | "headers">, shown: string) {
  const wait = headers["retry-after"];
  const isLimited = status === 429 || (status === 503 && wait !== undefined);
  const code = isLimited ? "RATE_LIMITED" : status === 404 || status === 410 ? "NOT_FOUND" : "IO_ERROR";
  const hint = isLimited
    ? `Wait ${pauseIn(wait) ?? "a while"} before the next request to this host.`
    : status === 401 || status === 403
      ? "The server requires a login or refuses automated requests. Try another source."
      : "Check the address, or try another source.";
  return new ToolFailure(code, `${url} answered ${statusText(status)}.`, hint, {
    output: shown,
    metadata: { url, status },
  });
}
