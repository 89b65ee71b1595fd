import type { Policy } from "../core/contracts/policy.ts";
import { belowRoot, eachTouch, isPathTouch, type PathTouch, readsUnknown, type Touch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { globMatcher, placeMatcher } from "../text/glob.ts";

export type PathSettings = { allowDelete: boolean; forbidden: readonly string[] };

/** Which paths may be touched at all. Judged by the real path, so that a link does not help. */
export function paths({ allowDelete, forbidden }: PathSettings): Policy {
  const isForbidden = globMatcher(forbidden);
  const isForbiddenAt = placeMatcher(forbidden);
  const deny = (reason: string): Verdict => ({ answer: "deny", by: "paths", reason });

  function forbiddenIn(touches: readonly Touch[]): Verdict | undefined {
    const own = new Set(touches);
    for (const touch of eachTouch(touches)) {
      if (!isPathTouch(touch)) continue;
      const { real, root, shown } = touch.place;
      const below = belowRoot({ real, root }) || ".";
      const matching = own.has(touch) ? undefined : matchedBelow(touch, below);
      const pattern = isForbiddenAt(touch.place) ?? (matching && isForbidden(matching));
      if (pattern !== undefined) return deny(`${shown} is forbidden by workspace.forbidden_paths (${pattern})`);
    }
    return undefined;
  }

  /** A command that deletes is judged by its class; this setting is for tools. */
  function removalIn(touches: readonly Touch[]): Verdict | undefined {
    const removal = touches.find((touch): touch is PathTouch => touch.action === "delete");
    return removal && deny(`deleting ${removal.place.shown} needs workspace.allow_delete: true in the configuration`);
  }

  return {
    name: "paths",
    speaksOf: ["read", "list", "write", "delete", "run"],
    judge({ touches }, { ceiling }) {
      const removal = allowDelete ? undefined : removalIn(touches);
      if (forbidden.length === 0) return removal;
      const no = forbiddenIn(touches) ?? removal;
      if (no) return no;
      const wide = ceiling.mode === "yolo" ? [] : touches.filter(readsWidely);
      if (wide.length > 0)
        return {
          answer: "ask",
          by: "paths",
          reason: "it reads by a pattern, and a command cannot be kept away from workspace.forbidden_paths",
          grantable: true,
          about: wide,
        };
      const searches = touches.some(
        (touch) => isPathTouch(touch) && (touch.action === "list" || touch.scope !== undefined),
      );
      if (!searches) return undefined;
      return { answer: "allow", by: "paths", reason: "forbidden paths are left out", exclude: forbidden };
    },
  };
}

/** A command's pattern as if it were a name, so that a forbidden `*.pem` covers `*.pem`. */
const matchedBelow = ({ scope }: PathTouch, below: string): string | undefined =>
  scope === undefined || below === "." ? scope : `${below}/${scope}`;

/** A command that reads by a pattern, or a whole tree. Nothing can be hidden from it. */
const readsWidely = (touch: Touch): boolean =>
  touch.action === "run" &&
  eachTouch(touch.inner).some(
    (inner) => readsUnknown(inner) || (inner.action === "read" && inner.scope !== undefined && inner.place.root !== ""),
  );
