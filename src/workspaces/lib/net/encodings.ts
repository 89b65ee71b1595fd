import { pipeline, Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { ToolFailure } from "../../../core/words/result.ts";

const MOST_LAYERS = 2;

const through = (body: Readable, decoder: Transform): Readable => pipeline(body, decoder, () => {});

const DECODERS: Readonly<Record<string, (body: Readable) => Readable>> = {
  gzip: (body) => through(body, zlib.createGunzip()),
  "x-gzip": (body) => through(body, zlib.createGunzip()),
  deflate: (body) => Readable.from(inflated(body)),
  br: (body) => through(body, zlib.createBrotliDecompress()),
};

/** Many servers send raw deflate data, without the zlib header. */
async function* inflated(body: Readable): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  const { value: first } = await pieces.next();
  const hasHead = ((first?.[0] ?? 0x78) & 0x0f) === 8;
  const whole = Readable.from(
    (async function* () {
      if (first) yield first;
      yield* { [Symbol.asyncIterator]: () => pieces };
    })(),
  );
  yield* through(whole, hasHead ? zlib.createInflate() : zlib.createInflateRaw());
}

/** Decompresses a body piece by piece, so that the reader decides when it has enough. */
export function decoded(body: Readable, encoding = ""): Readable {
  const layers = encoding
    .toLowerCase()
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && each !== "identity");
  const unknown = layers.find((each) => !Object.hasOwn(DECODERS, each));
  if (unknown !== undefined || layers.length > MOST_LAYERS)
    throw new ToolFailure(
      "IO_ERROR",
      `The server compressed its answer as ${layers.join(", ")}, which is not understood.`,
      "Try another address.",
    );
  let stream = body;
  for (const layer of layers.reverse()) stream = DECODERS[layer]?.(stream) ?? stream;
  return stream;
}
