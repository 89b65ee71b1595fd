import * as z from "zod";
import type { FileView } from "../core/contracts/workspace.ts";
import { isWithin } from "../core/words/containment.ts";
import { ToolFailure } from "../core/words/result.ts";
import type { Skill, SkillFiles } from "../core/words/skill.ts";
import { type Look, Tool } from "../core/words/tool.ts";
import { type Claim, read } from "../core/words/touch.ts";
import { nearest } from "../text/nearest.ts";
import { belongings, briefingOf, instructionsIn, listOfSkills } from "./lib/skill-texts.ts";

const FILE = "SKILL.md";
const LIST_TOKENS = 8_000;
const MOST_FILES = 60;
const DEEPEST = 3;

export type SkillSettings = { skills: readonly Skill[]; files: SkillFiles };

/** Skills of the workspace are read like any of its files, the user's own through `files`. */
export const readSkill = ({ skills, files: own }: SkillSettings): Tool => {
  const listed = skills.filter(({ unlisted }) => !unlisted);
  const known = (name: string): Skill | undefined => skills.find((each) => each.name === plain(name));
  const find = (name: string): Skill => {
    const found = known(name);
    if (found) return found;
    const near = nearest(
      plain(name),
      listed.map((each) => each.name),
    );
    const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "Call skill without a name to see them all.";
    throw new ToolFailure("NOT_FOUND", `There is no skill named ${name.slice(0, 80)}.`, hint);
  };

  return Tool.define("skill", {
    description: "Read a skill: instructions for one kind of task, or a file of it. Without a name, list the skills.",
    permissions: { required: ["read"] },
    aliases: {
      names: ["Skill", "activate_skill", "load_skill", "use_skill", "read_skill"],
      args: {
        name: ["skill", "skill_name", "command"],
        file: ["path", "file_path", "resource"],
        args: ["arguments", "input"],
      },
    },
    rare: ["args"],
    get input() {
      return z.object({
        name: z.string().optional(),
        file: z.string().optional(),
        args: z.string().optional(),
      });
    },
    ...(listed.length > 0 && { briefing: briefingOf(listed) }),
    countsAs: { skill: ({ name }) => name && known(name)?.name },
    touches: ({ name, file }, look) => (name === undefined ? [] : claims(find(name), file, look)),
    async execute({ name, file, args }, { files }) {
      if (name === undefined)
        return {
          title: "Listed the skills",
          output: listed.length > 0 ? listOfSkills(listed, LIST_TOKENS) : "There are no skills here.",
          metadata: { skills: listed.map((each) => each.name) },
        };
      const found = find(name);
      const text = await textOf(found, file, files, own);
      if (file !== undefined)
        return { title: `Read ${file} of ${found.name}`, output: text, metadata: { skill: found.name, file } };
      const others = found.from === "user" ? await own.list(found) : await filesBelow(found, files);
      return {
        title: `Read the skill ${found.name}`,
        output: [instructionsIn(text, found, args), ...belongings(found, others)].join("\n\n"),
        metadata: { skill: found.name, files: others },
      };
    },
  });
};

/** A model may write /NAME, as people do. */
const plain = (name: string): string => name.trim().replace(/^\//, "").toLowerCase();

const pathOf = ({ shown }: Skill, file: string = FILE): string =>
  `${shown}/${file.startsWith(`${shown}/`) ? file.slice(shown.length + 1) : file}`;

/** Neither a link nor `..` may lead out of the skill's own folder. */
async function claims(found: Skill, file: string | undefined, look: Look): Promise<Claim[]> {
  if (found.from === "user") return [];
  const path = pathOf(found, file);
  if (!isWithin(await look.realPath(path), await look.realPath(found.shown)))
    throw new ToolFailure(
      "PERMISSION_DENIED",
      `${file} is not in the folder of the skill ${found.name}.`,
      "Files of the workspace are read with read_file.",
    );
  return file === undefined ? [read(path), { action: "list", target: found.shown, scope: "**" }] : [read(path)];
}

async function textOf(found: Skill, file: string | undefined, files: FileView, own: SkillFiles): Promise<string> {
  if (found.from === "user") return own.text(found, file ?? FILE);
  const path = pathOf(found, file);
  if (!(await files.stat(path)))
    throw new ToolFailure(
      "NOT_FOUND",
      `There is no ${file ?? FILE} in the skill ${found.name}.`,
      "See its list of files.",
    );
  const { bytes } = await files.read(path);
  if (bytes.includes(0))
    throw new ToolFailure("VALIDATION_ERROR", `${path} is not text.`, "Its scripts and tools may work with it.");
  return new TextDecoder().decode(bytes);
}

async function filesBelow({ shown }: Skill, files: FileView, below = "", depth = 1): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of await files.list(below === "" ? shown : `${shown}/${below}`)) {
    const path = below === "" ? name : `${below}/${name}`;
    if (kind === "file" && path !== FILE) found.push(path);
    if (kind === "folder" && depth < DEEPEST)
      found.push(...(await filesBelow({ shown } as Skill, files, path, depth + 1)));
    if (found.length > MOST_FILES) break;
  }
  return found.sort().slice(0, MOST_FILES);
}
