/** What is wrong at one place of one source. */
export type Problem = { source: string; line?: number; column?: number; message: string };

function place({ source, line, column }: Problem): string {
  return line === undefined ? source : `${source}:${line}:${column ?? 1}`;
}

/** The source of options given to open(), or on the command line. */
export const OPTIONS = "open()";

/** All problems of all sources at once. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly code = "CONFIG_ERROR";
  readonly problems: readonly Problem[];
  readonly hint: string;
  constructor(problems: readonly Problem[]) {
    const heading =
      problems.length === 1 ? "The configuration has a problem:" : `The configuration has ${problems.length} problems:`;
    super([heading, ...problems.map((problem) => `  ${place(problem)}: ${problem.message}`)].join("\n"));
    this.problems = problems;
    this.hint = problems.every(({ source }) => source === OPTIONS)
      ? "Correct the option that was given."
      : "Correct it and run `toolgate config check`.";
  }
}

const LONGEST_SHOWN = 80;

/** Formats a value from an untrusted file: on one line and without control characters. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  let text: string;
  try {
    text = JSON.stringify(value) ?? String(value);
  } catch {
    text = "something that is not plain data";
  }
  const short = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
