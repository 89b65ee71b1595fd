/** What is wrong at one place of one source. */
export type Problem = { source: string; line?: number; column?: number; message: string };

export const inWrittenOrder = (a: Problem, b: Problem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

/** More than anybody corrects at once. Finding the place of each takes time. */
export const MOST_PROBLEMS = 50;

export const shortened = (problems: readonly Problem[]): Problem[] =>
  problems.length <= MOST_PROBLEMS
    ? [...problems]
    : [...problems.slice(0, MOST_PROBLEMS), { source: problems[0]?.source ?? "", message: "there are more problems" }];

function place({ source, line, column }: Problem): string {
  return line === undefined ? source : `${source}:${line}:${column ?? 1}`;
}

const manyOf = ({ length }: readonly Problem[]): string =>
  length > MOST_PROBLEMS ? `more than ${MOST_PROBLEMS}` : String(length);

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
      problems.length === 1
        ? "The configuration has a problem:"
        : `The configuration has ${manyOf(problems)} problems:`;
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
