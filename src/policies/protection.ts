import type { Policy } from "../core/judge.ts";
import { eachTouch, isPathTouch, type Place } from "../core/touch.ts";

const STATE_FOLDER = ".toolgate";
const CONFIGURATION = ["toolgate.yaml", "toolgate.yml", ".mcp.json"];

/**
 * What decides over calls must not be changed by calls, in any mode, without a person's word for that very call:
 * the configuration, the state folder, and the folder where a person's own configuration and trust are kept.
 */
export const protection = (userFolder: string): Policy => ({
  name: "protection",
  judge({ touches }) {
    for (const touch of eachTouch(touches)) {
      if (!isPathTouch(touch) || (touch.action !== "write" && touch.action !== "delete")) continue;
      const { real } = touch.place;
      const what = real === userFolder || real.startsWith(`${userFolder}/`) ? real : protectedName(touch.place);
      if (what)
        return {
          answer: "ask",
          by: "protection",
          reason: `it would ${touch.action} ${what}, which governs what calls may do`,
        };
    }
    return undefined;
  },
});

/** By components and without regard to case: some disks know no difference. */
function protectedName({ real, root }: Place): string | undefined {
  const parts = real.slice(root.length).split("/").filter(Boolean);
  const last = parts.at(-1)?.toLowerCase();
  if (parts.some((part) => part.toLowerCase() === STATE_FOLDER)) return parts.join("/");
  return last !== undefined && CONFIGURATION.includes(last) ? parts.join("/") : undefined;
}
