import type { Said } from "./client.ts";

/** A refusal that Claude Code, Codex, Gemini CLI and Copilot all understand; nothing may be added to it. */
export const denied = (reason: string): Said => ({
  status: 0,
  stdout: JSON.stringify({
    decision: "block",
    reason,
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
  }),
});

export const nested = (decision: "allow" | "ask", reason: string): Said => ({
  status: 0,
  stdout: JSON.stringify({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: decision, permissionDecisionReason: reason },
  }),
});
