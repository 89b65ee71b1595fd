import type { Bytes } from "../../core/contracts/workspace.ts";
import { type Attachment, ToolFailure } from "../../core/words/result.ts";

const LARGEST = 10 * 1024 * 1024;

const starts = (bytes: Bytes, text: string, at = 0): boolean =>
  [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));

/** The type of what models can look at, by its first bytes, never by its name. */
export function mediaType(bytes: Bytes): string | undefined {
  if (starts(bytes, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (starts(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (starts(bytes, "GIF87a") || starts(bytes, "GIF89a")) return "image/gif";
  if (starts(bytes, "RIFF") && starts(bytes, "WEBP", 8)) return "image/webp";
  if (starts(bytes, "%PDF-")) return "application/pdf";
  return undefined;
}

/** Called before the file is read. */
export function refuseTooLarge(path: string, mime: string, size: number): void {
  if (size > LARGEST)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `${path} is ${mime} of ${size} bytes, too large to be attached.`,
      `At most ${LARGEST} bytes can be attached; make a smaller copy first.`,
    );
}

/** The file itself, for a model that can see it. */
export function attach(path: string, mime: string, bytes: Bytes): Attachment {
  refuseTooLarge(path, mime, bytes.length);
  return { mime, data: base64(bytes), name: path.split("/").at(-1) ?? path };
}

const PIECE = 0x8000;
function base64(bytes: Bytes): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(binary);
}
