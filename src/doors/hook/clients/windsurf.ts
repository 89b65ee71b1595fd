import { asides, each, glancedAt, inFolder, type Json, type Meaning, path, to } from "../lib/call-meaning.ts";
import { type Client, type Event, objectIn, textIn, toText } from "../lib/client.ts";

/** Keyed by event: it says what is done, and names no tool. */
const tools: Readonly<Record<string, Meaning>> = {
  run_command: { tool: "run_command", adds: inFolder, takes: { command_line: to("command"), cwd: path("cwd") } },
  // its event does not say which lines
  read_code: { tool: "read_file", takes: { file_path: glancedAt("path") } },
  write_code: {
    as: ({ edits }) =>
      Array.isArray(edits) && edits.length > 0
        ? {
            tool: "edit_file",
            takes: {
              file_path: path("path"),
              edits: each("edits", { old_string: to("old_str"), new_string: to("new_str") }),
            },
          }
        : // without the edits nobody knows what is written
          {
            claims: ({ path: file }) => [{ action: "write", target: file as string }],
            takes: { file_path: path("path") },
          },
  },
  mcp_tool_use: {
    claims: ({ server, tool }) => [{ action: "use", source: "mcp", name: `${server}/${tool}` }],
    takes: { mcp_server_name: to("server"), mcp_tool_name: to("tool"), ...asides("mcp_tool_arguments", "mcp_result") },
  },
};

function read(input: Json): Event {
  const event = textIn(input, "agent_action_name");
  const [, when, tool = ""] = /^(pre|post)_(\w+)$/.exec(event) ?? [];
  // an unknown "pre" event is asked about, as an unknown tool
  if (!when || tool === "user_prompt" || (when === "post" && !Object.hasOwn(tools, tool))) return { kind: "other" };
  const info = objectIn(input, "tool_info");
  // what is added afterwards is not part of the call
  const { mcp_result, ...args } = info;
  const told = {
    tool,
    args,
    session: textIn(input, "trajectory_id"),
    turn: textIn(input, "execution_id"),
    cwd: tool === "run_command" ? textIn(info, "cwd") : process.cwd(),
    root: process.cwd(),
  };
  return when === "pre" ? { kind: "before", ...told } : { kind: "after", ...told, output: toText(mcp_result) };
}

/** It understands only exit statuses: 2 refuses. */
export const windsurf: Client = {
  name: "windsurf",
  title: "Windsurf",
  read,
  tools,
  cannotAsk: true,
  answer: (verdict, reason) => (verdict === "allow" ? { status: 0 } : { status: 2, stderr: reason }),
};
