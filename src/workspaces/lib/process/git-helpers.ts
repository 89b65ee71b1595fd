import fs from "node:fs";
import path from "node:path";
import { isWithinAny } from "../../../core/words/containment.ts";
import { entriesOf } from "../watch/git-index.ts";
import { commonFolderOf, type Found, gitFolders, linesOf, pathFrom, repositoriesAround } from "./git-folders.ts";
import { type Setting, settingsIn } from "./git-settings.ts";
import { kindOf, realPath } from "./mounts.ts";
import { atHome, personalConfigurations } from "./personal-git.ts";

/**
 * Settings by which a repository makes git start a program even for read-only commands; an include may contain any of
 * them. Other such settings (hooks, pagers, a monitor, signature programs) are disabled through the environment.
 */
const STARTS =
  /^(?:diff\.external|diff\..+\.(?:command|textconv)|filter\..+\.(?:clean|smudge|process)|include\.path|includeif\..+\.path)$/i;
/** The settings that git-lfs installs. */
const LARGE_FILES = /^filter\.lfs\.\w+=git-lfs (?:(?:clean|smudge)(?: --skip)? -- %f|filter-process(?: --skip)?)$/i;
const UNREADABLE = "a configuration or index that cannot be read";
const MOST_BYTES = 1 << 20;
const MOST_MODULES = 200;
const MOST_LENDERS = 50;

/** Settings that name what git reads: the working tree, and files of which a line may be shown. */
const WORKING_TREE = /^core\.worktree$/i;
const READS = /^(?:core\.worktree|blame\.ignorerevsfile|mailmap\.file)$/i;

/**
 * What would make git start a program, or read what is neither in the repository nor in these roots: the setting of a
 * repository that a place belongs to, of its submodules, or of a person's own configuration that leads into the roots.
 * A doubt counts as one.
 */
export function helperNamedIn(places: readonly string[], roots: readonly string[] = []): string | undefined {
  try {
    const trees = new Set<string>();
    const open = places.flatMap(repositoriesAround);
    for (let found = open.pop(); found !== undefined; found = open.pop()) {
      if (trees.has(found.tree)) continue;
      trees.add(found.tree);
      if (trees.size > MOST_MODULES) return UNREADABLE;
      const helper = helperOf(found, roots);
      if (helper !== undefined) return helper;
      open.push(...submodulesOf(found));
    }
    return helperOfPerson([...roots, ...trees], roots);
  } catch {
    return UNREADABLE;
  }
}

function helperOf({ tree, gits }: Found, roots: readonly string[]): string | undefined {
  const top = realPath(tree) ?? tree;
  if (leadsOut(tree, gits, roots)) return "`.git`, which leads out of the workspace,";
  const [own = ""] = gits;
  const modules = gits.flatMap((git) => modulesOf(path.join(git, "modules")));
  for (const git of [...gits, ...modules])
    for (const file of configurationsOf(git))
      for (const setting of settingsOf(file)) {
        const isRead = READS.test(setting.key) && !(WORKING_TREE.test(setting.key) && namesNoTree(file, gits));
        if (isRead && !isWithinAny(placed(setting, gits.includes(git) ? own : git, top), [top, ...roots]))
          return shown(setting);
        if (startsProgram(setting)) return shown(setting);
      }
  return undefined;
}

/**
 * Git takes no working tree from what linked worktrees have in common, unless each of them has settings of its own. It
 * never takes that of another worktree.
 */
const namesNoTree = (file: string, [own = "", common = own]: readonly string[]): boolean =>
  common !== own &&
  path.dirname(file) === common &&
  !settingsOf(file).some(({ key }) => /^extensions\.worktreeconfig$/i.test(key));

/** Whether a working tree in the roots shows the history of a repository outside them that does not know of it. */
function leadsOut(tree: string, gits: readonly string[], roots: readonly string[]): boolean {
  const isOutside = (folder: string): boolean => !isWithinAny(realPath(folder) ?? folder, roots);
  if (isOutside(tree)) return false;
  const outside = gits.filter(isOutside);
  // what lies in the roots could say anything of itself
  const inside = gits.filter((git) => !outside.includes(git));
  if (inside.some((git) => isOutside(path.join(git, "refs")) || storesOf(git).some(isOutside))) return true;
  return outside.length > 0 && commonFolderOf(path.join(tree, ".git")) !== gits.at(-1) && !isConfirmed(tree, outside);
}

/** Where git looks for the objects of a repository, also for those that others lend, and what lies in there as a link. */
function storesOf(git: string): string[] {
  const stores = new Set([path.join(git, "objects")]);
  const links: string[] = [];
  for (const store of stores) {
    const real = realPath(store) ?? store;
    if (kindOf(real) !== "folder") continue;
    for (const entry of fs.readdirSync(real, { withFileTypes: true }))
      if (entry.isSymbolicLink()) links.push(path.join(real, entry.name));
    const lenders = linesOf(path.join(real, "info/alternates")).split("\n");
    // git may take a name in quotes for another one
    if (stores.size + lenders.length > MOST_LENDERS || lenders.some((name) => name.startsWith('"')))
      throw new Error("more lenders than are looked at");
    for (const name of lenders) if (!name.startsWith("#")) stores.add(path.resolve(real, name));
  }
  return [...stores, ...links];
}

