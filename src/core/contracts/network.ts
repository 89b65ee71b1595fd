import type { Touch } from "../words/touch.ts";

export type NetworkRequest = {
  url: string;
  method?: string;
  /** `${env:NAME}` in a value stands for a secret that is filled in on the way, where people allowed it for this host. */
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
  /** Decompressed as it is read, a piece at a time. */
  body: AsyncIterable<Uint8Array>;
  /** Ends the connection; what was not read is lost. */
  drop(): void;
};

/** The network as a workspace offers it: one request, no redirect followed, nowhere but where it may reach. */
export interface Network {
  request(request: NetworkRequest): Promise<NetworkResponse>;
}

export type FetchTouch = Extract<Touch, { action: "fetch" }>;

/** Judges a request that turns up while the call is under way; rejects where it may not be made. */
export type JudgeFurther = (touch: FetchTouch, from: string) => Promise<void>;

/** The network as one call may use it: what it declared to fetch, what that redirects to by judgement, and nothing else. */
export type NetworkGuard = (
  network: Network,
  touches: readonly Touch[],
  signal: () => AbortSignal,
  further: JudgeFurther,
) => Network;
