import type { Bytes } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { counted } from "../../text/counted.ts";
import { decode, encodeEdited } from "../../text/decode.ts";
import { dominantEnding, splitLines } from "../../text/lines.ts";
import { encoded } from "./encoded.ts";

/** Inserts lines after a line of a file (0: before the first), in the file's own line endings and encoding. */
export function inserted(path: string, bytes: Bytes, line: number, content: string): Bytes {
  const decoded = decode(bytes);
  if (!decoded) throw new ToolFailure("BINARY", `${path} is not text.`, "Lines can only be inserted into text.");
  const { text } = decoded;
  const lines = splitLines(text);
  if (line > lines.length)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${path} has ${counted(lines.length, "line")}, so nothing can be inserted after line ${line}.`,
      `Use an insert_line from 0 to ${lines.length}.`,
    );
  const ending = dominantEnding(text);
  const above = lines[line - 1];
  const at = above ? above.start + above.text.length + above.ending.length : 0;
  const isOpen = above?.ending === "";
  const body = content.replace(/\r\n|\n/g, () => ending).replace(/(?:\r\n|[\r\n])$/, "");
  const added = isOpen ? ending + body : body + ending;
  const edits = [{ start: at, end: at, text: added }];
  const whole = text.slice(0, at) + added + text.slice(at);
  return encoded(path, decoded, () => encodeEdited(bytes, decoded, whole, edits));
}
