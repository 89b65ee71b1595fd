import type { CallToolResult, ContentBlock, Tool as ListedTool, ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Entry, Registry } from "../../../core/registry.ts";
import type { GateView } from "../../../core/words/gate-view.ts";
import type { JsonSchema } from "../../../core/words/json-schema.ts";
import { type Attachment, type Result, render } from "../../../core/words/result.ts";
import { PERMISSIONS } from "../../../core/words/touch.ts";
import type { Shown } from "../../lib/turn.ts";

/** A gate whose registry is accessible. */
export type ServedGate = GateView & { readonly registry: Registry };

/** The tools as the client's model is shown them, always in the same order. */
export function listed(gate: ServedGate, shown: Shown): ListedTool[] {
  return gate.schemas({ ...shown, format: "mcp" }).map(({ name, description, inputSchema }) => {
    const entry = gate.registry.get(name);
    const output = entry && outputSchemaOf(entry);
    return {
      name,
      description,
      inputSchema,
      ...(output && { outputSchema: output }),
      annotations: entry ? annotationsOf(entry) : {},
    } as ListedTool;
  });
}

/** A tool that declares nothing is announced as doing everything. */
function annotationsOf({ permissions, definition }: Entry): ToolAnnotations {
  const needs = permissions ? [...permissions.required, ...(permissions.optional ?? [])] : PERMISSIONS;
  const changes = needs.includes("write") || needs.includes("execute");
  return {
    readOnlyHint: !changes && !needs.includes("network"),
    destructiveHint: changes,
    idempotentHint: definition?.idempotent === true,
    openWorldHint: needs.includes("network") || needs.includes("execute"),
  };
}

function outputSchemaOf({ definition }: Entry): JsonSchema | undefined {
  const output = definition?.output;
  if (!output) return undefined;
  return "_zod" in output ? (z.toJSONSchema(output as z.ZodType) as JsonSchema) : output;
}

/**
 * Some clients show their model either the text or the structured part, and of an error only the structured part. So
 * the text always says everything, and an error has no structured part.
 */
export function toolResult(result: Result, entry: Entry | undefined): CallToolResult {
  const { success, metadata, attachments = [] } = result;
  const content: ContentBlock[] = [{ type: "text", text: render(result) }, ...attachments.map(blockOf)];
  if (!success) return { content, isError: true };
  if (!entry?.definition?.output) return { content };
  // without it a client would reject the whole answer as invalid
  return metadata.structured === undefined
    ? { content, isError: true }
    : { content, structuredContent: metadata.structured as Record<string, unknown> };
}

function blockOf({ mime, data, name }: Attachment): ContentBlock {
  if (mime.startsWith("image/")) return { type: "image", data, mimeType: mime };
  if (mime.startsWith("audio/")) return { type: "audio", data, mimeType: mime };
  return {
    type: "resource",
    resource: { uri: `toolgate://attachment/${encodeURIComponent(name ?? "file")}`, blob: data, mimeType: mime },
  };
}
