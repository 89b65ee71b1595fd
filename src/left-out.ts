import type { Settings } from "./config/settings.ts";
import { namesOf, toolsets } from "./parts.ts";

type Chosen = { toolset?: string | readonly string[]; commands?: boolean };

/** Why a tool of ours does not exist here, which otherwise looks like a wrong name. `chosen`: the options of open(). */
export const leftOut =
  (settings: Settings, chosen: Chosen) =>
  (name: string): string | undefined => {
    const { commands = [], all = [] } = toolsets(
      { ...settings, commands: { ...settings.commands, enabled: true } },
      undefined,
    );
    const tool = all.find((each) => namesOf(each).includes(name));
    if (tool === undefined) return undefined;
    if (commands.includes(tool) && !settings.commands.enabled)
      return chosen.commands === false
        ? "commands are switched off for this run (--no-commands, or the option commands of open())"
        : "commands are switched off (commands.enabled)";
    return `it is not in the toolset that is in use (${[chosen.toolset ?? settings.toolset].flat().join(", ")})`;
  };
