import type { Network, NetworkRequest, NetworkResponse } from "../../../core/contracts/network.ts";
import { hostList } from "../../../rules/hosts.ts";
import { isOutOfReach, portOf, type ReachSettings, reachOf } from "../../../rules/reach.ts";
import { withoutSecrets } from "../../../text/known-secrets.ts";
import { type Connect, type Dial, dialer, type Lookup, outOfReach } from "./dial.ts";
import { exchange, secured } from "./http-exchange.ts";
import { filled, piecesWithout, type SecretHosts } from "./secrets.ts";
import { proxyAt } from "./upstream-proxy.ts";

export type NetworkSettings = ReachSettings & {
  /** All requests go through this proxy. */
  readonly proxy?: string;
  readonly secrets: SecretHosts;
};

export type NetworkOptions = NetworkSettings & {
  readonly lookup?: Lookup;
  /** Used instead of the machine's network. */
  readonly connect?: Connect;
  /** The only certificate authority to trust, instead of those that Node knows. */
  readonly ca?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** `dial` opens a connection to a host within reach, for programs that speak their own protocol. */
export type LocalNetwork = Network & { readonly dial: Dial };

/** The network of this machine: public hosts, and the private ones that people allowed. */
export function networkOf(options: NetworkOptions): LocalNetwork {
  const reach = reachOf(options);
  const inside = hostList(options.allowPrivateHosts);
  const direct = dialer({ ...options, reach });
  const proxy = options.proxy === undefined ? undefined : proxyAt(options.proxy, { ...options, reach });
  const dial = proxy?.dial ?? direct;

  /** Over plain http the proxy reads the request itself, and needs the full URL. */
  async function connection(url: URL, signal: AbortSignal | undefined) {
    const port = portOf(url);
    if (url.protocol === "https:")
      return { socket: await secured(await dial(url.hostname, port, signal), url.hostname, signal, options.ca) };
    if (!proxy) return { socket: await direct(url.hostname, port, signal) };
    return { socket: await proxy.connect(url.hostname, port, signal), through: proxy };
  }

  async function request({ headers = {}, ...asked }: NetworkRequest): Promise<NetworkResponse> {
    const { signal } = asked;
    signal?.throwIfAborted();
    const judged = reach.url(asked.url);
    if (isOutOfReach(judged)) throw outOfReach(judged);
    const { url } = judged;
    const target = { host: url.hostname, port: portOf(url) };
    const isKept = url.protocol === "https:" || inside.has(target);
    const { headers: sent, secrets } = filled(
      headers,
      { ...target, isKept },
      options.secrets,
      options.env ?? process.env,
    );
    const response = await exchange({ ...asked, ...(await connection(url, signal)), url, headers: sent });
    if (secrets.length === 0) return response;
    return {
      ...response,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, withoutSecrets(value, secrets)]),
      ),
      body: piecesWithout(response.body, secrets),
    };
  }

  return { request, dial };
}
