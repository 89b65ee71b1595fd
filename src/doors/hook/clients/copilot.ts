import {
  aside,
  asides,
  glob,
  inFolder,
  type Json,
  lines,
  type Meaning,
  own,
  path,
  searchedFrom,
  to,
  usually,
} from "../lib/call-meaning.ts";
import { type Client, type Event, objectIn, otherEvent, textIn, toText } from "../lib/client.ts";
import { denied, nested } from "../lib/refusal.ts";

const bash: Meaning = {
  tool: "run_command",
  adds: inFolder,
  takes: {
    command: to("command"),
    mode: usually("sync", "async"),
    ...asides("description", "shellId", "detach", "initial_wait"),
  },
};
const view: Meaning = {
  tool: "read_file",
  takes: { path: path("path"), view_range: lines, forceReadLargeFiles: aside },
};
const create: Meaning = { tool: "write_file", takes: { path: path("path"), file_text: to("content") } };
const edit: Meaning = {
  tool: "edit_file",
  takes: { path: path("path"), old_str: to("old_str"), new_str: to("new_str") },
};

/** Several folders cannot be judged one by one, so only a single one is understood. */
const folder = (value: unknown, name: string, cwd: string) =>
  path("path")(Array.isArray(value) && value.length === 1 ? value[0] : value, name, cwd);

const grep: Meaning = {
  tool: "grep",
  adds: searchedFrom,
  takes: {
    pattern: to("pattern"),
    paths: folder,
    path: folder,
    glob: glob("glob"),
    ...asides("output_mode", "type", "-i", "-A", "-B", "-C", "-n", "head_limit", "multiline"),
  },
};
const find: Meaning = {
  tool: "find_files",
  adds: searchedFrom,
  takes: { pattern: glob("pattern"), paths: folder, path: folder },
};

/** Under the names that it took from Claude Code it sends its own arguments. */
const tools: Readonly<Record<string, Meaning>> = {
  ...{
    bash,
    Bash: bash,
    view,
    Read: view,
    create,
    Write: create,
    edit,
    Edit: edit,
    grep,
    Grep: grep,
    glob: find,
    Glob: find,
  },
  ...own(
    "read_bash",
    "stop_bash",
    "list_bash",
    "task",
    "Task",
    "Agent",
    "skill",
    "Skill",
    "report_intent",
    "update_todo",
  ),
  ...own("TodoWrite", "AskUserQuestion", "ask_user"),
};

const AFTER = ["PostToolUse", "PostToolUseFailure"];

function read(input: Json): Event {
  const event = textIn(input, "hook_event_name");
  if (event !== "PreToolUse" && !AFTER.includes(event)) return otherEvent(event, input);
  const told = {
    tool: textIn(input, "tool_name"),
    args: objectIn(input, "tool_input"),
    session: textIn(input, "session_id"),
    cwd: textIn(input, "cwd"),
  };
  if (event === "PreToolUse") return { kind: "before", ...told };
  const result = toText(input.tool_result ?? input.tool_response);
  return {
    kind: "after",
    ...told,
    output: result,
    ...(event === "PostToolUseFailure" && { failed: result || "it failed" }),
  };
}

export const copilot: Client = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  read,
  root: ({ COPILOT_PROJECT_DIR }) => COPILOT_PROJECT_DIR,
  tools,
  answer: (verdict, reason) => (verdict === "deny" ? denied(reason) : nested(verdict, reason)),
};
