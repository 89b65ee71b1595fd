import type { RuleKind } from "../../rules/rule.ts";
import { asObject, asTexts, commandRule, type Imported, leftOver, oneRule, pathRule, together } from "./imported.ts";

const SHELL: ReadonlySet<string> = new Set(["run_shell_command", "ShellTool"]);
const WRITES: ReadonlySet<string> = new Set(["write_file", "replace", "WriteFileTool", "EditTool"]);
const SHAPE = /^([^\s()]+)(?:\((.*)\))?$/s;

/** Gemini CLI's settings.json, with current and older names. */
export function fromGemini(settings: unknown): Imported {
  const { tools, allowedTools, excludeTools, coreTools, mcpServers } = asObject(settings);
  const { allowed, exclude, core } = asObject(tools);
  const trusted = Object.entries(asObject(mcpServers)).filter(([, server]) => asObject(server).trust === true);
  return together([
    ...[...asTexts(allowed), ...asTexts(allowedTools)].map((text) => geminiRule("allow", text)),
    ...[...asTexts(exclude), ...asTexts(excludeTools)].map((text) => geminiRule("deny", text)),
    ...trusted.map(([name]) =>
      /^[\w.-]+$/.test(name)
        ? oneRule("allow", `mcp(${name}/*)`, `mcpServers.${name}.trust`)
        : leftOver(`mcpServers.${name.slice(0, 80)}.trust`, "a rule cannot name this server"),
    ),
    ...((core ?? coreTools) === undefined
      ? []
      : [leftOver("tools.core", "it lists the only tools there are; name them in toolset")]),
  ]);
}

function geminiRule(kind: RuleKind, text: string): Imported {
  const [, tool = "", inside] = SHAPE.exec(text.trim()) ?? [];
  const setting = `${kind}: ${text}`;
  if (tool === "") return leftOver(setting, "it is not written as a tool with a pattern");
  if (SHELL.has(tool)) return commandRule(kind, inside ?? "*", true, setting);
  if (WRITES.has(tool)) return pathRule(kind, "write", inside ?? "**", setting);
  if (inside !== undefined) return leftOver(setting, `patterns of ${tool} have no counterpart`);
  return serversTool(kind, tool, setting) ?? oneRule(kind, tool, setting);
}

/** `server__tool`, or lately `mcp_server_tool`, where only a star at the end tells where the server's name ends. */
function serversTool(kind: RuleKind, tool: string, setting: string): Imported | undefined {
  const [, server, name] = /^([\w.*-]+?)__(.+)$/.exec(tool) ?? /^mcp_([\w.-]+)_(\*)$/.exec(tool) ?? [];
  if (server !== undefined) return oneRule(kind, `mcp(${server}/${name})`, setting);
  return /^mcp_|\*/.test(tool) && tool !== "*"
    ? leftOver(setting, "it does not say where a server's name ends; write mcp(SERVER/TOOL)")
    : undefined;
}

const DECISIONS: Readonly<Record<string, RuleKind>> = { allow: "allow", ask_user: "ask", deny: "deny" };

/** A policy file of Gemini CLI, parsed from TOML. */
export function fromGeminiPolicies(policies: unknown): Imported {
  const { rule } = asObject(policies);
  return together((Array.isArray(rule) ? rule : []).map((each) => policyRules(asObject(each))));
}

function policyRules(rule: Record<string, unknown>): Imported {
  const kind = typeof rule.decision === "string" ? DECISIONS[rule.decision] : undefined;
  const tools = asTexts(rule.toolName);
  const setting = `rule: ${JSON.stringify(rule).slice(0, 120)}`;
  if (!kind) return leftOver(setting, "its decision is none of allow, ask_user and deny");
  if (rule.commandRegex !== undefined || rule.argsPattern !== undefined)
    return leftOver(setting, "it matches by a regular expression; rules match parsed commands and paths");
  if (rule.modes !== undefined) return leftOver(setting, "it applies in some modes only");
  if (typeof rule.mcpName === "string")
    return together(
      (tools.length > 0 ? tools : ["*"]).map((tool) => oneRule(kind, `mcp(${rule.mcpName}/${tool})`, setting)),
    );
  if (rule.commandPrefix !== undefined)
    return together(asTexts(rule.commandPrefix).map((prefix) => commandRule(kind, prefix, true, setting)));
  return together(tools.map((tool) => geminiRule(kind, tool)));
}
