import type { PathTouch } from "../core/words/touch.ts";
import { meansEverything, plainPaths } from "../text/glob.ts";
import { absolute, forbids, permits, type Surroundings } from "./path-pattern.ts";
import type { Rule } from "./rule.ts";

type Action = "read" | "write";
type Covers = (file: string, root: string) => "whole" | "itself" | undefined;

/**
 * What deny rules keep from every command if there is a sandbox: denied files cannot be read, or cannot be written. A
 * rule only about listing or deleting cannot be enforced in this way.
 */
export function keptFiles(deny: readonly Rule[], around: Surroundings & { now(): number }) {
  const about = (action: Action) =>
    deny.filter(({ statement: { subject } }) => "action" in subject && subject.action === action);
  return {
    hidden: about("read").map((rule) => coversOf(rule, "read", around)),
    fixed: about("write").map((rule) => coversOf(rule, "write", around)),
    /** Plain paths outside the workspace, with everything below them. */
    outside: about("read").flatMap(({ statement: { pattern = "" }, except, expires }) =>
      except.length === 0 && expires === undefined ? plainPaths([absolute(pattern, around)]) : [],
    ),
  };
}

/** Exceptions may not exist yet, so a folder that could hold one stays open, and its files are covered one by one. */
function coversOf(
  { statement: { pattern = "" }, except, expires }: Rule,
  action: Action,
  around: Surroundings & { now(): number },
): Covers {
  const reach = forbids(pattern, around);
  const excuses = except.map((each) => permits(each, around));
  const far = except.length === 0 ? "whole" : "itself";
  return (file, root) => {
    if (expires !== undefined && around.now() > expires) return undefined;
    if (file === root) return meansEverything(pattern) ? far : undefined;
    const place = { shown: file, real: file, root, exists: true };
    const touch: PathTouch = { action, place, certain: true };
    return reach(touch) === "meets" && !excuses.some((each) => each(touch)) ? far : undefined;
  };
}
