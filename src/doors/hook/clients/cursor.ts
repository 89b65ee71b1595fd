import {
  aside,
  asides,
  glancedAt,
  glob,
  inFolder,
  type Json,
  line,
  type Meaning,
  own,
  path,
  searchedFrom,
  to,
} from "../lib/call-meaning.ts";
import { type Client, type Event, maybeText, objectIn, otherEvent, textIn, toText } from "../lib/client.ts";

const tools: Readonly<Record<string, Meaning>> = {
  Shell: { tool: "run_command", adds: inFolder, takes: { command: to("command"), cwd: path("cwd"), timeout: aside } },
  Read: { tool: "read_file", takes: { file_path: path("path"), offset: line("offset"), limit: line("limit") } },
  Write: { tool: "write_file", takes: { file_path: path("path"), content: to("content") } },
  Delete: {
    claims: ({ path: target }) => [{ action: "delete", target: target as string }],
    takes: { file_path: path("path") },
  },
  Grep: {
    tool: "grep",
    adds: searchedFrom,
    takes: { pattern: to("pattern"), file_path: path("path"), glob: glob("glob"), ...asides("output_mode") },
  },
  List: { tool: "list_files", adds: searchedFrom, takes: { file_path: path("path"), ignore: aside } },
  Fetch: { claims: ({ url }) => [{ action: "fetch", url: url as string }], takes: { url: to("url") } },
  ReadLints: { tool: "read_file", takes: { file_path: glancedAt("path") } },
  ...own("Task", "TodoWrite"),
};

const AFTER = ["postToolUse", "postToolUseFailure"];

function read(input: Json): Event {
  const event = textIn(input, "hook_event_name");
  if (event !== "preToolUse" && !AFTER.includes(event)) return otherEvent(event, input);
  const id = maybeText(input, "tool_use_id");
  const turn = maybeText(input, "generation_id");
  const [root] = Array.isArray(input.workspace_roots) ? (input.workspace_roots as unknown[]) : [];
  const told = {
    tool: textIn(input, "tool_name"),
    args: objectIn(input, "tool_input"),
    session: textIn(input, "conversation_id"),
    cwd: textIn(input, "cwd"),
    ...(id && { id }),
    ...(turn && { turn }),
    ...(typeof root === "string" && { root }),
  };
  if (event === "preToolUse") return { kind: "before", ...told };
  const failed = event === "postToolUseFailure" ? (maybeText(input, "error_message") ?? "it failed") : undefined;
  return { kind: "after", ...told, output: toText(input.tool_output), ...(failed && { failed }) };
}

const permission = (decision: "allow" | "deny", reason: string) => ({
  status: 0,
  stdout: JSON.stringify({
    permission: decision,
    ...(decision === "deny" && { user_message: reason, agent_message: reason }),
  }),
});

/** It ignores a question before a tool. If the hook must not fail, an empty answer counts as a failure. */
export const cursor: Client = {
  name: "cursor",
  title: "Cursor",
  read,
  tools,
  served: (tool) => (tool.startsWith("MCP:") ? tool : undefined),
  cannotAsk: true,
  answer: (verdict, reason) => permission(verdict === "allow" ? "allow" : "deny", reason),
  pass: permission("allow", ""),
};
