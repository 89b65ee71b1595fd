import type { LocalNetwork, NetworkOptions } from "./lib/net/local-network.ts";

/** The network of this machine. Its code is loaded for the first request. */
export function localNetwork(options: NetworkOptions): LocalNetwork {
  let made: Promise<LocalNetwork> | undefined;
  const loaded = () => (made ??= import("./lib/net/local-network.ts").then(({ networkOf }) => networkOf(options)));
  return {
    request: async (request) => (await loaded()).request(request),
    dial: async (host, port, signal) => (await loaded()).dial(host, port, signal),
  };
}
