/** Line and column, from 1, of an offset in a text. */
export function at(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.min(offset, text.length));
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - lineStart + 1 };
}

export const endOf = (text: string): { line: number; column: number } => at(text, text.length);
