const DEEPEST = 16;
const LONGEST_ECHO = 400;

/** A cheap checksum: equal inputs have equal signs, and most others differ. */
export function signOf(input: unknown): number {
  let sign = 0;
  if (typeof input === "object" && input !== null)
    for (const name in input) {
      const value = (input as Record<string, unknown>)[name];
      if (typeof value === "string") sign += value.length * 31 + (value.charCodeAt(value.length - 1) || 0);
      else if (typeof value === "number") sign += value | 0;
    }
  return sign | 0;
}

/** Whether two inputs are equal. What is nested too deeply counts as different. */
export function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || depth > DEEPEST) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  let more = 0;
  // no key arrays: every call is compared with many earlier ones, and they would cost more than all the rest
  for (const name in one) {
    if (!isSame(one[name], other[name], depth + 1) || !Object.hasOwn(other, name)) return false;
    more++;
  }
  for (const _ in other) more--;
  return more === 0;
}

/**
 * A short answer without the arguments that it repeats, so that "nothing matches a" and "nothing matches b" are the
 * same answer. A long one is content, and stays as it is.
 */
export function withoutEcho(answer: string, input: unknown): string {
  if (answer.length > LONGEST_ECHO || typeof input !== "object" || input === null) return answer;
  let text = answer;
  for (const name in input) {
    const value = (input as Record<string, unknown>)[name];
    if (typeof value === "string" && value !== "" && value.length <= text.length) text = withoutWord(text, value);
  }
  return text;
}

const isPartOfWord = (character: string): boolean =>
  character < "\x80" ? /\w/.test(character) : /[\p{L}\p{N}_]/u.test(character);

function withoutWord(text: string, word: string): string {
  let made = "";
  let from = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const end = at + word.length;
    if (joins(text[at - 1], word[0]) || joins(word.at(-1), text[end])) continue;
    made += `${text.slice(from, at)}…`;
    from = end;
  }
  return made + text.slice(from);
}

const joins = (left = "", right = ""): boolean => isPartOfWord(left) && isPartOfWord(right);
