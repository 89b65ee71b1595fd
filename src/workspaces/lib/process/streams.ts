import fs from "node:fs";
import net from "node:net";
import type { Captured } from "../../../core/contracts/process.ts";
import { Capture, type Keep, type Target } from "./capture.ts";
import { Feed, type Stream } from "./feed.ts";

const POLLED_BYTES = 256 * 1024;
const STREAMED_BYTES = 16 * 1024;
const STREAM_MS = 100;
/** Counted in turns of the event loop, 10 ms or more each: a blocked loop has not read what came in the meantime. */
const SILENT_TURNS = 10;
const MOST_TURNS = 50;

/** Opens the reading end of a named pipe without waiting for a writer. */
const openReader = (pipe: string): number => fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);

export const readerOf = (fd: number): net.Socket => new net.Socket({ fd, readable: true, writable: false });

/** The output of a command: read as fast as it comes, kept within bounds, and passed on to a listener. */
export class Streams {
  readonly #readers: { stream: Stream; fd: number }[];
  readonly #captures: Record<Stream, Capture>;
  readonly #feed = new Feed(POLLED_BYTES);
  readonly #told: Feed | undefined;
  readonly #tell: ((text: string) => void) | undefined;
  #sockets: net.Socket[] = [];
  #open = 0;
  #heard = 0;
  #over = false;
  #timer: NodeJS.Timeout | undefined;
  #closed: () => void = () => {};
  readonly #allClosed: Promise<void>;

  constructor(
    pipes: Record<Stream, string>,
    keep: Keep,
    target: (stream: Stream) => Target,
    tell?: (text: string) => void,
  ) {
    this.#readers = (["stdout", "stderr"] as const).map((stream) => ({ stream, fd: openReader(pipes[stream]) }));
    this.#captures = {
      stdout: new Capture(keep, () => target("stdout")),
      stderr: new Capture(keep, () => target("stderr")),
    };
    this.#tell = tell;
    this.#told = tell && new Feed(STREAMED_BYTES);
    this.#allClosed = new Promise((resolve) => {
      this.#closed = resolve;
    });
  }

  /** Must be called once the command has opened its ends: before that the pipes would count as closed. */
  listen(): void {
    this.#open = this.#readers.length;
    this.#sockets = this.#readers.map(({ stream, fd }) => {
      const socket = readerOf(fd);
      socket.on("data", (chunk: Buffer) => this.#hear(stream, chunk, socket));
      socket.on("error", () => {});
      socket.once("close", () => {
        if (--this.#open === 0) this.#closed();
      });
      return socket;
    });
  }

  /** Closes the pipes of a command that was never started. */
  abandon(): void {
    if (this.#sockets.length === 0) for (const { fd } of this.#readers) fs.closeSync(fd);
  }

  #hear(stream: Stream, chunk: Buffer, socket: net.Socket): void {
    if (this.#over) return;
    this.#heard++;
    this.#feed.push(stream, chunk);
    if (this.#told) {
      this.#told.push(stream, chunk);
      this.#timer ??= setTimeout(() => this.#report(), STREAM_MS).unref();
    }
    const capture = this.#captures[stream];
    if (capture.push(chunk)) return;
    socket.pause();
    capture.drained().then(() => socket.resume());
  }

  #report(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#told || this.#told.isEmpty) return;
    const { text, droppedBytes } = this.#told.take();
    try {
      this.#tell?.(droppedBytes > 0 ? `[${droppedBytes} bytes skipped]\n${text}` : text);
    } catch {
      // a failing listener must not disturb the command
    }
  }

  /** After the command has ended, reads what is left in the pipes, without waiting for others who hold them open. */
  async lastWords(): Promise<void> {
    let silent = 0;
    for (let turn = 0; turn < MOST_TURNS && silent < SILENT_TURNS && this.#open > 0; turn++) {
      const before = this.#heard;
      await Promise.race([this.#allClosed, oneTurn()]);
      silent = this.#heard === before ? silent + 1 : 0;
    }
    this.#over = true;
    this.#report();
    await Promise.all([this.#captures.stdout.end(), this.#captures.stderr.end()]);
    // what keeps running must not die of a closed pipe, nor keep this process from exiting
    for (const socket of this.#sockets) socket.unref();
  }

  /** True if nobody holds the other ends any more. */
  get isOver(): boolean {
    return this.#open === 0;
  }

  captured(): { stdout: Captured; stderr: Captured } {
    return { stdout: this.#captures.stdout.captured(), stderr: this.#captures.stderr.captured() };
  }

  fresh(): { text: string; droppedBytes: number } {
    return this.#feed.take();
  }

  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const TURN_MS = 10;

/** Waits long enough that everything readable has been read once. */
export const oneTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => setImmediate(resolve), TURN_MS);
  });
