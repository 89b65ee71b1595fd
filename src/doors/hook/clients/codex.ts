import { aside, inFolder, type Json, type Meaning, own, path, to } from "../lib/call-meaning.ts";
import { type Client, type Event, maybeText, objectIn, otherEvent, textIn, toText } from "../lib/client.ts";
import { denied } from "../lib/refusal.ts";

const tools: Readonly<Record<string, Meaning>> = {
  // every shell tool has this name, and the event's folder is that of the call
  Bash: { tool: "run_command", adds: inFolder, takes: { command: to("command") } },
  apply_patch: { patch: "command" },
  view_image: { tool: "read_file", takes: { path: path("path"), detail: aside } },
  read_mcp_resource: {
    claims: ({ server }) => [{ action: "use", source: "mcp", name: String(server) }],
    takes: { server: to("server"), uri: aside },
  },
  ...own("update_plan", "request_user_input", "spawn_agent", "send_message", "followup_task", "wait_agent"),
  ...own(
    "list_agents",
    "interrupt_agent",
    "get_goal",
    "create_goal",
    "update_goal",
    "list_mcp_resources",
    "tool_search",
  ),
};

function read(input: Json): Event {
  const event = textIn(input, "hook_event_name");
  if (event !== "PreToolUse" && event !== "PostToolUse") return otherEvent(event, input);
  const id = maybeText(input, "tool_use_id");
  const turn = maybeText(input, "turn_id");
  const told = {
    tool: textIn(input, "tool_name"),
    args: objectIn(input, "tool_input"),
    session: textIn(input, "session_id"),
    cwd: textIn(input, "cwd"),
    ...(id && { id }),
    ...(turn && { turn }),
  };
  return event === "PreToolUse"
    ? { kind: "before", ...told }
    : { kind: "after", ...told, output: toText(input.tool_response) };
}

/** Its parser is strict: an unexpected field makes it run what was refused. */
export const codex: Client = {
  name: "codex",
  title: "Codex",
  read,
  tools,
  served: (tool) => (tool.startsWith("mcp__") ? tool : undefined),
  cannotAsk: true,
  answer: (verdict, reason) => (verdict === "allow" ? { status: 0 } : denied(reason)),
};
