import { text } from "node:stream/consumers";
import type { Gate } from "../../../core/gate.ts";
import type { IncomingCall } from "../../../core/words/call.ts";
import type { Result } from "../../../core/words/result.ts";
import type { Invocation } from "./command.ts";
import { exitStatus, failedResult, UsageFailure } from "./exit-status.ts";
import { linesOf } from "./stream-lines.ts";
import { print, toJson } from "./terminal.ts";
import { readObject, readToolArguments, type Typed } from "./tool-arguments.ts";

/** The call that the words of a command line mean; needs the gate, because it depends on the tools. */
export async function callFromWords({ command, words, values }: Invocation): Promise<(gate: Gate) => IncomingCall> {
  const [name, ...rest] = words;
  if (name === undefined)
    throw new UsageFailure(`toolgate ${command} needs the name of a tool.`, "`toolgate tools` lists the tools.");
  const args =
    rest.length === 1 && rest[0] === "-" ? { named: readObject(await text(process.stdin)) } : readToolArguments(rest);
  return (gate) => ({
    name,
    args: "named" in args ? withNames(args as Typed, name, gate) : args,
    ...belonging(values),
  });
}

/** Names the bare first argument. If the tool is unknown or takes no arguments, the tool itself reports it. */
function withNames({ first, named }: Typed, tool: string, { registry }: Gate): unknown {
  if (first === undefined) return named;
  const [schema] = registry.has(tool) ? registry.schemas([tool], { format: "mcp" }) : [];
  const { properties = {}, required = [] } = (schema?.inputSchema ?? {}) as {
    properties?: object;
    required?: readonly string[];
  };
  const argument = required[0] ?? Object.keys(properties)[0];
  if (argument === undefined) return Object.keys(named).length > 0 ? named : first;
  if (Object.hasOwn(named, argument))
    throw new UsageFailure(
      `${argument} is given twice: as ${first}, and by its name.`,
      `A first word without a key is taken as ${argument}.`,
    );
  return { [argument]: first, ...named };
}

/** Calls of one turn share a session, even if nobody names it. */
const belonging = ({ session, turn }: Invocation["values"]): Partial<IncomingCall> => ({
  ...((session ?? turn) !== undefined && { sessionID: session ?? `session_of_${turn}` }),
  ...(turn && { messageID: turn }),
});

type Answered = { answer: object; status: number };

/** Answers every line of standard input with one line, in order. The exit status is the worst of them. */
export async function answerLines(
  { words, values }: Invocation,
  signal: AbortSignal,
  answer: (call: IncomingCall) => Promise<Answered>,
  bad: (result: Result) => object,
): Promise<number> {
  if (words.length > 0)
    throw new UsageFailure(
      "With --jsonl, calls are read from standard input.",
      `Leave out ${words.join(" ")}, or --jsonl.`,
    );
  let worst = 0;
  signal.addEventListener("abort", () => void process.stdin.destroy(), { once: true });
  try {
    for await (const line of linesOf(process.stdin)) {
      if (line.trim() === "") continue;
      const read = callFromLine(line);
      const { answer: told, status } =
        "problem" in read
          ? { answer: bad(read.problem), status: exitStatus("invalid") }
          : await answer({ ...belonging(values), ...read.call });
      worst = Math.max(worst, status);
      const id = "call" in read && read.call.id !== undefined ? { id: read.call.id } : {};
      const heard = await print(`${toJson({ ...id, ...told })}\n`);
      if (!heard || signal.aborted) break;
    }
  } catch (error) {
    // an interruption destroys standard input to end the wait for the next line
    if (!signal.aborted) throw error;
  }
  return worst;
}

const LINE = 'Each line is one call, such as {"tool": "read_file", "args": {"path": "README.md"}}.';

function callFromLine(line: string): { call: IncomingCall } | { problem: Result } {
  try {
    const {
      tool,
      name = tool,
      args = {},
      id,
      sessionID,
      messageID,
      agent,
    } = readObject(line, "The line") as Record<string, unknown>;
    if (typeof name !== "string" || name === "") throw new UsageFailure("The line names no tool.", LINE);
    const texts = Object.entries({ sessionID, messageID, agent }).filter(([, each]) => typeof each === "string");
    return { call: { name, args, ...(id !== undefined && { id: String(id) }), ...Object.fromEntries(texts) } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: failedResult("invalid", { code: "VALIDATION_ERROR", message, hint: LINE }) };
  }
}
