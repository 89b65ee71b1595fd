import { createHash } from "node:crypto";
import type { Progress } from "@modelcontextprotocol/client";
import type { JsonSchema } from "../../core/words/json-schema.ts";
import { type Context, Tool } from "../../core/words/tool.ts";
import type { Connection } from "./connection.ts";
import { resultOf } from "./content.ts";
import { type ServedTool, seen } from "./manifest.ts";

const PROGRESS_MS = 100;

/** What a person's yes to a tool is bound to: all that its server says of it. */
const definitionHash = (tool: ServedTool): string => createHash("sha256").update(JSON.stringify(tool)).digest("hex");

export type ServedBy = { readonly server: string; readonly timeout: number; connection(): Connection };

/** A tool of a server as one of ours: it uses the server and says so; what the server claims about itself decides nothing. */
export function toolOf(name: string, served: ServedTool, by: ServedBy): Tool {
  const { server, timeout } = by;
  const hash = definitionHash(served);
  return Tool.define<JsonSchema>(name, {
    description: served.description || `${served.name} of the server ${server}.`,
    input: served.schema,
    touches: () => [{ action: "use", source: "mcp", name: `${server}/${served.name}` }],
    scope: () => hash,
    timeLimit: timeout + 10_000,
    async execute(input, context) {
      const definition = { name: served.name, inputSchema: { ...served.schema, type: "object" as const } };
      const answer = await by
        .connection()
        .call(definition, input, { signal: context.abort, onProgress: teller(context) });
      return resultOf(answer, server, `${server}: ${served.name}`);
    },
  });
}

/** Not more often than anybody could read. */
function teller(context: Context): (progress: Progress) => void {
  let told = 0;
  return ({ progress, total, message }) => {
    const now = Date.now();
    if (now - told < PROGRESS_MS && progress !== total) return;
    told = now;
    const title = message ? seen(message, 200) : undefined;
    context.metadata({ ...(title && { title }), metadata: { progress, ...(total !== undefined && { total }) } });
  };
}
