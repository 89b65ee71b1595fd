import type { Bytes } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Decoded } from "../../text/decode.ts";

/** Encodes a text in the encoding of its file. Throws if that is impossible. */
export function encoded(path: string, { encoding }: Pick<Decoded, "encoding">, encode: () => Bytes): Bytes {
  try {
    return encode();
  } catch {
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${path} is ${encoding}, which cannot hold the new text.`,
      "Use characters of that encoding, or rewrite the file with write_file.",
    );
  }
}
