import { type Token, tokensOf } from "./code-tokens.ts";
import { isList, isText, MOST_ITEMS, MOST_TEXT, textsOf, type Value } from "./code-values.ts";

const BACKTICKS_RUN = /^(?:perl|php|ruby|irb)/;
const MOST_WRITTEN = 16_384;
const bared = (code: string): string => code.replace(/\s/g, "").replace(/['`]/g, '"');

type Edit = { start: number; end: number; text: string };

/** The tokens of code, a position among them, and the texts that replace some of them. */
export class EditedCode {
  readonly language: string;
  readonly code: string;
  readonly tokens: readonly Token[];
  edits: Edit[] = [];
  at = 0;

  constructor(language: string, code: string) {
    this.language = language;
    this.code = code;
    this.tokens = tokensOf(language, code);
  }

  edited(): string {
    let text = "";
    let from = 0;
    for (const edit of this.edits) {
      if (text.length > MOST_WRITTEN) break;
      text += this.code.slice(from, edit.start) + edit.text;
      from = edit.end;
    }
    return text + this.code.slice(from);
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead];
  }

  /** The token before the place, which may be behind the end. */
  last(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length) - 1] as Token;
  }

  isMark(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.kind === "mark" && token.text === text;
  }

  take(mark: string): boolean {
    const isThere = this.isMark(mark);
    if (isThere) this.at++;
    return isThere;
  }

  /** Writes a value in the place of the tokens since `from`, and of the edits there. */
  settle(value: Value, from: number, edits: number): void {
    const literal = this.literal(value, this.tokens[from] as Token);
    if (literal === undefined) return;
    const { start } = this.tokens[from] as Token;
    const { end } = this.last();
    this.edits.length = edits;
    const before = this.code.slice(start, end);
    const text = before.startsWith("(") ? `(${literal})` : literal;
    const isSame = isList(value) || this.at - from === 1 ? bared(before) === bared(text) : before === text;
    if (!isSame) this.edits.push({ start, end, text });
  }

  /** A value as code; `first`: the token that it begins with. */
  literal(value: Value, first: Token): string | undefined {
    const quote = first.kind === "text" && first.quote === "`" && BACKTICKS_RUN.test(this.language) ? "`" : '"';
    const quoted = (text: string): string =>
      `${quote}${text
        .slice(0, MOST_TEXT)
        .replace(/["\\`]/g, "\\$&")
        .replaceAll("\n", "\\n")}${quote}`;
    if (isText(value)) return value.length > 1 || first.kind === "text" ? quoted(value) : undefined;
    const texts = isList(value) && value.length > 0 && value.every(isText) ? textsOf(value) : undefined;
    return texts && texts.length <= MOST_ITEMS ? `[${texts.map(quoted).join(", ")}]` : undefined;
  }
}
