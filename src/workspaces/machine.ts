import { hash } from "node:crypto";
import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import type { Clock } from "../core/contracts/clock.ts";
import type { Bytes } from "../core/contracts/workspace.ts";
import type { Finding } from "../core/words/finding.ts";
import { ticks } from "./lib/ticks.ts";

export { newID } from "./lib/ids.ts";

/** The machine's own time. */
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

/** How sure it is that what is opened is what was judged. */
export const confinementFinding = (): Finding =>
  existsSync("/proc/self/fd")
    ? { what: "paths", state: "holds", says: "confined to the workspace, checked again on the open file itself" }
    : {
        what: "paths",
        state: "partly",
        says: "confined to the workspace; without /proc/self/fd a last-moment swap could go unnoticed",
      };

/** What `~` means here. */
export const home = homedir();

/** Where programs put what they need for a moment, by name and by where it really is; the whole machine is no such place. */
export function tempFolders(): string[] {
  const folder = tmpdir();
  try {
    return [...new Set([folder, realpathSync(folder)])].filter((each) => each !== "/");
  } catch {
    return [folder];
  }
}

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** From 0 to 1, at random: for pauses, and for nothing that must not be guessed. */
export const chance = (): number => Math.random();
