import * as z from "zod";
import { ToolFailure } from "../../core/words/result.ts";
import type { Skill, SkillArgument, SkillTool } from "../../core/words/skill.ts";
import { Tool } from "../../core/words/tool.ts";
import { FOLDER, fill, readTemplate, type Template } from "../../shell/template.ts";
import { type CommandDefaults, runToEnd } from "./command-output.ts";
import { codeOf, fullScreenIn, runClaim } from "./run-claim.ts";

type Values = Readonly<Record<string, unknown>>;

/** `names` are those of the tool that runs commands, because rules about it also apply to these. */
export type SkillCommandSettings = CommandDefaults & { names: readonly string[] };

/** A skill's commands as tools. Each is judged, run and recorded as the command line that it makes. */
export const skillCommands = (skill: Skill, settings: SkillCommandSettings): Tool[] =>
  skill.tools.map((tool) => skillCommand(skill, tool, settings));

function skillCommand(skill: Skill, tool: SkillTool, settings: SkillCommandSettings): Tool {
  const { defaultTimeout, maxOutputLines, names, ...known } = settings;
  const template = readTemplate(tool.cmd);
  if ("problem" in template) throw new TypeError(`The command of ${tool.name} cannot be used: ${template.problem}.`);
  const line = (input: Values): string => fill(template, wordsOf(skill, tool, input));
  return Tool.define(tool.name, {
    description: tool.description,
    permissions: { required: ["execute"] },
    input: inputOf(tool.args),
    outputLines: maxOutputLines,
    timeLimit: (tool.seconds ?? defaultTimeout) * 1000,
    countsAs: { tools: names, skill: () => skill.name },
    scope: () => null,
    touches: async (input) => {
      const command = line(input);
      await checkShape(skill, tool, template, input, command);
      return [await runClaim(input, command, known)];
    },
    code: (input) => codeOf(input, line(input), known),
    async execute(input, context) {
      const command = line(input);
      const screen = await fullScreenIn(command);
      if (screen !== undefined)
        throw new ToolFailure(
          "VALIDATION_ERROR",
          `${screen} needs a terminal, and commands have none.`,
          "It was not run.",
        );
      const told = await runToEnd(context, { command, cwd: "." }, `Ran ${tool.name}`, maxOutputLines);
      return { ...told, metadata: { ...told.metadata, command, skill: skill.name } };
    },
  });
}

const inputOf = (args: readonly SkillArgument[]) =>
  z.object(
    Object.fromEntries(
      args.map(({ name, type, required, description, choices, default: usual }) => {
        const kind = choices ? choiceOf(choices) : KINDS[type](required);
        const told = description === undefined ? kind : kind.describe(description);
        return [name, usual !== undefined ? told.default(usual as never) : required ? told : told.optional()];
      }),
    ),
  );

const choiceOf = (choices: readonly (string | number)[]): z.ZodType =>
  choices.every((each) => typeof each === "string") ? z.enum(choices as string[]) : z.literal([...choices]);

const KINDS: Record<SkillArgument["type"], (required: boolean) => z.ZodType> = {
  string: () => z.string(),
  number: () => z.number(),
  integer: () => z.int(),
  boolean: () => z.boolean(),
  array: (required) => (required ? z.array(z.string()).min(1) : z.array(z.string())),
  object: () => z.record(z.string(), z.unknown()),
};

/** The words that a value becomes; none if it was not given. */
const wordsOf =
  ({ folder }: Skill, { name: toolName }: SkillTool, input: Values) =>
  (name: string): readonly string[] => {
    if (name === FOLDER) return [folder];
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    const words = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(asText);
    if (words.some((word) => word.includes("\0")))
      throw new ToolFailure(
        "VALIDATION_ERROR",
        `${name} of ${toolName} contains a NUL.`,
        "The arguments of a command cannot contain NUL.",
      );
    return words;
  };

const asText = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** No program reads more into it than a word or a name. */
const PLAIN = /^[\w./][\w./-]*$/;

/**
 * To the shell a value is one word, but a program that itself reads shell may see more (`bash -c "… {{x}}"`). So the
 * line must run the same commands as with meaningless values.
 */
async function checkShape(
  skill: Skill,
  tool: SkillTool,
  template: Template,
  input: Values,
  command: string,
): Promise<void> {
  const { analyse } = await import("../../shell/analyse.ts");
  const words = wordsOf(skill, tool, input);
  const stands = new Map<string, string>();
  const bare = fill(template, (name) => {
    const own = words(name);
    if (name === FOLDER) return own;
    return own.map((word, index) => {
      if (PLAIN.test(word)) return word;
      const stand = `tgvalue${name}x${index}`;
      stands.set(stand, word);
      return stand;
    });
  });
  const meant = analyse(bare).segments;
  const made = analyse(command).segments;
  const filled = (word: string | undefined): string | undefined => {
    let text = word;
    for (const [stand, value] of stands) text = text?.replaceAll(stand, () => value);
    return text;
  };
  const isSame =
    meant.length === made.length &&
    meant.every(({ words: asMeant }, index) => {
      const now = made[index]?.words ?? [];
      return asMeant.length === now.length && asMeant.every((word, at) => same(filled(word), now[at]));
    });
  if (!isSame)
    throw new ToolFailure(
      "VALIDATION_ERROR",
      `A value would change which commands ${tool.name} runs.`,
      "Give plain values, without anything that a shell would run.",
    );
}

/** What only the running shell knows is not compared. */
const same = (a: string | undefined, b: string | undefined): boolean => a === undefined || b === undefined || a === b;
