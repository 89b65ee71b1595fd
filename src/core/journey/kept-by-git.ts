import type { Tracked, Workspace } from "../contracts/workspace.ts";
import { type Claim, isPathTouch, type KeptFile, type PathTouch, type Touch } from "../words/touch.ts";
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
  { tracked, namedByGit }: Workspace,
  { minds }: Minding,
): Promise<Kept> {
  const kept = new Map<string, KeptFile>();
  let isPartial = false;
  for (const [index, touch] of inner.entries()) {
    if (!looksIntoGit(touch)) continue;
    const found = await tracked?.(touch.place);
    for (const name of found ? mindedOf(found, minds) : [])
      kept.set(name, { name, changed: found?.isChanged(name) === true || kept.get(name)?.changed === true });
    const history = historyOf(claims[index]);
    const once = history && namedByGit ? await namedByGit(touch.place, history) : [];
    if (once === undefined) isPartial = true;
    else for (const name of once) if (minds(name)) kept.set(name, { name, changed: true });
  }
  return { kept: [...kept.values()], isPartial };
}

const historyOf = (claim: Claim | undefined) => (claim?.action === "read" ? claim.history : undefined);

const looksIntoGit = (touch: Touch): touch is PathTouch =>
  isPathTouch(touch) && touch.action === "read" && touch.brings === "tracked";

function mindedOf({ names }: Tracked, minds: Minding["minds"]): readonly string[] {
  const before = known.get(names);
  if (before?.minds === minds) return before.minded;
  const minded = names.filter((name) => minds(name));
  known.set(names, { minds, minded });
  return minded;
}
