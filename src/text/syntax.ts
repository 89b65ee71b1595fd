/** What a parser has against a text; line and column count from 1. */
export type SyntaxProblem = { line: number; column: number; message: string };

/** Of the problems after a change, those that were not there before, wherever they stood. */
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
