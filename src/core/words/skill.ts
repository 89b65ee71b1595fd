/** Kinds of values that an argument of a skill's tool may have. */
export const ARGUMENT_TYPES = ["string", "number", "integer", "boolean", "array", "object"] as const;
export type ArgumentType = (typeof ARGUMENT_TYPES)[number];

export type SkillArgument = {
  readonly name: string;
  readonly type: ArgumentType;
  readonly required: boolean;
  readonly description?: string;
  readonly default?: unknown;
  /** The only values that it may have. */
  readonly choices?: readonly (string | number)[];
};

/** A command that a skill brings along: `cmd` has `{{argument}}` and `$SKILL_DIR` in it. */
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
  /** Where it really lies. */
  readonly folder: string;
  /** The same for people; for a skill of the workspace, from its root on. */
  readonly shown: string;
  readonly from: "workspace" | "user";
  /** A person calls it by name; no model is told of it. */
  readonly unlisted?: boolean;
  readonly tools: readonly SkillTool[];
};

/** The files of skills that lie outside the workspace, where no tool looks by itself. */
export interface SkillFiles {
  /** Throws for what is not a readable text inside the skill's folder. */
  text(skill: Skill, file: string): Promise<string>;
  list(skill: Skill): Promise<readonly string[]>;
}
