import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { PipedLaunch, PipedProcess, PipedProcesses } from "../../core/contracts/piped.ts";

const LONGEST_MESSAGE = 32 << 20;
const MOST_ERRORS = 8 << 10;
/** Lines that are not messages: a program that prints to the wrong stream is tolerated, one that floods us is not. */
const MOST_GARBAGE = 1_000;
/** How many messages that are not answers it may send in `UNASKED_MS`. */
const MOST_UNASKED = 5_000;
const UNASKED_MS = 10_000;
const LAST_WORD_MS = 500;

/** A server as a program, with one message per line. Bounded; whatever is not a message is ignored. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly #launch: PipedLaunch;
  readonly #processes: PipedProcesses;
  readonly #read: (line: string) => JSONRPCMessage;
  #process: PipedProcess | undefined;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #garbage = 0;
  #unasked = 0;
  #since = 0;
  #errors = "";
  #ended: string | undefined;
  #isClosed = false;

  constructor(processes: PipedProcesses, launch: PipedLaunch, read: (line: string) => JSONRPCMessage) {
    this.#processes = processes;
    this.#launch = launch;
    this.#read = read;
  }

  /** These two tell the SDK that silence means an old server, not an outage. */
  readonly stderr = null;
  readonly pid = null;

  /** The end of its standard error. */
  get errors(): string {
    return this.#errors;
  }
  /** How it ended, if it ended by itself. */
  get ended(): string | undefined {
    return this.#ended;
  }

  async start(): Promise<void> {
    const decoder = new TextDecoder();
    this.#process = await this.#processes.start(this.#launch, {
      output: (bytes) => this.#hear(bytes),
      errors: (bytes) => {
        this.#errors = (this.#errors + decoder.decode(bytes, { stream: true })).slice(-MOST_ERRORS);
      },
    });
    this.#process.exited.then((how) => {
      this.#ended ??= how;
      void this.close();
    });
  }

  #hear(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1 && !this.#isClosed; end = bytes.indexOf(10, from)) {
      this.#add(bytes.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    if (!this.#isClosed) this.#add(bytes.subarray(from));
  }

  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > LONGEST_MESSAGE) this.#giveUp(`it sent a message of more than ${LONGEST_MESSAGE >> 20} MB`);
    // copied, because the buffer is reused
    else this.#parts.push(Uint8Array.from(bytes));
  }

  #line(): void {
    const line = Buffer.concat(this.#parts).toString("utf8").trim();
    this.#parts = [];
    this.#bytes = 0;
    if (line === "") return;
    let message: JSONRPCMessage;
    try {
      message = this.#read(line);
    } catch {
      if (++this.#garbage > MOST_GARBAGE) this.#giveUp(`it printed ${MOST_GARBAGE} lines that are no messages`);
      return;
    }
    if ("method" in message && this.#isTooMany()) {
      this.#giveUp(`it sent more than ${MOST_UNASKED} messages in ${UNASKED_MS / 1000} s`);
      return;
    }
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #isTooMany(): boolean {
    const now = Date.now();
    if (now - this.#since > UNASKED_MS) {
      this.#since = now;
      this.#unasked = 0;
    }
    return ++this.#unasked > MOST_UNASKED;
  }

  #giveUp(why: string): void {
    this.#ended ??= why;
    void this.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#process || this.#isClosed) throw new Error(this.#ended ?? "it is not connected");
    try {
      await this.#process.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      // a program that no longer reads has mostly ended; how it ended arrives in a moment
      await Promise.race([this.#process.exited, new Promise((resolve) => setTimeout(resolve, LAST_WORD_MS).unref())]);
      throw this.#ended === undefined ? error : new Error(this.#ended);
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#parts = [];
    this.onclose?.();
    await this.#process?.kill();
  }
}
