import { type GateView, render } from "toolgate";

/** The tools of a gate as plain objects, for frameworks that take a JSON Schema and a function that returns text. */
export const plainTools = (gate: GateView) =>
  gate.schemas({ format: "mcp" }).map(({ name, description, inputSchema }) => ({
    name,
    description,
    parameters: inputSchema,
    strict: false as const,
    execute: async (args: unknown): Promise<string> => render(await gate.call({ name, args })),
  }));
