/** A complaint of a parser; line and column count from 1. */
export type SyntaxProblem = { line: number; column: number; message: string };

/** The problems after a change that were not there before, wherever they were. */
export function newProblems(before: readonly SyntaxProblem[], after: readonly SyntaxProblem[]): SyntaxProblem[] {
  const known = new Map<string, number>();
  for (const { message } of before) known.set(message, (known.get(message) ?? 0) + 1);
  return after.filter(({ message }) => {
    const left = known.get(message) ?? 0;
    if (left > 0) known.set(message, left - 1);
    return left === 0;
  });
}

export const tellProblems = (file: string, problems: readonly SyntaxProblem[]): string =>
  [
    `Syntax errors that this change introduced in ${file}:`,
    ...problems.map(({ line, column, message }) => `  ${file}:${line}:${column} ${message}`),
  ].join("\n");
