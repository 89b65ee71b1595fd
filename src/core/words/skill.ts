/** Types that an argument of a skill's tool may have. */
export const ARGUMENT_TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

export type SkillArgument = {
  readonly name: string;
  readonly type: ArgumentType;
  readonly required: boolean;
  readonly description?: string;
  readonly default?: unknown;
  /** The only values that are accepted. */
  readonly choices?: readonly (string | number)[];
};

/** A command that a skill brings along. `cmd` contains `{{argument}}` and `$SKILL_DIR`. */
export type SkillTool = {
  readonly name: string;
  readonly description: string;
  readonly cmd: string;
  readonly args: readonly SkillArgument[];
  readonly seconds?: number;
};

/** Instructions for a kind of task, in a folder of their own. */
export type Skill = {
  readonly name: string;
  readonly description: string;
  /** The real path. */
  readonly folder: string;
  /** The same for people; for a skill of the workspace, from its root on. */
  readonly shown: string;
  readonly from: "workspace" | "user";
  /** Only a person calls it, by name; models are not told of it. */
  readonly unlisted?: boolean;
  readonly tools: readonly SkillTool[];
};

/** Reads files of skills that lie outside the workspace, where tools do not look. */
export interface SkillFiles {
  /** Throws for anything that is not a readable text inside the skill's folder. */
  text(skill: Skill, file: string): Promise<string>;
  list(skill: Skill): Promise<readonly string[]>;
}
