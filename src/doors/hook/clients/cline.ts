import { type Claim, read as reads, write } from "../../../core/words/touch.ts";
import {
  asides,
  each,
  glob,
  inFolder,
  type Json,
  line,
  type Meaning,
  own,
  path,
  searchedFrom,
  short,
  type Take,
  to,
} from "../lib/call-meaning.ts";
import {
  type Client,
  type Event,
  isObject,
  maybeText,
  objectIn,
  type Said,
  textIn,
  toText,
  Unreadable,
} from "../lib/client.ts";

const quoted = (line: string): string => `'${line.replaceAll("'", "'\\''")}'`;

/** Each line runs in a shell of its own, so a quote opened in one does not extend into the next. */
const lines: Take = (value, name) => {
  if (!Array.isArray(value) || value.length === 0 || !value.every((line) => typeof line === "string" && line !== ""))
    return { doubt: `${name} is not a list of commands: ${short(value)}` };
  const [only, ...more] = value as string[];
  return { args: { command: more.length === 0 ? only : value.map((line) => `bash -c ${quoted(line)}`).join("\n") } };
};

/** The first stands for all: the search text does not change what is read. */
const queries: Take = (value, name) =>
  Array.isArray(value) && typeof value[0] === "string"
    ? { args: { pattern: value[0] } }
    : { doubt: `${name} is not a list of texts: ${short(value)}` };

const many = (list: unknown, claim: (one: Json) => Claim): Claim[] => ((list ?? []) as Json[]).map(claim);

const insertion: Meaning = {
  claims: ({ path: file }) => [write(file as string)],
  takes: { path: path("path"), new_text: to("text"), ...asides("insert_line") },
  puts: ({ text }) => text,
};
const replacement: Meaning = {
  tool: "edit_file",
  takes: { path: path("path"), old_text: to("old_str"), new_text: to("new_str") },
};
const oneRead: Meaning = {
  tool: "read_file",
  takes: {
    files: each("files", { path: path("path"), start_line: line("start_line"), end_line: line("end_line") }),
  },
};
const manyRead: Meaning = {
  claims: ({ files }) => many(files, (one) => reads(one.path as string)),
  takes: { files: each("files", { path: path("path"), ...asides("start_line", "end_line") }) },
};
const creation: Meaning = { tool: "write_file", takes: { path: path("path"), new_text: to("content") } };

const tools: Readonly<Record<string, Meaning>> = {
  run_commands: { tool: "run_command", adds: inFolder, takes: { commands: lines } },
  editor: {
    as: ({ old_text, insert_line }) => {
      if (typeof insert_line === "number") return insertion;
      return typeof old_text === "string" ? replacement : creation;
    },
  },
  read_files: {
    as: ({ files }) => (Array.isArray(files) && files.length === 1 && isObject(files[0]) ? oneRead : manyRead),
  },
  search_codebase: { tool: "grep", adds: searchedFrom, takes: { queries } },
  fetch_web_content: {
    claims: ({ requests }) => many(requests, ({ url }) => ({ action: "fetch", url: url as string })),
    takes: { requests: each("requests", { url: to("url"), ...asides("prompt") }) },
  },
  // tools of the editor extension
  execute_command: {
    tool: "run_command",
    adds: inFolder,
    takes: { command: to("command"), ...asides("requires_approval", "timeout") },
  },
  read_file: { tool: "read_file", takes: { path: path("path") } },
  write_to_file: { tool: "write_file", takes: { path: path("path"), content: to("content") } },
  replace_in_file: {
    claims: ({ path: file }) => [write(file as string)],
    takes: { path: path("path"), diff: to("text") },
    puts: ({ text }) => text,
  },
  search_files: {
    tool: "grep",
    adds: searchedFrom,
    takes: { path: path("path"), regex: to("pattern"), file_pattern: glob("glob") },
  },
  list_files: { tool: "list_files", adds: searchedFrom, takes: { path: path("path"), ...asides("recursive") } },
  list_code_definition_names: { tool: "list_files", adds: searchedFrom, takes: { path: path("path") } },
  use_mcp_tool: {
    claims: ({ server, tool }) => [{ action: "use", source: "mcp", name: `${server}__${tool}` }],
    takes: { server_name: to("server"), tool_name: to("tool"), ...asides("arguments") },
  },
  ...own("ask_question", "ask_followup_question", "attempt_completion", "spawn_agent", "plan_mode_respond"),
};

function read(input: Json): Event {
  const event = textIn(input, "hookName");
  if (event === "tool_call") return { kind: "before", ...told(input, objectIn(input, "tool_call"), "name", "input") };
  if (event === "PreToolUse")
    return { kind: "before", ...told(input, objectIn(input, "preToolUse"), "toolName", "parameters") };
  if (event === "tool_result") return after(input, objectIn(input, "tool_result"), "name", "input", "output");
  if (event === "PostToolUse") return after(input, objectIn(input, "postToolUse"), "toolName", "parameters", "result");
  if ("tool_call" in input || "preToolUse" in input) throw new Unreadable(`the event ${event} is not known`);
  return { kind: "other" };
}

function told(input: Json, call: Json, name: string, args: string) {
  const id = maybeText(call, "id");
  const [root] = Array.isArray(input.workspaceRoots) ? (input.workspaceRoots as unknown[]) : [];
  if (typeof root !== "string" || root === "") throw new Unreadable("workspaceRoots is required (list of folders)");
  const agent = input.parent_agent_id ? maybeText(input, "agent_id") : undefined;
  return {
    tool: textIn(call, name),
    args: objectIn(call, args),
    session: textIn(input, "taskId"),
    cwd: root,
    root,
    ...(id && { id }),
    ...(agent && { agent }),
  };
}

function after(input: Json, call: Json, name: string, args: string, output: string): Event {
  const failed = toText(call.error) || (call.success === false ? "it failed" : "");
  const said = isObject(call[output]) ? toText((call[output] as Json).result) : toText(call[output]);
  return { kind: "after", ...told(input, call, name, args), output: said, ...(failed && { failed }) };
}

/** Its refusal ends the whole run. If the hook exits with another status than 0, it runs the call. */
const refused = (reason: string): Said => ({
  status: 0,
  stdout: JSON.stringify({ cancel: true, errorMessage: reason }),
});

export const cline: Client = {
  name: "cline",
  title: "Cline",
  read,
  tools,
  served: (tool) => (tool.includes("__") ? tool : undefined),
  cannotAsk: true,
  answer: (verdict, reason) => (verdict === "allow" ? { status: 0, stdout: "{}" } : refused(reason)),
  heard: (text) => ({ status: 0, stdout: JSON.stringify({ contextModification: text }) }),
  pass: { status: 0, stdout: "{}" },
  crashed: refused,
};
