import fs from "node:fs";
import path from "node:path";
import { gitFolders } from "./git-folders.ts";
import { settingsIn } from "./git-settings.ts";
import { kindOf, realPath } from "./mounts.ts";

/**
 * Settings by which a repository makes git start a program even for read-only commands; an include may contain any of
 * them. Other such settings (hooks, pagers, a monitor, signature programs) are disabled through the environment.
 */
const STARTS =
  /^(?:diff\.external|diff\..+\.(?:command|textconv)|filter\..+\.(?:clean|smudge|process)|include\.path|includeif\..+\.path)$/i;
/** The settings that git-lfs installs. */
const LARGE_FILES = /^filter\.lfs\.\w+=git-lfs (?:(?:clean|smudge)(?: --skip)? -- %f|filter-process(?: --skip)?)$/i;
const UNREADABLE = "configuration, which cannot be read,";
const MOST_BYTES = 1 << 20;
const MOST_MODULES = 200;

/** The setting by which a repository of one of these places would make git start a program. A doubt counts as one. */
export function helperNamedIn(places: readonly string[]): string | undefined {
  const repositories = new Set(places.flatMap(repositoriesAbove));
  for (const repository of repositories) {
    const helper = helperOf(repository);
    if (helper !== undefined) return helper;
  }
  return undefined;
}

function helperOf(repository: string): string | undefined {
  try {
    for (const file of configurationsOf(repository)) {
      const helper = helperIn(file);
      if (helper !== undefined) return helper;
    }
    return undefined;
  } catch {
    return UNREADABLE;
  }
}

function* ancestors(place: string): Iterable<string> {
  for (let at = path.resolve(place); ; at = path.dirname(at)) {
    yield at;
    if (at === path.dirname(at)) return;
  }
}

function repositoriesAbove(place: string): string[] {
  for (const folder of ancestors(place)) {
    const git = path.join(folder, ".git");
    const found = gitFolders(realPath(git) ?? git);
    if (found.length > 0) return found;
  }
  return [];
}

function configurationsOf(git: string): string[] {
  return [git, ...modulesOf(path.join(git, "modules"))].flatMap((folder) =>
    ["config", "config.worktree"].map((name) => path.join(folder, name)).filter((file) => kindOf(file) !== undefined),
  );
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

function helperIn(file: string): string | undefined {
  if (fs.statSync(file).size > MOST_BYTES) return UNREADABLE;
  for (const setting of settingsIn(fs.readFileSync(file, "utf8"))) {
    const [key = ""] = setting.split("=", 1);
    // shown to people, so nothing in it may look like more than a name
    if (STARTS.test(key) && !LARGE_FILES.test(setting)) return key.replace(/[^\w.-]/g, "?").slice(0, 80);
  }
  return undefined;
}
