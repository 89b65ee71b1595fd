import type { HookEventName, HookedCall, Moment } from "../../core/contracts/hook.ts";
import type { Dialect } from "../../core/registry.ts";
import type { Result } from "../../core/words/result.ts";
import { isPathTouch, type PathTouch } from "../../core/words/touch.ts";
import type { Fields } from "./answer.ts";

/** What a script is told, in its environment and on its standard input. */
export type Message = { readonly env: Record<string, string>; readonly input: string };

const MOST_OUTPUT = 2_000;

/** Event names that scripts of other agents expect. */
const CLAUDE_EVENTS: Readonly<Partial<Record<HookEventName, string>>> = {
  agent_complete: "Stop",
  context_compress: "PreCompact",
};
const pascal = (event: HookEventName): string =>
  CLAUDE_EVENTS[event] ?? event.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const PROJECT_VARIABLES = ["CLAUDE", "GEMINI", "COPILOT", "CURSOR"].map((agent) => `${agent}_PROJECT_DIR`);

/** Sets every value under both prefixes: ours, and that of scripts written for the Architect CLI. */
function environment(root: string, values: Readonly<Record<string, unknown>>): Record<string, string> {
  const env: Record<string, string> = Object.fromEntries(PROJECT_VARIABLES.map((name) => [name, root]));
  for (const [name, value] of Object.entries(values)) {
    if (!["string", "number", "boolean"].includes(typeof value) || !/^[A-Za-z_]\w*$/.test(name)) continue;
    const key = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
    for (const prefix of ["TOOLGATE", "ARCHITECT"]) env[`${prefix}_${key}`] = String(value);
  }
  return env;
}

/** The tool and its arguments under the names of a dialect. Other agents expect absolute paths. */
function spoken({ tool, input }: HookedCall, dialect: Dialect, file: PathTouch | undefined) {
  const { name = tool, args = {} } = dialect[tool] ?? {};
  const fields: Fields = typeof input === "object" && input !== null ? (input as Fields) : {};
  const renamed = Object.entries(fields).map(([key, value]) => {
    const isPath = args[key] !== undefined && key === "path" && file !== undefined && typeof value === "string";
    return [args[key] ?? key, isPath ? file.place.real : value];
  });
  return { tool_name: name, tool_input: Object.fromEntries(renamed) as Fields };
}

/** Translates arguments back to the tool's own names. */
export function understoodFrom(given: Fields, tool: string, dialect: Dialect): Fields {
  const own = new Map(Object.entries(dialect[tool]?.args ?? {}).map(([ours, theirs]) => [theirs, ours]));
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [own.get(key) ?? key, value]));
}

export function aboutCall(
  event: "pre_tool_use" | "post_tool_use",
  call: HookedCall,
  { root, dialect, file, hook }: { root: string; dialect: Dialect; file: PathTouch | undefined; hook: string },
  result?: Result,
): Message {
  const command = call.touches.find((touch) => touch.action === "run");
  const path = file ?? call.touches.find(isPathTouch);
  const env = environment(root, {
    ...{ sessionID: call.sessionID, agent: call.agent, callID: call.id, hook },
    TOOL_NAME: call.tool,
    FILE_PATH: path?.place.real ?? "",
    COMMAND: command?.action === "run" ? command.command : "",
    ...(result && { TOOL_RESULT_SUCCESS: result.success, TOOL_STATUS: result.status }),
    ...{ EVENT: event, WORKSPACE: root },
  });
  const input = {
    ...common(event, root, call.sessionID, call.agent, call.changesNothing),
    ...spoken(call, dialect, path),
    tool_use_id: call.id,
    ...(result && { tool_output: shown(result), tool_response: responseOf(result, path) }),
  };
  return { env, input: JSON.stringify(input) };
}

export function aboutMoment({ event, sessionID, agent, details, changesNothing }: Moment, root: string): Message {
  const env = environment(root, { ...details, sessionID, agent, EVENT: event, WORKSPACE: root });
  const input = { ...details, ...common(event, root, sessionID, agent, changesNothing) };
  return { env, input: JSON.stringify(input) };
}

const common = (event: HookEventName, cwd: string, session: string, agent: string, changesNothing: boolean) => ({
  hook_event_name: pascal(event),
  event,
  session_id: session,
  transcript_path: "",
  cwd,
  permission_mode: changesNothing ? "plan" : "default",
  agent_type: agent,
});

const shown = ({ output, error }: Result): string =>
  [output, error?.message].filter(Boolean).join("\n").slice(0, MOST_OUTPUT);

const responseOf = (result: Result, file: PathTouch | undefined) => ({
  success: result.success,
  status: result.status,
  stdout: result.output.slice(0, MOST_OUTPUT),
  stderr: result.error?.message ?? "",
  interrupted: result.status === "cancelled" || result.status === "timed-out",
  ...(file && { filePath: file.place.real }),
  ...(typeof result.metadata.exitCode === "number" && { exitCode: result.metadata.exitCode }),
});
