import { hash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import type { Clock } from "../core/contracts/clock.ts";
import type { Bytes } from "../core/contracts/workspace.ts";
import type { Finding } from "../core/words/finding.ts";
import { ticks } from "./lib/ticks.ts";

export { newID } from "./lib/ids.ts";

/** The system clock. */
export const machineClock: Clock = {
  now: () => Date.now(),
  ticks,
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export const sha256 = (bytes: Bytes): string => hash("sha256", bytes, "hex");

export const equalBytes = (a: Bytes | null, b: Bytes | null): boolean =>
  a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0);

/** How certain it is that the opened file is the one that was judged. */
export const confinementFinding = (): Finding =>
  existsSync("/proc/self/fd")
    ? { what: "paths", state: "holds", says: "confined to the workspace, checked again on the open file itself" }
    : {
        what: "paths",
        state: "partly",
        says: "confined to the workspace; without /proc/self/fd a last-moment swap could go unnoticed",
      };

/** What `~` stands for. */
export const home = homedir();

/** The folder for temporary files, by name and by real path. Never `/`, which would mean the whole machine. */
export function tempFolders(): string[] {
  const folder = tmpdir();
  try {
    return [...new Set([folder, realpathSync(folder)])].filter((each) => each !== "/");
  } catch {
    return [folder];
  }
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A random number from 0 to 1, for pauses. Not for anything that must not be guessed. */
export const chance = (): number => Math.random();
