import { joined, normalised } from "./paths.ts";
import { FETCHED, type Field, type Flow, LIMITS, type Walk } from "./walk.ts";

/** Remembers what a line puts into a file, so that running the file later is seen as what it is. */
export const noteFile = (path: string, flow: Flow, walk: Walk): void => {
  if (flow.fetched) {
    walk.fetchedFiles ??= new Set();
    walk.fetchedFiles.add(path);
  } else if (flow.text !== undefined && flow.text.length <= LIMITS.value) {
    walk.writtenFiles ??= new Map();
    // `>` and `>>` are not told apart here: the file may hold both texts
    walk.writtenFiles.set(path, (walk.writtenFiles.get(path) ?? "") + flow.text);
  }
};

/** What goes into the targets of a redirection. */
export const noteOutput = (targets: readonly Field[], flow: Flow, walk: Walk): void => {
  if (!flow.fetched && flow.text === undefined) return;
  for (const field of targets) noteFile(normalised(joined(walk.scope.folders[0] ?? "", field.text)), flow, walk);
};

export const isFetchedFile = (field: Field, walk: Walk): boolean =>
  field.text.includes(FETCHED) ||
  (walk.fetchedFiles !== undefined &&
    walk.scope.folders.some((folder) => walk.fetchedFiles?.has(normalised(joined(folder, field.text)))));

/** What this line has put into a file. */
export const writtenText = (field: Field, walk: Walk): string | undefined => {
  if (walk.writtenFiles === undefined) return undefined;
  for (const folder of walk.scope.folders) {
    const text = walk.writtenFiles.get(normalised(joined(folder, field.text)));
    if (text !== undefined) return text;
  }
  return undefined;
};
