import { ToolFailure } from "../../core/result.ts";
import type { Bytes } from "../../core/workspace.ts";
import { type Decoded, encode } from "../../text/decode.ts";

/** A text back in the encoding of its file, or the reason why that cannot be. */
export function encoded(path: string, text: string, as: Pick<Decoded, "encoding" | "bom">): Bytes {
  try {
    return encode(text, as);
  } catch {
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${path} is ${as.encoding}, which cannot hold the new text.`,
      "Use characters of that encoding, or rewrite the file with write_file.",
    );
  }
}
