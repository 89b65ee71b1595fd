import type { Invocation } from "./command.ts";
import { UsageFailure } from "./exit-status.ts";
import { suggestion } from "./suggestion.ts";

/** Throws if a command that takes no words was given some. */
export function noWords({ command, words }: Pick<Invocation, "command" | "words">): void {
  if (words.length > 0)
    throw new UsageFailure(
      `toolgate ${command} takes no arguments, but was given ${words.join(" ")}.`,
      `\`toolgate ${command} --help\` lists its options.`,
    );
}

/** The words that each subcommand takes, as help writes them. */
export type Forms = Readonly<Record<string, string>>;

/** Words that fit no form of a command: the right form if the subcommand is known, else what may have been meant. */
export function wrongWords(command: string, [part = ""]: readonly string[], forms: Forms): UsageFailure {
  const names = Object.keys(forms);
  if (Object.hasOwn(forms, part))
    return new UsageFailure(
      `toolgate ${command} ${part} was given the wrong arguments.`,
      `Write: ${`toolgate ${command} ${part} ${forms[part]}`.trimEnd()}`,
    );
  return new UsageFailure(
    part === "" ? `toolgate ${command} needs a subcommand.` : `toolgate ${command} has no subcommand ${part}.`,
    suggestion(part, names) ?? `The subcommands are ${names.join(", ")}.`,
  );
}
