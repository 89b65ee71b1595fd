import fs from "node:fs";
import { isWithin } from "../../../core/words/containment.ts";

/** Something that a sandbox shows at a path, or an empty file or folder that it shows instead. */
export type Mount = { path: string; kind: "shown" | "hidden"; args: readonly string[] };

export const empty = (path: string): Mount => ({ path, kind: "hidden", args: ["--tmpfs", path] });
/** Like `empty`, but read-only: writing there fails instead of being lost silently. */
export const bare = (path: string): Mount => ({ path, kind: "hidden", args: ["--perms", "0555", "--tmpfs", path] });
/** An empty folder whose names cannot be looked up, so that git does not take its tracked files there as deleted. */
export const closed = (path: string): Mount => ({ path, kind: "hidden", args: ["--perms", "0444", "--tmpfs", path] });
export const blank = (path: string): Mount => ({ path, kind: "hidden", args: ["--ro-bind", "/dev/null", path] });
export const readOnly = (path: string, source = path): Mount => ({
  path,
  kind: "shown",
  args: ["--ro-bind", source, path],
});
export const writable = (path: string, source = path): Mount => ({
  path,
  kind: "shown",
  args: ["--bind", source, path],
});
export const isFixed = ({ args }: Mount): boolean => args[0] === "--ro-bind";

/** Parents first, so that deeper mounts stay visible. Of two mounts at one path the later one wins. */
export function inOrder(mounts: readonly Mount[]): string[] {
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...last.values()].sort((a, b) => (`${a.path}/` < `${b.path}/` ? -1 : 1)).flatMap(({ args }) => args);
}

/** Whether a path of the host is visible inside, as decided by the deepest mount above it. */
export function isVisible(path: string, mounts: readonly Mount[]): boolean {
  let deepest: Mount | undefined;
  for (const mount of mounts)
    if (isWithin(path, mount.path) && mount.path.length >= (deepest?.path.length ?? 0)) deepest = mount;
  return deepest?.kind !== "hidden";
}

export function kindOf(path: string): "file" | "folder" | "link" | "other" | undefined {
  try {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    return stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";
  } catch {
    return undefined;
  }
}

export function realPath(path: string): string | undefined {
  try {
    return fs.realpathSync.native(path);
  } catch {
    return undefined;
  }
}
