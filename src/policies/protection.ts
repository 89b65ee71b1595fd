import type { Policy } from "../core/judge.ts";
import { eachTouch, isPathTouch, type Place } from "../core/touch.ts";

const STATE_FOLDER = ".toolgate";
const CONFIGURATION = ["toolgate.yaml", "toolgate.yml", ".mcp.json"];

/**
 * What decides over calls must not be changed by calls, in any mode, without a person's word for that very call:
 * the configuration, the state folder, and the folder where a person's own configuration and trust are kept.
 */
export const protection = (userFolders: readonly string[]): Policy => ({
  name: "protection",
  judge({ touches }) {
    for (const touch of eachTouch(touches)) {
      if (!isPathTouch(touch) || (touch.action !== "write" && touch.action !== "delete")) continue;
      const { place } = touch;
      // a command that writes to a folder adds to it; a tool's own touch, or a removal, is about all that is in it
      const isWhole = touch.action === "delete" || touches.includes(touch);
      const what = userFolders.some((folder) => isWithin(place.real, folder))
        ? place.real
        : (protectedName(place) ?? (isWhole ? protectedInside(place, userFolders) : undefined));
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

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const protectedInside = ({ real, root }: Place, userFolders: readonly string[]): string | undefined =>
  real === root || userFolders.some((folder) => isWithin(folder, real))
    ? `${real} with the configuration in it`
    : undefined;

/** By components and without regard to case: some disks know no difference. */
function protectedName({ real, root }: Place): string | undefined {
  const parts = real.slice(root.length).split("/").filter(Boolean);
  const last = parts.at(-1)?.toLowerCase();
  if (parts.some((part) => part.toLowerCase() === STATE_FOLDER)) return parts.join("/");
  return last !== undefined && CONFIGURATION.includes(last) ? parts.join("/") : undefined;
}
