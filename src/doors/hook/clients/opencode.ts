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
} from "../lib/call-meaning.ts";
import { type Client, type Event, maybeText, objectIn, textIn, toText, Unreadable } from "../lib/client.ts";

const tools: Readonly<Record<string, Meaning>> = {
  bash: {
    tool: "run_command",
    adds: inFolder,
    takes: { command: to("command"), workdir: path("cwd"), timeout: aside, description: aside },
  },
  edit: {
    tool: "edit_file",
    takes: {
      filePath: path("path"),
      oldString: to("old_str"),
      newString: to("new_str"),
      replaceAll: to("replace_all"),
    },
  },
  multiedit: { tool: "edit_file", takes: { filePath: path("path"), edits: to("edits") } },
  write: { tool: "write_file", takes: { filePath: path("path"), content: to("content") } },
  read: { tool: "read_file", takes: { filePath: path("path"), offset: somePart, limit: line("limit") } },
  list: { tool: "list_files", adds: searchedFrom, takes: { path: path("path"), ignore: aside } },
  grep: {
    tool: "grep",
    adds: searchedFrom,
    takes: { pattern: to("pattern"), path: path("path"), include: glob("glob") },
  },
  glob: { tool: "find_files", adds: searchedFrom, takes: { pattern: glob("pattern"), path: path("path") } },
  apply_patch: { patch: "patchText" },
  patch: { patch: "patchText" },
  webfetch: {
    claims: ({ url }) => [{ action: "fetch", url: url as string }],
    takes: { url: to("url"), ...asides("format", "timeout") },
  },
  websearch: {
    claims: () => [{ action: "unknown", permissions: ["network"] }],
    takes: asides("query", "numResults", "livecrawl", "type", "contextMaxCharacters"),
  },
  ...own("task", "todowrite", "todoread", "skill", "question"),
};

/** The events come from our own plugin in its settings. */
function read(input: Json): Event {
  const event = textIn(input, "event");
  const id = maybeText(input, "callID");
  const told = {
    tool: textIn(input, "tool"),
    args: objectIn(input, "args"),
    session: textIn(input, "sessionID"),
    cwd: textIn(input, "directory"),
    ...(id && { id }),
  };
  if (event === "tool.execute.before") return { kind: "before", ...told };
  if (event === "tool.execute.after") return { kind: "after", ...told, output: toText(input.output) };
  throw new Unreadable(`the event ${event} is not known`);
}

/** The plugin throws the text on standard error if the status is 2. */
export const opencode: Client = {
  name: "opencode",
  title: "opencode",
  read,
  tools,
  cannotAsk: true,
  answer: (verdict, reason) => (verdict === "allow" ? { status: 0 } : { status: 2, stderr: reason }),
};
