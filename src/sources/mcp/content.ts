import { createHash } from "node:crypto";
import type * as Sdk from "@modelcontextprotocol/client";
import { labelOf } from "../../core/words/label.ts";
import type { Attachment, Returned } from "../../core/words/result.ts";
import { outsideText } from "../../text/outside.ts";

const LONGEST_ATTACHMENT = 16 << 20;
const MOST_ATTACHMENTS = 20;
const LONGEST_STRUCTURE = 64 << 10;

type Block = Sdk.CallToolResult["content"][number];

/** Converts a server's answer to a result of ours: texts, pictures as attachments, and errors as failures. */
export function resultOf(
  given: Sdk.CallToolResult,
  server: string,
  title: string,
  notes: readonly string[] = [],
): Returned {
  const attachments: Attachment[] = [];
  const blocks = given.content ?? [];
  const texts = blocks.map((block) => textOf(block, attachments)).filter((text) => text !== "");
  const structured = given.structuredContent;
  // a server that sends both says the same thing twice
  if (texts.length === 0 && structured !== undefined) texts.push(JSON.stringify(structured));
  const text = texts.join("\n\n");
  const metadata = {
    server,
    ...(structured !== undefined && JSON.stringify(structured).length <= LONGEST_STRUCTURE && { structured }),
  };
  const said = text || (attachments.length > 0 ? "" : "It answered nothing.");
  const output = [...notes, outsideText(`the server ${server}`, said, sha256)].join("\n");
  const told = { title, output, metadata, ...(attachments.length > 0 && { attachments }) };
  if (given.isError !== true) return told;
  const [first = ""] = text.trim().split("\n");
  return {
    ...told,
    success: false,
    error: {
      code: "UNKNOWN",
      message: `The server ${server} reported an error: ${first.slice(0, 300) || "it did not say which"}`,
      hint: "Read what it says, then change the arguments or try another approach.",
    },
  };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function textOf(block: Block, attachments: Attachment[]): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
    case "audio":
      return attached(block.type, block.mimeType, block.data, attachments);
    case "resource_link":
      return `${labelOf(block.name)}: ${block.uri}${block.description ? ` (${block.description})` : ""}`;
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return `${resource.uri}:\n${resource.text}`;
      return attached(resource.uri, resource.mimeType ?? "application/octet-stream", resource.blob, attachments);
    }
    default:
      return `[something that cannot be shown: ${String((block as { type?: unknown }).type).slice(0, 40)}]`;
  }
}

function attached(what: string, mime: string, data: string, attachments: Attachment[]): string {
  if (data.length > LONGEST_ATTACHMENT || attachments.length >= MOST_ATTACHMENTS || !/^[\w.+-]+\/[\w.+-]+$/.test(mime))
    return `[${what}, ${data.length} bytes in base64, was left out]`;
  attachments.push({ mime, data });
  return mime.startsWith("image/") ? "" : `[${what}, ${mime}, is attached]`;
}
