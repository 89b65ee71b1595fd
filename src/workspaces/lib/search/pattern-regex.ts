import { bracket, escaped, plain, WORD } from "./regex-classes.ts";

const [BEFORE, AFTER] = [`(?<=[${WORD}])`, `(?=[${WORD}])`];
const [NOT_BEFORE, NOT_AFTER] = [`(?<![${WORD}])`, `(?![${WORD}])`];
const [START, END] = [`(?:${NOT_BEFORE}${AFTER})`, `(?:${BEFORE}${NOT_AFTER})`];
/** Assertions about positions, longest first; a word is what ripgrep takes for one. */
const PLACES: readonly (readonly [spelling: string, put: string])[] = [
  ["\\b{start-half}", NOT_BEFORE],
  ["\\b{end-half}", NOT_AFTER],
  ["\\b{start}", START],
  ["\\b{end}", END],
  ["\\b", `(?:${START}|${END})`],
  ["\\B", `(?:${BEFORE}${AFTER}|${NOT_BEFORE}${NOT_AFTER})`],
  ["\\<", START],
  ["\\>", END],
  ["\\A", "^"],
  ["\\z", "$"],
  ["\\Z", "$"],
];
const COUNT = /^\{\s*(\d*)\s*(?:(,)\s*(\d*)\s*)?\}/;

const escapeText = (text: string): string => text.replace(/[$()*+./?[\\\]^{|}]/g, "\\$&");

/** Whether a closing parenthesis has no opening one: ripgrep wraps a pattern in a pair, which this one would close. */
export function closesTooMuch(pattern: string): boolean {
  let depth = 0;
  for (const [found] of pattern.matchAll(/\\.|\[\^?\]?(?:\\.|[^\\\]])*(?:\]|$)|[()]/gs)) {
    if (found === "(") depth += 1;
    else if (found === ")" && --depth < 0) return true;
  }
  return false;
}

type Reading = { literal?: boolean; ignoreCase?: boolean; multiline?: boolean };

/** The search pattern as a JavaScript regular expression, for a line or a whole text; undefined if invalid. */
export function compilePattern(
  pattern: string,
  { literal = false, ignoreCase = false, multiline = false }: Reading,
): RegExp | undefined {
  const flags = multiline ? "gmv" : "v";
  if (literal) return new RegExp(escapeText(pattern), ignoreCase ? `i${flags}` : flags);
  const [start = "", asked = ""] = /^\(\?([imsu]+)\)/.exec(pattern) ?? [];
  try {
    const source = translate(pattern.slice(start.length), multiline || asked.includes("s") ? "[\\s\\S]" : "[^\\r\\n]");
    return new RegExp(source, ignoreCase || asked.includes("i") ? `i${flags}` : flags);
  } catch {
    return undefined;
  }
}

function translate(pattern: string, dot: string): string {
  let made = "";
  for (let at = 0; at < pattern.length; ) {
    const [taken, put] = translated(pattern.slice(at), dot);
    made += put;
    at += taken;
  }
  return made;
}

/** How many characters are consumed, and their replacement. */
function translated(rest: string, dot: string): [number, string] {
  const place = PLACES.find(([spelling]) => rest.startsWith(spelling));
  if (place) return [place[0].length, place[1]];
  if (rest[0] === "\\" || rest[0] === "[") {
    const piece = rest[0] === "[" ? bracket(rest) : escaped(rest);
    return piece ? [piece.taken, piece.put] : [1, "["];
  }
  if (rest[0] === ".") return [1, dot];
  // other engines accept a quantifier after an assertion; JavaScript needs a group around it
  if (rest[0] === "^" || rest[0] === "$") return [1, `(?:${rest[0]})`];
  if (rest.startsWith("(?P<")) return [4, "(?<"];
  if (rest[0] === "{") return count(rest);
  if (rest[0] === "}" || rest[0] === "]") return [1, plain(rest[0])];
  return [1, rest[0] as string];
}

/** A repetition count if it is a number, else plain text. */
function count(rest: string): [number, string] {
  const [whole = "", least = "", comma = "", most = ""] = COUNT.exec(rest) ?? [];
  if (least + most === "") return [1, "\\{"];
  return [whole.length, `{${least || 0}${comma}${most}}`];
}
