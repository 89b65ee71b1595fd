import path from "node:path";
import { expect } from "vitest";
import type { Said } from "../../../src/doors/hook/lib/client.ts";

export type Verdict = "allow" | "ask" | "deny";
type Args = Record<string, unknown>;
/** A tool, its arguments, and the folder that the client is in, if it is not the workspace. */
type Called = [tool: string, args: Args, cwd?: string];

type Events = {
  pre(dir: string, tool: string, args: Args, cwd?: string, id?: string): Args;
  post(dir: string, tool: string, args: Args, id?: string): Args;
  tools: Record<string, (dir: string) => Called>;
  /** Arguments that it has not, or that may mean something else there. */
  odd: [tool: string, args: Args][];
  asks: boolean;
  /** An event that has lost a part. */
  without(event: Args, part: string): Args;
  crash?: Said;
  silence?: Said;
};

const PARTS: Record<string, string> = { tool: "tool_name", args: "tool_input", session: "session_id", cwd: "cwd" };
const withoutPart =
  (names: Record<string, string>) =>
  (event: Args, part: string): Args =>
    Object.fromEntries(Object.entries(event).filter(([name]) => name !== names[part]));

/** As Claude Code 2.1.325 sent it. */
const claude: Events = {
  pre: (dir, tool, args, cwd = dir, id = "toolu_01") => ({
    session_id: "7c1d3f60-7c28-4b0e-a6b1-0d9a5c2f1e11",
    transcript_path: "/home/u/.claude/projects/p/7c1d3f60.jsonl",
    cwd,
    prompt_id: `prompt_${id}`,
    permission_mode: "bypassPermissions",
    effort: { level: "high" },
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: args,
    tool_use_id: id,
  }),
  post: (dir, tool, args, id) => ({
    ...claude.pre(dir, tool, args, dir, id),
    hook_event_name: "PostToolUse",
    tool_response: { stdout: "done", stderr: "", interrupted: false, isImage: false },
    duration_ms: 12,
  }),
  tools: {
    echo: () => ["Bash", { command: "echo hi", description: "say hi" }],
    forbidden: () => ["Bash", { command: "rm -rf /", description: "clean up", timeout: 1000 }],
    changes: () => ["Bash", { command: "touch new", run_in_background: false }],
    script: () => ["Bash", { command: "sh make.sh" }],
    elsewhere: () => ["Bash", { command: "touch new" }, "/etc"],
    read: (dir) => ["Read", { file_path: path.join(dir, "a.txt"), offset: 1, limit: 10 }],
    secret: (dir) => ["Read", { file_path: path.join(dir, ".env") }],
    outside: () => ["Read", { file_path: "/etc/passwd" }],
    edit: (dir) => [
      "Edit",
      { file_path: path.join(dir, "a.txt"), old_string: "two", new_string: "2", replace_all: false },
    ],
    write: (dir) => ["Write", { file_path: path.join(dir, "n.txt"), content: "new\n" }],
    ownSettings: (dir) => ["Write", { file_path: path.join(dir, ".claude/settings.json"), content: "{}" }],
  },
  odd: [
    ["Bash", { command: "echo hi", cwd: "/etc" }],
    ["Bash", { command: "echo hi", dangerouslyDisableSandbox: true }],
    ["Read", { file_path: "~/x" }],
    ["Read", { file_path: "file:///etc/passwd" }],
    ["Glob", { pattern: "../**" }],
    ["Grep", { pattern: "x", glob: "/etc/**" }],
    ["Grep", { pattern: "x", paths: ["/etc"] }],
    ["NotebookEdit", { notebook_path: "~/n.ipynb", new_source: "" }],
    ["NotebookEdit", { notebook_path: "n.ipynb", new_source: "", kernel: "bash" }],
  ],
  asks: true,
  without: withoutPart(PARTS),
};

