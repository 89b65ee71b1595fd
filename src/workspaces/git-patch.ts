import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Change } from "../core/contracts/workspace.ts";
import { gitDiff } from "../text/git-diff.ts";

/** Formats file changes as a patch for `git apply`, with blob hashes and packed objects as git makes them. */
export const gitPatch = (changes: readonly Change[]): string =>
  gitDiff(changes, {
    nameOf: (content) => createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex"),
    deflate: (content) => deflateSync(content),
  });
