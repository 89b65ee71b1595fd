import type { Client } from "./client.ts";

export const opencode: Client = {
  tools: [
    { name: "bash", tool: "run_command", least: { command: "ls" }, optional: { timeout: 60_000, workdir: "sub" } },
    {
      name: "edit",
      tool: "edit_file",
      least: { filePath: "a.txt", oldString: "one", newString: "1" },
      optional: { replaceAll: true },
    },
    { name: "write", tool: "write_file", least: { filePath: "n.txt", content: "x" } },
    { name: "read", tool: "read_file", least: { filePath: "a.txt" }, optional: { offset: 2, limit: 1 } },
    { name: "grep", tool: "grep", least: { pattern: "one" }, optional: { path: "sub", include: "*.ts" } },
    { name: "glob", tool: "find_files", least: { pattern: "*.ts" }, optional: { path: "sub" } },
    {
      name: "apply_patch",
      tool: "apply_patch",
      least: { patchText: "*** Begin Patch\n*** Add File: n\n+x\n*** End Patch" },
    },
    { name: "list", tool: "list_files", least: {}, optional: { path: "sub", ignore: ["dist"] } },
  ],
  rows: [
    ["read", { filePath: "a" }, "read_file", { path: "a" }],
    [
      "edit",
      { filePath: "a", oldString: "x", newString: "y", replaceAll: true },
      "edit_file",
      { path: "a", old_str: "x", new_str: "y", replace_all: true },
    ],
    ["bash", { command: "ls", timeout: 60_000 }, "run_command", { command: "ls", timeout: 60_000 }],
  ],
  refused: [["read", {}, /path is required/]],
};

export const copilot: Client = {
  tools: [
    {
      name: "bash",
      tool: "run_command",
      least: { command: "ls", description: "List" },
      optional: { mode: "async", detach: true },
      comments: { shellId: "main", initial_wait: 10 },
    },
    { name: "read_bash", tool: "process", least: { shellId: "bg1", delay: 5 } },
    { name: "stop_bash", tool: "process", least: { shellId: "bg1" } },
    { name: "list_bash", tool: "process", least: {} },
    {
      name: "view",
      tool: "read_file",
      least: { path: "a.txt" },
      optional: { view_range: [1, 2] },
      comments: { forceReadLargeFiles: true },
    },
    { name: "create", tool: "write_file", least: { path: "n.txt", file_text: "x" } },
    { name: "edit", tool: "edit_file", least: { path: "a.txt", old_str: "one", new_str: "1" } },
    {
      name: "grep",
      tool: "grep",
      least: { pattern: "one" },
      optional: {
        paths: ["sub"],
        output_mode: "count",
        glob: "*.ts",
        type: "ts",
        "-i": true,
        "-A": 1,
        "-B": 1,
        "-C": 1,
        head_limit: 2,
        multiline: true,
      },
      comments: { "-n": true },
    },
    { name: "glob", tool: "find_files", least: { pattern: "*.ts" }, optional: { paths: ["sub"] } },
  ],
  rows: [
    ["grep", { pattern: "x", paths: ["sub"] }, "grep", { pattern: "x", path: "sub" }],
    ["grep", { pattern: "x", paths: "sub" }, "grep", { pattern: "x", path: "sub" }],
    ["glob", { pattern: "*", paths: ["sub"] }, "find_files", { pattern: "*", path: "sub" }],
    [
      "bash",
      { command: "x", description: "d", mode: "async" },
      "run_command",
      { command: "x", description: "d", background: true },
    ],
    ["bash", { command: "x", description: "d", mode: "sync" }, "run_command", { command: "x", description: "d" }],
    ["create", { path: "n", file_text: "" }, "write_file", { path: "n", content: "" }],
    ["read_bash", { shellId: "bg1", delay: 5 }, "process", { action: "output", id: "bg1" }],
    ["stop_bash", { shellId: "bg1" }, "process", { action: "kill", id: "bg1" }],
    ["Write", { path: "n", file_text: "x" }, "write_file", { path: "n", content: "x" }],
  ],
  refused: [
    ["grep", { pattern: "x", paths: ["a", "b"] }, /paths is not accepted: one call searches one folder/],
    ["bash", { command: "x", mode: "later" }, /mode is not accepted/],
  ],
};

