import type * as yaml from "yaml";

// the sources of these functions are sent to another process, so they must be self-contained

export type YamlLexing = Pick<typeof yaml, "Lexer" | "Parser">;
export type YamlVisiting = Pick<typeof yaml, "visit" | "isScalar">;

/**
 * Why a text is not parsed, although it may be YAML: the parser makes a call for each level, and V8 aborts the whole
 * process if its stack ends inside a regular expression. Lexing does not nest.
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

/** Offsets of keys that their mapping already has. The parser itself would compare each key with all others. */
export function repeatedKeys({ visit, isScalar }: YamlVisiting, document: yaml.Document): number[] {
  const found: number[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) found.push(key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return found;
}
