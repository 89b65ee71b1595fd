/** A zero-width assertion. */
export type Edge = "line start" | "line end" | "text start" | "text end" | "word edge" | "no word edge";

/** `source` is a regular expression for one character. */
export type Node =
  | { is: "character"; source: string }
  | { is: "edge"; edge: Edge }
  | { is: "sequence"; parts: Node[] }
  | { is: "choice"; parts: Node[] }
  | { is: "repeated"; part: Node; least: number; most: number };

/** Why a pattern is not accepted. */
export class PatternProblem extends Error {
  override name = "PatternProblem";
}

const EDGES: Readonly<Record<string, Edge>> = {
  "\\A": "text start",
  "\\Z": "text end",
  "\\z": "text end",
  "\\b": "word edge",
  "\\B": "no word edge",
};
const DEEPEST = 200;
const MOST_TIMES = 1000;

export type Parsed = { node: Node; ignoresCase: boolean; dotIsAll: boolean };

/** Parses a pattern in JavaScript's or Python's syntax, as far as it can be matched in one pass over a text. */
export function parsePattern(pattern: string): Parsed {
  const [flags = "", letters = ""] = /^\(\?([a-z]+)\)/.exec(pattern) ?? [];
  const strange = /[^imsu]/.exec(letters);
  if (strange) throw new PatternProblem(`the flag ${strange[0]} is not supported`);
  const reader = new Reader(pattern.slice(flags.length));
  return { node: reader.whole(), ignoresCase: letters.includes("i"), dotIsAll: letters.includes("s") };
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node {
    const node = this.#choice();
    if (this.#at < this.#text.length) throw new PatternProblem("a ) closes nothing");
    return node;
  }

  #choice(): Node {
    if (++this.#depth > DEEPEST) throw new PatternProblem("it is nested too deeply");
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    this.#depth--;
    return parts.length === 1 ? (parts[0] as Node) : { is: "choice", parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#text.length && !/[|)]/.test(this.#text[this.#at] as string)) {
      const part = this.#piece();
      parts.push(part.is === "edge" ? this.#unrepeated(part) : this.#repeated(part));
    }
    return { is: "sequence", parts };
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  /** Consumes and returns a match at the current position. */
  #match(pattern: RegExp): string | undefined {
    const [found] = pattern.exec(this.#text.slice(this.#at)) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #piece(): Node {
    const char = this.#text[this.#at] as string;
    if (char === "(") return this.#group();
    if (char === "[") return this.#oneOf();
    if (char === "\\") return this.#escape();
    this.#at++;
    if (char === "^" || char === "$") return { is: "edge", edge: char === "^" ? "line start" : "line end" };
    if (/[*+?]/.test(char)) throw new PatternProblem(`${char} repeats nothing`);
    return { is: "character", source: char };
  }

  #group(): Node {
    this.#at++;
    if (this.#match(/^\?(?:[=!]|<[=!])/)) throw new PatternProblem("it looks ahead or behind, which is not supported");
    const opened = this.#match(/^\?(?::|P?<[A-Za-z_$][\w$]*>)/);
    if (opened === undefined && this.#text[this.#at] === "?")
      throw new PatternProblem(`(${this.#text.slice(this.#at, this.#at + 3)} is not supported`);
    const node = this.#choice();
    if (!this.#take(")")) throw new PatternProblem("a ( is not closed");
    return node;
  }

  #oneOf(): Node {
    const source = this.#match(/^\[\^?(?:\\[\s\S]|[^\]\\])*\]/);
    if (source === undefined) throw new PatternProblem("a [ is not closed");
    return checked(source);
  }

  #escape(): Node {
    const edge = EDGES[this.#text.slice(this.#at, this.#at + 2)];
    if (edge) {
      this.#at += 2;
      return { is: "edge", edge };
    }
    if (this.#match(/^\\(?:[1-9]|k<|k'|P?g<)/)) throw new PatternProblem("it refers back, which is not supported");
    if (this.#match(/^\\[pP]\{/)) throw new PatternProblem("\\p is not supported");
    const source = this.#match(/^\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[A-Za-z]|[\s\S])/);
    if (source === undefined) throw new PatternProblem("a \\ at the end");
    return checked(source);
  }

  #repeated(part: Node): Node {
    const times = this.#match(/^(?:[*+?]|\{\d+(?:,\d*)?\})/);
    if (times === undefined) return part;
    // greedy or lazy makes no difference to whether it matches
    this.#take("?");
    if (this.#match(/^[*+?]|^\{\d+(?:,\d*)?\}/)) throw new PatternProblem("what is repeated is repeated again");
    const [least = 0, most = Number.POSITIVE_INFINITY] = boundsOf(times);
    if (least > most) throw new PatternProblem(`${times} is the wrong way round`);
    return { is: "repeated", part, least, most };
  }

  #unrepeated(part: Node): Node {
    if (this.#match(/^(?:[*+?]|\{\d+(?:,\d*)?\})/)) throw new PatternProblem("a place in the text is repeated");
    return part;
  }
}

function boundsOf(times: string): [least: number, most?: number] {
  if (times === "*") return [0];
  if (times === "+") return [1];
  if (times === "?") return [0, 1];
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(times) ?? [];
  const bounds = [Number(least), comma && !most ? Number.POSITIVE_INFINITY : Number(most || least)] as const;
  if (bounds.some((each) => Number.isFinite(each) && each > MOST_TIMES))
    throw new PatternProblem(`${times} is more than ${MOST_TIMES} times`);
  return [...bounds];
}

function checked(source: string): Node {
  try {
    new RegExp(`^${source}$`);
  } catch {
    throw new PatternProblem(`${source} is not understood`);
  }
  return { is: "character", source };
}
