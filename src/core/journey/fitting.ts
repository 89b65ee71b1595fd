import type { Entry, Workspace } from "../contracts/workspace.ts";
import { GIT_FOLDER, STATE_FOLDER } from "../words/governing.ts";
import { belowRoot, isPathTouch, type PathTouch, type Place, readsUnknown, type Touch } from "../words/touch.ts";

/** Whether some policy minds that a command reads a file, by its path from the root on; and how a shell matches names. */
export type Minding = {
  minds(path: string): boolean;
  fits(pattern: string, name: string): boolean;
};

/** No policy minds anything. */
export const NOBODY: Minding = { minds: () => false, fits: () => false };

/** So that a call is judged in a moment; what is beyond is kept by the pattern alone. */
const MOST_ENTRIES = 20_000;
const MOST_FOLDERS = 2_000;
/** Not looked into, as a sandbox that hides files does not. */
const SKIPPED: ReadonlySet<string> = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);

type Look = Minding & { workspace: Workspace; entries: number; folders: number; found: Map<string, PathTouch> };

/**
 * What a command would read by its patterns as they stand: those files that a policy minds, each as a touch of its own.
 * `trees`: also where it reads whatever is below a folder, because nothing hides the files from it.
 */
export async function readByPatterns(
  inner: readonly Touch[],
  workspace: Workspace,
  minding: Minding,
  trees: () => Promise<boolean>,
): Promise<PathTouch[]> {
  const look: Look = { ...minding, workspace, entries: 0, folders: 0, found: new Map() };
  for (const touch of inner) {
    if (readsUnknown(touch) && (await trees()))
      for (const root of workspace.roots) await search(await workspace.trace(root), "*", look);
    if (!isPathTouch(touch) || touch.action !== "read" || touch.scope === undefined || touch.place.root === "")
      continue;
    const parts = touch.scope.split("/");
    const tree = parts.indexOf("**");
    const last = tree === parts.length - 1 ? "*" : (parts.at(-1) as string);
    const below = tree >= 0 && (await trees()) ? (folder: Place) => search(folder, last, look) : undefined;
    // what stands before a whole tree is read as well, if it is a file
    if (tree !== 0) await follow(touch.place, tree < 0 ? parts : parts.slice(0, tree), look, below);
    else await below?.(touch.place);
  }
  return [...look.found.values()];
}

const WILD = /[*?[]|[+@!]\(/;
/** The shell means no hidden name by a wildcard at its start. */
const MEANS_HIDDEN = /^(?:\.|[*?+@!]\()/;

type Below = ((folder: Place) => Promise<void>) | undefined;

async function follow(folder: Place, [part = "", ...rest]: readonly string[], look: Look, below: Below): Promise<void> {
  const pattern = part.toLowerCase();
  const isMeant = ({ name }: Entry): boolean =>
    (!name.startsWith(".") || MEANS_HIDDEN.test(part)) && look.fits(pattern, name.toLowerCase());
  const entries: readonly Entry[] = WILD.test(part)
    ? (await entriesOf(folder, look)).filter(isMeant)
    : [{ name: part, kind: "link" }];
  for (const { name, kind } of entries) {
    const real = `${folder.real}/${name}`;
    const isMinded = look.minds(belowRoot({ real, root: folder.root }));
    // a link is minded for what it leads to
    if (rest.length === 0 && !isMinded && kind !== "link" && !(below && kind === "folder")) continue;
    const place = await look.workspace.trace(real);
    if (rest.length > 0) await follow(place, rest, look, below);
    else if (place.exists && (isMinded || look.minds(belowRoot(place)))) add(place, look);
    else await below?.(place);
  }
}

/** Every file below a folder that a policy minds and whose name the pattern fits, hidden ones too. */
async function search(start: Place, pattern: string, look: Look): Promise<void> {
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const { name, kind } of await entriesOf(folder, look)) {
      const real = `${folder.real}/${name}`;
      if (kind === "folder" && !SKIPPED.has(name)) open.push({ ...folder, real });
      const isMeant = kind === "file" && look.fits(pattern.toLowerCase(), name.toLowerCase());
      if (isMeant && look.minds(belowRoot({ real, root: folder.root }))) add(await look.workspace.trace(real), look);
    }
}

const add = (place: Place, { found }: Look): void =>
  void found.set(place.real, { action: "read", place, certain: false });

async function entriesOf(folder: Place, look: Look): Promise<readonly Entry[]> {
  if (folder.root === "" || ++look.folders > MOST_FOLDERS || look.entries > MOST_ENTRIES) return [];
  try {
    const entries = await look.workspace.files.list(folder);
    look.entries += entries.length;
    return entries;
  } catch {
    // no folder, or none that may be looked into: nothing is read there
    return [];
  }
}
