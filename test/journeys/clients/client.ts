import { type Gate, open } from "../../../src/index.ts";

/** A tool as a client documents it: what must be sent, and a value for each argument that may be. */
export type ClientTool = {
  name: string;
  /** The tool of ours that a call with `least` means. */
  tool: string;
  least: Record<string, unknown>;
  optional?: Record<string, unknown>;
  /** Said beside the call: it changes nothing that is done. */
  comments?: Record<string, unknown>;
};

/** A call in a client's words, and what it must mean here; or why it is refused. */
export type ClientRow = [name: string, args: unknown, tool: string, input: Record<string, unknown>];
export type RefusedRow = [name: string, args: unknown, says: RegExp];

export type Client = { tools: ClientTool[]; rows: ClientRow[]; refused: RefusedRow[] };

export type Understood = { tool: string; input: unknown; notes: readonly string[] } | { refused: string };

/** A gate that does nothing and tells how it understood a call. */
export async function understanding(workspace: string): Promise<{
  gate: Gate;
  understood(name: string, args: unknown): Promise<Understood>;
}> {
  let seen: Understood | undefined;
  const gate = await open({
    workspace,
    mode: "yolo",
    store: "memory",
    sandbox: "off",
    config: { workspace: { allow_delete: true } },
    policies: [
      {
        name: "look",
        judge({ tool, input, notes }) {
          seen = { tool: tool.name, input, notes };
          return { answer: "deny", by: "look", reason: "nothing is done here" };
        },
      },
    ],
  });
  return {
    gate,
    async understood(name, args) {
      seen = undefined;
      const { error } = await gate.call({ name, args });
      return seen ?? { refused: error?.message ?? "" };
    },
  };
}