export const cursor: Client = {
  tools: [
    { name: "Shell", tool: "run_command", least: { command: "ls" }, optional: { cwd: "sub", timeout: 5000 } },
    { name: "Delete", tool: "delete_file", least: { file_path: "a.txt" } },
    {
      name: "Grep",
      tool: "grep",
      least: { pattern: "one" },
      optional: { file_path: "sub", glob: "*.ts", output_mode: "count" },
    },
    { name: "List", tool: "list_files", least: { file_path: "sub" }, optional: { ignore: ["*.log"] } },
    {
      name: "run_terminal_cmd",
      tool: "run_command",
      least: { command: "ls" },
      optional: { is_background: true, explanation: "To look." },
      comments: { require_user_approval: true },
    },
    {
      name: "read_file",
      tool: "read_file",
      least: { target_file: "a.txt" },
      optional: { start_line_one_indexed: 2, end_line_one_indexed_inclusive: 3 },
      comments: { should_read_entire_file: true, explanation: "To look." },
    },
    {
      name: "search_replace",
      tool: "edit_file",
      least: { file_path: "a.txt", old_string: "one", new_string: "1" },
    },
    { name: "delete_file", tool: "delete_file", least: { target_file: "a.txt" }, comments: { explanation: "Old." } },
    { name: "list_dir", tool: "list_files", least: { relative_workspace_path: "sub" } },
    { name: "list_dir", tool: "list_files", least: { target_directory: "sub" } },
    {
      name: "grep_search",
      tool: "grep",
      least: { query: "one" },
      optional: { case_sensitive: false, include_pattern: "*.ts", exclude_pattern: "*.log" },
      comments: { explanation: "To look." },
    },
    { name: "file_search", tool: "find_files", least: { query: "a.ts" }, comments: { explanation: "To look." } },
    {
      name: "glob_file_search",
      tool: "find_files",
      least: { glob_pattern: "*.ts" },
      optional: { target_directory: "sub" },
    },
    { name: "StrReplace", tool: "edit_file", least: { path: "a.txt", old_string: "one", new_string: "1" } },
  ],
  rows: [
    [
      "read_file",
      { target_file: "a", start_line_one_indexed: 3, end_line_one_indexed_inclusive: 4 },
      "read_file",
      { path: "a", offset: 3, limit: 2 },
    ],
    ["list_dir", { target_directory: "sub" }, "list_files", { path: "sub" }],
    [
      "glob_file_search",
      { glob_pattern: "*.ts", target_directory: "sub" },
      "find_files",
      { pattern: "*.ts", path: "sub" },
    ],
  ],
  refused: [
    [
      "edit_file",
      { target_file: "a", instructions: "i", code_edit: "// ... existing code ...\nx" },
      /code_edit is not/,
    ],
  ],
};

export const cline: Client = {
  tools: [
    { name: "run_commands", tool: "run_command", least: { commands: ["ls"] } },
    { name: "editor", tool: "edit_file", least: { path: "a.txt", old_text: "one", new_text: "1" } },
    { name: "read_files", tool: "read_file", least: { files: [{ path: "a.txt" }] } },
    {
      name: "execute_command",
      tool: "run_command",
      least: { command: "ls" },
      optional: { cwd: "sub" },
      comments: { requires_approval: false },
    },
    { name: "write_to_file", tool: "write_file", least: { path: "n.txt", content: "x" }, comments: { line_count: 1 } },
    { name: "list_files", tool: "list_files", least: { path: "sub" }, optional: { recursive: true } },
    { name: "search_files", tool: "grep", least: { path: "sub", regex: "one" }, optional: { file_pattern: "*.ts" } },
    { name: "read_file", tool: "read_file", least: { path: "a.txt" }, optional: { start_line: 2, end_line: 2 } },
  ],
  rows: [
    [
      "replace_in_file",
      { path: "a.txt", diff: "------- SEARCH\none\n=======\n1\n+++++++ REPLACE\n" },
      "apply_patch",
      { path: "a.txt", patch: "------- SEARCH\none\n=======\n1\n+++++++ REPLACE\n" },
    ],
    ["run_commands", { commands: ["ls", "pwd"] }, "run_command", { command: "ls\npwd" }],
    ["editor", { path: "a", new_text: "x", insert_line: 2 }, "write_file", { path: "a", content: "x", insert_line: 2 }],
    ["editor", { path: "n", new_text: "x" }, "edit_file", { path: "n", old_str: "", new_str: "x" }],
    [
      "read_files",
      { files: [{ path: "a", start_line: 2, end_line: 4 }] },
      "read_file",
      { path: "a", offset: 2, limit: 3 },
    ],
    [
      "search_files",
      { path: "sub", regex: "x.*y", file_pattern: "*.ts" },
      "grep",
      { path: "sub", pattern: "x.*y", glob: "*.ts" },
    ],
    ["search_files", { path: "sub", pattern: "*.ts" }, "find_files", { path: "sub", pattern: "*.ts" }],
    ["insert_content", { path: "a", line: 3, content: "x" }, "write_file", { path: "a", content: "x", insert_line: 2 }],
    [
      "insert_content",
      { path: "a", line: 0, content: "x" },
      "write_file",
      { path: "a", content: "\nx", mode: "append" },
    ],
  ],
  refused: [
    ["read_files", { files: [{ path: "a" }, { path: "b" }] }, /files is not accepted: one call reads one file/],
    ["editor", { path: "a", insert_line: 2 }, /insert_text is required/],
  ],
};

