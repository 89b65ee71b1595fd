import type { Dialect } from "../../core/registry.ts";

const claude: Dialect = {
  read_file: { name: "Read", args: { path: "file_path" } },
  write_file: { name: "Write", args: { path: "file_path" } },
  edit_file: { name: "Edit", args: { path: "file_path", old_str: "old_string", new_str: "new_string" } },
};

const opencode: Dialect = {
  read_file: { name: "read", args: { path: "filePath" } },
  write_file: { name: "write", args: { path: "filePath" } },
  edit_file: {
    name: "edit",
    args: { path: "filePath", old_str: "oldString", new_str: "newString", replace_all: "replaceAll" },
  },
};

const gemini: Dialect = {
  read_file: { name: "read_file", args: { path: "file_path" } },
  write_file: { name: "write_file", args: { path: "file_path" } },
  edit_file: {
    name: "replace",
    args: { path: "file_path", old_str: "old_string", new_str: "new_string", replace_all: "allow_multiple" },
  },
};

const claw: Dialect = {
  read_file: { name: "file_read" },
  write_file: { name: "file_write" },
  edit_file: { name: "file_edit", args: { old_str: "old_string", new_str: "new_string" } },
};

/** The names that models were trained on. Whatever a model is shown, every name is understood. */
export const dialects: Readonly<Record<string, Dialect>> = { default: {}, claude, opencode, codex: {}, gemini, claw };
