import { commandHelp, everywhere } from "./command-options.ts";
import type { Option } from "./option.ts";

const optionLines = (options: Readonly<Record<string, Option>>): string => {
  const rows = Object.entries(options).map(
    ([name, { value, about }]) => [`--${name}${value ? ` ${value}` : ""}`, about] as const,
  );
  return columns(rows);
};

/** Two columns, indented. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join("\n");
}

export function helpFor(command: string): string {
  const help = commandHelp[command];
  if (!help) return overview();
  const { usage, summary, about, options, examples } = help;
  const parts = [
    `toolgate ${usage}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    about,
    Object.keys(options).length > 0 ? `Options\n${optionLines(options)}` : undefined,
    `Options of every command\n${optionLines(everywhere)}`,
    `${examples.length > 1 ? "Examples" : "Example"}\n${examples.map((each) => `  ${each}`).join("\n")}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function overview(): string {
  const commands = Object.values(commandHelp).map(({ usage, summary }) => [usage, summary] as const);
  return `toolgate COMMAND [options]

The layer between a language model and a machine: every tool call is found, read, judged, done,
recorded, and can be taken back. Without a command it says what works here.

Commands
${columns(commands)}

Options of every command
${optionLines(everywhere)}

Exit status: 0 done, 1 the tool failed, 2 refused, 3 wrong input or configuration, 4 unknown tool, 130 aborted.

Example
  toolgate call read_file README.md

\`toolgate COMMAND --help\` tells more about a command.
`;
}
