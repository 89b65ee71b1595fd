import { existsSync, realpathSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { isWithin } from "../../core/words/containment.ts";
import type { Skill } from "../../core/words/skill.ts";
import { regularText } from "../lib/regular-file.ts";
import type { Defect, Mention } from "./skill-file.ts";

/** Where a workspace has its skills. The first with a name wins. */
const FOLDERS = [".toolgate/skills", ".agents/skills", ".claude/skills"];
const FILE = "SKILL.md";
const MOST_BYTES = 500_000;
const MOST_SKILLS = 200;

/** `file` is the path as people see it. */
export type SkillDefect = Defect & { readonly file: string };
export type FoundSkills = { readonly skills: readonly Skill[]; readonly defects: readonly SkillDefect[] };
/** `own` is the person's folder; `more` are folders that their configuration names. */
export type SkillPlaces = { readonly workspace: string; readonly own: string; readonly more?: readonly string[] };
/** For reporting every defect: whether the name of a tool is already taken. */
export type Thorough = { isTaken(name: string): boolean };

/** All skills of a workspace, in a stable order. Reading them starts nothing. */
export async function findSkills(
  { workspace, own, more = [] }: SkillPlaces,
  thorough?: Thorough,
): Promise<FoundSkills> {
  const root = existsSync(workspace) ? realpathSync.native(workspace) : workspace;
  const folders = [
    ...FOLDERS.map((folder) => ({ folder: join(root, folder), from: "workspace" as const })),
    ...[...more, own].map((folder) => ({
      folder,
      from: isWithin(folder, root) ? ("workspace" as const) : ("user" as const),
    })),
  ];
  const skills = new Map<string, Skill>();
  const defects: SkillDefect[] = [];
  const seen = new Set<string>();
  for (const { folder, from } of folders)
    for (const entry of await foldersIn(folder)) {
      const real = await realpath(entry);
      if (seen.has(real)) continue;
      seen.add(real);
      const read = await skillAt(entry, { root, from }, thorough);
      defects.push(...read.defects);
      if (!read.skill) continue;
      const first = skills.get(read.skill.name);
      if (!first) skills.set(read.skill.name, read.skill);
      else
        defects.push(defectOf(`${read.skill.shown}/${FILE}`, `${first.shown} has the same name and is taken instead`));
    }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), defects };
}

async function foldersIn(folder: string): Promise<string[]> {
  // mostly there is none, and a synchronous check is faster than starting a thread
  if (!existsSync(folder)) return [];
  const names = await readdir(folder).catch(() => []);
  const found: string[] = [];
  for (const name of names.sort()) {
    if (found.length === MOST_SKILLS) break;
    const entry = join(folder, name);
    const info = await stat(join(entry, FILE)).catch(() => undefined);
    if (info) found.push(entry);
  }
  return found;
}

const defectOf = (file: string, message: string, grave = true): SkillDefect => ({ file, line: 1, message, grave });

type Around = { root: string; from: Skill["from"] };

/** The skill in one folder. If it cannot be used, there is none, and the defects say why. */
export async function skillAt(
  folder: string,
  { root, from }: Around,
  thorough?: Thorough,
): Promise<{ skill?: Skill; defects: SkillDefect[] }> {
  const shown = from === "workspace" ? relative(root, folder) : folder;
  const file = `${shown}/${FILE}`;
  try {
    const real = await realpath(folder);
    const text = await realpath(join(folder, FILE));
    if (from === "workspace" && !isWithin(real, root))
      return { defects: [defectOf(file, "it leads out of the workspace")] };
    if (!isWithin(text, real)) return { defects: [defectOf(file, "it leads out of its folder")] };
    // the YAML parser is loaded for the first skill
    const { readSkill } = await import("./skill-file.ts");
    const { skill, mentions, defects } = readSkill(await regularText(text, MOST_BYTES), basename(folder));
    const missing = thorough ? await unfulfilled(real, mentions, thorough) : [];
    const all = [...defects, ...missing].sort((a, b) => a.line - b.line).map((each) => ({ ...each, file }));
    return skill ? { skill: { ...skill, folder: real, shown, from }, defects: all } : { defects: all };
  } catch (error) {
    return { defects: [defectOf(file, reasonOf(error))] };
  }
}

async function unfulfilled(folder: string, mentions: readonly Mention[], { isTaken }: Thorough): Promise<Defect[]> {
  const found: Defect[] = [];
  for (const mention of mentions) {
    const { line, grave } = mention;
    if ("tool" in mention) {
      if (isTaken(mention.tool))
        found.push({ line, grave, message: `the name ${mention.tool} is taken by a built-in tool` });
      continue;
    }
    const real = await realpath(join(folder, mention.file)).catch(() => undefined);
    if (real === undefined) found.push({ line, grave, message: `there is no ${mention.file} in its folder` });
    else if (!isWithin(real, folder)) found.push({ line, grave, message: `${mention.file} leads out of its folder` });
  }
  return found;
}

const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  return code === "ENOENT"
    ? "there is no such file"
    : code
      ? `it cannot be read (${code})`
      : (message ?? String(error));
};
