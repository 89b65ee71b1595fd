import fs from "node:fs";
import path from "node:path";
import { kindOf, realPath } from "./mounts.ts";

/** The folders that git reads for a `.git` entry: the folder itself or the one that a `.git` file names, and the common one. */
export function gitFolders(git: string): string[] {
  const kind = kindOf(git);
  if (kind !== "file" && kind !== "folder") return [];
  try {
    const own = kind === "folder" ? git : fs.realpathSync.native(pathFrom(path.dirname(git), namedIn(git)));
    const common = realPath(pathFrom(own, linesOf(path.join(own, "commondir"))));
    return [...new Set([own, common ?? own])].filter((folder) => kindOf(folder) === "folder");
  } catch {
    return [];
  }
}

/** A working tree and the folders of its repository. */
export type Found = { tree: string; gits: readonly string[] };

/** The repository that git finds for a folder, behind any that it may not recognise as one. */
export function repositoriesAround(folder: string): Found[] {
  const found: Found[] = [];
  for (let tree = path.resolve(folder); ; tree = path.dirname(tree)) {
    const git = path.join(tree, ".git");
    const gits = gitFolders(realPath(git) ?? git);
    if (gits.length > 0) found.push({ tree, gits });
    if (isWhole(gits) || tree === path.dirname(tree)) return found;
  }
}

const HEAD = /^(?:ref:\s*refs\/|[0-9a-f]{40})/;
/** Git goes on searching above a folder that lacks one of these. */
const isWhole = ([own = "", common = own]: readonly string[]): boolean =>
  HEAD.test(textOf(path.join(own, "HEAD"))) &&
  ["objects", "refs"].every((name) => kindOf(realPath(path.join(common, name)) ?? "") === "folder");

/** Without the line breaks at its end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end--;
  return text.slice(0, end);
}

/** A name may consist of several lines. A file that begins otherwise is none for git, and a doubt. */
function namedIn(file: string): string {
  const text = withoutEnd(fs.readFileSync(file, "utf8"));
  return (/^gitdir: (.+)$/s.exec(text) ?? /^gitdir: (.+)$/m.exec(text))?.[1] ?? "";
}

/** Not normalized: behind a link, `..` leads to the folder above the target of the link. */
export const pathFrom = (folder: string, name: string): string => (path.isAbsolute(name) ? name : `${folder}/${name}`);

/** The text of a file, which may be behind a link, without the line breaks at its end. */
export function linesOf(file: string): string {
  const real = realPath(file) ?? file;
  return kindOf(real) === "file" ? withoutEnd(fs.readFileSync(real, "utf8")) : "";
}

export const textOf = (file: string): string => (kindOf(file) === "file" ? fs.readFileSync(file, "utf8").trim() : "");

/** The repository of a linked worktree, if that repository confirms the link; a file alone could name any folder. */
export function commonFolderOf(file: string): string | undefined {
  try {
    const own = fs.realpathSync.native(pathFrom(path.dirname(file), namedIn(file)));
    const back = fs.realpathSync.native(fs.readFileSync(path.join(own, "gitdir"), "utf8").trim());
    const common = path.dirname(path.dirname(own));
    const linked = path.basename(path.dirname(own)) === "worktrees" && kindOf(path.join(common, "HEAD")) === "file";
    return linked && back === file ? common : undefined;
  } catch {
    return undefined;
  }
}
