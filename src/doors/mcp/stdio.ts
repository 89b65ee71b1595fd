import { PassThrough, type Readable, type Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { McpDoor } from "./server.ts";

/** A larger message ends the connection. */
const MOST_BYTES = 32 << 20;
/** How long requests that came before the client stopped writing may still take. */
const LAST_ANSWERS_MS = 5_000;

export type StdioServing = {
  /** Resolves when the client has gone, or serving was closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

export type StdioOptions = { input?: Readable; output?: Writable; onError?: (error: Error) => void };

/** Serves the client at the other end of standard input and output. */
export async function serveStdio(
  door: Pick<McpDoor, "rested">,
  factory: McpServerFactory,
  { input = process.stdin, output = process.stdout, onError }: StdioOptions = {},
): Promise<StdioServing> {
  const { serveStdio: serve, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const read = new PassThrough();
  input.pipe(read, { end: false });
  input.once("end", () => setImmediate(() => void door.rested(LAST_ANSWERS_MS).then(() => read.end())));
  input.once("error", () => read.end());
  const transport = new StdioServerTransport(read, output, { maxBufferSize: MOST_BYTES });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const handle = serve(factory, { transport, ...(onError && { onerror: onError }) });
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    end();
  };
  return {
    ended,
    async close() {
      await handle.close();
      end();
    },
  };
}
