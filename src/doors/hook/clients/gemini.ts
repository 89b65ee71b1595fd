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
  to,
  usually,
} from "../lib/call-meaning.ts";
import { type Client, type Event, isObject, objectIn, otherEvent, textIn, toText } from "../lib/client.ts";
import { denied } from "../lib/refusal.ts";

const searching = {
  dir_path: path("path"),
  ...asides("case_sensitive", "respect_git_ignore", "respect_gemini_ignore"),
};

const lines: Meaning = {
  tool: "grep",
  adds: searchedFrom,
  takes: {
    ...searching,
    pattern: to("pattern"),
    include_pattern: glob("glob"),
    include: glob("glob"),
    ...asides("exclude_pattern", "names_only", "max_matches_per_file", "total_max_matches", "fixed_strings"),
    ...asides("context", "after", "before", "no_ignore"),
  },
};

const tools: Readonly<Record<string, Meaning>> = {
  run_shell_command: {
    tool: "run_command",
    adds: inFolder,
    takes: {
      command: to("command"),
      dir_path: path("cwd"),
      directory: path("cwd"),
      description: aside,
      is_background: to("background"),
      delay_ms: aside,
    },
  },
  read_file: {
    tool: "read_file",
    takes: {
      file_path: path("path"),
      absolute_path: path("path"),
      start_line: line("offset"),
      end_line: line("end_line"),
      offset: line("offset", 0),
      limit: line("limit"),
    },
  },
  write_file: { tool: "write_file", takes: { file_path: path("path"), content: to("content") } },
  replace: {
    tool: "edit_file",
    takes: {
      file_path: path("path"),
      instruction: aside,
      old_string: to("old_str"),
      new_string: to("new_str"),
      allow_multiple: to("replace_all"),
      expected_replacements: usually(1),
    },
  },
  glob: { tool: "find_files", adds: searchedFrom, takes: { ...searching, pattern: glob("pattern") } },
  grep_search: lines,
  search_file_content: lines,
  list_directory: {
    tool: "list_files",
    takes: { dir_path: path("path"), path: path("path"), ignore: aside, file_filtering_options: aside },
  },
  google_web_search: { claims: () => [{ action: "unknown", permissions: ["network"] }], takes: asides("query") },
  web_fetch: { claims: () => [{ action: "unknown", permissions: ["network"] }], takes: asides("prompt") },
  ...own("write_todos", "list_background_processes", "read_background_output", "activate_skill", "invoke_agent"),
  ...own("ask_user", "enter_plan_mode", "exit_plan_mode", "update_topic"),
  ...own("tracker_create_task", "tracker_update_task", "tracker_get_task", "tracker_list_tasks"),
};

function read(input: Json): Event {
  const event = textIn(input, "hook_event_name");
  if (event !== "BeforeTool" && event !== "AfterTool") return otherEvent(event, input);
  const told = {
    tool: textIn(input, "tool_name"),
    args: objectIn(input, "tool_input"),
    session: textIn(input, "session_id"),
    cwd: textIn(input, "cwd"),
  };
  if (event === "BeforeTool") return { kind: "before", ...told };
  const { llmContent, error } = isObject(input.tool_response) ? input.tool_response : ({} as Json);
  const failed = isObject(error) ? toText(error.message) : toText(error);
  return { kind: "after", ...told, output: toText(llmContent), ...(failed && { failed }) };
}

/** It asks its own question only if there is a terminal, and hangs if there is none. */
export const gemini: Client = {
  name: "gemini",
  title: "Gemini CLI",
  read,
  root: ({ GEMINI_PROJECT_DIR }) => GEMINI_PROJECT_DIR,
  tools,
  served: (tool) => (tool.startsWith("mcp_") ? tool : undefined),
  cannotAsk: true,
  answer: (verdict, reason) => (verdict === "allow" ? { status: 0 } : denied(reason)),
};