/** As Codex 0.166.0 sent it: the folder of a call comes as that of the event. */
const codex: Events = {
  pre: (dir, tool, args, cwd = dir, id = "call_1") => ({
    session_id: "019a8a5e-6d5d-7b30-8a24-5a7d5f1c0001",
    turn_id: `turn_${id}`,
    transcript_path: "/home/u/.codex/sessions/rollout.jsonl",
    cwd,
    hook_event_name: "PreToolUse",
    model: "gpt-5.5",
    permission_mode: "bypassPermissions",
    tool_name: tool,
    tool_input: args,
    tool_use_id: id,
  }),
  post: (dir, tool, args, id) => ({
    ...codex.pre(dir, tool, args, dir, id),
    hook_event_name: "PostToolUse",
    tool_response: "done",
  }),
  tools: {
    echo: () => ["Bash", { command: "echo hi" }],
    forbidden: () => ["Bash", { command: "rm -rf /" }],
    changes: () => ["Bash", { command: "touch new" }],
    script: () => ["Bash", { command: "sh make.sh" }],
    elsewhere: () => ["Bash", { command: "touch new" }, "/etc"],
    read: () => ["Bash", { command: "cat a.txt" }],
    secret: () => ["Bash", { command: "cat .env" }],
    edit: () => ["apply_patch", { command: "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch" }],
    write: () => ["apply_patch", { command: "*** Begin Patch\n*** Add File: n.txt\n+new\n*** End Patch" }],
    outside: () => ["apply_patch", { command: "*** Begin Patch\n*** Add File: ../n.txt\n+new\n*** End Patch" }],
    ownSettings: () => [
      "apply_patch",
      { command: "*** Begin Patch\n*** Add File: .codex/hooks.json\n+{}\n*** End Patch" },
    ],
  },
  odd: [
    ["Bash", { command: "echo hi", workdir: "/etc" }],
    ["apply_patch", { command: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" }],
    ["Bash", { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: n\n+x\n*** End Patch\nEOF" }],
  ],
  asks: false,
  without: withoutPart(PARTS),
};

/** As Gemini CLI 0.61.0 sent it: no id, and paths as the model wrote them. */
const gemini: Events = {
  pre: (dir, tool, args, cwd = dir) => ({
    session_id: "b0f9d9a4-2a53-4ac1-8d5c-3f2b64a0aa01",
    transcript_path: "",
    cwd,
    hook_event_name: "BeforeTool",
    timestamp: "2026-11-15T10:00:00.000Z",
    tool_name: tool,
    tool_input: args,
  }),
  post: (dir, tool, args) => ({
    ...gemini.pre(dir, tool, args),
    hook_event_name: "AfterTool",
    tool_response: { llmContent: "done", returnDisplay: "done" },
  }),
  tools: {
    echo: () => ["run_shell_command", { command: "echo hi", description: "say hi" }],
    forbidden: () => ["run_shell_command", { command: "rm -rf /" }],
    changes: () => ["run_shell_command", { command: "touch new", dir_path: "sub" }],
    script: () => ["run_shell_command", { command: "sh make.sh", is_background: false }],
    elsewhere: () => ["run_shell_command", { command: "touch x", dir_path: "/etc" }],
    read: () => ["read_file", { file_path: "a.txt", start_line: 1, end_line: 2 }],
    secret: () => ["read_file", { file_path: ".env" }],
    outside: () => ["read_file", { file_path: "../../etc/passwd" }],
    edit: () => ["replace", { file_path: "a.txt", instruction: "shorten", old_string: "two", new_string: "2" }],
    write: () => ["write_file", { file_path: "n.txt", content: "new\n" }],
    ownSettings: () => ["write_file", { file_path: ".gemini/settings.json", content: "{}" }],
  },
  odd: [
    ["run_shell_command", { command: "echo hi", cwd: "/etc" }],
    ["replace", { file_path: "a.txt", old_string: "two", new_string: "2", expected_replacements: 2 }],
    ["glob", { pattern: "/etc/*" }],
    ["grep_search", { pattern: "x", include_pattern: "{a,../b}" }],
    ["read_file", { file_path: "~/.ssh/id_rsa" }],
  ],
  asks: false,
  without: withoutPart(PARTS),
};

/** As our plugin sends it from opencode 1.18.33. */
const opencode: Events = {
  pre: (dir, tool, args, cwd = dir, id = "call_1") => ({
    event: "tool.execute.before",
    tool,
    sessionID: "ses_01",
    callID: id,
    args,
    directory: cwd,
  }),
  post: (dir, tool, args, id) => ({
    ...opencode.pre(dir, tool, args, dir, id),
    event: "tool.execute.after",
    output: "done",
  }),
  tools: {
    echo: () => ["bash", { command: "echo hi", timeout: 1000 }],
    forbidden: () => ["bash", { command: "rm -rf /" }],
    changes: () => ["bash", { command: "touch new", workdir: "sub" }],
    script: () => ["bash", { command: "sh make.sh" }],
    elsewhere: () => ["bash", { command: "touch x", workdir: "/etc" }],
    read: (dir) => ["read", { filePath: path.join(dir, "a.txt"), offset: 0 }],
    secret: (dir) => ["read", { filePath: path.join(dir, ".env") }],
    outside: () => ["read", { filePath: "/etc/passwd" }],
    edit: (dir) => ["edit", { filePath: path.join(dir, "a.txt"), oldString: "two", newString: "2" }],
    write: () => ["write", { filePath: "n.txt", content: "new\n" }],
    ownSettings: () => ["write", { filePath: ".opencode/plugin/toolgate.js", content: "" }],
  },
  odd: [
    ["bash", { command: "echo hi", cwd: "/etc" }],
    ["grep", { pattern: "x", paths: ["/etc"] }],
    ["glob", { pattern: "a/../../b" }],
    ["write", { filePath: " a.txt", content: "" }],
  ],
  asks: false,
  without: withoutPart({ tool: "tool", args: "args", session: "sessionID", cwd: "directory" }),
};

/** As Copilot CLI 1.0.102 sent it under `PreToolUse`: the names of Claude Code's tools, and its own arguments. */
const copilot: Events = {
  pre: (dir, tool, args, cwd = dir) => ({
    hook_event_name: "PreToolUse",
    session_id: "ses-01",
    timestamp: "2026-11-15T10:00:00.000Z",
    cwd,
    tool_name: tool,
    tool_input: args,
  }),
  post: (dir, tool, args) => ({
    ...copilot.pre(dir, tool, args),
    hook_event_name: "PostToolUse",
    tool_result: { result_type: "success", text_result_for_llm: "done" },
  }),
  tools: {
    echo: () => ["Bash", { command: "echo hi", description: "say hi", mode: "sync" }],
    forbidden: () => ["Bash", { command: "rm -rf /", description: "" }],
    changes: () => ["bash", { command: "touch new", description: "" }],
    script: () => ["Bash", { command: "sh make.sh", description: "" }],
    elsewhere: () => ["Bash", { command: "touch x" }, "/etc"],
    read: (dir) => ["Read", { path: path.join(dir, "a.txt"), view_range: [1, 2] }],
    secret: (dir) => ["view", { path: path.join(dir, ".env") }],
    outside: () => ["Read", { path: "/etc/passwd" }],
    edit: (dir) => ["Edit", { path: path.join(dir, "a.txt"), old_str: "two", new_str: "2" }],
    write: (dir) => ["Write", { path: path.join(dir, "n.txt"), file_text: "new\n" }],
    ownSettings: (dir) => ["Write", { path: path.join(dir, ".github/hooks/toolgate.json"), file_text: "{}" }],
  },
  odd: [
    ["Bash", { command: "echo hi", cwd: "/etc" }],
    ["Read", { file_path: "/etc/passwd", path: "a.txt" }],
    ["Grep", { pattern: "x", paths: ["a", "/etc"] }],
    ["Glob", { pattern: "/etc/*" }],
  ],
  asks: true,
  without: withoutPart(PARTS),
};

/** As the source of Cursor's SDK 1.0.32 has it. */
const cursor: Events = {
  pre: (dir, tool, args, cwd = dir, id = "tool_1") => ({
    conversation_id: "conv-1",
    generation_id: `gen-${id}`,
    model: "composer",
    session_id: "conv-1",
    hook_event_name: "preToolUse",
    cursor_version: "1.0.32",
    workspace_roots: [dir],
    user_email: "u@example.com",
    transcript_path: null,
    tool_name: tool,
    tool_input: args,
    tool_use_id: id,
    cwd,
  }),
  post: (dir, tool, args, id) => ({
    ...cursor.pre(dir, tool, args, dir, id),
    hook_event_name: "postToolUse",
    tool_output: "done",
  }),
  tools: {
    echo: () => ["Shell", { command: "echo hi" }],
    forbidden: () => ["Shell", { command: "rm -rf /" }],
    changes: () => ["Shell", { command: "touch new", timeout: 1000 }],
    script: () => ["Shell", { command: "sh make.sh" }],
    elsewhere: () => ["Shell", { command: "touch x", cwd: "/etc" }],
    read: (dir) => ["Read", { file_path: path.join(dir, "a.txt") }],
    secret: (dir) => ["Read", { file_path: path.join(dir, ".env") }],
    outside: () => ["Read", { file_path: "/etc/passwd" }],
    edit: (dir) => ["Write", { file_path: path.join(dir, "a.txt"), content: "one\n2\n" }],
    write: (dir) => ["Write", { file_path: path.join(dir, "n.txt"), content: "new\n" }],
    ownSettings: (dir) => ["Write", { file_path: path.join(dir, ".cursor/hooks.json"), content: "{}" }],
  },
  odd: [
    ["Shell", { command: "echo hi", working_directory: "/etc" }],
    ["WriteShellStdin", { shell_id: 1, chars_length: 4 }],
    ["Grep", { pattern: "x", path: "/etc" }],
    ["Delete", { file_path: "~/x" }],
    ["Delete", { file_path: "a.txt", recursive: true }],
  ],
  asks: false,
  without: withoutPart({ ...PARTS, session: "conversation_id" }),
};

/** As Cline 3.0.65 sent it. */
const cline: Events = {
  pre: (dir, tool, args, cwd = dir, id = "call_0_0") => ({
    ...{ clineVersion: "", timestamp: "2026-11-16T08:04:46.650Z", taskId: "conv_1", userId: "unknown", iteration: 1 },
    sessionContext: { rootSessionId: "1794816284273_iotd3" },
    workspaceRoots: [cwd],
    workspaceInfo: { rootPath: cwd, hint: "ws" },
    agent_id: "agent_1",
    parent_agent_id: null,
    hookName: "tool_call",
    tool_call: { id, name: tool, input: args },
    preToolUse: { toolName: tool, parameters: {} },
  }),
  post: (dir, tool, args, id = "call_0_0") => {
    const { tool_call, preToolUse, ...common } = cline.pre(dir, tool, args, dir, id);
    const output = [{ query: "", result: "done", success: true }];
    return {
      ...common,
      hookName: "tool_result",
      tool_result: { id, name: tool, input: args, output, durationMs: 12 },
      postToolUse: { toolName: tool, parameters: {}, result: "done", success: true, executionTimeMs: 12 },
    };
  },
  tools: {
    echo: () => ["run_commands", { commands: ["echo hi", "echo 'you'"] }],
    forbidden: () => ["run_commands", { commands: ["echo hi", "rm -rf /"] }],
    changes: () => ["run_commands", { commands: ["touch new"] }],
    script: () => ["run_commands", { commands: ["sh make.sh"] }],
    elsewhere: () => ["run_commands", { commands: ["cd /etc && touch x"] }],
    read: (dir) => ["read_files", { files: [{ path: path.join(dir, "a.txt"), start_line: 1, end_line: 2 }] }],
    secret: (dir) => ["read_files", { files: [{ path: path.join(dir, "a.txt") }, { path: path.join(dir, ".env") }] }],
    outside: (dir) => ["read_files", { files: [{ path: path.join(dir, "a.txt") }, { path: "/etc/passwd" }] }],
    edit: (dir) => ["editor", { path: path.join(dir, "a.txt"), old_text: "two", new_text: "2" }],
    write: (dir) => ["editor", { path: path.join(dir, "n.txt"), new_text: "new\n" }],
    ownSettings: (dir) => ["editor", { path: path.join(dir, ".cline/hooks/PreToolUse.sh"), new_text: "" }],
  },
  odd: [
    ["run_commands", { commands: ["echo hi"], cwd: "/etc" }],
    ["read_files", { files: [{ path: "a.txt", root: "/etc" }] }],
    ["read_files", { files: [{ path: "~/x" }] }],
    ["search_codebase", { queries: ["x"], path: "/etc" }],
    ["editor", { path: "a.txt", old_text: "two", new_text: "2", all: true }],
  ],
  asks: false,
  without: (event, part) => {
    const named = { tool: "name", args: "input" }[part];
    const kept = named ? withoutPart({ [part]: named })(event.tool_call as Args, part) : event.tool_call;
    return withoutPart({ session: "taskId", cwd: "workspaceRoots" })({ ...event, tool_call: kept }, part);
  },
  crash: { status: 0, stdout: expect.stringMatching(/^\{"cancel":true,"errorMessage":".*refused: \w+/) as string },
};

/** As Windsurf's documentation has it: no id, no name of a tool, and what is done in the name of the event. */
const windsurf: Events = {
  pre: (dir, tool, args, cwd = dir, id = "exec_1") => ({
    agent_action_name: `pre_${tool}`,
    trajectory_id: "traj_1",
    execution_id: id,
    timestamp: "2026-11-15T10:00:00.000Z",
    model_name: "swe-1.5",
    tool_info: { ...args, ...(tool === "run_command" && { cwd }) },
  }),
  post: (dir, tool, args, id) => ({ ...windsurf.pre(dir, tool, args, dir, id), agent_action_name: `post_${tool}` }),
  tools: {
    echo: () => ["run_command", { command_line: "echo hi" }],
    forbidden: () => ["run_command", { command_line: "rm -rf /" }],
    changes: () => ["run_command", { command_line: "touch new" }],
    script: () => ["run_command", { command_line: "sh make.sh" }],
    elsewhere: () => ["run_command", { command_line: "touch x" }, "/etc"],
    read: (dir) => ["read_code", { file_path: path.join(dir, "a.txt") }],
    secret: (dir) => ["read_code", { file_path: path.join(dir, ".env") }],
    outside: () => ["read_code", { file_path: "/etc/passwd" }],
    edit: (dir) => [
      "write_code",
      { file_path: path.join(dir, "a.txt"), edits: [{ old_string: "two", new_string: "2" }] },
    ],
    write: (dir) => [
      "write_code",
      { file_path: path.join(dir, "n.txt"), edits: [{ old_string: "", new_string: "n" }] },
    ],
    ownSettings: (dir) => ["write_code", { file_path: path.join(dir, ".windsurf/hooks.json"), edits: [] }],
  },
  odd: [
    ["run_command", { command_line: "echo hi", shell: "zsh" }],
    ["mcp_tool_use", { mcp_server_name: "a", mcp_tool_name: "b", mcp_session: 1 }],
  ],
  asks: false,
  without: (event, part) => {
    const named = { args: "tool_info", tool: "agent_action_name", session: "trajectory_id" }[part];
    if (named) return withoutPart({ [part]: named })(event, part);
    return { ...event, tool_info: withoutPart({ cwd: "cwd" })(event.tool_info as Args, part) };
  },
};

export const EVENTS: Record<string, Events> = {
  ...{ claude, codex, gemini, opencode, copilot, cursor, cline, windsurf },
};

/** What the client makes of an answer, by the table of what each of them really did. */
export function verdictIn(client: string, { status, stdout = "", stderr = "" }: Said): Verdict {
  if (status === 2 && client !== "cline") return stdout === "" && stderr.trim() !== "" ? "deny" : "allow";
  if (client === "cline") {
    const { cancel, errorMessage } = JSON.parse(stdout) as { cancel?: boolean; errorMessage?: string };
    return cancel === true && errorMessage ? "deny" : "allow";
  }
  if (client === "cursor") {
    const { permission, user_message, agent_message } = JSON.parse(stdout) as Record<string, string>;
    return permission === "deny" && user_message && agent_message ? "deny" : "allow";
  }
  if (status !== 0 || stdout === "") return "allow";
  const said = JSON.parse(stdout) as {
    decision?: string;
    reason?: string;
    hookSpecificOutput?: { hookEventName?: string; permissionDecision?: Verdict; permissionDecisionReason?: string };
  };
  const { hookEventName, permissionDecision, permissionDecisionReason } = said.hookSpecificOutput ?? {};
  if (hookEventName !== "PreToolUse" || !permissionDecisionReason) return "allow";
  if (permissionDecision !== "deny") return permissionDecision ?? "allow";
  // every one of these is needed by one of them, and nothing else may be there
  const whole = Object.keys(said).sort().join() === "decision,hookSpecificOutput,reason";
  return whole && said.decision === "block" && said.reason ? "deny" : "allow";
}
