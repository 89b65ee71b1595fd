import { type Instruction, programOf } from "./regex/instructions.ts";
import { type Edge, PatternProblem, parsePattern } from "./regex/parse.ts";

/**
 * A regular expression that takes linear time, whatever the pattern and the text. It only says whether there is a
 * match, and has no look-around and no back-references. `^` and `$` match at lines.
 */
export type Regex = {
  /** `isNew` marks characters (1): then a match counts only if it includes one of them. */
  test(text: string, isNew?: Uint8Array): boolean;
};

/** Throws `PatternProblem` if the pattern is not supported. */
export function compileRegex(pattern: string, { ignoreCase = false } = {}): Regex {
  const { node, ignoresCase, dotIsAll } = parsePattern(pattern);
  const { program, start } = programOf(node, { ignoreCase: ignoreCase || ignoresCase, dotIsAll });
  return new Machine(program, start);
}

/** Why a pattern is not supported; undefined if it is. */
export function patternProblem(pattern: string): string | undefined {
  try {
    compileRegex(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof PatternProblem) return error.message;
    throw error;
  }
}

/** Runs all threads at once. A thread is its position in the program, doubled, plus one if it took something new. */
class Machine implements Regex {
  readonly #program: readonly Instruction[];
  readonly #start: number;
  readonly #begins: (code: number) => boolean;
  readonly #ahead: number[] = [];
  constructor(program: readonly Instruction[], start: number) {
    this.#program = program;
    this.#start = start;
    this.#begins = beginnings(program, start);
  }

  test(text: string, isNew?: Uint8Array): boolean {
    const size = this.#program.length * 2;
    let now: Ways = { list: [], in: new Uint8Array(size) };
    let next: Ways = { list: [], in: new Uint8Array(size) };
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : -1;
      if (now.list.length > 0 || this.#begins(code)) {
        this.#follow(this.#start * 2, now, text, at);
        const taken = isNew === undefined || isNew[at] === 1 ? 1 : 0;
        for (const way of now.list) {
          const instruction = this.#program[way >> 1] as Instruction;
          if (instruction.does === "match" && (isNew === undefined || way % 2 === 1)) return true;
          if (instruction.does === "take" && code >= 0 && instruction.fits(code))
            this.#follow(instruction.to * 2 + ((way % 2) | taken), next, text, at + 1);
        }
        for (const way of now.list) now.in[way] = 0;
        now.list.length = 0;
      }
      [now, next] = [next, now];
    }
    return false;
  }

  /** Adds a thread, and those that it leads to without taking a character. */
  #follow(from: number, ways: Ways, text: string, at: number): void {
    const ahead = this.#ahead;
    ahead.push(from);
    for (let way = ahead.pop(); way !== undefined; way = ahead.pop()) {
      if (ways.in[way]) continue;
      ways.in[way] = 1;
      ways.list.push(way);
      const instruction = this.#program[way >> 1] as Instruction;
      if (instruction.does === "split") ahead.push(instruction.to * 2 + (way % 2), instruction.or * 2 + (way % 2));
      else if (instruction.does === "stand" && isAt(instruction.edge, text, at))
        ahead.push(instruction.to * 2 + (way % 2));
    }
  }
}

type Ways = { readonly list: number[]; readonly in: Uint8Array };

/** Whether a match can begin with this character; most texts contain none and are skipped. */
function beginnings(program: readonly Instruction[], start: number): (code: number) => boolean {
  const fits: ((code: number) => boolean)[] = [];
  const seen = new Set<number>();
  const ahead = [start];
  for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const instruction = program[at] as Instruction;
    if (instruction.does === "match") return () => true;
    if (instruction.does === "take") fits.push(instruction.fits);
    else ahead.push(instruction.to, ...(instruction.does === "split" ? [instruction.or] : []));
  }
  return (code) => code >= 0 && fits.some((each) => each(code));
}

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
const endsLine = (code: number): boolean => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;

function isAt(edge: Edge, text: string, at: number): boolean {
  switch (edge) {
    case "text start":
      return at === 0;
    case "text end":
      return at === text.length;
    case "line start":
      return at === 0 || endsLine(text.charCodeAt(at - 1));
    case "line end":
      return at === text.length || endsLine(text.charCodeAt(at));
    default: {
      const isEdge = isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at));
      return (edge === "word edge") === isEdge;
    }
  }
}
