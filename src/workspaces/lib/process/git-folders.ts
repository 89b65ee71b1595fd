import fs from "node:fs";
import path from "node:path";
import { kindOf, realPath } from "./mounts.ts";

/** The folders that git reads for a `.git` entry: the folder itself, or those that a `.git` file names. */
export function gitFolders(git: string): string[] {
  if (kindOf(git) !== "file") return kindOf(git) === "folder" ? [git] : [];
  try {
    const own = fs.realpathSync.native(path.resolve(path.dirname(git), namedIn(git)));
    const common = realPath(path.resolve(own, textOf(path.join(own, "commondir"))));
    return [...new Set([own, common ?? own])].filter((folder) => kindOf(folder) === "folder");
  } catch {
    return [];
  }
}

const namedIn = (file: string): string => /^gitdir: (.+)$/m.exec(fs.readFileSync(file, "utf8"))?.[1] ?? "";

export const textOf = (file: string): string => (kindOf(file) === "file" ? fs.readFileSync(file, "utf8").trim() : "");

/** The repository of a linked worktree, if that repository confirms the link; a file alone could name any folder. */
export function commonFolderOf(file: string): string | undefined {
  try {
    const own = fs.realpathSync.native(path.resolve(path.dirname(file), namedIn(file)));
    const back = fs.realpathSync.native(fs.readFileSync(path.join(own, "gitdir"), "utf8").trim());
    const common = path.dirname(path.dirname(own));
    const linked = path.basename(path.dirname(own)) === "worktrees" && kindOf(path.join(common, "HEAD")) === "file";
    return linked && back === file ? common : undefined;
  } catch {
    return undefined;
  }
}