/** Whether a repository itself says that this is its working tree. */
const isConfirmed = (tree: string, gits: readonly string[]): boolean =>
  gits.flatMap(configurationsOf).some((file) =>
    settingsOf(file).some((setting) => {
      const isTree = WORKING_TREE.test(setting.key);
      return isTree && placed(setting, path.dirname(file), tree) === (realPath(tree) ?? tree);
    }),
  );

/** A working tree is relative to the repository's folder, any other file to the working tree. */
const placed = ({ key, value }: Setting, git: string, tree: string): string => {
  const target = pathFrom(/^core\./i.test(key) ? git : tree, atHome(value));
  return realPath(target) ?? path.resolve(target);
};

const configurationsOf = (git: string): string[] =>
  ["config", "config.worktree"].map((name) => path.join(git, name)).filter((file) => kindOf(file) !== undefined);

/** How the index marks a submodule, and where in an entry. */
const SUBMODULE = Buffer.from([0, 0, 0xe0, 0]);
const MODE = 24;
const INDEX = /^(?:shared)?index(?:\.[0-9a-f]+)?$/;

/** The submodules in the working tree, wherever their repositories are. Git looks into each of them. */
function submodulesOf({ tree, gits: [own = ""] }: Found): Found[] {
  const files = fs.readdirSync(own).filter((name) => INDEX.test(name));
  return files.flatMap((name) => {
    const bytes = fs.readFileSync(path.join(own, name));
    if (!bytes.includes(SUBMODULE)) return [];
    const entries = entriesOf(bytes);
    if (!entries) throw new Error("not an index that can be read");
    const isSubmodule = ([, at]: [string, number]) => bytes.readUInt32BE(at + MODE) === SUBMODULE.readUInt32BE();
    const names = [...[...entries.offsets].filter(isSubmodule).map(([submodule]) => submodule), ...entries.unmerged];
    return names.flatMap((submodule) => {
      const git = path.join(tree, submodule, ".git");
      const gits = gitFolders(realPath(git) ?? git);
      return gits.length > 0 ? [{ tree: path.join(tree, submodule), gits }] : [];
    });
  });
}

/** The repositories of submodules, whose names may contain slashes. */
export function modulesOf(folder: string): string[] {
  const found: string[] = [];
  const open = [folder];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.length > MOST_MODULES) throw new Error("more submodules than are looked at");
    if (kindOf(at) !== "folder") continue;
    for (const name of fs.readdirSync(at)) {
      const module = path.join(at, name);
      if (kindOf(path.join(module, "HEAD")) === undefined) open.push(module);
      else {
        found.push(module);
        open.push(path.join(module, "modules"));
      }
    }
  }
  return found;
}

function settingsOf(file: string): Setting[] {
  if (fs.statSync(file).size > MOST_BYTES) throw new Error("more than is read");
  return settingsIn(fs.readFileSync(file, "utf8"));
}

const startsProgram = ({ key, value }: Setting): boolean => STARTS.test(key) && !LARGE_FILES.test(`${key}=${value}`);

/** For people: nothing in it may look like more than a name. */
const shown = ({ key }: Setting): string => key.replace(/[^\w.-]/g, "?").slice(0, 80);

const INCLUDES = /^include(?:if\..+)?\.path$/i;
const MOST_INCLUDED = 50;

/** A person's own settings are trusted, but not what they take from the workspace: files and programs. */
function helperOfPerson(trees: readonly string[], roots: readonly string[]): string | undefined {
  const isInside = (target: string): boolean => isWithinAny(realPath(target) ?? target, roots);
  const files = new Set(personalConfigurations().filter((file) => kindOf(file) !== undefined));
  for (const file of files)
    for (const setting of settingsOf(file)) {
      if (INCLUDES.test(setting.key)) {
        const included = path.resolve(path.dirname(file), atHome(setting.value));
        if (isInside(included) || files.size > MOST_INCLUDED) return shown(setting);
        if (kindOf(included) !== undefined) files.add(included);
      } else if (startsProgram(setting) && (isInside(file) || programsIn(setting.value, trees).some(isInside)))
        return shown(setting);
    }
  return undefined;
}

/** Any word of a setting that is a path may be a program or its script: `sh ./tools/x.sh`. */
const programsIn = (value: string, trees: readonly string[]): string[] =>
  value
    .split(/[\s"'!;&|()=]+/)
    .filter((word) => word.includes("/"))
    .flatMap((word) => trees.map((tree) => path.resolve(tree, atHome(word))));
