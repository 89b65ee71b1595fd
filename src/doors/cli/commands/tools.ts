import type { ServerState } from "../../../core/contracts/servers.ts";
import type { Format, JsonSchema } from "../../../core/words/json-schema.ts";
import { countTokens } from "../../../text/tokens.ts";
import type { Command } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { columns } from "../lib/help.ts";
import { openingOf, withGate } from "../lib/opening.ts";
import { noWords } from "../lib/subcommand.ts";
import { colours, documentOf, lineWidth, print, visible } from "../lib/terminal.ts";

/** What a model is shown: schemas for a service, or a list for people. */
export const run: Command = async (invocation) => {
  const { values, flags, json } = invocation;
  noWords(invocation);
  const { dialect } = values;
  const format = values.format as Format | undefined;
  return withGate({ ...openingOf(invocation), store: "memory" }, async (gate) => {
    const schemas = (wanted?: Format) => {
      try {
        return gate.schemas({ ...(wanted && { format: wanted }), ...(dialect && { dialect }) });
      } catch (error) {
        throw error instanceof TypeError
          ? new UsageFailure(error.message, "Give another one with --dialect NAME.")
          : error;
      }
    };
    if (flags.has("tokens")) {
      await print(tokensOf(schemas(format), json));
      return 0;
    }
    if (json || format) {
      await print(documentOf(schemas(format)));
      return 0;
    }
    const late = (await gate.servers?.states()) ?? [];
    await print(schemas("mcp").map(entry).join("") + late.map(serverEntry).join(""));
    return 0;
  });
};

/** What is known about a server's tools, without starting it. */
function serverEntry({ name, state, tools }: ServerState): string {
  const known =
    state === "off" ? "switched off" : tools.length > 0 ? tools.join(", ") : "not known until it has been started once";
  return `${colours().bold(`tools of the server ${visible(name)}`)}\n    ${visible(known)}\n`;
}

/** On two lines, because no column is wide enough for all arguments. */
function entry(schema: JsonSchema): string {
  const { name, description, inputSchema } = schema as {
    name: string;
    description: string;
    inputSchema: { properties?: object; required?: string[] };
  };
  const args = Object.keys(inputSchema.properties ?? {}).map((each) =>
    inputSchema.required?.includes(each) ? each : `${each}?`,
  );
  return `${colours().bold(name)}(${args.join(", ")})\n${columns([["", description.split("\n", 1)[0] ?? ""]], lineWidth())}\n`;
}

/** The cost of each tool per request, the most expensive first. */
function tokensOf(schemas: readonly JsonSchema[], json: boolean): string {
  const costs = schemas
    .map((schema) => ({ name: nameOf(schema), tokens: countTokens(JSON.stringify(schema)) }))
    .sort((a, b) => b.tokens - a.tokens);
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  if (json) return documentOf({ tools: costs, total });
  return `${columns([...costs.map(({ name, tokens }) => [name, String(tokens)] as const), ["together", `about ${total} tokens`]])}\n`;
}

const nameOf = (schema: JsonSchema): string =>
  ((schema.function as { name: string } | undefined)?.name ?? schema.name) as string;
