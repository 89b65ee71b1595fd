import fs from "node:fs";
import path from "node:path";
import type { Change, NewStamps } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import { breath } from "./breath.ts";
import { asFailure, conflict, errorCode, insideFile, madeTwice } from "./failures.ts";
import { holds, openRegular, readLink, refuseIrregular } from "./file-reading.ts";
import {
  type Folder,
  forgetMounts,
  isStillAt,
  modeOf,
  openFolder,
  openOrMakeFolder,
  sameMount,
  stampOf,
  statExactly,
  statInside,
} from "./opened.ts";
import { descriptors } from "./platform.ts";
import { discard, type Likeness, stage, stagedName, stageOpen } from "./staging.ts";

const MOST_AT_ONCE = 16;
/** Up to so many changes, the folders of the files stay open until they are in place. */
const MOST_OPEN = 16;
const MOST_WITHOUT_BREATH = 500;

/** `folder` is where the new content is staged; `parent`, the file's own folder, and `fd`, the new file, may stay open. */
type Staged = {
  change: Change;
  like: Likeness;
  was: Likeness;
  folder: Folder;
  parent: Folder | undefined;
  fd?: number | undefined;
  name: string;
  ready: boolean;
};

const SET_GROUP = 0o2000;
const isRoot = (): boolean => process.getuid?.() === 0;

/** The nearest existing folder above the file. Missing folders in between are made in it. */
function nearestFolder({ place }: Change): Folder {
  for (let real = path.dirname(place.real); ; real = path.dirname(real)) {
    try {
      return openFolder(real, place.shown);
    } catch (error) {
      if (errorCode(error) === "ENOTDIR") throw insideFile(place.shown);
      if (errorCode(error) !== "ENOENT" || real === place.root) throw error;
    }
  }
}

const ownerOf = (now: fs.Stats): Likeness => (isRoot() ? { uid: now.uid, gid: now.gid } : {});

/** An existing file keeps its mode and owner; a new one in a setgid folder gets the folder's group. */
function likenessOf(change: Change, now: fs.Stats | undefined, parent: Folder): Likeness {
  const mode = change.mode ?? (now && modeOf(now));
  const asked: Likeness = mode === undefined ? {} : { mode };
  if (now) return { ...asked, ...ownerOf(now) };
  const folder = fs.fstatSync(parent.fd);
  return folder.mode & SET_GROUP ? { ...asked, gid: folder.gid } : asked;
}

const missing = (change: Change) => conflict(change.place.shown, "was removed after it was read");
const appeared = (change: Change) => conflict(change.place.shown, "was created after it was read");
const different = (change: Change) => conflict(change.place.shown, "has changed since it was read");

/** Checks that need no reading, so that a change that cannot succeed is never recorded as intended. */
function lookFirst(change: Change, now: fs.Stats | undefined): void {
  if (now && !change.place.link) refuseIrregular(now, change.place.shown);
  if (!now && change.before) throw missing(change);
  if (now && !change.before) throw appeared(change);
  if (now && now.size !== change.before?.length) throw different(change);
}

function lookAgain({ change, parent }: Staged): void {
  if (!change.before) {
    lookFirst(change, parent ? statInside(parent, change.place) : statExactly(change.place));
    return;
  }
  if (change.place.link) {
    if (Buffer.compare(readLink(change.place).bytes, change.before) !== 0) throw different(change);
    return;
  }
  let opened: ReturnType<typeof openRegular>;
  try {
    opened = openRegular(change.place, parent);
  } catch (error) {
    throw errorCode(error) === "ENOENT" ? missing(change) : error;
  }
  try {
    if (!holds(opened.fd, opened.stats.size, change.before)) throw different(change);
  } finally {
    fs.closeSync(opened.fd);
  }
}

