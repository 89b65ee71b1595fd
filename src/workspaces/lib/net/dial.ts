import dns from "node:dns/promises";
import net from "node:net";
import { ToolFailure } from "../../../core/words/result.ts";
import { addressOf } from "../../../rules/addresses.ts";
import { bareName } from "../../../rules/host-entry.ts";
import type { OutOfReach, Reach } from "../../../rules/reach.ts";
import { errorCode } from "../failures.ts";

export type Answer = { readonly address: string; readonly family?: number };
/** All addresses of a name. Rejects with ENOTFOUND if there are none. */
export type Lookup = (host: string) => Promise<readonly Answer[]>;
/** Opens a connection to an address, never to a host name. */
export type Connect = (to: { host: string; port: number }) => net.Socket;

export type DialOptions = {
  readonly reach: Reach;
  readonly lookup?: Lookup;
  readonly connect?: Connect;
  /** The time limit for each address. */
  readonly patienceMs?: number;
};

/**
 * Connects only to hosts that may be reached. The name is resolved once, every address must be within reach, and the
 * connection goes to an address that was checked.
 */
export type Dial = (host: string, port: number, signal?: AbortSignal) => Promise<net.Socket>;

const PATIENCE_MS = 10_000;

const systemLookup: Lookup = (host) => dns.lookup(host, { all: true });

export function dialer({
  reach,
  lookup = systemLookup,
  connect = net.connect,
  patienceMs = PATIENCE_MS,
}: DialOptions): Dial {
  return async (host, port, signal) => {
    const addresses = await addressesOf(host, port, reach, lookup, signal);
    let failure: unknown;
    for (const address of addresses) {
      signal?.throwIfAborted();
      try {
        return await connected(connect, address, port, patienceMs, signal);
      } catch (error) {
        if (error instanceof ToolFailure) throw error;
        failure = error;
      }
    }
    signal?.throwIfAborted();
    throw new ToolFailure(
      errorCode(failure) === "ETIMEDOUT" ? "TIMEOUT" : "IO_ERROR",
      `${host}:${port} cannot be connected to (${errorCode(failure) || "no connection"}).`,
      "Check the host and the port, or try again later.",
    );
  };
}

/** Resolves a host. If one of its addresses is out of reach, the name is not trusted and this throws. */
export async function addressesOf(
  host: string,
  port: number,
  reach: Reach,
  lookup: Lookup = systemLookup,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const refused = reach.target({ host, port });
  if (refused) throw outOfReach(refused);
  const literal = addressOf(host);
  if (literal) return [host.replace(/^\[|\]$/g, "")];
  const answers = await resolved(bareName(host), lookup, signal);
  for (const address of answers) {
    const problem = reach.target({ host, port, address });
    if (problem) throw outOfReach(problem);
  }
  return answers;
}

async function resolved(host: string, lookup: Lookup, signal?: AbortSignal): Promise<readonly string[]> {
  let answers: readonly Answer[];
  try {
    answers = await orAborted(lookup(host), signal);
  } catch (error) {
    signal?.throwIfAborted();
    const code = errorCode(error);
    throw new ToolFailure(
      // `NOT_FOUND` lets a proxy try the name, so only a definite miss may say so
      ["ENOTFOUND", "ENODATA", ""].includes(code ?? "") ? "NOT_FOUND" : "IO_ERROR",
      `${host} cannot be resolved (${code || "no answer"}).`,
      "Check the name of the host.",
    );
  }
  if (!Array.isArray(answers) || answers.length === 0)
    throw new ToolFailure("NOT_FOUND", `${host} has no address.`, "Check the name of the host.");
  return [...new Set(answers.map(({ address }) => String(address)))];
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

function connected(
  connect: Connect,
  address: string,
  port: number,
  patienceMs: number,
  signal: AbortSignal | undefined,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port });
    const fail = (error: unknown) => {
      settle();
      socket.on("error", () => {});
      socket.destroy();
      reject(error);
    };
    const stop = () => fail(signal?.reason);
    const tooLong = () => fail(Object.assign(new Error("no answer"), { code: "ETIMEDOUT" }));
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      socket.off("error", fail);
    };
    const timer = setTimeout(tooLong, patienceMs);
    signal?.addEventListener("abort", stop, { once: true });
    socket.once("error", fail);
    socket.once("connect", () => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined || !isSame(remoteAddress, address))
        return fail(
          outOfReach({ reason: `the connection to ${address} led to ${remoteAddress}`, next: "Do not try it again." }),
        );
      settle();
      // an error before the caller adds its own listener must not crash the process
      socket.on("error", () => {});
      resolve(socket);
    });
  });
}

const isSame = (a: string, b: string): boolean => {
  const [first, second] = [addressOf(a), addressOf(b)];
  return first !== undefined && second !== undefined && first.toNormalizedString() === second.toNormalizedString();
};

export const outOfReach = ({ reason, next }: OutOfReach): ToolFailure =>
  new ToolFailure("PERMISSION_DENIED", `Out of reach: ${reason}.`, next);
