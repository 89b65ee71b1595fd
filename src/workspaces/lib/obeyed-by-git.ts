import fs from "node:fs";
import path from "node:path";
import { type Code, type CodeFile, EVERY_FILE } from "../../core/words/code.ts";
import { isWithin } from "../../core/words/containment.ts";
import { repositoriesAround } from "./process/git-folders.ts";
import { modulesOf } from "./process/git-helpers.ts";
import { type Setting, settingsIn } from "./process/git-settings.ts";
import { kindOf, realPath } from "./process/mounts.ts";
import { atHome, personalConfigurations } from "./process/personal-git.ts";

const CONFIGURATIONS = ["config", "config.worktree"];
const MOST_BYTES = 1 << 20;
const MOST_INCLUDED = 50;
const MOST_NAMED = 200;

const INCLUDES = /^(?:include|includeif\..+)\.path$/i;
const HOOKS_PATH = /^core\.hookspath$/i;
/** Settings with names of branches and URLs, of which there may be many. */
const NAMES_NO_PROGRAM = /^(?:branch|submodule)\.|^remote\..*\.(?:fetch|url|pushurl)$/i;

type Found = { files: Map<string, CodeFile>; top: string; included: number; named: number; isOpen: boolean };

/** What git reads and runs for a command in this folder: settings, their includes, hooks, and programs they name. */
export function obeyedByGit(folder: string): Code {
  const repository = repositoryAt(folder);
  if (!repository) return { files: [] };
  const { top, gits } = repository;
  const found: Found = { files: new Map(), top, included: 0, named: 0, isOpen: false };
  for (const target of [path.join(top, ".git"), ...gits.map((git) => path.join(git, "commondir"))])
    add(found, { target });
  for (const git of [...gits, ...gits.flatMap((each) => modulesIn(each, found))]) {
    add(found, { target: path.join(git, "hooks"), part: EVERY_FILE });
    for (const name of CONFIGURATIONS) addConfiguration(path.join(git, name), found);
  }
  for (const file of personalConfigurations()) addGlobal(file, found);
  return { files: [...found.files.values()], ...(found.isOpen && { open: true }) };
}

const add = ({ files }: Found, file: CodeFile): void => void files.set(`${file.target}\0${file.part ?? ""}`, file);
const has = ({ files }: Found, target: string): boolean => files.has(`${target}\0`);

/** The repository that counts for git, and any before it. A folder itself may be a bare one. */
function repositoryAt(folder: string): { top: string; gits: string[] } | undefined {
  const around = repositoriesAround(folder);
  const top = around.at(-1)?.tree;
  const bare = bareAt(folder, top);
  const gits = [...(bare === undefined ? [] : [bare]), ...around.flatMap((each) => each.gits)];
  return gits.length === 0 ? undefined : { top: top ?? (bare as string), gits };
}

function bareAt(folder: string, top: string | undefined): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    if (kindOf(path.join(at, "HEAD")) === "file" && kindOf(path.join(at, "objects")) === "folder") return at;
    if (at === top || at === path.dirname(at)) return undefined;
  }
}

function modulesIn(git: string, found: Found): string[] {
  try {
    return modulesOf(path.join(git, "modules"));
  } catch {
    found.isOpen = true;
    return [];
  }
}

/**
 * Of a person's own file only hooks count, which may be in the workspace, and those of the files that it includes,
 * whatever the condition.
 */
function addGlobal(file: string, found: Found): void {
  for (const setting of readSettings(file, found))
    if (INCLUDES.test(setting.key)) addIncluded(setting.value, file, found, addFurther);
    else addHooks(setting, found);
}

/** What a person's file includes may lie in the workspace, where calls can change it. */
function addFurther(file: string, found: Found): void {
  if (has(found, file)) return;
  if (isWithin(realPath(file) ?? file, realPath(found.top) ?? found.top)) addConfiguration(file, found);
  else {
    add(found, { target: file });
    addGlobal(file, found);
  }
}

type Adding = (file: string, found: Found) => void;

function addIncluded(value: string, file: string, found: Found, adding: Adding): void {
  found.included += 1;
  if (found.included > MOST_INCLUDED) found.isOpen = true;
  else adding(path.resolve(path.dirname(file), atHome(value)), found);
}

function addConfiguration(file: string, found: Found): void {
  if (has(found, file)) return;
  add(found, { target: file });
  for (const setting of readSettings(file, found)) {
    const { key, value } = setting;
    if (INCLUDES.test(key)) addIncluded(value, file, found, addConfiguration);
    else if (!addHooks(setting, found) && !NAMES_NO_PROGRAM.test(key)) addNamed(value, found);
  }
}

function readSettings(file: string, found: Found): Setting[] {
  try {
    const stats = fs.statSync(file, { throwIfNoEntry: false });
    if (!stats) return [];
    if (!stats.isFile() || stats.size > MOST_BYTES) throw new Error("not looked at");
    return settingsIn(fs.readFileSync(file, "utf8"));
  } catch {
    found.isOpen = true;
    return [];
  }
}

function addHooks({ key, value }: Setting, found: Found): boolean {
  if (!HOOKS_PATH.test(key)) return false;
  add(found, { target: path.resolve(found.top, atHome(value)), part: EVERY_FILE });
  return true;
}

/** Any word of a setting may be a program or its script: `!sh tools/x.sh`. */
function addNamed(value: string, found: Found): void {
  for (const word of value.split(/[\s"'!;&|()]+/)) {
    const target = path.resolve(found.top, atHome(word));
    if (word === "" || has(found, target)) continue;
    found.named += 1;
    if (found.named > MOST_NAMED) found.isOpen = true;
    else add(found, { target });
  }
}
