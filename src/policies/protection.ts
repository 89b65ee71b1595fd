import type { Policy } from "../core/contracts/policy.ts";
import { isWithin, isWithinAny } from "../core/words/containment.ts";
import { GIT_FOLDER, GOVERNING_FILES, OBEYED_BY_GIT, STATE_FOLDER } from "../core/words/governing.ts";
import { belowRoot, type PathTouch, type Place, type RunTouch, type Touch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { fits } from "../shell/paths.ts";

export type ProtectionSettings = {
  /** Where a person's own configuration and trust are kept, and a record that is not in the state folder. */
  userFolders: readonly string[];
  /** The workspace has a configuration of its own: another version of it may be milder. */
  governed: boolean;
  /** Scripts of the workspace that hooks run. */
  scripts?: readonly string[];
};

const CONFIGURATION = Object.keys(GOVERNING_FILES);
const GIT_NAMES = Object.keys(OBEYED_BY_GIT);

/**
 * What decides over calls must not be changed by calls, in any mode, without a person's word for that very call:
 * the configuration, the state folder, the folder where a person's own configuration and trust are kept, and what
 * would make git run something.
 */
export const protection = (settings: ProtectionSettings): Policy => ({
  name: "protection",
  speaksOf: ["write", "delete", "run"],
  judge: ({ touches }) => judgeChanges(touches, settings),
});

function judgeChanges(
  touches: readonly Touch[],
  settings: ProtectionSettings,
  command?: RunTouch,
): Verdict | undefined {
  for (const touch of touches) {
    if (touch.action === "run") {
      const verdict = judgeChanges(touch.inner, settings, touch);
      if (verdict) return verdict;
    } else if (touch.action === "write" || touch.action === "delete") {
      const what = reached(touch, settings, command);
      if (what) return asked(touch, what);
    }
  }
  return undefined;
}

const asked = ({ action, scope }: PathTouch, what: string): Verdict => ({
  answer: "ask",
  by: "protection",
  reason: `it ${scope === undefined ? "would" : "could"} ${action} ${what}, which decides what calls may do`,
});

function reached(touch: PathTouch, settings: ProtectionSettings, command: RunTouch | undefined): string | undefined {
  const { place, scope, action, brings } = touch;
  const { userFolders, governed, scripts = [] } = settings;
  if (isWithinAny(place.real, userFolders)) return place.real;
  if (scripts.includes(place.real)) return `${belowRoot(place)}, which a hook runs`;
  const goes = action === "delete" ? scripts.find((script) => isWithin(script, place.real)) : undefined;
  if (goes !== undefined && place.real !== place.root) return `${belowRoot(place)} with a script that a hook runs`;
  const named = protectedName(place);
  if (named) return named;
  // a tool's own touch, or a removal, is about all that is in a folder
  if (!command) return protectedInside(place, userFolders);
  const isKept = command.contained === true && action === "write";
  if (brings === "tracked" && !governed) return undefined;
  if (scope !== undefined && scope !== TREE) return protectedMatch(place, scope, isKept ? 1 : 0);
  if (isKept) return undefined;
  // a command that writes to a folder adds to it, under names that its words tell, or that are brought there
  return action === "delete" || brings ? protectedInside(place, userFolders) : undefined;
}

const protectedInside = ({ real, root }: Place, userFolders: readonly string[]): string | undefined =>
  real === root || userFolders.some((folder) => isWithin(folder, real))
    ? `${real} with the configuration in it`
    : undefined;

const TREE = "**";

type IsAt = (index: number, name: string) => boolean;

/** Whether a path with so many parts governs something; the sandbox keeps what does in the root itself, and no further. */
function governs(length: number, isAt: IsAt, from = 0): boolean {
  for (let index = from; index < length; index++) {
    const isLast = index === length - 1;
    if (isAt(index, STATE_FOLDER) || (isLast && CONFIGURATION.some((name) => isAt(index, name)))) return true;
    if (isAt(index, GIT_FOLDER) && (isLast || GIT_NAMES.some((name) => isAt(index + 1, name)))) return true;
  }
  return false;
}

const partsBelow = ({ real, root }: Place): string[] => real.slice(root.length).split("/").filter(Boolean);

/** By components and without regard to case: some disks know no difference. */
function protectedName(place: Place): string | undefined {
  const parts = partsBelow(place);
  const names = parts.map((part) => part.toLowerCase());
  return governs(names.length, (index, name) => names[index] === name) ? parts.join("/") : undefined;
}

/**
 * What a pattern may match. In the root and beside what governs, every pattern that fits counts; further down, where
 * `*` and `*.yaml` are all day's work, one that spells out most of the name; `**` is no folder, or one further down.
 */
function protectedMatch(place: Place, scope: string, from: number): string | undefined {
  const parts = partsBelow(place).map((part) => part.toLowerCase());
  for (const part of scope.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== "." && (part !== TREE || from > 0)) parts.push(part.toLowerCase());
  const isMatch = governs(
    parts.length,
    (index, name) => {
      const part = parts[index] ?? "";
      if (part.length <= MOST && !fits(part, name)) return false;
      if (name.startsWith(".") && !part.startsWith(".")) return false;
      return index === 0 || parts[index - 1] === GIT_FOLDER || spelled(part) * 2 > name.length;
    },
    from,
  );
  return isMatch ? [...partsBelow(place), scope].join("/") : undefined;
}

/** A longer pattern is taken to fit. */
const MOST = 200;

const spelled = (pattern: string): number => pattern.replace(/\[[^[\]]*\]|[*?]/g, "").length;
