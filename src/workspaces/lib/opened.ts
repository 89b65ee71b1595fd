import fs from "node:fs";
import path from "node:path";
import { LINK_MODE, type Stamp } from "../../core/contracts/workspace.ts";
import type { Place } from "../../core/words/touch.ts";
import { errorCode, swapped } from "./failures.ts";
import { descriptors, justLooking } from "./platform.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
const MOST_TRIES = 5;

/** An open folder. It stays the same folder even if its path is renamed or replaced. */
export type Folder = { fd: number; self: string; at(name: string): string; close(): void };

export const stampOf = (stats: fs.Stats): Stamp => ({
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  ctimeMs: stats.ctimeMs,
  ino: stats.ino,
});

export const modeOf = (stats: fs.Stats): number => (stats.isSymbolicLink() ? LINK_MODE : stats.mode & 0o7777);

/** Whether this descriptor is the file that `real` names, with no symbolic link on the way. */
function isReally(fd: number, real: string): boolean {
  if (descriptors) {
    const now = fs.readlinkSync(`${descriptors}/${fd}`);
    // the file was replaced after it was opened, so this is the right one
    return now === real || now === `${real} (deleted)`;
  }
  const open = fs.fstatSync(fd);
  const there = fs.lstatSync(real);
  return there.ino === open.ino && there.dev === open.dev && fs.realpathSync.native(real) === real;
}

/** Opens exactly the file that `real` names, or throws. Never blocks on a named pipe. The caller closes it. */
export function openExactly(real: string, flags: number, shown: string): number {
  // without /proc descriptors, a file that is being replaced looks like a swapped one, so it is retried
  for (let tries = descriptors ? 1 : MOST_TRIES; ; tries -= 1) {
    const fd = fs.openSync(real, flags | O_NOFOLLOW | O_NONBLOCK);
    let same = false;
    try {
      same = isReally(fd, real);
    } finally {
      if (!same) fs.closeSync(fd);
    }
    if (same) return fd;
    if (tries <= 1) throw swapped(shown);
  }
}

export function openFolder(real: string, shown: string): Folder {
  let fd: number;
  try {
    fd = openExactly(real, O_DIRECTORY | (descriptors ? justLooking : O_RDONLY), shown);
  } catch (error) {
    if (errorCode(error) === "ENOTDIR" && fs.lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink())
      throw swapped(shown);
    throw error;
  }
  const self = descriptors ? `${descriptors}/${fd}` : real;
  return { fd, self, at: (name) => `${self}/${name}`, close: () => fs.closeSync(fd) };
}

/** Whether an open folder is the one that this path names. Only where the kernel shows descriptors. */
export const isStillAt = ({ self }: Folder, real: string): boolean => fs.readlinkSync(self) === real;

/** Like `openFolder`, but makes missing folders below `root`, one level at a time, and adds them to `made`. */
export function openOrMakeFolder(real: string, root: string, shown: string, made: string[], mode = 0o777): Folder {
  try {
    return openFolder(real, shown);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || real === root) throw error;
  }
  const parent = openOrMakeFolder(path.dirname(real), root, shown, made, mode);
  try {
    fs.mkdirSync(parent.at(path.basename(real)), mode);
    made.push(real);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    parent.close();
  }
  return openFolder(real, shown);
}

/** Stats a place without opening it; undefined if nothing is there. A link where none is expected was swapped in. */
export function statExactly({ real, shown, link }: Pick<Place, "real" | "shown" | "link">): fs.Stats | undefined {
  let stats: fs.Stats | undefined;
  try {
    if (descriptors) {
      const fd = openExactly(real, justLooking, shown);
      stats = fs.fstatSync(fd);
      fs.closeSync(fd);
    } else {
      stats = fs.lstatSync(real, { throwIfNoEntry: false });
      if (stats && !stats.isSymbolicLink() && fs.realpathSync.native(real) !== real) throw swapped(shown);
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
  if (stats && stats.isSymbolicLink() !== (link === true)) throw swapped(shown);
  return stats;
}

/** Like `openExactly`, for a file in a folder that is open already. */
export const openInside = (folder: Folder, { real }: Pick<Place, "real">, flags: number): number =>
  fs.openSync(folder.at(path.basename(real)), flags | O_NOFOLLOW | O_NONBLOCK);

/** Like `statExactly`, for something in a folder that is open already. */
export function statInside(folder: Folder, { real, shown, link }: Pick<Place, "real" | "shown" | "link">) {
  const stats = fs.lstatSync(folder.at(path.basename(real)), { throwIfNoEntry: false });
  if (stats && stats.isSymbolicLink() !== (link === true)) throw swapped(shown);
  return stats;
}

function mountOf(folder: Folder): string | undefined {
  const fd = fs.openSync(`/proc/self/fdinfo/${folder.fd}`, O_RDONLY);
  try {
    const text = Buffer.alloc(256);
    return /^mnt_id:\s*(\d+)/m.exec(text.toString("latin1", 0, fs.readSync(fd, text)))?.[1];
  } finally {
    fs.closeSync(fd);
  }
}

/** Cache of `sameMount`. Cleared when a rename fails, because mounts have changed then. */
const found = new Map<string, boolean>();
const MOST_FOUND = 1_000;

export const forgetMounts = (): void => found.clear();

/** A rename works only within one mount, and equal devices do not prove that. */
export function sameMount(one: Folder, other: Folder): boolean {
  const [here, there] = [fs.fstatSync(one.fd), fs.fstatSync(other.fd)];
  if (here.dev !== there.dev) return false;
  if (!descriptors) return true;
  const both = `${here.dev} ${here.ino} ${there.ino}`;
  let same = found.get(both);
  if (same === undefined) {
    same = mountOf(one) === mountOf(other);
    if (found.size >= MOST_FOUND) forgetMounts();
    found.set(both, same);
  }
  return same;
}
