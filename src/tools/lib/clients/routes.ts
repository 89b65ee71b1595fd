import type { Meant, Route } from "../../../core/words/route.ts";
import { wholeNumber } from "./readings.ts";

type Args = Readonly<Record<string, unknown>>;

/** The arguments without those that are null. */
const given = (args: Args, ...without: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== null && !without.includes(name)));

/** Models fill in every field of a tool with many commands; fields of other commands are empty. */
const filled = (args: Args, ...without: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given(args, ...without)).filter(([, value]) => value !== ""));

const COMMANDS = "command must be one of view, create, str_replace, insert, undo_edit";

const insertion = (path: unknown, line: unknown, content: unknown): Meant | string => {
  if (typeof path !== "string") return "path is required (string)";
  if (wholeNumber(line) === undefined) return "insert_line is required (the line to insert after; 0 is the beginning)";
  if (typeof content !== "string") return "insert_text is required (string)";
  return { name: "write_file", args: { path, content, insert_line: line } };
};

/** One tool for everything that is done to a file, selected by `command`. */
function textEditor(args: Args): Meant | string {
  switch (args.command) {
    case "view":
      return { name: "read_file", args: filled(args, "command") };
    case "create":
      return { name: "write_file", args: { file_text: "", ...given(args, "command", ...unusedIn(args, "file_text")) } };
    case "str_replace":
      return {
        name: "edit_file",
        args: { new_str: "", ...given(args, "command", ...unusedIn(args, "old_str", "new_str")) },
      };
    case "insert":
      return insertion(args.path, args.insert_line, args.insert_text ?? args.new_str);
    case "undo_edit":
      return { name: "undo_file", args: filled(args, "command") };
    default:
      return args.command === undefined
        ? `${COMMANDS} (got nothing)`
        : `${COMMANDS} (got ${JSON.stringify(args.command)})`;
  }
}

const FIELDS = ["file_text", "old_str", "new_str", "insert_line", "insert_text", "view_range"];

const unusedIn = (args: Args, ...used: string[]): string[] =>
  FIELDS.filter((name) => !used.includes(name) && (args[name] === "" || args[name] === 0));

/** Replaces text, inserts it after a line, or creates a file. */
function editor(args: Args): Meant | string {
  const { path, old_text, new_text, insert_line } = args;
  if (insert_line !== undefined && insert_line !== null) return insertion(path, insert_line, new_text);
  return { name: "edit_file", args: { old_text: old_text ?? "", ...given(args, "old_text", "insert_line") } };
}

/** Inserts before a line; 0 means the end of the file. */
function insertContent({ path, line, content }: Args): Meant | string {
  const before = wholeNumber(line);
  if (before !== 0) return insertion(path, before === undefined ? undefined : before - 1, content);
  return typeof content === "string"
    ? {
        name: "write_file",
        args: { path, content: content.startsWith("\n") ? content : `\n${content}`, mode: "append" },
      }
    : "content is required (string)";
}

/** With a regular expression it searches contents, otherwise names. */
const searchFiles = (args: Args): Meant =>
  typeof args.regex === "string"
    ? { name: "grep", args: { ...given(args, "regex"), pattern: args.regex } }
    : { name: "find_files", args };

/** Writing nothing to a command means reading its output. */
const writeStdin = (args: Args): Meant => {
  const isLooking = args.chars === undefined || args.chars === null || args.chars === "";
  return {
    name: "process",
    args: isLooking ? { action: "output", ...given(args, "chars") } : { action: "input", ...given(args) },
  };
};

/** Client tools that correspond to several tools here. */
export const routes: Readonly<Record<string, Route>> = {
  str_replace_based_edit_tool: { tool: "edit_file", means: textEditor },
  str_replace_editor: { tool: "edit_file", means: textEditor },
  editor: { tool: "edit_file", means: editor },
  insert_content: { tool: "write_file", means: insertContent },
  search_files: { tool: "find_files", means: searchFiles },
  write_stdin: { tool: "process", means: writeStdin },
};
