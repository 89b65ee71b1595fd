import type * as yaml from "yaml";

export type YamlLexing = Pick<typeof yaml, "Lexer" | "Parser">;

/**
 * Why a text is not parsed, although it may be YAML: the parser makes a call for each level, and V8 aborts the whole
 * process if its stack ends inside a regular expression. Lexing does not nest. Its source is sent to another process,
 * so it must be self-contained.
 */
export function excessOfYaml({ Lexer, Parser }: YamlLexing, text: string, most = 100_000): string | undefined {
  const DEEPEST = 100;
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > DEEPEST) return `it is nested more than ${DEEPEST} levels deep`;
    if (++lexemes > most) return `it is too long: it has more than ${most} words and marks`;
  }
  return undefined;
}
