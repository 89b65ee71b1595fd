import fs from "node:fs";
import path from "node:path";
import { errorCode } from "../failures.ts";
import { type Dead, Leases } from "./leases.ts";
import { kindOf } from "./mounts.ts";
import { isEmptyFolder } from "./remove.ts";
import { SpareFolders } from "./spare-folders.ts";

/**
 * Empty folders in place of missing protected names, so that a sandbox can mount them read-only. Removing one on the
 * host also removes the protection in every sandbox that has it mounted. So they are counted, here and by a lease for
 * other processes, and the last user removes them.
 */
export class Placeholders {
  readonly #leases: Leases;
  readonly #spares: SpareFolders;
  readonly #held = new Map<string, number>();

  constructor(folder: string, id: string) {
    this.#leases = new Leases(folder, id);
    this.#spares = new SpareFolders(folder, id);
  }

  /**
   * Makes placeholders for the names that are missing, until `release`. Names that cannot be created need none.
   * `further` adds names once it is known which of the first are held.
   */
  hold(names: readonly string[], further: (held: readonly string[]) => readonly string[]): string[] {
    const all = [...names, ...further([])];
    if (!all.some(mayNeedOne)) return [];
    return this.#leases.alone(() => {
      const { living, dead } = this.#leases.others();
      const standing = new Set([...this.#held.keys(), ...living, ...dead.flatMap(({ paths }) => paths)]);
      const held: string[] = [];
      try {
        this.#take(names, standing, held);
        this.#take(further(held), standing, held);
      } catch (error) {
        this.#release(held);
        throw error;
      }
      this.#bury(dead, all);
      return held;
    });
  }

  /** Notes the names before it creates them: a process that is killed in between leaves no unknown folder. */
  #take(names: readonly string[], standing: ReadonlySet<string>, held: string[]): void {
    const stands = (name: string): boolean => standing.has(name) && isEmptyFolder(name);
    const wanted = names.filter((name) => stands(name) || (kindOf(name) === undefined && canMake(name)));
    if (wanted.length > 0) this.#leases.note([...this.#held.keys(), ...wanted]);
    for (const name of wanted) {
      if (!stands(name) && !this.#spares.place(name)) continue;
      this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
      held.push(name);
    }
  }

  /**
   * Placeholders of killed processes are ours now and go when we release them, because their sandboxes may take a
   * moment to end. Those in folders outside our roots are left to a process that has those roots.
   */
  #bury(dead: readonly Dead[], names: readonly string[]): void {
    for (const { paths, forget } of dead)
      if (paths.every((each) => names.includes(each) || kindOf(each) !== "folder")) forget();
  }

  /** Whether it can be replaced without a sandbox of another process losing its protection. */
  isOnlyMine(file: string): boolean {
    return isEmptyFolder(file) && !this.#leases.others().living.includes(file);
  }

  release(paths: readonly string[]): void {
    if (paths.length > 0) this.#leases.alone(() => this.#release(paths));
  }

  #release(paths: readonly string[]): void {
    const free = paths.filter((each) => {
      const count = (this.#held.get(each) ?? 1) - 1;
      if (count > 0) this.#held.set(each, count);
      else this.#held.delete(each);
      return count === 0;
    });
    if (free.length === 0) return;
    const { living } = this.#leases.others();
    for (const each of free) if (!living.includes(each)) this.#spares.takeAway(each);
    this.#leases.note([...this.#held.keys()]);
  }

  close(): void {
    this.#spares.close();
    this.#leases.close();
  }
}

const mayNeedOne = (name: string): boolean => {
  const kind = kindOf(name);
  return kind === undefined ? canMake(name) : kind === "folder" && isEmptyFolder(name);
};

/** Where we cannot create anything, a command cannot either. */
function canMake(name: string): boolean {
  try {
    fs.accessSync(path.dirname(name), fs.constants.W_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === "EACCES" || errorCode(error) === "EROFS") return false;
    throw error;
  }
}
