export type Scope = "user" | "project";

/** An entry of a list, with the path to it. */
export type Listed = { readonly way: readonly string[]; readonly item: object };

/** What goes into one file of a client: entries of lists in its settings, or a file that is entirely ours. */
export type Part =
  | { readonly file: string; readonly lists: readonly Listed[]; readonly fresh?: object }
  | { readonly file: string; readonly text: string; readonly mode?: number };

/** `command` is how the client starts the hook. */
export type Setup = {
  parts(scope: Scope, command: string): readonly Part[];
  /** What the person has to know, or still has to do. */
  notes(scope: Scope): readonly string[];
};

/** The client's limit; the hook itself answers earlier. */
const SECONDS = 60;

const group = (hook: object, matcher = "*") => ({ matcher, hooks: [hook] });

/** Our files start with a comment by which they are recognized. */
export const OURS = "Written by `toolgate hook install";

const claude: Setup = {
  parts: (_, command) => [
    {
      file: ".claude/settings.json",
      lists: [
        {
          way: ["hooks", "PreToolUse"],
          item: group({ type: "command", command, timeout: SECONDS, onFailure: "block" }),
        },
        ...["PostToolUse", "PostToolUseFailure"].map((event) => ({
          way: ["hooks", event],
          item: group({ type: "command", command, timeout: SECONDS }),
        })),
      ],
    },
  ],
  notes: () => [
    "Claude Code before 2.1.295 runs a call whose hook could not be started or took too long; later versions refuse it (onFailure).",
    "Files that a person mentions with @ are read without asking any hook.",
  ],
};

const codex: Setup = {
  parts: (_, command) => [
    {
      file: ".codex/hooks.json",
      lists: ["PreToolUse", "PostToolUse"].map((event) => ({
        way: ["hooks", event],
        item: group({ type: "command", command, timeout: SECONDS }, ".*"),
      })),
    },
  ],
  notes: () => [
    "Codex runs no hook before a person has trusted it, and says nothing about it: start codex, type /hooks and trust both.",
    "It runs a call whose hook could not be started, took too long or was killed.",
    "Typing into a shell that is already open (write_stdin) asks no hook.",
  ],
};

const gemini: Setup = {
  parts: (_, command) => [
    {
      file: ".gemini/settings.json",
      lists: ["BeforeTool", "AfterTool"].map((event) => ({
        way: ["hooks", event],
        item: group({ type: "command", name: "toolgate", command, timeout: SECONDS * 1000 }, ".*"),
      })),
    },
  ],
  notes: (scope) => [
    ...(scope === "project" ? ["Gemini CLI runs the hooks of a project only in a folder that a person trusts."] : []),
    "It runs a call whose hook took too long or was killed.",
  ],
};

const opencode: Setup = {
  parts: (scope, command) => [
    {
      file: scope === "user" ? ".config/opencode/plugin/toolgate.js" : ".opencode/plugin/toolgate.js",
      text: plugin(command),
    },
  ],
  notes: () => ["opencode starts without a plugin that it cannot load, and says nothing about it."],
};

/** Asynchronous; anything but a clear yes is a no. */
const plugin = (command: string): string => `// ${OURS} opencode\`; \`toolgate hook uninstall opencode\` removes it.
import { spawn } from "node:child_process";

const COMMAND = ${JSON.stringify(command)};
const LIMIT_MS = ${SECONDS * 1000};

const tell = (event) =>
  new Promise((resolve) => {
    const child = spawn(COMMAND, { shell: true, cwd: event.directory, stdio: ["pipe", "ignore", "pipe"] });
    let said = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
    const end = (status, why) => {
      clearTimeout(timer);
      resolve({ status, said: said.trim() || why });
    };
    child.stderr.on("data", (data) => {
      said += data;
    });
    child.on("error", (error) => end(-1, String(error)));
    child.on("close", (status) => end(status ?? -1, "it ended without an answer"));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(event));
  });

export const Toolgate = async ({ directory }) => ({
  "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
    const { status, said } = await tell({ event: "tool.execute.before", tool, sessionID, callID, args, directory });
    if (status !== 0) throw new Error(status === 2 ? said : \`Toolgate could not judge this call, so it is refused: \${said}\`);
  },
  "tool.execute.after": async ({ tool, sessionID, callID, args }, { output }) => {
    await tell({ event: "tool.execute.after", tool, sessionID, callID, args: args ?? {}, output, directory });
  },
});
`;

const copilot: Setup = {
  parts: (scope, command) => [
    {
      file: scope === "user" ? ".copilot/hooks/toolgate.json" : ".github/hooks/toolgate.json",
      fresh: { version: 1 },
      // under these names it sends the same as Claude Code, and understands the same refusal
      lists: ["PreToolUse", "PostToolUse", "PostToolUseFailure"].map((event) => ({
        way: ["hooks", event],
        item: group({ type: "command", command, timeout: SECONDS }, ".*"),
      })),
    },
  ],
  notes: (scope) => [
    ...(scope === "project"
      ? ["Copilot runs a project's hooks only in a folder that a person trusts; --user applies everywhere."]
      : []),
    "It runs a call whose hook took too long.",
  ],
};

const cursor: Setup = {
  parts: (_, command) => [
    {
      file: ".cursor/hooks.json",
      fresh: { version: 1 },
      lists: [
        { way: ["hooks", "preToolUse"], item: { command, timeout: SECONDS, failClosed: true } },
        ...["postToolUse", "postToolUseFailure"].map((event) => ({
          way: ["hooks", event],
          item: { command, timeout: SECONDS },
        })),
      ],
    },
  ],
  notes: () => [
    "Typing into a shell that is already open is judged without what is typed: Cursor shows only how long it is.",
  ],
};

/** It runs a call whose hook could not be started, so the script itself must refuse then. */
const clineScript = (command: string): string => `#!/bin/sh
# ${OURS} cline\`; \`toolgate hook uninstall cline\` removes it.
said=$(${command}) && [ -n "$said" ] && printf '%s\\n' "$said" && exit 0
echo '{"cancel":true,"errorMessage":"Toolgate could not be started, so this call is refused."}'
`;

const cline: Setup = {
  parts: (_, command) => [
    { file: ".cline/hooks/PreToolUse.sh", text: clineScript(command), mode: 0o755 },
    {
      file: ".cline/hooks/PostToolUse.sh",
      text: `#!/bin/sh\n# ${OURS} cline\`; \`toolgate hook uninstall cline\` removes it.\nexec ${command}\n`,
      mode: 0o755,
    },
  ],
  notes: () => [
    "A refusal ends Cline's whole run: it has no way to refuse a single call.",
    "It runs a call whose hook took longer than two minutes.",
  ],
};

const windsurf: Setup = {
  parts: (scope, command) => [
    {
      file: scope === "user" ? ".codeium/windsurf/hooks.json" : ".windsurf/hooks.json",
      lists: ["pre", "post"].flatMap((when) =>
        ["run_command", "read_code", "write_code", "mcp_tool_use"].map((action) => ({
          way: ["hooks", `${when}_${action}`],
          item: { command, show_output: when === "pre" },
        })),
      ),
    },
  ],
  notes: () => ["It runs a call whose hook could not be started, or ended with another status than 0 and 2."],
};

export const setups: Readonly<Record<string, Setup>> = {
  ...{ claude, codex, gemini, opencode, copilot, cursor, cline, windsurf },
};
