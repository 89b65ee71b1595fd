import type { Entry, Workspace } from "../contracts/workspace.ts";
import { isWithinAny, pathIn } from "../words/containment.ts";
import { GIT_FOLDER, STATE_FOLDER } from "../words/governing.ts";
import { belowRoot, isPathTouch, type PathTouch, type Place, readsUnknown, type Touch } from "../words/touch.ts";

/** `minds`: whether a policy minds that a command reads a path, from the root on. `fits`: how a shell matches names. */
export type Minding = {
  minds(path: string): boolean;
  fits(pattern: string, name: string): boolean;
};

/** No policy minds anything. */
export const NOBODY: Minding = { minds: () => false, fits: () => false };

/** Bounds, so that judging a call stays quick. */
const MOST_ENTRIES = 100_000;
const MOST_FOLDERS = 10_000;
/** Not searched: a sandbox that hides files does not search them either. */
const SKIPPED: ReadonlySet<string> = new Set([GIT_FOLDER, STATE_FOLDER, "node_modules"]);

type Look = Minding & {
  workspace: Workspace;
  entries: number;
  folders: number;
  found: Map<string, PathTouch>;
  isPartial: boolean;
  /** A program would split a name that was found into several words, which may then mean any file. */
  isSplit: boolean;
  leadsOut: boolean;
};

/**
 * `isPartial`: there was more than could be searched. `leadsOut`: a name that is split at blanks becomes a path
 * outside.
 */
type Reached = { touches: readonly PathTouch[]; isPartial: boolean; leadsOut: boolean };

/**
 * What the patterns of a command match now, as one touch each: files that it reads and a policy minds, and the targets
 * of links that it reads or changes. `trees`: whether whole folders that it reads are searched, too, because nothing
 * hides files from it.
 */
export async function reachedByPatterns(
  inner: readonly Touch[],
  workspace: Workspace,
  minding: Minding,
  trees: () => Promise<boolean>,
): Promise<Reached> {
  if (minding === NOBODY) return { touches: [], isPartial: false, leadsOut: false };
  const look: Look = {
    ...minding,
    workspace,
    entries: 0,
    folders: 0,
    found: new Map(),
    isPartial: false,
    isSplit: false,
    leadsOut: false,
  };
  let isAnything = false;
  for (const touch of inner) {
    if (!isPathTouch(touch)) isAnything ||= readsUnknown(touch);
    else if (touch.action !== "list" && touch.brings !== "tracked") await reachedBy(touch, look, trees);
  }
  if ((isAnything || look.isSplit) && (await trees()))
    for (const root of workspace.roots) await search(await workspace.trace(root), "*", look, HANDED_ON);
  return { touches: [...look.found.values()], isPartial: look.isPartial, leadsOut: look.leadsOut };
}

/** Matches every name in a folder, hidden ones too. */
const ENTRY = "?(.)*";

async function reachedBy(touch: PathTouch, look: Look, trees: () => Promise<boolean>): Promise<void> {
  const { place, scope, action, brings } = touch;
  if (place.root === "") return;
  if (brings === "entries")
    await follow(place, [...(scope?.split("/") ?? []), ENTRY], look, { action, below: undefined });
  if (scope === undefined) return;
  const parts = scope.split("/");
  const tree = parts.indexOf("**");
  const isWhole = tree === parts.length - 1;
  const last = isWhole ? "*" : (parts.at(-1) as string);
  const isTree = tree >= 0 && action === "read" && (await trees());
  const how = { splits: brings === "words", follows: !isWhole || brings === "words" || brings === "found" };
  const below = isTree ? (folder: Place) => search(folder, last, look, how) : undefined;
  // what stands before a whole tree is read as well, if it is a file
  const before = tree < 0 ? parts : parts.slice(0, tree);
  if (before.length > 0) await follow(place, before, look, { action, below });
  else await below?.(place);
}

