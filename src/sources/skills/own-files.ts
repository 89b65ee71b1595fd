import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isWithin } from "../../core/words/containment.ts";
import { ToolFailure } from "../../core/words/result.ts";
import type { SkillFiles } from "../../core/words/skill.ts";
import { regularText } from "../lib/regular-file.ts";

const MOST_BYTES = 500_000;
const MOST_FILES = 60;
const DEEPEST = 3;

/** The files of skills on this machine. Each must be inside the folder of its skill, after resolving links. */
export const ownSkillFiles: SkillFiles = {
  async text({ folder, name }, file) {
    const path = await realpath(join(folder, file)).catch(() => undefined);
    if (path === undefined)
      throw new ToolFailure("NOT_FOUND", `There is no ${file} in the skill ${name}.`, "See its list of files.");
    if (!isWithin(path, folder))
      throw new ToolFailure(
        "PERMISSION_DENIED",
        `${file} is not in the folder of the skill ${name}.`,
        "Only what belongs to the skill can be read.",
      );
    return regularText(path, MOST_BYTES).catch((error: Error) => {
      throw new ToolFailure("VALIDATION_ERROR", `${file} cannot be read: ${error.message}.`, "Try another file.");
    });
  },
  list: ({ folder }) => filesBelow(folder),
};

async function filesBelow(folder: string, below = "", depth = 1): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(folder, below), { withFileTypes: true }).catch(() => [])) {
    const path = join(below, entry.name);
    if (entry.isFile() && path !== "SKILL.md") found.push(path);
    if (entry.isDirectory() && depth < DEEPEST) found.push(...(await filesBelow(folder, path, depth + 1)));
    if (found.length > MOST_FILES) break;
  }
  return found.sort().slice(0, MOST_FILES);
}
