import { addressOf, privateKind } from "./addresses.ts";
import { bareName } from "./host-entry.ts";
import { hostList, type Target } from "./hosts.ts";

/** What the configuration says about hosts; without `allow`, every public one is allowed. */
export type ReachSettings = {
  readonly allow?: readonly string[];
  readonly deny: readonly string[];
  readonly allowPrivateHosts: readonly string[];
};

/** Why something is out of reach, and what to do about it. */
export type OutOfReach = { readonly reason: string; readonly next: string };

export type Reach = {
  /** Judges a URL as it is, without resolving its host. */
  url(text: string): { readonly url: URL } | OutOfReach;
  /** Judges a host and port; if the resolved address is given, finally. */
  target(target: Target): OutOfReach | undefined;
  /** Whether the configured lists forbid it, wherever the request comes from. */
  isDenied(url: string): boolean;
};

const DO_NOT_RETRY = "Do not try to get around it with another spelling, redirect or name.";

/** Names that no public server has: reserved ones, and those that people use for private networks. */
const INWARD = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/** Ports of other services: a request must not become a line of a mail or shell protocol. */
const OTHER_SERVICES: readonly number[] = [
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679],
  ...[6697, 10080, 11211],
];
const isForWeb = (port: number): boolean =>
  port === 80 || port === 443 || (port >= 1024 && !OTHER_SERVICES.includes(port));

export function reachOf({ allow, deny, allowPrivateHosts }: ReachSettings): Reach {
  const denied = hostList(deny, true);
  const allowed = allow && hostList(allow);
  const inside = hostList(allowPrivateHosts);

  function target(asked: Target): OutOfReach | undefined {
    const { host, port, address } = asked;
    const shown = `${host}:${port}`;
    if (denied.has(asked)) return { reason: `web.deny names ${shown}`, next: DO_NOT_RETRY };
    if (host === "" || /[\s\0/@\\]|\.\./.test(host))
      return { reason: `${JSON.stringify(host)} is not a host`, next: FIX };
    const isInside = inside.has(asked);
    if (allowed && !isInside && !allowed.has(asked) && (address !== undefined || isLiteral(host) || !allowed.isOpen))
      return { reason: `web.allow does not name ${shown}`, next: DO_NOT_RETRY };
    const found = addressOf(address ?? host);
    const kind = (found && privateKind(found)) ?? (isLiteral(host) ? undefined : inwardKind(host));
    if (!isForWeb(port) && !inside.hasPort(asked) && !allowed?.hasPort(asked)) {
      const next = kind
        ? mayBeAdded("web.allow_private_hosts", shown)
        : // without the star the list would forbid all others
          mayBeAdded("web.allow", ...(allowed ? [shown] : ["*", shown]));
      return { reason: `port ${port} belongs to another service than the web`, next };
    }
    if (isInside) return undefined;
    if (address !== undefined && !found)
      return { reason: `${host} resolves to ${address}, which is not an address`, next: FIX };
    // a name may turn out to be allowed by its address
    if (!kind || (address === undefined && !found && inside.isOpen)) return undefined;
    const reason =
      address === undefined || address === host ? `${host} is ${kind}` : `${host} resolves to ${address}, ${kind}`;
    return { reason, next: mayBeAdded("web.allow_private_hosts", shown) };
  }

  return {
    target,
    url(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (!url) return { reason: `${JSON.stringify(text.slice(0, 200))} is not a URL`, next: FIX };
      if (url.protocol !== "http:" && url.protocol !== "https:")
        return { reason: `only http and https are fetched, not ${url.protocol.slice(0, -1)}`, next: FIX };
      if (url.username || url.password)
        return {
          reason: "the URL has a user name or password in it",
          next: "Leave it out: it would be sent along, and recorded.",
        };
      return target({ host: url.hostname, port: portOf(url) }) ?? { url };
    },
    isDenied(text) {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      return deny.length > 0 && (!url || denied.has({ host: url.hostname, port: portOf(url) }));
    },
  };
}

const FIX = "Give a full URL such as https://example.com/page.";

const mayBeAdded = (key: string, ...entries: readonly string[]): string =>
  `${DO_NOT_RETRY} A person can allow it: ${key}: [${entries.map((entry) => JSON.stringify(entry)).join(", ")}].`;

const isLiteral = (host: string): boolean => addressOf(host) !== undefined;

function inwardKind(host: string): string | undefined {
  const name = bareName(host);
  return INWARD.test(name) || !name.includes(".") ? "a name of a private network" : undefined;
}

export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

export const isOutOfReach = (answer: object): answer is OutOfReach => "reason" in answer;
