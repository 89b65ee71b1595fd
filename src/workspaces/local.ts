import fs from "node:fs";
import path from "node:path";
import type { FileInfo, Files, Workspace } from "../core/contracts/workspace.ts";
import { STATE_FOLDER } from "../core/words/governing.ts";
import { ToolFailure } from "../core/words/result.ts";
import type { Place } from "../core/words/touch.ts";
import { breath } from "./lib/breath.ts";
import { behindFrom } from "./lib/code-behind.ts";
import { commitChanges } from "./lib/commit.ts";
import { digestFrom } from "./lib/digest.ts";
import { asFailure } from "./lib/failures.ts";
import { listFolder, readPieces, readWhole } from "./lib/file-reading.ts";
import { nearPaths } from "./lib/near.ts";
import { modeOf, stampOf, statExactly } from "./lib/opened.ts";
import {
  asRoot,
  isInside,
  locateIn,
  locateItself,
  outside,
  type Root,
  realPathOf,
  showIn,
  traceFrom,
  traceItself,
} from "./lib/resolve.ts";
import { searchIn } from "./lib/search/search.ts";
import { ignoreByGit, openStaging, sweep } from "./lib/staging.ts";
import { systemPatch } from "./lib/system-patch.ts";
import { trackedAround } from "./lib/watch/git-index.ts";
import { namedByGit } from "./lib/watch/git-names.ts";
import { rewatcher, type WatchLimits, watcher } from "./lib/watch/watch.ts";

export type LocalOptions = {
  root: string;
  /** More folders to work in: from configuration, never from a model. */
  roots?: readonly string[];
  /** Where files are staged before they are renamed into place; default: `.toolgate` in the root. */
  state?: string;
  /** The limits for finding a command's changes, where they differ from the defaults. */
  watch?: Partial<WatchLimits>;
};

function realRoot(given: string): string {
  try {
    const real = fs.realpathSync.native(path.resolve(given));
    if (fs.statSync(real).isDirectory()) return real;
  } catch {
    // reported below
  }
  throw new ToolFailure(
    "CONFIG_ERROR",
    `The workspace ${given} is not a folder that can be opened.`,
    "Name an existing folder.",
  );
}

function stat(place: Place): FileInfo | undefined {
  try {
    const stats = statExactly(place);
    if (!stats) return undefined;
    const kind = stats.isFile() ? "file" : stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "other";
    return { kind, mode: modeOf(stats), stamp: stampOf(stats) };
  } catch (error) {
    throw asFailure(error, place.shown);
  }
}

/** Files on this machine's disk, restricted to the roots. */
export function localWorkspace({ root, roots: more = [], state, watch }: LocalOptions): Workspace {
  const main = asRoot(realRoot(root), true);
  const roots: [Root, ...Root[]] = [main, ...more.map((one) => asRoot(realRoot(one), false))];
  const own = state === undefined;
  let first = true;

  const ownState = path.join(main.real, STATE_FOLDER);
  // our own folder in the root is not resolved, so that a link in its place is refused
  const staging = () => {
    const real = own ? ownState : realPathOf(path.resolve(state));
    const limit = own ? main.real : "/";
    const folder = openStaging(real, limit);
    if (!first) return folder;
    try {
      if (own) ignoreByGit(real, limit);
      sweep(folder);
      first = false;
      return folder;
    } catch (error) {
      folder.close();
      throw error;
    }
  };

  const commit: Files["commit"] = async (changes, intend) => {
    for (const change of changes) confined(change.place);
    let folder: ReturnType<typeof staging>;
    try {
      folder = staging();
    } catch (error) {
      throw asFailure(error, "The folder for staging changes");
    }
    try {
      return await commitChanges(changes, intend, folder);
    } finally {
      folder.close();
    }
  };

  const near = (place: Place): string[] => {
    const itsRoot = roots.find((one) => one.real === place.root) ?? main;
    return nearPaths(place).map((real) => showIn(real, itsRoot));
  };

  // a place that was not made by `locate` must not open anything outside either
  const confined = (place: Place): Place => {
    if (roots.some((one) => one.real === place.root && isInside(place.real, one))) return place;
    throw outside(place.shown, place.real, roots);
  };

  const files: Files = {
    stat: (place) => breath()?.then(() => stat(confined(place))) ?? stat(confined(place)),
    read: async (place) => {
      await breath();
      return readWhole(confined(place));
    },
    chunks: (place, from) => readPieces(confined(place), from),
    list: async (place) => listFolder(confined(place)),
    near: async (place) => near(confined(place)),
    commit,
  };
  const folders = roots.map((one) => one.real);
  const locate = (given: string, itself = false): Place => (itself ? locateItself : locateIn)(given, roots);
  const trace = (given: string, itself = false): Place => (itself ? traceItself : traceFrom)(given, roots);
  const patch = systemPatch();
  return {
    roots: folders,
    locate,
    trace,
    digest: digestFrom(main.real, trace),
    behind: behindFrom(main.real),
    tracked: trackedAround,
    namedByGit,
    files,
    search: searchIn({ files, roots: folders }),
    watch: watcher(folders, locate, watch),
    rewatch: rewatcher(folders, locate, watch),
    ...(patch && { patch }),
    close: async () => {},
  };
}
