import fs from "node:fs";
import path from "node:path";
import { disarm } from "./born-git.ts";
import { Placeholders } from "./leases.ts";
import { contains, kindOf, type Mount, readOnly, realPath, writable } from "./mounts.ts";

const NAMES = [".toolgate", "toolgate.yaml", ".mcp.json"];
const ALSO = ["toolgate.yml"];
const GIT_KEPT = ["hooks", "config"];
/** Read-only where they exist; a placeholder would make git fail, so those that appear are taken away afterwards. */
const GIT_WATCHED = ["commondir", "config.worktree"];

/** A name that a mount cannot hold: what it must be when the command ended, a link or nothing. */
type Mend = { path: string; link: string | undefined };

export type Protection = { mounts: Mount[]; release: () => void };

/** Keeps what decides over commands, hooks and this program itself out of the reach of a command, also where it is missing. */
export class Protector {
  readonly #roots: readonly string[];
  readonly #state: string;
  readonly #folder: string;
  readonly #placeholders: Placeholders;
  readonly #id: string;
  #count = 0;
  /** Repositories that are being made, by root: shared by the commands that run at the same time. */
  readonly #unborn = new Map<string, { folder: string; users: number }>();

  constructor(roots: readonly string[], state: string, id: string) {
    this.#roots = roots;
    this.#state = state;
    this.#folder = path.join(state, "sandbox");
    this.#id = id;
    this.#placeholders = new Placeholders(this.#folder, id);
  }

  protect(): Protection {
    const mounts: Mount[] = [];
    const held: string[] = [];
    const mends: Mend[] = [];
    const unborn: string[] = [];
    const release = (): void => {
      try {
        for (const mend of mends) this.#mend(mend);
        for (const root of unborn) this.#letGo(root);
      } finally {
        this.#placeholders.release(held);
      }
    };
    const keep = (file: string): void => {
      if (this.#placeholders.hold(file)) held.push(file);
      if (kindOf(file) === "link") this.#keepLink(file, mounts, mends);
      else mounts.push(readOnly(file));
    };
    try {
      for (const root of this.#roots) {
        for (const name of NAMES) keep(path.join(root, name));
        for (const name of ALSO) if (kindOf(path.join(root, name)) !== undefined) keep(path.join(root, name));
        this.#git(root, { mounts, held, mends, unborn, keep });
      }
      if (this.#roots.some((root) => contains(root, this.#state))) mounts.push(readOnly(this.#state));
    } catch (error) {
      release();
      throw error;
    }
    return { mounts, release };
  }

  #git(
    root: string,
    plan: { mounts: Mount[]; held: string[]; mends: Mend[]; unborn: string[]; keep: (file: string) => void },
  ): void {
    const git = path.join(root, ".git");
    if (this.#placeholders.hold(git)) {
      plan.held.push(git);
      plan.unborn.push(root);
      const source = this.#expect(root);
      plan.mounts.push(writable(git, source));
      // nothing of it reaches the host before it was disarmed, so only a repository that exists is kept as it is
      if (kindOf(path.join(source, "HEAD")) === "file")
        for (const name of GIT_KEPT)
          if (kindOf(path.join(source, name)) !== undefined)
            plan.mounts.push(readOnly(path.join(git, name), path.join(source, name)));
      return;
    }
    let folder = git;
    if (kindOf(git) === "link") {
      plan.mends.push({ path: git, link: fs.readlinkSync(git) });
      folder = realPath(git) ?? git;
      if (!this.#roots.some((each) => contains(each, folder))) return;
    }
    if (kindOf(folder) !== "folder") {
      if (kindOf(folder) === "file") plan.mounts.push(readOnly(folder));
      return;
    }
    // a mount of its own, or the whole folder could be moved aside and another one be put there
    plan.mounts.push(writable(folder));
    for (const name of GIT_KEPT) plan.keep(path.join(folder, name));
    if (kindOf(path.join(folder, "modules")) === "folder") plan.mounts.push(readOnly(path.join(folder, "modules")));
    for (const name of GIT_WATCHED) {
      const file = path.join(folder, name);
      if (kindOf(file) === "file") plan.mounts.push(readOnly(file));
      else plan.mends.push({ path: file, link: undefined });
    }
  }

  #keepLink(file: string, mounts: Mount[], mends: Mend[]): void {
    mends.push({ path: file, link: fs.readlinkSync(file) });
    const target = realPath(file);
    if (target && this.#roots.some((root) => contains(root, target))) mounts.push(readOnly(target));
  }

  /** A command replaced it: what it put there is set aside, so that nothing is lost and nothing of it takes effect. */
  #mend({ path: file, link }: Mend): void {
    const kind = kindOf(file);
    if (kind === undefined ? link === undefined : kind === "link" && fs.readlinkSync(file) === link) return;
    const aside = path.join(this.#folder, `set-aside-${this.#id}-${this.#count++}`);
    if (kind !== undefined) move(file, aside);
    if (link !== undefined) fs.symlinkSync(link, file);
  }

  #expect(root: string): string {
    const known = this.#unborn.get(root);
    if (known) {
      known.users++;
      return known.folder;
    }
    const folder = path.join(this.#folder, `git-${this.#id}-${this.#count++}`);
    fs.mkdirSync(folder, { recursive: true });
    this.#unborn.set(root, { folder, users: 1 });
    return folder;
  }

  #letGo(root: string): void {
    const unborn = this.#unborn.get(root);
    if (!unborn || --unborn.users > 0) return;
    this.#unborn.delete(root);
    const { folder } = unborn;
    if (kindOf(path.join(folder, "HEAD")) !== "file") {
      fs.rmSync(folder, { recursive: true, force: true });
      return;
    }
    disarm(folder);
    const git = path.join(root, ".git");
    // a repository that a person made meanwhile stays, and this one beside it in the state folder
    if (this.#placeholders.isOnlyMine(git)) move(folder, git);
  }
}

function move(from: string, to: string): void {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    fs.rmSync(from, { recursive: true, force: true });
  }
}
