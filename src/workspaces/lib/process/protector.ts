import fs from "node:fs";
import path from "node:path";
import { isWithin, isWithinAny } from "../../../core/words/containment.ts";
import {
  GIT_FOLDER,
  GOVERNING_FILES,
  namesThat,
  OBEYED_BY_GIT,
  SHOWN_OF_STATE,
  STATE_FOLDER,
} from "../../../core/words/governing.ts";
import { errorCode } from "../failures.ts";
import { commonFolderOf, gitFolders, textOf } from "./git-folders.ts";
import { bare, empty, isFixed, kindOf, type Mount, readOnly, realPath, writable } from "./mounts.ts";
import { NestedStates } from "./nested-states.ts";
import { disarm } from "./new-repository.ts";
import { Placeholders } from "./placeholders.ts";
import { isEmptyFolder, removeEmpty } from "./remove.ts";

const HELD = [STATE_FOLDER, ...namesThat(GOVERNING_FILES, "held")];
const KEPT = Object.keys(GOVERNING_FILES);
const GIT_HELD = namesThat(OBEYED_BY_GIT, "held");
const GIT_REMOVED = namesThat(OBEYED_BY_GIT, "removed");
const GIT_KEPT = namesThat(OBEYED_BY_GIT, "held", "removed", "left");

const stateMounts = (folder: string): Mount[] => {
  const shown = SHOWN_OF_STATE.map((name) => path.join(folder, name)).filter((each) => kindOf(each) === "folder");
  return [bare(folder), ...shown.map((each) => readOnly(each))];
};

/** A name that cannot be protected by a mount: it is checked after the command, and must be this link, or missing. */
type Mend = { path: string; link: string | undefined };

type Plan = { mounts: Mount[]; mends: Mend[]; unborn: string[] };

type Protection = { mounts: Mount[]; release: () => void };

/** Protects the files that decide about commands, hooks and this program itself, also where they do not exist yet. */
export class Protector {
  readonly #roots: readonly string[];
  readonly #state: string;
  readonly #nested: NestedStates;
  readonly #folder: string;
  readonly #placeholders: Placeholders;
  readonly #id: string;
  /** Folders of a person's own configuration, as far as they are inside the roots. */
  readonly #personal: readonly string[];
  #count = 0;
  /** Where new repositories are created, by root. Shared by commands that run at the same time. */
  readonly #unborn = new Map<string, { folder: string; users: number }>();

  constructor(roots: readonly string[], state: string, id: string, personal: readonly string[] = []) {
    this.#roots = roots;
    this.#personal = personal.filter((folder) => this.#isInside(folder) && !roots.includes(folder));
    this.#state = state;
    this.#nested = new NestedStates(roots);
    this.#folder = path.join(state, "sandbox");
    this.#id = id;
    this.#placeholders = new Placeholders(this.#folder, id);
  }

