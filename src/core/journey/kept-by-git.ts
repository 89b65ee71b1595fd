import type { Tracked, Workspace } from "../contracts/workspace.ts";
import { type Claim, isPathTouch, type KeptFile, type PathTouch, type Place, type Touch } from "../words/touch.ts";
import type { Minding } from "./fitting.ts";

type Known = { minds: Minding["minds"]; minded: readonly string[] };

/** A list stays the same as long as git keeps the same files: there may be very many. */
const known = new WeakMap<readonly string[], Known>();

type Kept = { kept: readonly KeptFile[]; isPartial: boolean };

/**
 * What the repositories that a command looks into keep of files that some policy minds, now or in what it shows of
 * their history. `claims`: of which the touches were made.
 */
export async function keptByGit(
  inner: readonly Touch[],
  claims: readonly Claim[],
  workspace: Workspace,
  { minds }: Minding,
): Promise<Kept> {
  const kept = new Map<string, KeptFile>();
  let isPartial = false;
  for (const [index, touch] of inner.entries()) {
    if (!looksIntoGit(touch)) continue;
    const found = await trackedIn(touch.place, workspace);
    for (const name of found ? mindedOf(found, minds) : [])
      if (!kept.get(name)?.changed) kept.set(name, { name, changed: found?.isChanged(name) === true });
    const once = await shownOf(touch.place, claims[index], workspace);
    for (const name of once ?? []) if (minds(name)) kept.set(name, { name, changed: true, shown: true });
    isPartial ||= found === undefined || once === undefined;
  }
  return { kept: [...kept.values()], isPartial };
}

const NOTHING: Tracked = { names: [], isChanged: () => false };

/** Where the list of what git keeps cannot be read, git names it, if there is one. undefined: nobody can tell. */
async function trackedIn(folder: Place, { tracked, namedByGit }: Workspace): Promise<Tracked | undefined> {
  const found = await tracked?.(folder);
  if (found !== undefined || !tracked || !namedByGit) return found ?? NOTHING;
  const names = await namedByGit(folder, [["ls-files", "-z", "--full-name", "--", ":/"]]);
  return names && { names, isChanged: () => true };
}

/** The files of the history that git names for a claim. undefined: nobody can tell. */
async function shownOf(folder: Place, claim: Claim | undefined, { namedByGit }: Workspace) {
  const history = claim?.action === "read" ? claim.history : undefined;
  if (history === undefined || !namedByGit) return [];
  return history === "any" ? undefined : namedByGit(folder, history);
}

const looksIntoGit = (touch: Touch): touch is PathTouch =>
  isPathTouch(touch) && touch.action === "read" && touch.brings === "tracked";

function mindedOf({ names }: Tracked, minds: Minding["minds"]): readonly string[] {
  const before = known.get(names);
  if (before?.minds === minds) return before.minded;
  const minded = names.filter((name) => minds(name));
  known.set(names, { minds, minded });
  return minded;
}