const WILD = /[*?[]|[+@!]\(/;
/** Patterns that match hidden names. A plain wildcard at the start matches none. */
const MEANS_HIDDEN = /^(?:\.|[*?+@!]\()/;

type Way = { action: PathTouch["action"]; below: ((folder: Place) => Promise<void>) | undefined };

async function follow(folder: Place, [part = "", ...rest]: readonly string[], look: Look, way: Way): Promise<void> {
  const reads = way.action === "read";
  const pattern = part.toLowerCase();
  const isMeant = ({ name }: Entry): boolean =>
    (!name.startsWith(".") || MEANS_HIDDEN.test(part)) && look.fits(pattern, name.toLowerCase());
  const entries: readonly Entry[] = WILD.test(part)
    ? (await entriesOf(folder, look)).filter(isMeant)
    : [{ name: part, kind: "link" }];
  for (const { name, kind } of entries) {
    const real = pathIn(folder.real, name);
    const isMinded = reads && look.minds(belowRoot({ real, root: folder.root }));
    const isLast = rest.length === 0;
    // a policy may mind the target of a link, so links are always traced
    if (isLast && !isMinded && kind !== "link" && !(way.below && kind === "folder")) continue;
    const place = await look.workspace.trace(real);
    // a delete removes the link itself
    const isBehind = place.exists && place.real !== real && !(isLast && way.action === "delete");
    if (isBehind) addBehind(place, rest, look, way);
    if (!isLast) await follow(place, rest, look, way);
    else if (isMinded && place.exists) add(place, look);
    else await way.below?.(place);
  }
}

function addBehind(place: Place, rest: readonly string[], { found }: Look, { action }: Way): void {
  const scope = rest.join("/");
  const touch: PathTouch = { action, place, certain: false };
  found.set(`${action} ${place.real} ${scope}`, scope === "" ? touch : { ...touch, scope });
}

/** What makes a program that splits its input read a name as several words, or as another one. */
const SPLITS = /[\s"'\\]/;
/** Split at the blank, paths below such a folder continue with a slash, or with `..`. */
const LEADS_OUT = /\s["'\\.]*$/;

/** `splits`: a program takes names with blanks for several. `follows`: a link that is found is read by its name. */
type How = { splits: boolean; follows: boolean };
/** Whatever one program names to another. */
const HANDED_ON: How = { splits: false, follows: true };

/** Every file below a folder that a policy minds and whose name the pattern fits, hidden ones too. */
async function search(start: Place, pattern: string, look: Look, { splits, follows }: How): Promise<void> {
  const open = [start];
  const wanted = pattern.toLowerCase();
  for (let folder = open.pop(); folder !== undefined; folder = open.pop())
    for (const { name, kind } of await entriesOf(folder, look)) {
      const real = pathIn(folder.real, name);
      const isFolder = kind === "folder" && !SKIPPED.has(name);
      if (isFolder) open.push({ ...folder, real });
      const isMeant = look.fits(wanted, name.toLowerCase());
      // a name with a line break is meant to be read as two names
      if ((isFolder || isMeant) && (splits ? SPLITS.test(name) : name.includes("\n"))) look.isSplit = true;
      if (isFolder && LEADS_OUT.test(name)) look.leadsOut = true;
      if (kind !== "folder" && isMeant) await addMinded({ real, root: folder.root }, kind, look, follows);
    }
}

/** Every environment of a language has links to these, and nobody's secrets are there. */
const SYSTEM = ["/usr", "/bin", "/lib", "/lib64", "/opt", "/nix/store"];

/** A link is minded for what it leads to. `follows`: it is read by its name, so a file outside is meant as well. */
async function addMinded(
  at: Pick<Place, "real" | "root">,
  kind: Entry["kind"],
  look: Look,
  follows: boolean,
): Promise<void> {
  const isMinded = look.minds(belowRoot(at));
  if (!isMinded && kind !== "link") return;
  const place = await look.workspace.trace(at.real);
  const isOutside = place.exists && place.root === "" && !isWithinAny(place.real, SYSTEM);
  if (isMinded || look.minds(belowRoot(place)) || (follows && isOutside)) add(place, look);
}

const add = (place: Place, { found }: Look): void =>
  void found.set(place.real, { action: "read", place, certain: false });

async function entriesOf(folder: Place, look: Look): Promise<readonly Entry[]> {
  if (folder.root === "") return [];
  if (++look.folders > MOST_FOLDERS || look.entries > MOST_ENTRIES) {
    look.isPartial = true;
    return [];
  }
  try {
    const entries = await look.workspace.files.list(folder);
    look.entries += entries.length;
    return entries;
  } catch {
    // not a folder, or an unreadable one: nothing is read there
    return [];
  }
}
