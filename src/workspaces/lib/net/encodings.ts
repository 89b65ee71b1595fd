import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { ToolFailure } from "../../../core/words/result.ts";

const MOST_LAYERS = 2;

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
};

/** The body as it was before it was compressed, piece by piece: whoever reads decides when it is enough. */
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
  for (const layer of layers.reverse()) stream = pipeline(stream, (DECODERS[layer] as () => Transform)(), () => {});
  return stream;
}
