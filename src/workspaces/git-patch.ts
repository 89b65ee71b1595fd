import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Change } from "../core/contracts/workspace.ts";
import { gitDiff } from "../text/git-diff.ts";

/** Changes of files as `git apply` takes them, with objects as git names and packs them. */
export const gitPatch = (changes: readonly Change[]): string =>
  gitDiff(changes, {
    nameOf: (content) => createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex"),
    deflate: (content) => deflateSync(content),
  });
