import fs from "node:fs";
import { ToolFailure } from "../../../core/words/result.ts";
import { belowFolder } from "./file-walk.ts";
import { RULES } from "./ignored.ts";
import { placeBelow, type Task, Unfit } from "./task.ts";

/** An ignore file that a program would read forever: a pipe, or a link to a device. Checked after a silence. */
export async function endlessRules(task: Task, isOver: () => boolean): Promise<string | undefined> {
  let found: string | undefined;
  const walked = belowFolder(task, (below, entries) => {
    if (!entries.some(({ name, kind }) => name === RULES && (kind === "link" || kind === "other"))) return;
    const place = placeBelow(task.folder, below === "" ? RULES : `${below}/${RULES}`);
    const stats = fs.statSync(place.real, { throwIfNoEntry: false });
    if (stats && isEndless(stats)) found ??= place.shown;
  });
  try {
    for await (const _ of walked) if (found !== undefined || isOver()) break;
  } catch {
    // the search itself reports what is wrong
  }
  return found;
}

/** A link to /dev/null is a common way to say that nothing is ignored. */
const isEndless = (stats: fs.Stats): boolean =>
  stats.isFIFO() || (stats.isCharacterDevice() && stats.rdev !== fs.statSync("/dev/null").rdev);

/** Another engine can take over, unless something was already found. */
export const stuckAt = (shown: string, hasBegun: boolean): Error =>
  hasBegun
    ? new ToolFailure(
        "IO_ERROR",
        `The search hung: ${shown} is not a regular file.`,
        "Remove it, or search another folder.",
      )
    : new Unfit(`${shown} is not a regular file`);
