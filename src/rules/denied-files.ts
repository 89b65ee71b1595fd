import type { PathTouch } from "../core/words/touch.ts";
import { meansEverything, plainPaths } from "../text/glob.ts";
import { absolute, forbids, permits, type Surroundings } from "./path-pattern.ts";
import type { Rule } from "./rule.ts";

type Action = "read" | "write";
type Covers = (file: string, root: string) => "whole" | "itself" | undefined;

/**
 * What rules that deny keep from every command where there is a sandbox: nothing can be read that must not be read,
 * nothing written that must not be written. A rule about listing or removal alone cannot be kept in this way.
 */
export function keptFiles(deny: readonly Rule[], around: Surroundings & { now(): number }) {
  const about = (action: Action) =>
    deny.filter(({ statement: { subject } }) => "action" in subject && subject.action === action);
  return {
    hidden: about("read").map((rule) => coversOf(rule, "read", around)),
    fixed: about("write").map((rule) => coversOf(rule, "write", around)),
    /** Plain paths outside the workspace, with all that is below them. */
    outside: about("read").flatMap(({ statement: { pattern = "" }, except, expires }) =>
      except.length === 0 && expires === undefined ? plainPaths([absolute(pattern, around)]) : [],
    ),
  };
}

/** What is left out may not be there yet, so a folder that holds it stays as it is, and its files are kept one by one. */
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
