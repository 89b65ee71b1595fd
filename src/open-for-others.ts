import type { Settings } from "./config/settings.ts";
import type { Gate } from "./core/gate.ts";
import { folderOf, type OpenOptions, opened, settingsFor } from "./open.ts";
import { unheld } from "./parts.ts";

/**
 * For calls that somebody else performs: no sandbox of ours holds their commands. `brings` is told how to take tools that
 * nobody knows.
 */
export async function openForOthers(
  options: OpenOptions,
  brings: (unknownTools: "ask" | "allow") => Pick<OpenOptions, "tools" | "policies">,
): Promise<Gate> {
  const loaded = await settingsFor(folderOf(options), options);
  const { commands, clients } = loaded.settings;
  const settings: Settings = { ...loaded.settings, commands: { ...commands, sandbox: "off" } };
  const { tools = [], policies = [] } = brings(clients.unknownTools);
  const held = commands.sandbox === "required" ? [unheld] : [];
  return opened({ ...options, tools, policies: [...held, ...policies] }, { ...loaded, settings });
}
