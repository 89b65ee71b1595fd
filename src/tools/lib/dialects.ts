import type { Dialect } from "../../core/registry.ts";

const claude: Dialect = {
  read_file: { name: "Read", args: { path: "file_path" } },
  write_file: { name: "Write", args: { path: "file_path" } },
  edit_file: { name: "Edit", args: { path: "file_path", old_str: "old_string", new_str: "new_string" } },
  find_files: { name: "Glob" },
  grep: { name: "Grep", args: { context_lines: "-C", max_results: "head_limit" } },
  run_command: { name: "Bash", args: { background: "run_in_background" } },
  task_create: { name: "TaskCreate" },
  task_update: { name: "TaskUpdate" },
  task_get: { name: "TaskGet" },
  task_list: { name: "TaskList" },
  todo_write: { name: "TodoWrite" },
  web_fetch: { name: "WebFetch" },
  web_search: { name: "WebSearch" },
  skill: { name: "Skill", args: { name: "skill" } },
};

const opencode: Dialect = {
  read_file: { name: "read", args: { path: "filePath" } },
  write_file: { name: "write", args: { path: "filePath" } },
  edit_file: {
    name: "edit",
    args: { path: "filePath", old_str: "oldString", new_str: "newString", replace_all: "replaceAll" },
  },
  list_files: { name: "list" },
  find_files: { name: "glob" },
  grep: { name: "grep", args: { glob: "include" } },
  run_command: { name: "bash" },
  todo_write: { name: "todowrite" },
  todo_read: { name: "todoread" },
  web_fetch: { name: "webfetch" },
  web_search: { name: "websearch" },
};

const codex: Dialect = {
  run_command: { name: "exec_command", args: { command: "cmd" } },
};

const gemini: Dialect = {
  read_file: { name: "read_file", args: { path: "file_path" } },
  write_file: { name: "write_file", args: { path: "file_path" } },
  edit_file: {
    name: "replace",
    args: { path: "file_path", old_str: "old_string", new_str: "new_string", replace_all: "allow_multiple" },
  },
  list_files: { name: "list_directory", args: { path: "dir_path" } },
  find_files: { name: "glob", args: { path: "dir_path" } },
  grep: { name: "grep_search", args: { path: "dir_path" } },
  run_command: { name: "run_shell_command", args: { background: "is_background" } },
  web_search: { name: "google_web_search" },
  skill: { name: "activate_skill" },
};

const claw: Dialect = {
  read_file: { name: "file_read" },
  write_file: { name: "file_write" },
  edit_file: { name: "file_edit", args: { old_str: "old_string", new_str: "new_string" } },
  find_files: { name: "glob_search" },
  grep: { name: "content_search", args: { glob: "include" } },
  run_command: { name: "shell" },
};

/** The names that models were trained on. Whichever a model is shown, all names are understood. */
export const dialects: Readonly<Record<string, Dialect>> = { default: {}, claude, opencode, codex, gemini, claw };

/** The dialect that a model was trained on, by its name. */
const TRAINED: readonly (readonly [model: RegExp, dialect: string])[] = [
  [/(?:^|[/.:@-])claude[-.:@\d]/i, "claude"],
  [/(?:^|[/.:@-])gemini[-.:@\d]/i, "gemini"],
  [/(?:^|[/.:@-])(?:codex[-.:@\d]|gpt-[5-9])|-codex\b/i, "codex"],
];

/** Names of files are not names of models. */
const FILE = /\.jsonl?$/i;

export const dialectFor = (model: string | undefined): string =>
  (model !== undefined && !FILE.test(model) && TRAINED.find(([pattern]) => pattern.test(model))?.[1]) || "default";
