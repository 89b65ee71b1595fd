import type { Readable } from "node:stream";

/** The lines of a stream as they arrive, with backpressure. */
export async function* linesOf(stream: Readable): AsyncGenerator<string> {
  stream.setEncoding("utf8");
  let pieces: string[] = [];
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = chunk.split("\n");
    pieces.push(lines[0]!);
    for (const next of lines.slice(1)) {
      yield pieces.join("");
      pieces = [next];
    }
  }
  const last = pieces.join("");
  if (last) yield last;
}
