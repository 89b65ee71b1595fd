export type JsonSchema = { [key: string]: unknown };

/** Whose shape a tool's schema is written in. */
export type Format = "openai" | "anthropic" | "gemini" | "mcp";

/** What a tool takes, as models' services want it: an object at the top. */
export type ObjectSchema = JsonSchema & { type: "object"; properties: JsonSchema; required?: string[] };

type Told = { name: string; description: string };

type Shapes = {
  openai: { type: "function"; function: Told & { parameters: ObjectSchema } };
  anthropic: Told & { input_schema: ObjectSchema };
  mcp: Told & { inputSchema: ObjectSchema };
  gemini: Told & { parameters?: JsonSchema };
};

/** A tool in the shape that a model's service, or an MCP client, expects. */
export type ToolSchema<F extends Format = Format> = Shapes[F];
