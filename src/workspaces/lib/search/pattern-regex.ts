import { bracket, escaped, inEitherCase, type Piece, plain, WORD } from "./regex-classes.ts";

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

/** What only PCRE2 has; in such a pattern `a++` takes all it can get. To Rust, it is a repetition of a repetition. */
const ONLY_PCRE2 = /\(\?(?:[=!>]|<[=!]|P=)|\\[1-9kQ]/;
const REFERS_BY_NUMBER = /\\[1-9]/;

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
    const isFolded = ignoreCase || asked.includes("i");
    const reading = { isFolded, dotIsAll: multiline || asked.includes("s") };
    return new RegExp(new Translation(pattern.slice(start.length), reading).source, isFolded ? `i${flags}` : flags);
  } catch {
    return undefined;
  }
}

type Scope = { isFolded: boolean; dotIsAll: boolean };

/** An open group: where it begins in the translation, and what holds around it. */
type Group = { start: number; isAtomic: boolean; around: Scope };

class Translation {
  readonly #pattern: string;
  readonly #isWholeFolded: boolean;
  readonly #isPcre2: boolean;
  readonly #refersByNumber: boolean;
  readonly #groups: Group[] = [];
  #scope: Scope;
  #at = 0;
  #made = "";
  /** Where that begins which a quantifier would repeat. */
  #atom = 0;
  #atomics = 0;

  constructor(pattern: string, scope: Scope) {
    this.#pattern = pattern;
    this.#scope = scope;
    this.#isWholeFolded = scope.isFolded;
    this.#isPcre2 = ONLY_PCRE2.test(pattern);
    this.#refersByNumber = REFERS_BY_NUMBER.test(pattern);
  }

  get source(): string {
    while (this.#at < this.#pattern.length) this.#next(this.#pattern.slice(this.#at));
    return this.#made;
  }

  #next(rest: string): void {
    const times = timesAt(rest);
    if (times) this.#repeat(times);
    else if (rest.startsWith("(?#")) this.#at += commentLength(rest);
    else if (rest.startsWith("\\Q")) this.#quote(rest);
    else if (rest.startsWith("(?P=")) this.#add(referenceAt(rest));
    else if (rest[0] === "(") this.#open(rest);
    else if (rest[0] === ")") this.#close();
    else this.#add(this.#piece(rest));
  }

