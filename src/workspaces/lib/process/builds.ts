import fs from "node:fs";
import path from "node:path";
import { isWithin } from "../../../core/words/containment.ts";
import { kindOf, type Mount, writable } from "./mounts.ts";

/** Where a check of the compiler leaves what it made, beside the file that describes the project. */
const BUILDS = [{ manifest: "Cargo.toml", folder: "target", file: "Cargo.lock" }] as const;

/** The build folders of the projects that a folder belongs to, inside its root; made if missing, as the build would. */
export function buildMounts(cwd: string, roots: readonly string[]): Mount[] {
  const mounts: Mount[] = [];
  const root = roots.find((each) => isWithin(cwd, each));
  if (root === undefined) return mounts;
  for (let at = cwd; isWithin(at, root); at = path.dirname(at)) {
    for (const { manifest, folder, file } of BUILDS) {
      if (kindOf(path.join(at, manifest)) !== "file") continue;
      const build = path.join(at, folder);
      if (kindOf(build) === undefined) fs.mkdirSync(build);
      // a link may lead anywhere: what is behind it stays as it is
      if (kindOf(build) === "folder") mounts.push(writable(build));
      if (kindOf(path.join(at, file)) === "file") mounts.push(writable(path.join(at, file)));
    }
    if (at === root) break;
  }
  return mounts;
}
