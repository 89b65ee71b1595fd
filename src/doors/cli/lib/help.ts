import { stripVTControlCharacters } from "node:util";
import { commandHelp, everywhere } from "./command-options.ts";
import type { Option } from "./option.ts";

/** Help fits a terminal of the usual width, wherever it is printed. */
const HELP_WIDTH = 80;

const optionLines = (options: Readonly<Record<string, Option>>): string => {
  const rows = Object.entries(options).map(
    ([name, { value, about }]) => [`--${name}${value ? ` ${value}` : ""}`, about] as const,
  );
  return columns(rows, HELP_WIDTH);
};

/** Two columns, indented; the right one is wrapped at `width`, and stays under itself. */
export function columns(rows: readonly (readonly [string, string])[], width = Number.POSITIVE_INFINITY): string {
  const left = Math.max(...rows.map(([each]) => lengthOf(each)));
  const indent = left + 4;
  return rows
    .map(([name, about]) => {
      const lines = wrapped(about, Math.max(width - indent, 20));
      return `  ${name}${" ".repeat(left - lengthOf(name))}  ${lines.join(`\n${" ".repeat(indent)}`)}`.trimEnd();
    })
    .join("\n");
}

/** Colours take no place on the screen. */
const lengthOf = (text: string): number => stripVTControlCharacters(text).length;

/** Breaks at single blanks, so that what is set apart by several stays together. */
function wrapped(text: string, width: number): string[] {
  if (lengthOf(text) <= width) return [text];
  const lines: string[] = [];
  for (const word of text.split(/(?<! ) (?! )/)) {
    const last = lines.at(-1);
    if (last !== undefined && lengthOf(last) + 1 + lengthOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export function helpFor(command: string): string {
  const help = commandHelp[command];
  if (!help) return overview();
  const { usage, summary, about, options, examples } = help;
  const forms = usage.split("\n").map((form) => `toolgate ${form}`);
  const parts = [
    `${forms.join("\n")}\n\n${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    about,
    Object.keys(options).length > 0 ? `Options\n${optionLines(options)}` : undefined,
    `Options of every command\n${optionLines(everywhere)}`,
    `${examples.length > 1 ? "Examples" : "Example"}\n${examples.map((each) => `  ${each}`).join("\n")}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function overview(): string {
  const commands = Object.entries(commandHelp).map(([name, { summary }]) => [name, summary] as const);
  return `toolgate COMMAND [options]

The layer between a language model and a machine: it judges every tool call,
runs it in a workspace, records it, and can undo it. Without a command, it shows
what works here and what to try first.

Commands
${columns(commands, HELP_WIDTH)}

Options of every command
${optionLines(everywhere)}

Exit status
  0 done    1 the tool failed    2 refused    3 wrong input or configuration
  4 unknown tool    130 aborted

Example
  toolgate call read_file README.md

\`toolgate COMMAND --help\` tells more about a command.
`;
}
