import { existsSync } from "node:fs";
import { join } from "node:path";
import { userConfigPlaces } from "./files.ts";

/** What is to be protected here. Without roots it is another's workspace, of which nobody can tell. */
export const guardOf = (files: readonly string[], roots: readonly string[] | undefined) => ({
  userFolders: userConfigPlaces(),
  governed: roots?.some((root) => files.some((file) => existsSync(join(root, file)))) ?? true,
});
