import fs from "node:fs";
import path from "node:path";
import { isWithin } from "../../../core/words/containment.ts";
import { kindOf, type Mount, writable } from "./mounts.ts";

/** Where the compiler's checks write their output, relative to the project's manifest. */
const BUILDS = [{ manifest: "Cargo.toml", folder: "target", file: "Cargo.lock" }] as const;

/** Writable mounts for the build folders of the projects around `cwd`. Missing ones are created, as a build would. */
export function buildMounts(cwd: string, roots: readonly string[]): Mount[] {
  const mounts: Mount[] = [];
  const root = roots.find((each) => isWithin(cwd, each));
  if (root === undefined) return mounts;
  for (let at = cwd; isWithin(at, root); at = path.dirname(at)) {
    for (const { manifest, folder, file } of BUILDS) {
      if (kindOf(path.join(at, manifest)) !== "file") continue;
      const build = path.join(at, folder);
      if (kindOf(build) === undefined) fs.mkdirSync(build);
      // a link may lead anywhere, so it is not made writable
      if (kindOf(build) === "folder") mounts.push(writable(build));
      if (kindOf(path.join(at, file)) === "file") mounts.push(writable(path.join(at, file)));
    }
    if (at === root) break;
  }
  return mounts;
}
