import type { Policy } from "../core/contracts/policy.ts";
import { isWithin, isWithinAny } from "../core/words/containment.ts";
import { folded, isShortFor } from "../core/words/folded.ts";
import { GIT_FOLDER, GIT_HOOKS, GOVERNING_FILES, OBEYED_BY_GIT, STATE_FOLDER } from "../core/words/governing.ts";
import { belowRoot, type PathTouch, type Place, type RunTouch, type Touch } from "../core/words/touch.ts";
import type { Verdict } from "../core/words/verdict.ts";
import { fits } from "../shell/paths.ts";

export type ProtectionSettings = {
  /** The folders of the person's configuration and trust, and a record that is kept outside the state folder. */
  userFolders: readonly string[];
  /** The workspace has a configuration of its own, of which git may bring in a milder version. */
  governed: boolean;
  /** Scripts of the workspace that hooks or servers run. */
  scripts?: readonly string[];
};

const CONFIGURATION = Object.keys(GOVERNING_FILES);
const GIT_NAMES = Object.keys(OBEYED_BY_GIT);

/**
 * Calls must not change what governs calls, in any mode, without a person's yes to that very call: the
 * configuration, the state folder, the folder of the person's own configuration and trust, and what would make git run
 * something.
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
  // a touch of a tool itself is about everything in a folder
  if (!command) return protectedInside(place, userFolders);
  const isKept = command.contained === true && action === "write";
  if (brings === "tracked" && !governed) return undefined;
  if (scope !== undefined && scope !== TREE) return protectedMatch(place, scope, isKept ? 1 : 0);
  if (isKept) return undefined;
  // a command that writes to a folder adds names that its words tell, or that are brought there
  return action === "delete" || brings ? protectedInside(place, userFolders) : undefined;
}

const protectedInside = ({ real, root }: Place, userFolders: readonly string[]): string | undefined =>
  real === root || userFolders.some((folder) => isWithin(folder, real))
    ? `${real} with the configuration in it`
    : undefined;

const TREE = "**";

type IsAt = (index: number, name: string) => boolean;

/** Whether a path of so many parts governs something. `from` skips the root, if the sandbox protects what is there. */
function governs(length: number, isAt: IsAt, from = 0): boolean {
  for (let index = from; index < length; index++) {
    const isLast = index === length - 1;
    if (isAt(index, STATE_FOLDER) || (isLast && CONFIGURATION.some((name) => isAt(index, name)))) return true;
    if (isAt(index, GIT_FOLDER) && (isLast || GIT_NAMES.some((name) => isAt(index + 1, name)))) return true;
  }
  return false;
}

const namesBelow = ({ real, root }: Place): string[] => partsOf(real.slice(root.length));
const partsOf = (path: string): string[] => path.split("/").filter(Boolean);

/** Compares whole names as forgiving disks do. */
function protectedName(place: Place): string | undefined {
  const names = partsOf(folded(place.real.slice(place.root.length)));
  const isAt: IsAt = (index, name) => names[index] === name || isShortFor(names[index] as string, name);
  return governs(names.length, isAt) ? namesBelow(place).join("/") : undefined;
}

/**
 * Whether a pattern may match what governs. In the root and in `.git` every pattern that fits counts; further down,
 * where `*` is routine, only one that spells out most of the name. `**` is no folder, or one if `from` is set.
 */
function protectedMatch(place: Place, scope: string, from: number): string | undefined {
  const isMatch = matches(partsMeant(place, scope, from > 0 ? TREE : undefined), from);
  // a program that goes through folders on its way comes upon git's as well
  const onTheWay = scope.replace(/(?:\/\*\*)+$/, "");
  const mayMeet =
    from === 0 &&
    onTheWay.split("/").includes(TREE) &&
    (isHook(onTheWay) || matches(partsMeant(place, onTheWay, GIT_FOLDER), 0, true));
  return isMatch || mayMeet ? [...namesBelow(place), scope].join("/") : undefined;
}

/** The parts of what a pattern means; `tree` stands for any folders on the way. */
function partsMeant(place: Place, scope: string, tree: string | undefined): readonly string[] {
  const parts = partsOf(folded(place.real.slice(place.root.length)));
  for (const part of scope.split("/"))
    if (part === "..") parts.pop();
    else if (part === TREE) parts.push(...(tree === undefined ? [] : [tree]));
    else if (part !== "" && part !== ".") parts.push(part.toLowerCase());
  return parts;
}

const matches = (parts: readonly string[], from: number, isSpelled = false): boolean => {
  const isAt: IsAt = (index, name) => {
    const part = parts[index] ?? "";
    if (!mayBe(part, name)) return false;
    if (isMostOf(part, name)) return true;
    return !isSpelled && (index === 0 || (name !== GIT_FOLDER && isAt(index - 1, GIT_FOLDER)));
  };
  return governs(parts.length, isAt, from);
};

/** A search by a hook's own name comes upon those of git. */
function isHook(scope: string): boolean {
  const last = scope.slice(scope.lastIndexOf("/") + 1).toLowerCase();
  return GIT_HOOKS.some((name) => mayBe(last, name) && isMostOf(last, name));
}

const mayBe = (part: string, name: string): boolean =>
  (part.length > MOST || fits(part, name)) && (part.startsWith(".") || !name.startsWith("."));

/** Of so short a name as git's folder, half is enough: no other `.g*` is routine. */
const isMostOf = (part: string, name: string): boolean =>
  spelled(part) * 2 > name.length || (name === GIT_FOLDER && spelled(part) * 2 === name.length);

/** A longer pattern is assumed to fit. */
const MOST = 200;

const spelled = (pattern: string): number => pattern.replace(/\[[^[\]]*\]|[*?]/g, "").length;
