export type JsonSchema = { [key: string]: unknown };

/** Whose shape a tool's schema is written in. */
export type Format = "openai" | "anthropic" | "gemini" | "mcp";