/** The five documents that the tools come from, and a server of files that many know. */
export const others: Client = {
  tools: [
    {
      name: "file_read",
      tool: "read_file",
      least: { path: "a.txt" },
      optional: { offset: 2, limit: 1, encoding: "base64" },
    },
    { name: "file_write", tool: "write_file", least: { path: "n.txt", content: "x" } },
    { name: "file_edit", tool: "edit_file", least: { path: "a.txt", old_string: "one", new_string: "1" } },
    { name: "glob_search", tool: "find_files", least: { pattern: "*.ts" } },
    {
      name: "content_search",
      tool: "grep",
      least: { pattern: "one" },
      optional: {
        path: "sub",
        output_mode: "count",
        include: "*.ts",
        case_sensitive: false,
        context_before: 1,
        context_after: 1,
        multiline: true,
        max_results: 5,
      },
    },
    {
      name: "search_code",
      tool: "search_code",
      least: { pattern: "one" },
      optional: { path: "sub", file_pattern: "*.ts", max_results: 2, context_lines: 0, case_sensitive: false },
    },
    {
      name: "grep",
      tool: "grep",
      least: { text: "one" },
      optional: { regex: false, max_matches: 2, recursive: false },
    },
    { name: "get_file_info", tool: "file_info", least: { path: "a.txt" } },
    { name: "undo_file_change", tool: "undo_file", least: { path: "a.txt" } },
    {
      name: "list",
      tool: "list_files",
      least: {},
      optional: { recursive: true, max_entries: 3, include_hidden: false },
    },
    { name: "read_text_file", tool: "read_file", least: { path: "a.txt" }, optional: { head: 1, tail: 1 } },
  ],
  rows: [
    ["grep", { text: "a.b", regex: false }, "grep", { pattern: "a.b", literal: true }],
    ["grep", { pattern: "a.b", regex: true }, "grep", { pattern: "a.b", literal: false }],
    ["ReadFile", { path: "a" }, "read_file", { path: "a" }],
    ["read-file", { path: "a" }, "read_file", { path: "a" }],
    ["readFile", { path: "a" }, "read_file", { path: "a" }],
    ["READ_FILE", { path: "a" }, "read_file", { path: "a" }],
    ["tools.read_file", { path: "a" }, "read_file", { path: "a" }],
    [" read_file ", { path: "a" }, "read_file", { path: "a" }],
    ["list", { include_hidden: false }, "list_files", { exclude: [".*"] }],
    ["list", { include_hidden: true }, "list_files", {}],
    ["read_text_file", { path: "a", head: 3 }, "read_file", { path: "a", limit: 3 }],
    ["file_read", { path: "a", encoding: "utf-8" }, "read_file", { path: "a" }],
  ],
  refused: [
    ["edit_file", { path: "a", old_str: "x", new_str: "y", dryRun: true }, /dryRun is not accepted/],
    ["write_file", { path: "a", content: "x", dry_run: true }, /dry_run is not accepted/],
    ["delete_file", { path: "a", dry_run: true }, /dry_run is not accepted/],
    ["read_text_file", { path: "a", tail: 3 }, /tail is not accepted/],
    ["run_command", { command: "ls", only: "x" }, /only is not accepted: .*more than you asked for/],
    ["file_info", { path: "a", depth: 2 }, /depth is not accepted/],
  ],
};
