/** What a shell would run even in the middle of a value. */
const CODE = /[`;|&\n]|[$<>]\(/;
const SUBSTITUTION = /`|[$<>]\(/g;
const LONGEST_LOOK = 4096;

/** Where a substitution ends that begins here: at the end of the text if it is very long; -1 if it never ends. */
export function substitutionEnd(text: string, at: number, opening: string): number {
  const end = Math.min(text.length, at + LONGEST_LOOK);
  let open = 1;
  for (let index = at + opening.length; index < end; index++) {
    const char = text[index];
    if (opening === "`") open = char === "`" ? 0 : 1;
    else if (char === "(") open++;
    else if (char === ")") open--;
    if (open === 0) return index + 1;
  }
  return end < text.length ? text.length : -1;
}

/** Redacts the secrets of a nested piece of code. */
type Within = (code: string) => string;

const DEEPEST = 3;
let depth = 0;

/** Limits the nesting: a crafted text must neither overflow the stack nor hide code. */
function codeBlanked(code: string, within: Within): string {
  if (depth >= DEEPEST) return code;
  depth++;
  try {
    return within(code);
  } finally {
    depth--;
  }
}

/** Replaces each literal piece by a note; command substitutions stay. */
function literalsBlanked(text: string, start: number, end: number, note: string, within: Within): string {
  let result = "";
  let done = start;
  const blank = (to: number): string => (/^["'\s]*$/.test(text.slice(done, to)) ? text.slice(done, to) : note);
  for (const { 0: opening, index } of text.slice(start, end).matchAll(SUBSTITUTION)) {
    const at = start + index;
    if (at < done) continue;
    const close = substitutionEnd(text, at, opening);
    if (close < 0) break;
    result += blank(at) + codeBlanked(text.slice(at, Math.min(close, end)), within);
    done = Math.min(close, end);
  }
  return result + blank(end);
}

/** The first index in a range where a command ends outside of quotes; the end of the range if there is none. */
function commandEnd(text: string, start: number, end: number): number {
  let quote = "";
  for (let at = Math.max(0, start - LONGEST_LOOK); at < end; at++) {
    const char = text[at] as string;
    if (char === "\\" && quote !== "'") at++;
    else if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (at >= start && /[;|&\n]/.test(char)) return at;
  }
  return end;
}

/**
 * A range of a text with its secret replaced. Code that a shell would run stays, so that nobody approves what they do
 * not see: command substitutions, and everything after the end of a command.
 */
export function blanked(text: string, start: number, end: number, note: string, within: Within): string {
  if (!CODE.test(text.slice(start, end))) return note;
  // an escaped quote belongs to a text inside a text, whose own quotes decide
  const inner = /\\["'`]$/.test(text.slice(Math.max(0, start - 2), start));
  const stop = inner ? end : commandEnd(text, start, end);
  return literalsBlanked(text, start, stop, note, within) + codeBlanked(text.slice(stop, end), within);
}
