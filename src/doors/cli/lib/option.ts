/** `value` names the value that must follow; without it the option is a flag. */
export type Option = { about: string; value?: string; choices?: readonly string[] };

export type CommandHelp = {
  /** One form per line. */
  usage: string;
  summary: string;
  about?: string;
  options: Readonly<Record<string, Option>>;
  examples: readonly string[];
};

export const yes: Readonly<Record<string, Option>> = { yes: { about: "do not ask for confirmation" } };
