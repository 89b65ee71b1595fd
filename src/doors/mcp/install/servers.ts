import { homedir, platform } from "node:os";
import { join } from "node:path";
import type { Scope } from "../../hook/install/setups.ts";

/** How a client starts our server. */
export type Start = { readonly command: string; readonly args: readonly string[] };

/** Where a client keeps its MCP servers, and in which format. */
export type ServerSetup = {
  /** The file, relative to the home folder or the workspace; undefined if the client has none for this scope. */
  file(scope: Scope): string | undefined;
  /** The path to our entry. */
  readonly way: readonly string[];
  readonly isToml?: true;
  entry(start: Start): object;
  notes(scope: Scope): readonly string[];
};

const stdio = ({ command, args }: Start) => ({ type: "stdio", command, args });
const plain = ({ command, args }: Start) => ({ command, args });
/** Editors start servers in whatever folder they were started in. */
const inFolder = ({ command, args }: Start): Start => ({
  command,
  args: [...args, "--workspace", "${" + "workspaceFolder}"],
});

const NEEDS_TRUST = "asks the person before it starts a server that is in a project's own settings";

export const servers: Readonly<Record<string, ServerSetup>> = {
  claude: {
    file: (scope) => (scope === "user" ? ".claude.json" : ".mcp.json"),
    way: ["mcpServers", "toolgate"],
    entry: stdio,
    notes: (scope) => (scope === "project" ? [`Claude Code ${NEEDS_TRUST}.`] : []),
  },
  codex: {
    file: (scope) => (scope === "user" ? join(codexHome(), "config.toml") : undefined),
    way: ["mcp_servers", "toolgate"],
    isToml: true,
    // otherwise it begins without us if we take longer to start than its model to answer
    entry: (start) => ({ ...plain(start), required: true, startup_timeout_sec: 30, tool_timeout_sec: 600 }),
    notes: () => ["Codex gives up on a call after ten minutes (tool_timeout_sec), a person's thinking time included."],
  },
  opencode: {
    file: (scope) => (scope === "user" ? ".config/opencode/opencode.json" : "opencode.json"),
    way: ["mcp", "toolgate"],
    entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true, timeout: 30_000 }),
    notes: () => ["opencode cannot ask a person, so calls that need approval are refused."],
  },
  gemini: {
    file: () => ".gemini/settings.json",
    way: ["mcpServers", "toolgate"],
    entry: plain,
    notes: () => ["Gemini CLI cannot ask a person, so calls that need approval are refused."],
  },
  vscode: {
    file: (scope) => (scope === "user" ? userFolderOfCode() : ".vscode/mcp.json"),
    way: ["servers", "toolgate"],
    entry: (start) => stdio(inFolder(start)),
    notes: (scope) => (scope === "project" ? [`VS Code ${NEEDS_TRUST}.`] : []),
  },
  cursor: {
    file: () => ".cursor/mcp.json",
    way: ["mcpServers", "toolgate"],
    entry: (start) => plain(inFolder(start)),
    notes: () => ["Cursor shows a new server under Settings, MCP, where a person turns it on."],
  },
};

const codexHome = (): string => process.env.CODEX_HOME ?? join(homedir(), ".codex");

const userFolderOfCode = (): string =>
  platform() === "darwin" ? "Library/Application Support/Code/User/mcp.json" : ".config/Code/User/mcp.json";
