import type { Policy } from "../core/judge.ts";
import { eachTouch, isPathTouch, type Place } from "../core/touch.ts";

const STATE_FOLDER = ".toolgate";
const CONFIGURATION = ["toolgate.yaml", "toolgate.yml", ".mcp.json"];
/** What git obeys and runs, also when a person calls it outside of every sandbox. */
const OBEYED_BY_GIT = ["hooks", "config", "config.worktree", "commondir", "gitdir", "modules", "worktrees"];

/**
 * What decides over calls must not be changed by calls, in any mode, without a person's word for that very call:
 * the configuration, the state folder, the folder where a person's own configuration and trust are kept, and what
 * would make git run something.
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
  const names = parts.map((part) => part.toLowerCase());
  const inGit = names.lastIndexOf(".git") + 1;
  const obeyed = inGit > 0 && (inGit === names.length || OBEYED_BY_GIT.includes(names[inGit] ?? ""));
  const isProtected = obeyed || names.includes(STATE_FOLDER) || CONFIGURATION.includes(names.at(-1) ?? "");
  return isProtected ? parts.join("/") : undefined;
}
