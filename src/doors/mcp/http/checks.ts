import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export type Refusal = { readonly status: number; readonly message: string; readonly headers?: Record<string, string> };

export type Guarded = {
  /** Host names under which this server may be addressed. */
  readonly hosts: readonly string[];
  readonly token?: string;
};

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);

/** Includes the listening address, unless it means all interfaces, which is not a name. */
export function hostsFor(host: string, more: readonly string[]): string[] {
  const own = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const isEvery = own === "0.0.0.0" || own === "[::]";
  return [...LOOPBACK, ...(isEvery ? [] : [own]), ...more].map((each) => each.toLowerCase());
}

/** Why a request is rejected unread: a web page must not reach a server on the machine where it is shown. */
export function refusalOf(headers: IncomingHttpHeaders, { hosts, token }: Guarded): Refusal | undefined {
  const host = nameIn(`http://${headers.host ?? ""}`);
  if (host === undefined || !hosts.includes(host)) return { status: 403, message: "This Host is not served." };
  const { origin } = headers;
  if (origin !== undefined) {
    const from = nameIn(origin);
    if (from === undefined || !hosts.includes(from)) return { status: 403, message: "This Origin is not allowed." };
  }
  if (token !== undefined && !isSame(bearerIn(headers.authorization), token))
    return { status: 401, message: "A bearer token is required.", headers: { "www-authenticate": "Bearer" } };
  return undefined;
}

function nameIn(url: string): string | undefined {
  try {
    const { hostname, protocol, origin, port } = new URL(url);
    // only a name and a port: no user, no path
    const isBare = [origin, `${protocol}//${hostname}:${port || (protocol === "http:" ? 80 : 443)}`].includes(
      url.toLowerCase(),
    );
    return /^https?:$/.test(protocol) && isBare ? hostname.toLowerCase() : undefined;
  } catch {
    return undefined;
  }
}

const bearerIn = (header: string | undefined): string => /^bearer +(\S+)\s*$/i.exec(header ?? "")?.[1] ?? "";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Constant time for any token. */
const isSame = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));

/** A token bucket: a burst, refilled by a number per second. */
export class Rate {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(burst: number, perSecond: number, now: () => number = () => performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = burst;
    this.#at = now();
  }

  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
