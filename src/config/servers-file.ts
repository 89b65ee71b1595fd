import type { ServerSettings } from "../core/contracts/servers.ts";
import { type Checked, check } from "./check.ts";
import { servers as kind, type WrittenServers } from "./server-kind.ts";

const OURS = ["type", "command", "args", "env", "cwd", "url", "headers"] as const;

/** The servers in .mcp.json: `mcpServers` as most clients write it, or `servers`. Unknown fields are ignored. */
export function serversIn(text: string, file: string): { servers: ServerSettings; problems: string[] } {
  const listed = listedIn(text);
  if (typeof listed === "string") return { servers: {}, problems: [`${file}: ${listed}`] };
  const servers: Record<string, ServerSettings[string]> = {};
  const problems: string[] = [];
  for (const [name, given] of Object.entries(listed)) {
    const checked = checkedServer(name, given, file);
    if ("problems" in checked)
      problems.push(`${file}: ${name} was left out: ${checked.problems.map(({ message }) => message).join("; ")}`);
    else Object.assign(servers, kind.read(checked.config.mcp_servers as WrittenServers, "/"));
  }
  return { servers, problems };
}

function checkedServer(name: string, given: unknown, file: string): Checked {
  try {
    return check({ mcp_servers: { [name]: ours(given) } }, file);
  } catch {
    return { problems: [{ source: file, message: "it is nested too deeply" }] };
  }
}

function listedIn(text: string): Record<string, unknown> | string {
  try {
    const parsed = JSON.parse(text) as { mcpServers?: unknown; servers?: unknown } | null;
    const listed = parsed?.mcpServers ?? parsed?.servers ?? {};
    return typeof listed === "object" && !Array.isArray(listed)
      ? (listed as Record<string, unknown>)
      : "mcpServers must be a mapping of names to servers";
  } catch (error) {
    return `it is not JSON: ${(error as SyntaxError).message}`;
  }
}

function ours(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const { disabled, enabled } = given as { disabled?: unknown; enabled?: unknown };
  const picked = OURS.map((key) => [key, (given as never)[key]]);
  return { ...Object.fromEntries(picked), ...((disabled === true || enabled === false) && { enabled: false }) };
}
