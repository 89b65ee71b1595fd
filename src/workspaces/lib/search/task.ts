import type { FileQuery, FoundFile, FoundLine, SearchReport, TextQuery } from "../../../core/contracts/search.ts";
import type { Files } from "../../../core/contracts/workspace.ts";
import { GIT_FOLDER, STATE_FOLDER } from "../../../core/words/governing.ts";
import { ToolFailure } from "../../../core/words/result.ts";
import type { Place } from "../../../core/words/touch.ts";
import type { Filter } from "./globs.ts";

/** A search that is ready to run: a folder, and if a single file was asked for, its name in there. */
export type Task<Q extends FileQuery = FileQuery> = {
  folder: Place;
  only: string | undefined;
  query: Q;
  filter: Filter;
  files: Files;
  report: SearchReport;
  signal: AbortSignal | undefined;
};

export type Engine = {
  name: string;
  files(task: Task): AsyncIterator<FoundFile>;
  lines(task: Task<TextQuery>): AsyncIterator<FoundLine>;
};

/** Thrown by an engine that cannot do this task, before it found anything, so that the next one is tried. */
export class Unfit extends Error {
  override name = "Unfit";
}

/** Never searched: git's own folder and ours. */
export const NEVER: readonly string[] = [GIT_FOLDER, STATE_FOLDER];

export const cancelled = (): ToolFailure =>
  new ToolFailure("CANCELLED", "The search was stopped.", "Search again, in a smaller folder if it took too long.");

/** Ignores a vanished file and counts an unreadable one. Any other error is rethrown. */
export function passOver(error: unknown, report: SearchReport): void {
  if (!(error instanceof ToolFailure)) throw error;
  if (error.code === "PERMISSION_DENIED") report.unreadable += 1;
}

/** The path as it is shown. A name that begins with `~` gets `./`, or it would look like a home folder. */
export function shownBelow(folder: Place, below: string): string {
  if (folder.shown === ".") return below.startsWith("~") ? `./${below}` : below;
  return folder.shown.endsWith("/") ? folder.shown + below : `${folder.shown}/${below}`;
}

export const placeBelow = (folder: Place, below: string): Place => ({
  shown: shownBelow(folder, below),
  real: folder.real.endsWith("/") ? folder.real + below : `${folder.real}/${below}`,
  root: folder.root,
  exists: true,
});
