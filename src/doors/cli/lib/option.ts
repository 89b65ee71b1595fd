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

/** Whether commands may run, for this run alone. */
export const commandsOrNot: Readonly<Record<string, Option>> = {
  "no-commands": { about: "do not run commands, whatever the configuration says" },
  "allow-commands": { about: "allow commands, whatever the configuration says" },
};
