import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

const MOST_EVENTS = 500;
const MOST_BYTES = 4 << 20;

type Kept = { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage; readonly bytes: number };

/** Recent messages, for a client that lost its connection and resumes. */
export class RecentEvents implements EventStore {
  #events: Kept[] = [];
  #bytes = 0;
  #count = 0;

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const event = { id: `${++this.#count}-${stream}`, stream, message, bytes: JSON.stringify(message).length };
    this.#events.push(event);
    this.#bytes += event.bytes;
    while (this.#events.length > 1 && (this.#events.length > MOST_EVENTS || this.#bytes > MOST_BYTES))
      this.#bytes -= this.#events.shift()?.bytes ?? 0;
    return event.id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.find((each) => each.id === id)?.stream;
  }

  async replayEventsAfter(
    last: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#events.findIndex(({ id }) => id === last);
    const stream = this.#events[at]?.stream;
    if (stream === undefined) throw new Error("This event is not kept any more.");
    for (const event of this.#events.slice(at + 1))
      if (event.stream === stream && "jsonrpc" in event.message) await send(event.id, event.message);
    return stream;
  }
}
