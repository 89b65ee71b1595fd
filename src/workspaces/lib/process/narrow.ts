import fs from "node:fs";
import path from "node:path";
import type { Only } from "../../../core/contracts/process.ts";
import { isWithin } from "../../../core/words/containment.ts";
import { isFixed, kindOf, type Mount, readOnly, writable } from "./mounts.ts";

/** What a command may write while the rest of the roots is read-only, and how to describe that. */
export type Narrow = {
  root: string;
  mounts: readonly Mount[];
  shown: readonly string[];
  targets: readonly string[];
};

/** Each mount costs about a tenth of starting a sandbox. */
const MOST_MOUNTS = 16;

/** Returns undefined if this would open most of a root, or would need too many mounts. */
export function narrowTo({ targets, inPlace }: Only, roots: readonly string[]): Narrow | undefined {
  const [first] = targets;
  if (first === undefined) return { root: "", mounts: [], shown: [], targets };
  const [root] = roots.filter((each) => isWithin(first, each)).sort((a, b) => b.length - a.length);
  if (root === undefined || !targets.every((each) => isWithin(each, root))) return undefined;
  if (inPlace && targets.length <= MOST_MOUNTS && targets.every((each) => kindOf(each) === "file"))
    return {
      root,
      mounts: targets.map((file) => writable(file)),
      shown: targets.map((file) => nameOf(file, root)),
      targets,
    };
  const folder = targets.map((each) => folderAbove(each, root)).reduce(common);
  const fixed = foldersWithout(folder, targets);
  if (fixed === undefined) return undefined;
  const shown = folder === root ? "the top folder of the workspace" : `${nameOf(folder, root)}/`;
  const below = targets.filter((each) => kindOf(each) === "folder").map((each) => `${nameOf(each, root)}/`);
  return {
    root,
    mounts: [writable(folder), ...fixed.map((each) => untouched(each))],
    shown: [shown, ...below],
    targets,
  };
}

const nameOf = (file: string, root: string): string => path.relative(root, file);

/** Tolerates a folder that has vanished since it was listed. */
const untouched = (folder: string): Mount => ({ ...readOnly(folder), args: ["--ro-bind-try", folder, folder] });

function folderAbove(file: string, root: string): string {
  for (let folder = path.dirname(file); isWithin(folder, root); folder = path.dirname(folder))
    if (kindOf(folder) === "folder") return folder;
  return root;
}

function common(a: string, b: string): string {
  let folder = a;
  while (!isWithin(b, folder)) folder = path.dirname(folder);
  return folder;
}

/** The subfolders that hold no target. Folders on the way to a target are searched; undefined if there are too many. */
function foldersWithout(folder: string, targets: readonly string[]): string[] | undefined {
  const found: string[] = [];
  const ahead = [folder];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    for (const entry of entriesOf(at)) {
      const file = path.join(at, entry.name);
      if (!entry.isDirectory() || targets.includes(file)) continue;
      if (targets.some((each) => isWithin(each, file))) ahead.push(file);
      else if (found.push(file) > MOST_MOUNTS) return undefined;
    }
  }
  return found;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/**
 * Applies it to a scene whose roots are read-only. Hidden and protected paths win: naming one in a command neither
 * shows it nor makes it writable. Of other writable mounts only those on the way to a target stay.
 */
export function narrowed(scene: readonly Mount[], kept: readonly Mount[], { root, mounts, targets }: Narrow): Mount[] {
  const leads = (folder: string): boolean => targets.some((each) => isWithin(each, folder) || isWithin(folder, each));
  const isShut = (mount: Mount): boolean => mount.kind === "hidden" || isFixed(mount);
  const all = [...scene, ...kept.filter((mount) => isShut(mount) || isElsewhere(mount) || leads(mount.path))];
  const inside = all.filter((each) => isShut(each) && each.path !== root && isWithin(each.path, root));
  const isOpen = (mount: Mount): boolean => !inside.some((each) => isWithin(mount.path, each.path));
  return [...all, ...mounts.filter(isOpen)];
}

/** A repository that is being created lies in our own folder. */
const isElsewhere = ({ args: [, source, target] }: Mount): boolean => source !== target;
