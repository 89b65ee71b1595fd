import type { Readable, Writable } from "node:stream";
import type { McpServerFactory } from "@modelcontextprotocol/server";

/** A message beyond this ends the connection. */
const MOST_BYTES = 32 << 20;

export type StdioServing = {
  /** Once the client has gone, or the serving was closed. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
};

/** Serves the client at the other end of standard input and output. */
export async function serveStdio(
  factory: McpServerFactory,
  { input, output, onError }: { input?: Readable; output?: Writable; onError?: (error: Error) => void } = {},
): Promise<StdioServing> {
  const { serveStdio: serve, StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const transport = new StdioServerTransport(input, output, { maxBufferSize: MOST_BYTES });
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
