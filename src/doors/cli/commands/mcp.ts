import type { Gate } from "../../../core/gate.ts";
import type { OpenOptions } from "../../../open.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { openingOf, withGate } from "../lib/opening.ts";
import { visible } from "../lib/terminal.ts";

/** Serves the tools to an MCP client. */
export const run: Command = async (invocation) => {
  const [word] = invocation.words;
  if (word !== undefined)
    throw new UsageFailure(`toolgate mcp has no command ${word}.`, "`toolgate mcp --help` shows what it takes.");
  notByAgents();
  const [{ mcp }, { serveStdio }] = await Promise.all([import("../../mcp/server.ts"), import("../../mcp/stdio.ts")]);
  const door = mcp();
  const options = { ...openingOf(invocation), ...toolsOf(invocation), ...peopleOf(invocation, door) };
  return withGate(options, async (gate, signal) => {
    const { dialect } = invocation.values;
    checkDialect(gate, dialect);
    const factory = await door.factory(gate, { version: invocation.version, ...(dialect && { dialect }) });
    const serving = await serveStdio(door, factory, { onError: tell });
    signal.addEventListener("abort", () => void serving.close());
    await serving.ended;
    door.close();
    return 0;
  });
};

/** Whoever starts the server may be the client that answers its questions. */
function notByAgents(): void {
  if (process.env.TOOLGATE_PROCESS !== undefined)
    throw new UsageFailure(
      "A command that an agent runs cannot serve the tools.",
      "A person does that, or the client that they set up.",
    );
}

function checkDialect(gate: Pick<Gate, "schemas">, dialect: string | undefined): void {
  try {
    gate.schemas(dialect ? { dialect } : {});
  } catch (error) {
    throw new UsageFailure((error as Error).message, "Give another one with --dialect NAME.");
  }
}

const tell = (error: Error): void => void process.stderr.write(`toolgate mcp: ${visible(error.message)}\n`);

/** `--tools` is what `--toolset` is, by the name that people look for here. */
function toolsOf({ values }: Invocation): Pick<OpenOptions, "toolset"> {
  const { tools, toolset } = values;
  if (tools === undefined) return {};
  if (toolset !== undefined) throw new UsageFailure("--tools and --toolset mean the same here.", "Give one of them.");
  return { toolset: tools.split(",").map((name) => name.trim()) };
}

function peopleOf(
  { values }: Invocation,
  { approve, ask }: Pick<OpenOptions, "approve" | "ask">,
): Partial<OpenOptions> {
  if (values.approvals === "queue") return { approve: "queue" };
  if (values.approvals === "refuse") return {};
  return { ...(approve && { approve }), ...(ask && { ask }) };
}
