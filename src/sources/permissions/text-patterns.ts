/** For patterns over the text of a command or path, in which a star matches any characters, even blanks and slashes. */

const ANYTHING = "\u{fffd}";

/** Matches with two pointers, to avoid exponential backtracking. */
function fits(pattern: string, text: string): boolean {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[from] === "*") [star, mark] = [from++, at];
    else if (pattern[from] === text[at] || (pattern[from] === "?" && text[at] !== ANYTHING))
      [from, at] = [from + 1, at + 1];
    else if (star >= 0) [from, at] = [star + 1, ++mark];
    else return false;
  }
  while (pattern[from] === "*") from++;
  return from === pattern.length;
}

/** A blank and a star at the end may also match no words at all. */
const readings = (pattern: string): string[] => (pattern.endsWith(" *") ? [pattern, pattern.slice(0, -2)] : [pattern]);

/** Whether `wide` matches everything that `narrow` matches. */
const isWithin = (narrow: string, wide: string): boolean =>
  readings(narrow).every((one) => readings(wide).some((other) => fits(other, one.replace(/\*+/g, ANYTHING))));

/**
 * The exception that a milder pattern makes to a stricter one: all of it, if it is written later and is narrower. If
 * the stricter one is narrower, or neither is, the order may be a mistake, and there is no exception. A pattern without
 * a star allows no further words, so a pattern with more words is about other commands.
 */
export function exceptionTo(strict: string, mild: string, isLater: boolean): string[] {
  if (!strict.includes("*") && mild.startsWith(`${strict} `)) return [mild === `${strict} *` ? `${mild} *` : mild];
  return isLater && isWithin(mild, strict) && !isWithin(strict, mild) ? [mild] : [];
}

const MOST_OPEN_WORDS = 3;

/** Word patterns that together cover a text pattern: a star inside a word may match a blank and further words. */
export function wordPatterns(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  const open = words.filter((word) => /\*/.test(word) && word !== "*");
  if (open.length > MOST_OPEN_WORDS) return [];
  let lines = [""];
  for (const [index, word] of words.entries()) {
    const ways = open.includes(word) ? [word, split(word, index === 0)] : [word];
    lines = lines.flatMap((line) => ways.map((way) => `${line} ${way}`.trim()));
  }
  return [...new Set(lines.map((line) => line.replace(/( \*)+$/, " *")))];
}

/** Splits `a*b` into words: `a*`, any, `*b`. */
function split(word: string, isProgram: boolean): string {
  const pieces = word.split(/\*+/);
  const parts = pieces.map((piece, index) => {
    const [before, after] = [index > 0 ? "*" : "", index < pieces.length - 1 ? "*" : ""];
    return piece === "" ? "" : `${before}${piece}${after}`;
  });
  const [first = "", ...rest] = parts;
  const start = first === "" ? (isProgram ? ["*"] : []) : [first];
  return [...start, ...rest.flatMap((part) => ["*", part]).filter(Boolean)].join(" ");
}
