import { commandHelp, everywhere } from "./command-options.ts";
import { type Shape, UsageFailure } from "./exit-status.ts";
import type { Option } from "./option.ts";
import { suggestion } from "./suggestion.ts";

/** A parsed command line: the command, its words, its options with and without a value. */
export type CommandLine = {
  command: string;
  words: readonly string[];
  values: Readonly<Record<string, string>>;
  flags: ReadonlySet<string>;
};

export class UnknownCommand extends UsageFailure {
  readonly command: string;
  constructor(command: string) {
    const near = suggestion(command, Object.keys(commandHelp));
    super(`There is no command ${command}.`, near ?? "`toolgate --help` lists the commands.");
    this.command = command;
  }

  /** What to type instead if it is the name of a tool. */
  asCall(argv: readonly string[]): UsageFailure {
    const words = argv.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
    return new UsageFailure(
      `${this.command} is a tool, not a command.`,
      `Run it with: toolgate call ${words.join(" ")}`,
    );
  }
}

const SHORT = new Map([
  ["-h", "--help"],
  ["-V", "--version"],
  ["-v", "--version"],
]);

/** Determined before anything else, because errors are reported in the same shape as answers. */
export function wantedShape(argv: readonly string[]): Shape {
  const end = argv.indexOf("--");
  const words = argv.slice(0, end === -1 ? undefined : end);
  return words.includes("--jsonl") ? "line" : words.includes("--json") ? "document" : "text";
}

export function readCommandLine(argv: readonly string[]): CommandLine {
  const { words, written } = separate(argv);
  const [first, ...rest] = words;
  const help = first === "help";
  const command = help ? (rest[0] ?? "home") : (first ?? "home");
  if (command !== "home" && !Object.hasOwn(commandHelp, command)) throw new UnknownCommand(command);
  const { values, flags } = readOptions(written, command);
  if (help) flags.add("help");
  return { command, words: rest, values, flags };
}

type Written = { name: string; value?: string };

/** Options may be anywhere; after `--` there are none. Which of them take a value does not depend on the command. */
function separate(argv: readonly string[]): { words: string[]; written: Written[] } {
  const takesValue = new Set(
    [everywhere, ...Object.values(commandHelp).map(({ options }) => options)].flatMap((options) =>
      Object.entries(options).flatMap(([name, { value }]) => (value ? [name] : [])),
    ),
  );
  const words: string[] = [];
  const written: Written[] = [];
  for (let index = 0; index < argv.length; index++) {
    const word = SHORT.get(argv[index]!) ?? argv[index]!;
    if (word === "--") {
      words.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      words.push(word);
      continue;
    }
    const [, name = word, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const next = argv[index + 1];
    if (value !== undefined) written.push({ name, value });
    else if (takesValue.has(name) && next !== undefined && !next.startsWith("--")) {
      written.push({ name, value: next });
      index++;
    } else written.push({ name });
  }
  return { words, written };
}

function readOptions(
  written: readonly Written[],
  command: string,
): { values: Record<string, string>; flags: Set<string> } {
  const known: Readonly<Record<string, Option>> = { ...everywhere, ...commandHelp[command]?.options };
  const values: Record<string, string> = {};
  const flags = new Set<string>();
  for (const { name, value } of written) {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!option) throw unknownOption(name, command, known);
    if (!option.value) {
      if (value !== undefined) throw new UsageFailure(`--${name} takes no value.`, `Write just --${name}.`);
      flags.add(name);
      continue;
    }
    if (value === undefined || value === "")
      throw new UsageFailure(`--${name} needs a value.`, `Write --${name} ${option.value}: ${option.about}.`);
    if (option.choices && !option.choices.includes(value))
      throw new UsageFailure(
        `--${name} ${value} is not one of ${option.choices.join(", ")}.`,
        suggestion(value, option.choices) ?? `Write for example --${name} ${option.choices[0]}.`,
      );
    values[name] = value;
  }
  return { values, flags };
}

function unknownOption(name: string, command: string, known: object): UsageFailure {
  const dashed = name.startsWith("-") ? name : `--${name}`;
  const near = suggestion(name, Object.keys(known), "--");
  const forTool = command === "call" || command === "explain" ? "Arguments of the tool are written key=value. " : "";
  const where = command === "home" ? "toolgate" : `toolgate ${command}`;
  return new UsageFailure(
    `${where} has no option ${dashed}.`,
    near ?? `${forTool}\`${where} --help\` lists the options.`,
  );
}
