import * as z from "zod";
import type { FileView } from "../../core/contracts/workspace.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { Claim } from "../../core/words/touch.ts";
import { missingFile } from "./missing.ts";

/** One glob or several; the schema mentions only one, which is what models mostly want. */
export const globs = () =>
  z
    .custom<string | string[]>(
      (value) => typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string")),
      "must be a glob or a list of globs",
    )
    .meta({ type: "string" });

export const globList = (given: string | string[] | undefined): string[] =>
  (typeof given === "string" ? [given] : (given ?? [])).flatMap(partsOf).filter((glob) => glob !== "");

/** Some models write several globs as one text, `*.ts, *.js`. Split only if each part is a pattern. */
function partsOf(glob: string): string[] {
  if (!glob.includes(",") || /[[\]{}\\]/.test(glob)) return [glob];
  const parts = glob.split(",").map((part) => part.trim());
  return parts.every((part) => part.includes("*")) ? parts : [glob];
}

const MOST_RESULTS = 10_000;

export const limitOf = (asked: number | undefined, otherwise: number): number =>
  Math.max(1, Math.min(asked ?? otherwise, MOST_RESULTS));

export const below = (path = "."): Claim[] => [{ action: "list", target: path, scope: "**" }];

/** Names that models use for the folder to search. */
export const FOLDER_NAMES = [
  ...["dir", "directory", "folder", "dir_path", "target_directory", "directory_path"],
  ...["relative_workspace_path", "search_path", "search_directory"],
] as const;

/** A search in a missing place suggests what may have been meant. */
export async function refuseMissing(path: string, files: FileView): Promise<void> {
  if (!(await files.stat(path))) throw await missingFile(path, files);
}

export async function refuseFile(path: string, files: FileView): Promise<void> {
  const info = await files.stat(path);
  if (!info) throw await missingFile(path, files);
  if (info.kind !== "folder")
    throw new ToolFailure("VALIDATION_ERROR", `${path} is a file.`, "Name its folder, or read it with read_file.");
}
