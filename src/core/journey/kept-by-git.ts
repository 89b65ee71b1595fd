import type { Tracked, Workspace } from "../contracts/workspace.ts";
import { isPathTouch, type KeptFile, type PathTouch, type Touch } from "../words/touch.ts";
import type { Minding } from "./fitting.ts";

type Known = { minds: Minding["minds"]; minded: readonly string[] };

/** A list stays the same as long as git keeps the same files: there may be very many. */
const known = new WeakMap<readonly string[], Known>();

/** What the repositories that a command looks into keep of files that some policy minds. */
export async function keptByGit(
  inner: readonly Touch[],
  { tracked }: Workspace,
  { minds }: Minding,
): Promise<readonly KeptFile[]> {
  const kept = new Map<string, KeptFile>();
  for (const { place } of tracked ? inner.filter(looksIntoGit) : []) {
    const found = await tracked?.(place);
    for (const name of found ? mindedOf(found, minds) : [])
      kept.set(name, { name, changed: found?.isChanged(name) === true || kept.get(name)?.changed === true });
  }
  return [...kept.values()];
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
