import type { Touch } from "../words/touch.ts";

export type NetworkRequest = {
  url: string;
  method?: string;
  /** `${env:NAME}` in a value stands for a secret, which is filled in only if a person allowed it for this host. */
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | string;
  signal?: AbortSignal;
  /** The address that redirected to this one. */
  from?: string;
};

export type NetworkResponse = {
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Decompressed in pieces as it is read. */
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection; whatever was not read is lost. */
  drop(): void;
};

/** The network of a workspace: one request at a time, without following redirects, and only to permitted addresses. */
export interface Network {
  request(request: NetworkRequest): Promise<NetworkResponse>;
}

export type FetchTouch = Extract<Touch, { action: "fetch" }>;

/** Judges a request that turns up while the call is under way. Rejects if it may not be made. */
export type JudgeFurther = (touch: FetchTouch, from: string) => Promise<void>;

/** The network as one call may use it: only declared requests, and redirects that `further` permits. */
export type NetworkGuard = (
  network: Network,
  touches: readonly Touch[],
  signal: () => AbortSignal,
  further: JudgeFurther,
) => Network;
