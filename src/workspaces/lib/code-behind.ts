import fs from "node:fs";
import path from "node:path";
import type { Workspace } from "../../core/contracts/workspace.ts";
import { type Code, type CodeFile, OBEYED } from "../../core/words/code.ts";
import { obeyedByGit } from "./obeyed-by-git.ts";

const NOTHING: Code = { files: [] };
const PACKAGE = "package.json";
const MOST_BYTES = 1 << 20;

/** What node appends to a name that is not a file. */
const ENDINGS = ["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"];

/** The files that a code file leads to; relative paths are resolved against `root`. */
export const behindFrom =
  (root: string): NonNullable<Workspace["behind"]> =>
  ({ target, part }) => {
    const file = path.resolve(root, target);
    if (part === OBEYED) return obeyedByGit(file);
    return part === undefined && path.basename(file) === PACKAGE ? startedBy(file) : NOTHING;
  };

/** What node runs if it is given the folder of a package. */
function startedBy(file: string): Code {
  if (fs.statSync(file).size > MOST_BYTES) return { files: [], open: true };
  const main = mainIn(fs.readFileSync(file, "utf8"));
  if (main === undefined) return NOTHING;
  const target = path.resolve(path.dirname(file), main);
  return { files: ENDINGS.map((ending): CodeFile => ({ target: target + ending })) };
}

function mainIn(text: string): string | undefined {
  try {
    const { main } = JSON.parse(text) as { main?: unknown };
    return typeof main === "string" && main !== "" ? main : undefined;
  } catch {
    // node fails on it, too
    return undefined;
  }
}
