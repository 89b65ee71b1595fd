import type { Policy } from "../core/judge.ts";
import { eachTouch, isPathTouch } from "../core/touch.ts";
import { globMatcher } from "../text/glob.ts";

export type PathSettings = { allowDelete: boolean; forbidden: readonly string[] };

/** Which paths may be touched at all; judged on the real path, so that a link does not help. */
export function paths({ allowDelete, forbidden }: PathSettings): Policy {
  const isForbidden = globMatcher(forbidden);
  return {
    name: "paths",
    judge({ touches }) {
      for (const touch of eachTouch(touches)) {
        if (!isPathTouch(touch)) continue;
        const { real, root, shown } = touch.place;
        const below = real === root ? "." : real.slice(root.length + 1);
        const pattern = isForbidden(below) ?? isForbidden(real) ?? isForbidden(shown);
        if (pattern !== undefined)
          return {
            answer: "deny",
            by: "paths",
            reason: `${shown} is forbidden by workspace.forbidden_paths (${pattern})`,
          };
        // a command that deletes is judged by its class; this switch is for tools
        if (touch.action === "delete" && !allowDelete && touches.includes(touch))
          return {
            answer: "deny",
            by: "paths",
            reason: `deleting ${shown} needs workspace.allow_delete: true in the configuration`,
          };
      }
      const searches = touches.some(
        (touch) => isPathTouch(touch) && (touch.action === "list" || touch.scope !== undefined),
      );
      if (!searches || forbidden.length === 0) return undefined;
      return { answer: "allow", by: "paths", reason: "what is forbidden is left out", exclude: forbidden };
    },
  };
}
