import { userConfigFolder } from "./config/files.ts";
import { type LoadOptions, loadConfig } from "./config/load.ts";
import type { Settings } from "./config/settings.ts";
import type { Registry } from "./core/registry.ts";
import { SKILLS_OF_STATE, STATE_FOLDER } from "./core/words/governing.ts";
import type { Skill } from "./core/words/skill.ts";
import type { Tool } from "./core/words/tool.ts";
import { isTaken, namesOf, toolsets } from "./parts.ts";
import { type Copied, copySkill } from "./sources/skills/add-skill.ts";
import { type FoundSkills, findSkills, skillAt } from "./sources/skills/find-skills.ts";
import { skillCommands } from "./tools/lib/skill-commands.ts";
import { runCommand } from "./tools/run-command.ts";
import { home } from "./workspaces/machine.ts";

/** Limited, because every request pays for each of them. */
const MOST_TOOLS = 100;
const NONE: FoundSkills = { skills: [], defects: [] };

/** Where a person keeps skills for all of their workspaces. */
const ownSkills = (): string => `${userConfigFolder()}/skills`;

/** The skills of a workspace, without those that its configuration disables. */
export async function skillsIn(
  workspace: string,
  { enabled, folders, disabled }: Settings["skills"],
): Promise<FoundSkills> {
  if (!enabled) return NONE;
  const found = await findSkills({ workspace, own: ownSkills(), more: folders });
  return { ...found, skills: found.skills.filter(({ name }) => !disabled.includes(name)) };
}

/** Notes for people about skills that were left out. */
export const skillNotes = ({ defects }: FoundSkills): string[] =>
  defects.filter(({ grave }) => grave).map(({ file, line, message }) => `${file}:${line}: ${message}.`);

/** Folders outside the workspace that the commands of skills may need. */
export const foldersOf = ({ skills }: FoundSkills): string[] =>
  skills.filter(({ from, tools }) => from === "user" && tools.length > 0).map(({ folder }) => folder);

type Where = LoadOptions & { readonly folders?: readonly string[] };

/** Every defect of the skills of a workspace, or of those in `folders`. */
export async function checkSkills({ folders = [], ...where }: Where): Promise<FoundSkills> {
  const { settings } = await loadConfig(where);
  const sets = toolsets(settings, undefined);
  const thorough = { isTaken: (name: string) => isTaken(name, sets) };
  if (folders.length === 0)
    return findSkills({ workspace: where.workspace, own: ownSkills(), more: settings.skills.folders }, thorough);
  const read = await Promise.all(folders.map((folder) => skillAt(folder, { root: folder, from: "user" }, thorough)));
  return { skills: read.flatMap(({ skill }) => skill ?? []), defects: read.flatMap(({ defects }) => defects) };
}

/** Copies a skill into the workspace, or into the person's own folder. */
export const addSkill = (
  { folder, name }: Pick<Skill, "folder" | "name">,
  workspace: string,
  isOwn: boolean,
): Promise<Copied> =>
  isOwn
    ? copySkill(folder, name, ownSkills())
    : copySkill(folder, name, `${workspace}/${STATE_FOLDER}/${SKILLS_OF_STATE}`, workspace);

export { filesOfSkill } from "./sources/skills/add-skill.ts";

/** The tools that skills bring along, if commands are enabled. */
function skillTools({ commands }: Settings, skills: readonly Skill[]): Brought[] {
  if (!commands.enabled) return [];
  const settings = { ...commands, home };
  const names = namesOf(runCommand(settings));
  return skills.flatMap((skill) =>
    skillCommands(skill, { ...settings, names }).map((tool) => ({ skill: skill.name, tool })),
  );
}

type Brought = { readonly skill: string; readonly tool: Tool };

/** Registers the tools of skills. Names that are registered or built in stay taken, in every spelling. */
export async function registerSkills(
  registry: Registry,
  settings: Settings,
  { skills }: FoundSkills,
  sets: Parameters<typeof isTaken>[1],
): Promise<string[]> {
  const all = skillTools(settings, skills);
  const notes = all.length > MOST_TOOLS ? [`Skills bring ${all.length} tools; the first ${MOST_TOOLS} are taken.`] : [];
  for (const { skill, tool } of all.slice(0, MOST_TOOLS)) {
    const other = registry.get(tool.name)?.name;
    if (other === undefined && !isTaken(tool.name, sets)) await registry.register(tool);
    else
      notes.push(
        `The tool ${tool.name} of the skill ${skill} was left out: the name ${other === tool.name || !other ? "is taken" : `means ${other}`}.`,
      );
  }
  return notes;
}