  /** Protects `more` as well, with the folders above them. */
  protect(more: readonly Mount[] = []): Protection {
    const plan: Plan = { mounts: [], mends: [], unborn: [] };
    const gits = this.#roots.map((root) => path.join(root, GIT_FOLDER));
    const names = this.#roots.flatMap((root) => HELD.map((name) => path.join(root, name)));
    const held = this.#placeholders.hold([...names, ...gits], (soFar) =>
      gits
        .filter((git) => !soFar.includes(git))
        .flatMap(namesInGit)
        .filter((name) => this.#isInside(name)),
    );
    const release = (): void => {
      inSpite([
        ...plan.mends.map((mend) => () => this.#mend(mend)),
        ...plan.unborn.map((root) => () => this.#letGo(root)),
        () => this.#placeholders.release(held),
      ]);
    };
    try {
      for (const root of this.#roots) {
        this.#hideState(path.join(root, STATE_FOLDER), plan);
        for (const name of KEPT) this.#keep(path.join(root, name), plan);
        const git = path.join(root, GIT_FOLDER);
        if (held.includes(git)) this.#awaitGit(root, git, plan);
        else this.#keepGit(git, plan);
      }
      for (const folder of this.#nested.folders) this.#hideState(folder, plan);
      for (const folder of this.#personal) this.#hide(folder, plan);
      plan.mounts.push(...more);
      if (this.#isInside(this.#state)) this.#hideState(this.#state, plan);
    } catch (error) {
      release();
      throw error;
    }
    return { mounts: [...this.#held(plan.mounts), ...plan.mounts], release };
  }

  /** For a command that cannot change the roots: only what it sees has to be decided. */
  view(): Mount[] {
    const hidden = this.#personal
      .flatMap((folder) => realPath(folder) ?? [])
      .filter((real) => kindOf(real) === "folder");
    const gits = this.#roots.flatMap((root) => realPath(path.join(root, ".git")) ?? []);
    const elsewhere = gits.flatMap((git) => commonFolderOf(git) ?? []).filter((common) => !this.#isInside(common));
    const states = [...this.#roots.map((root) => path.join(root, STATE_FOLDER)), ...this.#nested.folders, this.#state]
      .flatMap((folder) => realPath(folder) ?? [])
      .filter((real) => this.#isInside(real) && kindOf(real) === "folder");
    return [...elsewhere.map((common) => readOnly(common)), ...hidden.map(empty), ...states.flatMap(stateMounts)];
  }

  close(): void {
    for (const { folder } of this.#unborn.values()) removeEmpty(folder);
    this.#placeholders.close();
  }

  /** Mounts for the folders above protected paths, which could otherwise be renamed with everything in them. */
  #held(mounts: readonly Mount[]): Mount[] {
    const above = new Set<string>();
    for (const mount of mounts)
      for (let folder = path.dirname(mount.path); this.#isInside(folder); folder = path.dirname(folder))
        above.add(folder);
    for (const folder of this.#roots) above.delete(folder);
    const holds = (mount: Mount): boolean => mount.kind === "hidden" || isFixed(mount);
    const isFree = (folder: string): boolean => !mounts.some((mount) => holds(mount) && isWithin(folder, mount.path));
    return [...above].filter(isFree).map((folder) => writable(folder));
  }

  #isInside(file: string): boolean {
    return isWithinAny(file, this.#roots);
  }

  #keep(file: string, plan: Plan): void {
    const kind = kindOf(file);
    if (kind === "link") this.#keepLink(file, plan, (target) => this.#keep(target, plan));
    else if (kind !== undefined) plan.mounts.push(readOnly(file));
  }

  /** Commands must not see the records, the outputs of other sessions, or staged files. */
  #hideState(folder: string, plan: Plan): void {
    const kind = kindOf(folder);
    if (kind === "folder") plan.mounts.push(...stateMounts(folder));
    else if (kind === "link") this.#keepLink(folder, plan, (target) => this.#hideState(target, plan));
    else if (kind !== undefined) plan.mounts.push(readOnly(folder));
  }

  /** Creates the folder if it is missing, because only an existing one can be hidden. */
  #hide(folder: string, plan: Plan): void {
    if (kindOf(folder) === "link") {
      this.#keepLink(folder, plan, (target) => this.#hide(target, plan));
      return;
    }
    if (!canMakeFolder(folder)) return;
    plan.mounts.push(empty(folder));
  }

  /** A link cannot be a mount point: its target is protected, even if missing, and a replaced link is restored. */
  #keepLink(file: string, { mends }: Plan, keepTarget: (target: string) => void): void {
    const link = fs.readlinkSync(file);
    const target = path.resolve(path.dirname(file), link);
    const isKnown = mends.some((mend) => mend.path === file);
    if (!isKnown) mends.push({ path: file, link });
    if (isKnown || !this.#isInside(realPath(path.dirname(target)) ?? target)) return;
    if (kindOf(target) === undefined) mends.push({ path: target, link: undefined });
    else keepTarget(path.join(realPath(path.dirname(target)) ?? "", path.basename(target)));
  }

  /** A repository that a command creates reaches the host only after it was disarmed. */
  #awaitGit(root: string, git: string, { mounts, unborn }: Plan): void {
    unborn.push(root);
    const source = this.#expect(root);
    mounts.push(writable(git, source));
    if (kindOf(path.join(source, "HEAD")) !== "file") return;
    for (const name of GIT_HELD)
      if (kindOf(path.join(source, name)) !== undefined)
        mounts.push(readOnly(path.join(git, name), path.join(source, name)));
  }

  #keepGit(git: string, plan: Plan): void {
    const kind = kindOf(git);
    if (kind === "link") this.#keepLink(git, plan, (target) => this.#keepGit(target, plan));
    if (kind === "file") {
      plan.mounts.push(readOnly(git));
      const common = commonFolderOf(git);
      if (common && !this.#isInside(common)) plan.mounts.push(readOnly(common));
    }
    for (const folder of gitFolders(git)) if (this.#isInside(folder)) this.#keepRepository(folder, plan);
  }

  #keepRepository(folder: string, plan: Plan): void {
    // a mount of its own, because otherwise the whole folder could be moved aside and replaced
    plan.mounts.push(writable(folder));
    for (const name of GIT_KEPT) this.#keep(path.join(folder, name), plan);
    for (const name of GIT_REMOVED)
      if (kindOf(path.join(folder, name)) === undefined)
        plan.mends.push({ path: path.join(folder, name), link: undefined });
    // git trusts a worktree's record of where it is, and prunes it if its files are out of sight
    for (const worktree of worktreesOf(folder))
      if (!this.#isInside(placeOf(worktree))) plan.mounts.push(readOnly(worktree));
  }

  /** Undoes a replacement by the command: moves it aside, so that nothing is lost and nothing of it takes effect. */
  #mend({ path: file, link }: Mend): void {
    const kind = kindOf(file);
    if (kind === undefined ? link === undefined : kind === "link" && fs.readlinkSync(file) === link) return;
    const aside = path.join(this.#folder, `set-aside-${this.#id}-${this.#count++}`);
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (kind !== undefined) move(file, aside);
    if (link !== undefined) fs.symlinkSync(link, file);
  }

  #expect(root: string): string {
    const known = this.#unborn.get(root);
    if (known && (known.users > 0 || isEmptyFolder(known.folder))) {
      known.users++;
      return known.folder;
    }
    const folder = path.join(this.#folder, `${this.#id}-git-${this.#count++}`);
    fs.mkdirSync(folder, { recursive: true });
    this.#unborn.set(root, { folder, users: 1 });
    return folder;
  }

  #letGo(root: string): void {
    const unborn = this.#unborn.get(root);
    if (!unborn || --unborn.users > 0) return;
    const { folder } = unborn;
    // kept for the next command
    if (isEmptyFolder(folder)) return;
    this.#unborn.delete(root);
    if (kindOf(path.join(folder, "HEAD")) !== "file") {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    }
    disarm(folder);
    const git = path.join(root, GIT_FOLDER);
    // a repository that a person made meanwhile stays; this one is left in the state folder
    if (this.#placeholders.isOnlyMine(git)) move(folder, git);
  }
}

/** Returns false if we may not create it; then a command may not either. */
function canMakeFolder(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EACCES" || errorCode(error) === "EROFS") return false;
    throw error;
  }
}

const namesInGit = (git: string): string[] =>
  gitFolders(realPath(git) ?? git).flatMap((folder) => GIT_HELD.map((name) => path.join(folder, name)));

function worktreesOf(git: string): string[] {
  const folder = path.join(git, "worktrees");
  if (kindOf(folder) !== "folder") return [];
  const all = fs.readdirSync(folder).map((name) => path.join(folder, name));
  return all.filter((each) => kindOf(each) === "folder");
}

/** Where the files of a linked worktree are. */
function placeOf(worktree: string): string {
  const place = path.dirname(path.resolve(worktree, textOf(path.join(worktree, "gitdir"))));
  return realPath(place) ?? place;
}

/** Runs all of them, even if some throw, then throws the first error. */
function inSpite(acts: readonly (() => void)[]): void {
  const failures = acts.flatMap((act) => {
    try {
      act();
      return [];
    } catch (error) {
      return [error];
    }
  });
  if (failures.length > 0) throw failures[0];
}

function move(from: string, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if (errorCode(error) === "EACCES" && kindOf(from) === "folder") moveForbidden(from, to);
    else if (errorCode(error) !== "EXDEV") throw error;
    else {
      fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
      fs.rmSync(from, { recursive: true, force: true });
    }
  }
}

/** Only someone with write permission can move a folder, and a command can take that permission away. */
function moveForbidden(folder: string, to: string): void {
  fs.chmodSync(folder, 0o700);
  fs.renameSync(folder, to);
}
