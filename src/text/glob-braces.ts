const most = 500;
const longest = 4_000;

class TooManyChoices extends Error {}

/** The globs that a glob with braces stands for; undefined if there are too many. */
export function choicesOf(glob: string): string[] | undefined {
  try {
    return expandBraces(glob);
  } catch (error) {
    if (error instanceof TooManyChoices) return undefined;
    throw error;
  }
}

/**
 * Expands braces: `a.{ts,js}`, `{1..3}`, `{a,b{c,d}}`, and `*.{ts}`, a choice of one. Braces that are no choice are
 * escaped, so that nothing reads them as one later.
 */
function expandBraces(glob: string): string[] {
  if (!/[{}]/.test(glob)) return [glob];
  if (glob.length > longest) throw new TooManyChoices();
  return [...new Set(expanded(glob))];
}

function expanded(glob: string): string[] {
  const open = next(glob, 0, "{");
  const found = open === -1 ? undefined : choiceAt(glob, open);
  // an unclosed brace is literal, and there may be a choice after it
  if (!found && open !== -1)
    return expanded(glob.slice(open + 1)).map((tail) => `${literal(glob.slice(0, open + 1))}${tail}`);
  if (!found) return [literal(glob)];
  const head = literal(glob.slice(0, open));
  const tails = expanded(glob.slice(found.end + 1));
  const middles = found.parts.flatMap((part) => expanded(part));
  if (middles.length * tails.length > most) throw new TooManyChoices();
  return middles.flatMap((middle) => tails.map((tail) => head + middle + tail));
}

function literal(text: string): string {
  let made = "";
  let from = 0;
  for (let at = next(text, 0, "{}"); at !== -1; at = next(text, at + 1, "{}")) {
    made += `${text.slice(from, at)}\\`;
    from = at;
  }
  return made + text.slice(from);
}

/** The next occurrence of a character that is neither escaped nor in brackets. */
function next(glob: string, from: number, wanted: string): number {
  for (let at = from; at < glob.length; at++) {
    if (glob[at] === "\\") at++;
    else if (glob[at] === "[") at = closing(glob, at);
    else if (wanted.includes(glob[at]!)) return at;
  }
  return -1;
}

/** The end of a character class; an unclosed bracket is literal. */
function closing(glob: string, open: number): number {
  const start = /[!^]/.test(glob[open + 1] ?? "") ? open + 2 : open + 1;
  const end = glob.indexOf("]", start + 1);
  return end === -1 ? open : end;
}

/** The parts between two braces; undefined if they are no choice: `{}`, or an unclosed one. */
function choiceAt(glob: string, open: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = next(glob, open + 1, "{},"); at !== -1; at = next(glob, at + 1, "{},")) {
    if (glob[at] === "{") depth++;
    else if (glob[at] === "}" && depth > 0) depth--;
    else if (depth === 0) {
      parts.push(glob.slice(start, at));
      start = at + 1;
      if (glob[at] === "}") return parts.length === 1 ? single(parts[0]!, at) : { parts, end: at };
    }
  }
  return undefined;
}

function single(part: string, end: number): { parts: string[]; end: number } | undefined {
  if (part === "") return undefined;
  return { parts: rangeOf(part) ?? [part], end };
}

function rangeOf(part: string): string[] | undefined {
  const [, first, last, by = "1"] =
    /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(part) ?? [];
  if (first === undefined || last === undefined) return undefined;
  const isLetters = /[A-Za-z]/.test(first);
  if (isLetters !== /[A-Za-z]/.test(last)) return undefined;
  const [from, to] = isLetters ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(first), Number(last)];
  const step = Math.max(1, Math.abs(Number(by)));
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > most) throw new TooManyChoices();
  const width = [first, last].some((each) => /^-?0\d/.test(each)) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to < from ? -index : index) * step;
    return isLetters ? String.fromCharCode(value) : padded(value, width);
  });
}

const padded = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, "0")}` : String(value).padStart(width, "0");
