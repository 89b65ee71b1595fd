import type { Touch } from "../words/touch.ts";

export type NetworkRequest = {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  signal?: AbortSignal;
};

export type NetworkResponse = {
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: AsyncIterable<Uint8Array>;
};

/** The network as a workspace offers it: one request, no redirect followed. */
export interface Network {
  request(request: NetworkRequest): Promise<NetworkResponse>;
}

/** The network as one call may use it: what it declared to fetch and nothing else. */
export type NetworkGuard = (network: Network, touches: readonly Touch[], signal: () => AbortSignal) => Network;
