import { write } from "../../../core/words/touch.ts";
import {
  aside,
  asides,
  glob,
  inFolder,
  type Json,
  line,
  type Meaning,
  own,
  path,
  searchedFrom,
  somePart,
  to,
  usually,
} from "../lib/call-meaning.ts";
import { type Client, type Event, maybeText, objectIn, otherEvent, textIn, toText } from "../lib/client.ts";
import { denied, nested } from "../lib/refusal.ts";

const tools: Readonly<Record<string, Meaning>> = {
  Bash: {
    tool: "run_command",
    adds: inFolder,
    takes: {
      command: to("command"),
      description: aside,
      timeout: aside,
      run_in_background: to("background"),
      dangerouslyDisableSandbox: usually(false),
    },
  },
  Read: {
    tool: "read_file",
    takes: {
      file_path: path("path"),
      offset: line("offset"),
      limit: line("limit"),
      pages: somePart,
      allow_large: aside,
    },
  },
  Write: { tool: "write_file", takes: { file_path: path("path"), content: to("content") } },
  Edit: {
    tool: "edit_file",
    takes: {
      file_path: path("path"),
      old_string: to("old_str"),
      new_string: to("new_str"),
      replace_all: to("replace_all"),
    },
  },
  MultiEdit: { tool: "edit_file", takes: { file_path: path("path"), edits: to("edits") } },
  NotebookRead: { tool: "read_file", takes: { notebook_path: path("path"), cell_id: somePart } },
  LS: { tool: "list_files", takes: { path: path("path"), ignore: aside } },
  Glob: { tool: "find_files", adds: searchedFrom, takes: { pattern: glob("pattern"), path: path("path") } },
  Grep: {
    tool: "grep",
    adds: searchedFrom,
    takes: {
      pattern: to("pattern"),
      path: path("path"),
      glob: glob("glob"),
      ...asides(
        "type",
        "output_mode",
        "-A",
        "-B",
        "-C",
        "context",
        "-n",
        "-i",
        "-o",
        "head_limit",
        "offset",
        "multiline",
      ),
    },
  },
  NotebookEdit: {
    claims: ({ path }) => [write(path as string)],
    takes: {
      notebook_path: path("path"),
      new_source: to("text"),
      ...asides("cell_id", "cell_type", "edit_mode"),
    },
    puts: ({ text }) => text,
  },
  WebFetch: {
    claims: ({ url }) => [{ action: "fetch", url: url as string }],
    takes: { url: to("url"), ...asides("prompt", "offset") },
  },
  WebSearch: {
    claims: () => [{ action: "unknown", permissions: ["network"] }],
    takes: asides("query", "allowed_domains", "blocked_domains"),
  },
  Monitor: {
    tool: "run_command",
    adds: inFolder,
    takes: { command: to("command"), description: aside, timeout_ms: aside },
  },
  // its own affairs: lists, questions to the person, agents whose own calls come here, too
  ...own("TodoWrite", "TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TaskStop", "TaskOutput", "BashOutput"),
  ...own("KillShell", "KillBash", "Agent", "Task", "ToolSearch", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"),
  ...own("Skill", "SlashCommand", "ListMcpResourcesTool"),
};

const AFTER = { PostToolUse: "done", PostToolUseFailure: "failed" } as const;

function read(input: Json): Event {
  const event = textIn(input, "hook_event_name");
  if (event !== "PreToolUse" && !Object.hasOwn(AFTER, event)) return otherEvent(event, input);
  const id = maybeText(input, "tool_use_id");
  const turn = maybeText(input, "prompt_id");
  const agent = maybeText(input, "agent_type");
  const told = {
    tool: textIn(input, "tool_name"),
    args: objectIn(input, "tool_input"),
    session: textIn(input, "session_id"),
    cwd: textIn(input, "cwd"),
    ...(id && { id }),
    ...(turn && { turn }),
    ...(agent && { agent }),
  };
  if (event === "PreToolUse") return { kind: "before", ...told };
  const failed = event === "PostToolUseFailure" ? (maybeText(input, "error") ?? "it failed") : undefined;
  return { kind: "after", ...told, output: toText(input.tool_response), ...(failed && { failed }) };
}

export const claude: Client = {
  name: "claude",
  title: "Claude Code",
  read,
  root: ({ CLAUDE_PROJECT_DIR }) => CLAUDE_PROJECT_DIR,
  tools,
  served: (tool) => (tool.startsWith("mcp__") ? tool : undefined),
  answer: (verdict, reason) => (verdict === "deny" ? denied(reason) : nested(verdict, reason)),
  heard: (text) => ({
    status: 0,
    stdout: JSON.stringify({ hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: text } }),
  }),
};
