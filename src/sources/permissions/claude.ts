import type { RuleKind } from "../../rules/rule.ts";
import { asObject, asTexts, commandRule, type Imported, leftOver, oneRule, pathRule, together } from "./imported.ts";

const SHAPE = /^([^\s()]+)(?:\((.*)\))?$/s;
const WRITES: ReadonlySet<string> = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);
const READS: ReadonlySet<string> = new Set(["Read", "Grep", "Glob", "LS", "NotebookRead"]);
const KINDS: readonly RuleKind[] = ["allow", "ask", "deny"];

const MODES: Readonly<Record<string, string>> = {
  bypassPermissions: "set mode: yolo if you mean it",
  acceptEdits: "allow the folders that may be changed, such as write(src/**)",
  plan: "planning is chosen for each run",
};

/** `permissions` of Claude Code's settings.json. */
export function fromClaude(settings: unknown): Imported {
  const permissions = asObject(asObject(settings).permissions);
  const mode = String(permissions.defaultMode);
  return together([
    ...KINDS.flatMap((kind) => asTexts(permissions[kind]).map((text) => claudeRule(kind, text))),
    ...(MODES[mode] ? [leftOver(`defaultMode: ${mode}`, MODES[mode])] : []),
    ...asTexts(permissions.additionalDirectories).map((folder) =>
      leftOver(`additionalDirectories: ${folder}`, "add it to workspace.allowed_paths"),
    ),
  ]);
}

function claudeRule(kind: RuleKind, text: string): Imported {
  const [, tool = "", inside] = SHAPE.exec(text.trim()) ?? [];
  const setting = `${kind}: ${text}`;
  if (tool === "") return leftOver(setting, "it is not written as a tool with a pattern");
  if (tool === "Bash") {
    const pattern = inside?.trim() ?? "*";
    return commandRule(kind, pattern.replace(/(?::\*| \*)$/, ""), /(?::\*| \*|^\*)$/.test(pattern), setting);
  }
  if (WRITES.has(tool)) return pathRule(kind, "write", pathOf(inside), setting);
  if (READS.has(tool)) return pathRule(kind, "read", pathOf(inside), setting);
  if (tool === "WebFetch") {
    const host = inside?.replace(/^domain:/, "").trim();
    return oneRule(kind, host && host !== "*" ? `fetch(${host})` : "web_fetch", setting);
  }
  if (tool.startsWith("mcp__")) {
    const [, server = "", ...name] = tool.split("__");
    return oneRule(kind, `mcp(${server}/${name.join("__") || "*"})`, setting);
  }
  if (tool === "Skill" && inside) return oneRule(kind, `skill(${inside.replace(/:\*$/, "*")})`, setting);
  if (inside !== undefined) return leftOver(setting, `patterns of ${tool} have no counterpart`);
  return oneRule(kind, tool, setting);
}

/** There `//x` is absolute; `/x` and `./x` are relative to the project. */
function pathOf(inside: string | undefined): string {
  const path = inside?.trim() || "**";
  if (path.startsWith("//")) return path.slice(1);
  return path.startsWith("/") ? `.${path}` : path;
}
