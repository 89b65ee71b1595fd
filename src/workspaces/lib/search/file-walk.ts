import type { FoundFile, FoundLine, TextQuery } from "../../../core/contracts/search.ts";
import type { Entry, FileInfo } from "../../../core/contracts/workspace.ts";
import type { Place } from "../../../core/words/touch.ts";
import { Rules } from "./ignored.ts";
import { cancelled, type Engine, NEVER, passOver, placeBelow, type Task } from "./task.ts";
import { searchText } from "./texts.ts";

type Folder = { below: string; rules: Rules };

/** Every file that a task covers, sorted by path. Excluded files are counted. */
async function* eachFile(task: Task): AsyncGenerator<Place> {
  const { folder, only, filter, report } = task;
  const wanted = function* (below: string): Generator<Place> {
    if (!filter.accepts(below)) return;
    if (filter.isExcluded(below)) report.excluded += 1;
    else yield placeBelow(folder, below);
  };
  if (only !== undefined) yield* wanted(only);
  else for await (const below of belowFolder(task)) yield* wanted(below);
}

/** The files that are not ignored. `visit` gets all entries of each folder on the way. */
export async function* belowFolder(
  task: Task,
  visit?: (below: string, entries: readonly Entry[]) => void,
): AsyncGenerator<string> {
  const { folder, files, query } = task;
  const ahead: (Folder | string)[] = [
    { below: "", rules: query.noIgnore ? Rules.NONE : await Rules.at(files, folder) },
  ];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (task.signal?.aborted) throw cancelled();
    if (typeof next === "string") {
      yield next;
      continue;
    }
    const { below } = next;
    const entries = await entriesOf(task, below);
    visit?.(below, entries);
    const rules =
      below === "" || query.noIgnore
        ? next.rules
        : await next.rules.inside(files, placeBelow(folder, below), below, namesOf(entries));
    const found = entries
      .filter(({ name, kind }) => (kind === "file" || kind === "folder") && !NEVER.includes(name))
      .map(({ name, kind }) => ({ path: below === "" ? name : `${below}/${name}`, isFolder: kind === "folder" }))
      .filter(({ path, isFolder }) => (!isFolder || query.recursive !== false) && !rules.ignores(path, isFolder));
    for (const { path, isFolder } of found.reverse()) ahead.push(isFolder ? { below: path, rules } : path);
  }
}

const namesOf = (entries: readonly Entry[]): Set<string> => new Set(entries.map(({ name }) => name));

/** Skips a folder below the top that cannot be listed. */
async function entriesOf({ files, folder, report }: Task, below: string): Promise<Entry[]> {
  if (below === "") return files.list(folder);
  try {
    return await files.list(placeBelow(folder, below));
  } catch (error) {
    passOver(error, report);
    return [];
  }
}

async function statOf({ files, report }: Task, place: Place): Promise<FileInfo | undefined> {
  try {
    return await files.stat(place);
  } catch (error) {
    passOver(error, report);
    return undefined;
  }
}

/** The same files with sizes and times. */
async function* walkFiles(task: Task): AsyncGenerator<FoundFile> {
  for await (const place of eachFile(task)) {
    const info = await statOf(task, place);
    if (info?.kind === "file") yield { path: place.shown, size: info.stamp.size, mtimeMs: info.stamp.mtimeMs };
  }
}

/** Our own search, on whatever files a workspace provides. */
export const walk = (deadlineMs: number): Engine => ({
  name: "walk",
  files: walkFiles,
  lines: (task: Task<TextQuery>): AsyncGenerator<FoundLine> => searchText(task, eachFile(task), deadlineMs),
});
