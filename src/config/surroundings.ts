import type { Workspace } from "../core/contracts/workspace.ts";
import { pathIn } from "../core/words/containment.ts";
import { GOVERNING_FILES } from "../core/words/governing.ts";
import { userConfigPlaces } from "./files.ts";
import type { Settings } from "./settings.ts";

const FILES = Object.keys(GOVERNING_FILES);

/** What must be protected here: the user's folders, and whether there are governing files. */
export async function guardOf(workspace: Workspace) {
  const places = workspace.roots.flatMap((root) => FILES.map((file) => workspace.trace(pathIn(root, file))));
  const governed = (await Promise.all(places)).some(({ exists }) => exists);
  return { userFolders: userConfigPlaces(), governed };
}

/** Also whether commands reach the network. Checked only where it matters, because the first check takes a while. */
export async function surroundingsOf(workspace: Workspace, { trust }: Pick<Settings, "trust">) {
  const held = trust.outsideText === "off" ? undefined : await workspace.processes?.enforcement();
  return { ...(await guardOf(workspace)), commandsOffline: held?.network === "none" };
}