/** The folder that the file is in, or undefined if there is none yet. */
function folderOf({ place }: Change): Folder | undefined {
  try {
    return openFolder(path.dirname(place.real), place.shown);
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

function plan(change: Change, staging: Folder, mayStayOpen: boolean): Staged {
  const own = folderOf(change);
  let parent = own;
  try {
    const now = own && statInside(own, change.place);
    lookFirst(change, now);
    parent ??= nearestFolder(change);
    const like = likenessOf(change, now, parent);
    const was = now ? { mode: modeOf(now), ...ownerOf(now) } : {};
    const folder = sameMount(staging, parent) ? staging : parent;
    const stays = mayStayOpen && descriptors !== undefined && parent === own && folder === staging;
    if (folder === staging && !stays) parent.close();
    return { change, like, was, folder, parent: stays ? own : undefined, name: stagedName(), ready: false };
  } catch (error) {
    parent?.close();
    throw error;
  }
}

/** A folder that stayed open is used only if it is still the one that the path names. */
function checkParent(one: Staged): void {
  const { parent, change } = one;
  if (!parent || isStillAt(parent, path.dirname(change.place.real))) return;
  parent.close();
  one.parent = undefined;
}

async function stageAll(staged: readonly Staged[]): Promise<void> {
  const written = staged.filter((one) => one.change.after !== null);
  const waiting = written.values();
  const work = async () => {
    for (const one of waiting) {
      one.ready = true;
      const file = [one.folder, one.name, one.change.after as Uint8Array, one.like] as const;
      if (one.parent) one.fd = await stageOpen(...file);
      else await stage(...file);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: Math.min(written.length, MOST_AT_ONCE) }, work));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}

function folderNow({ place, after }: Change, made: string[]): Folder {
  const real = path.dirname(place.real);
  return after ? openOrMakeFolder(real, place.root, place.shown, made) : openFolder(real, place.shown);
}

function putInPlace(one: Staged, made: string[]): void {
  const { place, before, after } = one.change;
  if (!before && !after) return;
  const folder = one.parent ?? folderNow(one.change, made);
  try {
    const target = folder.at(path.basename(place.real));
    if (!after) fs.unlinkSync(target);
    else {
      fs.renameSync(one.folder.at(one.name), target);
      one.ready = false;
    }
  } catch (error) {
    if (errorCode(error) === "EXDEV") forgetMounts();
    throw error;
  } finally {
    if (folder !== one.parent) folder.close();
  }
}

async function putBack({ change, was }: Staged): Promise<void> {
  const { place, before, after } = change;
  if (!before && !after) return;
  const folder = openFolder(path.dirname(place.real), place.shown);
  try {
    const target = folder.at(path.basename(place.real));
    if (!before) {
      fs.unlinkSync(target);
      return;
    }
    const name = stagedName();
    try {
      await stage(folder, name, before, was);
      fs.renameSync(folder.at(name), target);
    } catch (error) {
      discard(folder, name);
      throw error;
    }
  } finally {
    folder.close();
  }
}

function removeMade(made: readonly string[]): void {
  for (const real of [...made].reverse()) {
    try {
      const folder = openFolder(path.dirname(real), real);
      try {
        fs.rmdirSync(folder.at(path.basename(real)));
      } finally {
        folder.close();
      }
    } catch {
      // the folder is in use by now, so it stays
    }
  }
}

async function undo(done: readonly Staged[], made: readonly string[], cause: unknown): Promise<never> {
  const stuck: string[] = [];
  for (const one of [...done].reverse()) {
    try {
      await putBack(one);
    } catch {
      stuck.push(one.change.place.shown);
    }
  }
  removeMade(made);
  if (stuck.length === 0) throw cause;
  throw new ToolFailure(
    "IO_ERROR",
    `${(cause as Error).message} Earlier changes could not be reverted: ${stuck.join(", ")}.`,
    "Undo the call, or check these files before going on.",
  );
}

/**
 * Nothing awaits between here and the last rename, so that no other call of this process can interleave. With very many
 * files that would block the event loop, so then it yields and relies on the locks of the call.
 */
async function makeVisible(staged: readonly Staged[]): Promise<void> {
  const done: Staged[] = [];
  const made: string[] = [];
  let current = "";
  const isLong = staged.length > MOST_WITHOUT_BREATH;
  try {
    for (const one of staged) {
      current = one.change.place.shown;
      if (isLong) await breath();
      checkParent(one);
      lookAgain(one);
    }
    for (const one of staged) {
      current = one.change.place.shown;
      if (isLong) await breath();
      putInPlace(one, made);
      done.push(one);
    }
  } catch (error) {
    await undo(done, made, asFailure(error, current));
  }
}

/** Stages the new contents while `intend` runs. Files are changed only when both have succeeded. */
export async function commitChanges(
  changes: readonly Change[],
  intend: () => Promise<void>,
  staging: Folder,
): Promise<NewStamps> {
  const staged: Staged[] = [];
  try {
    const seen = new Set<string>();
    for (const change of changes) {
      if (seen.has(change.place.real)) throw madeTwice(change.place.shown);
      seen.add(change.place.real);
      await breath();
      try {
        staged.push(plan(change, staging, changes.length <= MOST_OPEN));
      } catch (error) {
        throw asFailure(error, change.place.shown);
      }
    }
    const [stages, intent] = await Promise.allSettled([stageAll(staged), (async () => intend())()]);
    if (intent.status === "rejected") throw intent.reason;
    if (stages.status === "rejected") throw asFailure(stages.reason, "A file of this change");
    await makeVisible(staged);
    // a rename changes the stamp
    return staged.map(({ fd }) => (fd === undefined ? undefined : stampOf(fs.fstatSync(fd))));
  } finally {
    for (const one of staged) {
      if (one.ready) discard(one.folder, one.name);
      if (one.folder !== staging) one.folder.close();
      one.parent?.close();
      if (one.fd !== undefined) fs.closeSync(one.fd);
    }
  }
}
