/** Files and folders that decide whether an agent asks Toolgate at all, and what else it runs by itself. */
export const AGENT_SETTINGS: readonly string[] = [
  ...[".claude/settings.json", ".claude/settings.local.json", ".mcp.json"],
  ...[".codex", ".gemini/settings.json", ".github/hooks", ".cursor/hooks.json", ".cursor/mcp.json", ".vscode/mcp.json"],
  ...[".cline/hooks", ".clinerules/hooks", ".windsurf/hooks.json"],
  ...[".opencode", "opencode.json", "opencode.jsonc"],
];
