import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { GitObjects } from "../text/git-diff.ts";

/** How git names a content, and packs it. */
export const gitObjects: GitObjects = {
  nameOf: (content) => createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex"),
  deflate: (content) => deflateSync(content),
};
