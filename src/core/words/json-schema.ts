export type JsonSchema = { [key: string]: unknown };

/** The service whose format a tool's schema is written in. */
export type Format = "openai" | "anthropic" | "gemini" | "mcp";

/** What a tool takes, in the form that model services expect: an object at the top level. */
export type ObjectSchema = JsonSchema & { type: "object"; properties: JsonSchema; required?: string[] };

type Told = { name: string; description: string };

type Shapes = {
  openai: { type: "function"; function: Told & { parameters: ObjectSchema } };
  anthropic: Told & { input_schema: ObjectSchema };
  mcp: Told & { inputSchema: ObjectSchema };
  gemini: Told & { parameters?: JsonSchema };
};

/** A tool in the form that a model service or an MCP client expects. */
export type ToolSchema<F extends Format = Format> = Shapes[F];