  #add({ taken, put }: Piece): void {
    this.#atom = this.#made.length;
    this.#made += put;
    this.#at += taken;
  }

  /** JavaScript refuses a quantifier after a quantifier: two become one, or what is repeated again becomes a group. */
  #repeat({ taken, put }: Piece): void {
    this.#at += taken;
    const rest = this.#pattern.slice(this.#at);
    const isPossessive = this.#isPcre2 && rest[0] === "+";
    const again = isPossessive ? undefined : timesAt(rest);
    const both = again && merged(put, again.put);
    if (both) {
      this.#repeat({ taken: again.taken, put: both });
      return;
    }
    this.#made += put;
    if (!isPossessive && !again) return;
    const repeated = this.#made.slice(this.#atom);
    this.#made = this.#made.slice(0, this.#atom) + (isPossessive ? this.#atomic(repeated) : `(?:${repeated})`);
    if (isPossessive) this.#at += 1;
  }

  /** What a look-ahead has found is not tried in another way. */
  #atomic(source: string): string {
    // the group added here would shift the numbers
    if (this.#refersByNumber) throw new SyntaxError("an atomic group beside a reference by number");
    const name = `_atomic${++this.#atomics}`;
    return `(?:(?=(?<${name}>${source}))\\k<${name}>)`;
  }

  #open(rest: string): void {
    const isAtomic = rest.startsWith("(?>");
    this.#groups.push({ start: this.#made.length, isAtomic, around: this.#scope });
    const [flagged, on = "", off = ""] = /^\(\?([ismu]*)(?:-([ism]+))?:/.exec(rest) ?? [];
    const [taken, put] = rest.startsWith("(?P<")
      ? [4, "(?<"]
      : isAtomic
        ? [3, "(?:"]
        : flagged === undefined
          ? [1, "("]
          : [flagged.length, "(?:"];
    if (off.includes("i") && this.#isWholeFolded) throw new SyntaxError("a part is not folded");
    this.#scope = {
      isFolded: (this.#scope.isFolded || on.includes("i")) && !off.includes("i"),
      dotIsAll: (this.#scope.dotIsAll || on.includes("s")) && !off.includes("s"),
    };
    this.#add({ taken, put });
  }

  #close(): void {
    this.#made += ")";
    this.#at += 1;
    const group = this.#groups.pop();
    if (!group) return;
    this.#scope = group.around;
    this.#atom = group.start;
    if (group.isAtomic) this.#made = this.#made.slice(0, group.start) + this.#atomic(this.#made.slice(group.start));
  }

  /** Text up to `\\E`, in which nothing means anything else. */
  #quote(rest: string): void {
    const [text = ""] = rest.slice("\\Q".length).split("\\E", 1);
    for (const char of text) this.#add({ taken: 0, put: this.#cased(plain(char)) });
    this.#at += "\\Q".length + text.length + "\\E".length;
  }

  #piece(rest: string): Piece {
    const place = PLACES.find(([spelling]) => rest.startsWith(spelling));
    if (place) return { taken: place[0].length, put: place[1] };
    if (rest[0] === "\\" || rest[0] === "[") {
      const piece = rest[0] === "[" ? bracket(rest) : escaped(rest);
      return piece ? { ...piece, put: this.#cased(piece.put) } : { taken: 1, put: "[" };
    }
    if (rest[0] === ".") return { taken: 1, put: this.#scope.dotIsAll ? "[\\s\\S]" : "[^\\r\\n]" };
    // other engines accept a quantifier after an assertion; JavaScript needs a group around it
    if (rest[0] === "^" || rest[0] === "$") return { taken: 1, put: `(?:${rest[0]})` };
    if (rest[0] === "|") return { taken: 1, put: "|" };
    const char = String.fromCodePoint(rest.codePointAt(0) as number);
    return { taken: char.length, put: this.#cased(plain(char)) };
  }

  /** The flag of JavaScript holds for a whole pattern; for a part of it, both cases are spelled out. */
  #cased(source: string): string {
    return this.#scope.isFolded && !this.#isWholeFolded ? inEitherCase(source) : source;
  }
}

function referenceAt(rest: string): Piece {
  const [whole, name] = /^\(\?P=(\w+)\)/.exec(rest) ?? [];
  if (whole === undefined) throw new SyntaxError("a reference without a name");
  return { taken: whole.length, put: `\\k<${name}>` };
}

const commentLength = (rest: string): number => {
  const end = rest.indexOf(")");
  if (end < 0) throw new SyntaxError("a comment without an end");
  return end + 1;
};

/** One sign for two: a loop in a loop would try every way to divide a text between them. */
function merged(inner: string, outer: string): string | undefined {
  const [a, b] = [inner[0], outer[0]];
  if (a === "{" || b === "{") return undefined;
  const isLazy = inner.length > 1 && outer.length > 1;
  return `${a === b ? a : "*"}${isLazy ? "?" : ""}`;
}

/** A quantifier with its `?`, if it is lazy. A count without a number is plain text. */
function timesAt(rest: string): Piece | undefined {
  const [sign] = /^[*+?]\??/.exec(rest) ?? [];
  if (sign) return { taken: sign.length, put: sign };
  const [whole = "", least = "", comma = "", most = ""] = COUNT.exec(rest) ?? [];
  if (least + most === "") return undefined;
  const lazy = rest[whole.length] === "?" ? "?" : "";
  return { taken: whole.length + lazy.length, put: `{${least || 0}${comma}${most}}${lazy}` };
}
