import type { Workspace } from "../core/contracts/workspace.ts";
import { userConfigPlaces } from "./files.ts";

/** What is to be protected here; `files` are those by which a workspace governs itself. */
export async function guardOf(files: readonly string[], workspace: Workspace) {
  const places = workspace.roots.flatMap((root) => files.map((file) => workspace.trace(`${root}/${file}`)));
  const governed = (await Promise.all(places)).some(({ exists }) => exists);
  return { userFolders: userConfigPlaces(), governed };
}
