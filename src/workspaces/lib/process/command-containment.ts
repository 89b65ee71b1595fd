import path from "node:path";
import type { Access } from "../../../core/contracts/process.ts";
import { isBelow } from "../../../core/words/containment.ts";
import { type Afterwards, type Sandbox, sandboxArguments } from "./bubblewrap.ts";
import { buildMounts } from "./builds.ts";
import { EmptyFile } from "./empty-file.ts";
import { LOADER } from "./environment.ts";
import { coversLocked, emptied, type GuardedFiles, guardMounts } from "./guard-mounts.ts";
import { clearLeftovers } from "./leftovers.ts";
import { inOrder, type Mount, readOnly } from "./mounts.ts";
import { type Narrow, narrowed } from "./narrow.ts";
import { Protector } from "./protector.ts";
import { sceneHere, socketMasks } from "./scene.ts";
import { namesBelowTmp, type SessionSpace } from "./session-space.ts";

/** `left` names files that appear empty to the command. */
export type Contained = {
  file: string;
  args: string[];
  env: Record<string, string>;
  release: () => void;
  left?: readonly string[];
};
type Settings = {
  network: boolean;
  maxMemory?: number | undefined;
  personal?: readonly string[];
  shown?: readonly string[];
  guarded?: GuardedFiles;
};
type Inner = {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  access?: Access;
  afterwards?: Afterwards;
  /** The paths that it may write, if not all of the roots. */
  narrow?: Narrow | undefined;
  /** Globs of real paths that other agents have locked. */
  locked?: readonly string[] | undefined;
  /** Globs of files that it must not read. */
  hidden?: readonly string[] | undefined;
  /** What it shares with the other commands of its session. */
  space?: SessionSpace | undefined;
};

const shownFrom = (file: string, roots: readonly string[]): string => {
  const root = roots.find((each) => isBelow(file, each));
  return root === undefined ? file : file.slice(root.length + (root.endsWith("/") ? 0 : 1));
};

const NOTHING_GUARDED: GuardedFiles = { hidden: [], fixed: [], outside: [] };

/** The folder for temporary files of commands that see their session's /tmp read-only. */
export const SCRATCH = "/var/tmp";

/** Builds the sandbox of a command: what it sees, what it may write, and what stays unchanged. */
export class Containment {
  readonly #roots: readonly string[];
  readonly #settings: Settings;
  readonly #protector: Protector;
  readonly #empty = new EmptyFile();
  #scene: Mount[] | undefined;
  #fixedScene: Mount[] | undefined;

  constructor(roots: readonly string[], state: string, settings: Settings, id: string) {
    this.#roots = roots;
    this.#settings = settings;
    this.#protector = new Protector(roots, state, id, settings.personal);
    clearLeftovers(path.join(state, "sandbox"), id, roots);
  }

  contain(
    { program, isolation, filter }: Extract<Sandbox, { program: string }>,
    { argv, env, cwd, access = "read-write", afterwards = "nothing", narrow, locked, hidden, space }: Inner,
  ): Contained {
    const isOpen = access === "read-write";
    const hasNetwork = isOpen && !narrow;
    const left = hidden === undefined ? [] : emptied(this.#roots, hidden, () => this.#empty.path);
    const { shown, release } = isOpen
      ? this.#open(narrow, locked)
      : this.#fixed(access === "build" ? cwd : undefined, locked, left);
    const shared = space?.shareTmp(shown, !isOpen);
    const entry = shared && space?.entry(hasNetwork);
    // loader variables are set inside the sandbox only: bubblewrap itself must not obey them
    const outer: Record<string, string> = {};
    const inner: string[] = [];
    for (const [name, value] of Object.entries(env))
      if (LOADER.test(name)) inner.push("--setenv", name, value);
      else outer[name] = value;
    const args = sandboxArguments(isolation, {
      ...this.#settings,
      filter,
      afterwards,
      network: entry?.network || (this.#settings.network && hasNetwork),
      mounts: inOrder([...(shared ?? shown), ...socketMasks(shown, this.#roots)]),
      cwd,
      set: inner,
      argv,
    });
    const told = left.length > 0 ? { left: left.map(({ path }) => shownFrom(path, this.#roots)) } : {};
    if (!entry) return { file: program, args, env: outer, release, ...told };
    return { file: entry.file, args: [...entry.args, program, ...args], env: outer, release, ...told };
  }

  #sceneWith(network: boolean, fixed = false): Mount[] {
    const { shown = [] } = this.#settings;
    return [...sceneHere(this.#roots, network, fixed), ...shown.map((folder) => readOnly(folder))];
  }

  /** The names in /tmp at which something of the host is visible. */
  namesInTmp(): string[] {
    this.#scene ??= this.#sceneWith(this.#settings.network);
    return namesBelowTmp(this.#scene);
  }

  /** Whether commands have an empty folder of their own besides /tmp. */
  hasScratch(): boolean {
    this.#fixedScene ??= this.#sceneWith(false, true);
    // a root at that place is no folder of their own
    return this.#fixedScene.some(({ path, kind }) => path === SCRATCH && kind === "hidden");
  }

  #open(narrow: Narrow | undefined, locked: readonly string[] | undefined): { shown: Mount[]; release: () => void } {
    this.#scene ??= this.#sceneWith(this.#settings.network);
    const { mounts, release } = this.#protector.protect(this.#guarded(locked));
    if (narrow) {
      this.#fixedScene ??= this.#sceneWith(false, true);
      return { shown: narrowed(this.#fixedScene, mounts, narrow), release };
    }
    return { shown: [...this.#scene, ...mounts], release };
  }

  /** The roots are read-only except for build folders, so no placeholders have to be made or removed. */
  #fixed(
    building: string | undefined,
    locked: readonly string[] | undefined,
    left: readonly Mount[],
  ): { shown: Mount[]; release: () => void } {
    this.#fixedScene ??= this.#sceneWith(false, true);
    const builds = building === undefined ? [] : buildMounts(building, this.#roots);
    return {
      shown: [...this.#fixedScene, ...this.#protector.view(), ...builds, ...left, ...this.#guarded(locked)],
      release: () => {},
    };
  }

  /** Computed for each command, because files come and go. */
  #guarded(locked: readonly string[] = []): Mount[] {
    const { guarded = NOTHING_GUARDED } = this.#settings;
    const fixed = locked.length > 0 ? [...guarded.fixed, coversLocked(locked)] : guarded.fixed;
    return guardMounts(this.#roots, { ...guarded, fixed });
  }

  close(): void {
    this.#protector.close();
    this.#empty.close();
  }
}
