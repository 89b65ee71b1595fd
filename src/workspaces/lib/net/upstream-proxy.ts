import net from "node:net";
import { ToolFailure } from "../../../core/words/result.ts";
import { addressesOf, type Connect, type Dial, type DialOptions } from "./dial.ts";

/** A proxy that people configured. Its own address is trusted; the targets behind it are still checked. */
export type Proxy = {
  /** Opens a tunnel to the host through the proxy. */
  readonly dial: Dial;
  /** Connects to the proxy after checking that the host may be reached. */
  readonly connect: Dial;
  /** Headers for every request that the proxy reads. */
  readonly headers: Readonly<Record<string, string>>;
};

const MOST_ANSWER_BYTES = 16 * 1024;

export function proxyAt(address: string, { reach, lookup, connect = net.connect }: DialOptions): Proxy {
  const url = new URL(address);
  const name = decodeURIComponent(url.username);
  const headers: Record<string, string> = name
    ? {
        "proxy-authorization": `Basic ${Buffer.from(`${name}:${decodeURIComponent(url.password)}`).toString("base64")}`,
      }
    : {};
  const open: Dial = async (host, port, signal) => {
    try {
      await addressesOf(host, port, reach, lookup, signal);
    } catch (error) {
      // a name that is unknown here may be known to the proxy; one that resolves here must be within reach
      if (!(error instanceof ToolFailure) || error.code !== "NOT_FOUND") throw error;
    }
    return toProxy(connect, url, signal);
  };
  return {
    connect: open,
    headers,
    async dial(host, port, signal) {
      const socket = await open(host, port, signal);
      const said = Object.entries(headers).map(([key, value]) => `${key}: ${value}\r\n`);
      const target = `${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
      socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${said.join("")}\r\n`);
      await opened(socket, target, signal);
      return socket;
    },
  };
}

function toProxy(connect: Connect, { hostname, port, host }: URL, signal: AbortSignal | undefined) {
  return new Promise<net.Socket>((resolve, reject) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 80) });
    const fail = () => {
      signal?.removeEventListener("abort", fail);
      socket.on("error", () => {});
      socket.destroy();
      reject(
        signal?.aborted
          ? signal.reason
          : new ToolFailure(
              "IO_ERROR",
              `The proxy ${host} cannot be connected to.`,
              "Have a person look at web.proxy.",
            ),
      );
    };
    signal?.addEventListener("abort", fail, { once: true });
    socket.once("error", fail);
    socket.once("connect", () => {
      signal?.removeEventListener("abort", fail);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

/** Waits until the proxy has accepted the tunnel, and leaves every byte after its answer in the socket. */
function opened(socket: net.Socket, target: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const settle = () => {
      socket.off("readable", look).off("error", fail).off("end", fail);
      signal?.removeEventListener("abort", fail);
    };
    const fail = () => {
      settle();
      socket.on("error", () => {});
      socket.destroy();
      const [line = ""] = answer.split("\r\n", 1);
      reject(
        signal?.aborted
          ? signal.reason
          : new ToolFailure(
              "IO_ERROR",
              `The proxy does not connect to ${target}${line && ` (${line})`}.`,
              "Try another address.",
            ),
      );
    };
    const look = () => {
      for (let byte = socket.read(1); byte !== null; byte = socket.read(1)) {
        answer += byte.toString("latin1");
        if (answer.endsWith("\r\n\r\n")) {
          if (!/^HTTP\/1\.[01] 2\d\d\b/.test(answer)) return fail();
          settle();
          return resolve();
        }
        if (answer.length > MOST_ANSWER_BYTES) return fail();
      }
    };
    socket.on("readable", look).once("error", fail).once("end", fail);
    signal?.addEventListener("abort", fail, { once: true });
  });
}
