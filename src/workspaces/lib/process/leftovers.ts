import fs from "node:fs";
import { isWithinAny } from "../../../core/words/containment.ts";
import { Leases } from "./leases.ts";
import { isEmptyFolder, removeEmpty } from "./remove.ts";

/**
 * Removes the empty folders that a killed process left where a protected name was missing. Its leases name them. Keeps
 * folders that another process holds, that a sandbox has mounted, or that are no longer empty.
 */
export function clearLeftovers(folder: string, id: string, roots: readonly string[]): void {
  if (!hasLeases(folder)) return;
  const leases = new Leases(folder, `${id}-opening`);
  try {
    if (leases.others().dead.length === 0) return;
    leases.alone(() => {
      const { living, dead } = leases.others();
      const mounted = mountsOfAll();
      for (const { paths, forget } of dead) {
        const ours = paths.filter((each) => isEmptyFolder(each));
        const isFree = (each: string) =>
          isWithinAny(each, roots) && !living.includes(each) && !mounted.some((text) => text.includes(asMounted(each)));
        if (!ours.every(isFree)) continue;
        for (const each of ours) removeEmpty(each);
        forget();
      }
    });
  } catch {
    // the next command tries again, and reports what is wrong
  } finally {
    leases.close();
  }
}

function hasLeases(folder: string): boolean {
  try {
    return fs.readdirSync(folder).some((name) => name.endsWith(".lease"));
  } catch {
    return false;
  }
}

/** A path as mountinfo writes it: blanks and backslashes as octal escapes. */
const asMounted = (file: string): string =>
  ` ${file.replace(/[\s\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`)} `;

/** The mounts of every process that we may inspect. A sandbox may outlive a killed host for a moment. */
function mountsOfAll(): string[] {
  const own = read("/proc/self/mountinfo");
  const all = new Set<string>();
  for (const name of list("/proc")) {
    const text = /^\d+$/.test(name) ? read(`/proc/${name}/mountinfo`) : "";
    if (text !== "" && text !== own) all.add(text);
  }
  return [...all];
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
