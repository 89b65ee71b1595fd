import { StringDecoder } from "node:string_decoder";
import { ByteWindow } from "./byte-window.ts";
import { cleanText, unfinishedEscape } from "./terminal-text.ts";

export type Stream = "stdout" | "stderr";

/** Both streams in order of arrival, for a caller that polls. What is not fetched in time is dropped and counted. */
export class Feed {
  readonly #limit: number;
  #pieces: { stream: Stream; window: ByteWindow }[] = [];
  #bytes = 0;
  #dropped = 0;
  #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  #rest = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  push(stream: Stream, chunk: Buffer): void {
    let last = this.#pieces.at(-1);
    if (last?.stream !== stream) {
      last = { stream, window: new ByteWindow() };
      this.#pieces.push(last);
    }
    last.window.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > this.#limit) {
      const first = this.#pieces[0];
      if (!first) break;
      const dropped = first.window.drop(this.#bytes - this.#limit);
      this.#dropped += dropped;
      this.#bytes -= dropped;
      if (first.window.bytes === 0) this.#pieces.shift();
    }
  }

  take(): { text: string; droppedBytes: number } {
    const droppedBytes = this.#dropped;
    if (droppedBytes > 0) {
      this.#decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
      this.#rest = "";
    }
    let text = this.#rest;
    for (const { stream, window } of this.#pieces)
      for (const chunk of window.chunks()) text += this.#decoders[stream].write(chunk);
    const end = unfinishedEscape(text);
    this.#rest = text.slice(end);
    this.#pieces = [];
    this.#bytes = 0;
    this.#dropped = 0;
    return { text: cleanText(text.slice(0, end)), droppedBytes };
  }
}
