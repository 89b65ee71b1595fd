import { relative, resolve } from "node:path";
import type { Skill } from "../../../core/words/skill.ts";
import { visibleLine } from "../../../core/words/visible.ts";
import { counted } from "../../../text/counted.ts";
import type { Command, Invocation } from "../lib/command.ts";
import { UsageFailure } from "../lib/exit-status.ts";
import { columns } from "../lib/help.ts";
import { readKey } from "../lib/key-presses.ts";
import { openingOf, storeForLooking, withGate, workspaceOf } from "../lib/opening.ts";
import { meetPerson } from "../lib/person.ts";
import { wrongWords } from "../lib/subcommand.ts";
import { colours, documentOf, print, visible } from "../lib/terminal.ts";
import { aPerson } from "../lib/workspace-store.ts";

const parts: Readonly<Record<string, (invocation: Invocation, words: readonly string[]) => Promise<number>>> = {
  list,
  check,
  add,
};

const FORMS = { list: "", check: "[DIR …]", add: "DIR" };

/** Lists, checks and adds the skills of a workspace. */
export const run: Command = async (invocation) => {
  const [part = "list", ...words] = invocation.words;
  const command = Object.hasOwn(parts, part) ? parts[part] : undefined;
  if (command) return command(invocation, words);
  throw wrongWords("skills", [part], FORMS);
};

const where = (invocation: Invocation) => {
  const { config } = invocation.values;
  return { workspace: workspaceOf(invocation), ...(config && { config }) };
};

async function list(invocation: Invocation, words: readonly string[]): Promise<number> {
  if (words.length > 0) throw wrongWords("skills", ["list"], FORMS);
  const { skillsIn } = await import("../../../skills.ts");
  const { readConfig } = await import("../../../doctor.ts");
  const opening = openingOf(invocation);
  const { settings } = await readConfig(where(invocation));
  const { skills } = await skillsIn(opening.workspace, settings.skills);
  return withGate(
    { ...opening, ...storeForLooking(opening.workspace) },
    async ({ registry, notes }) => {
      const all = skills.map((skill) =>
        shownSkill(skill, (name) => registry.get(name)?.definition?.countsAs !== undefined),
      );
      if (invocation.json) await print(documentOf({ skills: all, notes }));
      else
        await print(
          `${[all.length > 0 ? table(all) : "There are no skills here.", ...notes.map(visible)].join("\n\n")}\n`,
        );
      return 0;
    },
    { tellsNotes: false },
  );
}

type Shown = ReturnType<typeof shownSkill>;

const shownSkill = (
  { name, description, shown, from, tools, unlisted }: Skill,
  isThere: (name: string) => boolean,
) => ({
  ...{ name, description, from, folder: shown },
  ...(unlisted && { unlisted }),
  tools: tools
    .filter((tool) => isThere(tool.name))
    .map((tool) => ({ name: tool.name, description: tool.description, cmd: tool.cmd, args: tool.args })),
});

const table = (all: readonly Shown[]): string =>
  columns(
    all.flatMap(({ name, description, folder, tools }): [string, string][] => [
      [name, `${visibleLine(description)} (${visibleLine(folder)})`],
      ...tools.map((tool): [string, string] => ["", `${tool.name}: ${visibleLine(tool.cmd)}`]),
    ]),
  );

async function check(invocation: Invocation, words: readonly string[]): Promise<number> {
  const { checkSkills } = await import("../../../skills.ts");
  const { skills, defects } = await checkSkills({ ...where(invocation), folders: words.map((word) => resolve(word)) });
  const isValid = !defects.some(({ grave }) => grave);
  if (invocation.json) await print(documentOf({ valid: isValid, skills: skills.map(({ name }) => name), defects }));
  else {
    const lines = defects.map(
      ({ file, line, message, grave }) => `${short(file)}:${line}: ${grave ? "" : "advice: "}${message}`,
    );
    const end = `${counted(skills.length, "skill")}, ${counted(defects.length, "defect")}.`;
    await print(`${[...lines.map(visible), end].join("\n")}\n`);
  }
  return isValid ? 0 : 3;
}

const short = (file: string): string => (file.startsWith("/") ? relative(process.cwd(), file) || file : file);

async function add(invocation: Invocation, words: readonly string[]): Promise<number> {
  const [given, ...more] = words;
  if (given === undefined || more.length > 0)
    throw new UsageFailure("toolgate skills add takes one folder.", "Give the folder that holds SKILL.md.");
  const { addSkill, checkSkills, filesOfSkill } = await import("../../../skills.ts");
  const { workspace, ...rest } = where(invocation);
  const { skills, defects } = await checkSkills({ workspace, ...rest, folders: [resolve(given)] });
  const [skill] = skills;
  const grave = defects.filter((each) => each.grave);
  if (!skill || grave.length > 0)
    throw new UsageFailure(
      `${visible(given)} cannot be added: ${grave.map(({ line, message }) => `SKILL.md:${line}: ${visible(message)}`).join("; ")}.`,
      "Correct it; `toolgate skills check DIR` names all defects.",
    );
  const { json, flags } = invocation;
  if (json && !flags.has("yes"))
    throw new UsageFailure("With --json nobody is asked.", "Pass --yes to add the skill as it is.");
  aPerson(invocation, "add a skill");
  try {
    const files = await filesOfSkill(skill.folder);
    if (!flags.has("yes") && !(await accepts(skill, files))) return 2;
    const added = await addSkill(skill, workspace, flags.has("user"));
    await print(
      json
        ? documentOf({ added: skill.name, ...added })
        : `Added ${skill.name} to ${short(added.folder)} (${counted(added.files.length, "file")}).\n`,
    );
    return 0;
  } catch (error) {
    throw new UsageFailure(`${skill.name} was not added: ${(error as Error).message}.`, "Nothing was copied.");
  }
}

/** Shows the person the skill's description and every command that it brings. */
async function accepts({ name, description, tools }: Skill, files: readonly string[]): Promise<boolean> {
  const paint = colours();
  const commands = tools.map((tool) => `  ${tool.name} runs: ${visibleLine(tool.cmd)}`);
  await print(
    [
      `${paint.bold(name)}: ${visibleLine(description)}`,
      ...commands,
      `  files: ${files.map((file) => visibleLine(file)).join(", ")}`,
      "",
      "",
    ].join("\n"),
  );
  const person = meetPerson();
  const prompt = `Add this skill?  ${paint.bold("y")} yes${paint.dim("  ·  ")}${paint.bold("n")} no\n`;
  const yes = (await readKey(person, prompt, "yn")) === "y";
  person.leave();
  await print(`${paint.dim(yes ? "> yes" : "> no")}\n`);
  return yes;
}
