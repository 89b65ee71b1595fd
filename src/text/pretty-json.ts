const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const DEEPEST = 200;
/** Longer texts are for programs. */
const LONGEST = 1_000_000;
/** A text that is both deep and long would be mostly blanks. */
const LONGEST_SHOWN = 2_000_000;

/** Indents JSON and keeps numbers as they were written. Undefined if it is invalid, too long or too deep. */
export function prettyJson(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKEN) ?? [];
  const pieces: string[] = [];
  let depth = 0;
  let length = 0;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === "{" || token === "[") {
      if (++depth > DEEPEST) return undefined;
      const isEmpty = next === "}" || next === "]";
      pieces.push(token, isEmpty ? "" : lineAt(depth));
    } else if (token === "}" || token === "]") {
      depth--;
      const before = tokens[index - 1];
      pieces.push(before === "{" || before === "[" ? token : `${lineAt(depth)}${token}`);
    } else if (token === ",") pieces.push(`,${lineAt(depth)}`);
    else pieces.push(token === ":" ? ": " : token);
    length += (pieces.at(-1)?.length ?? 0) + 1;
    if (length > LONGEST_SHOWN) return undefined;
  }
  return pieces.join("");
}

const lineAt = (depth: number): string => `\n${"  ".repeat(depth)}`;
