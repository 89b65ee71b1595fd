/** One part of a glob: a byte that matches, any number of them, or alternatives to continue with. */
export type Step = { fits: (byte: number) => boolean; many?: boolean } | { choice: readonly (readonly Step[])[] };

const SLASH = 47;
const only = (byte: number): Step => ({ fits: (given) => given === byte });
const slash = only(SLASH);
const inName = (byte: number): boolean => byte !== SLASH;
const ANY: Step = { fits: inName };
const STAR: Step = { fits: inName, many: true };
const ALL: Step = { fits: () => true, many: true };
// `**` as the first segment, between two and as the last one, each with its slashes
const FIRST: Step = { choice: [[], [slash], [ALL, slash]] };
const BETWEEN: Step = { choice: [[slash], [slash, ALL, slash]] };
const LAST: Step = { choice: [[slash, ALL]] };
const NOTHING: Step = { choice: [[]] };

/** The UTF-8 bytes of a text as the characters of a string, because ripgrep's globs match bytes. */
export const byteString = (text: string): string =>
  /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text).toString("latin1");

class NoGlob extends Error {}

/** Reads a rule's glob as ripgrep does, not always as git does. Undefined if invalid; then the rule is ignored. */
export function ruleGlob(glob: string): readonly Step[] | undefined {
  try {
    const steps = new Reader(glob).read();
    return steps.length === 1 && steps[0] === FIRST ? [ALL] : steps;
  } catch (error) {
    if (error instanceof NoGlob) return undefined;
    throw error;
  }
}

class Reader {
  readonly #chars: readonly string[];
  #at = 0;
  #hasOpenClass = false;
  /** The alternatives of each open brace, outermost first; the first entry is the glob itself. */
  readonly #open: Step[][][] = [[[]]];
  constructor(glob: string) {
    this.#chars = [...glob];
  }

  read(): readonly Step[] {
    for (let char = this.#take(); char !== undefined; char = this.#take()) this.#read(char);
    if (this.#open.length > 1) throw new NoGlob();
    return this.#steps;
  }

  #take(): string | undefined {
    return this.#chars[this.#at++];
  }

  get #steps(): Step[] {
    return this.#open.at(-1)?.at(-1) as Step[];
  }

  #read(char: string): void {
    if (char === "?") this.#steps.push(ANY);
    else if (char === "*") this.#star();
    else if (char === "[" && !this.#hasOpenClass) this.#class();
    else if (char === "{") this.#open.push([[]]);
    else if (char === "}") this.#close();
    else if (char === "," && this.#open.length > 1) this.#open.at(-1)?.push([]);
    else this.#text(char === "\\" ? this.#take() : char);
  }

  #text(char: string | undefined): void {
    if (char === undefined) throw new NoGlob();
    this.#steps.push(...Array.from(Buffer.from(char), only));
  }

  #close(): void {
    const ways = this.#open.pop() as Step[][];
    if (this.#open.length === 0) throw new NoGlob();
    const choice = ways.filter((steps) => steps.some((step) => step !== NOTHING));
    this.#steps.push(choice.length > 0 ? { choice } : NOTHING);
  }

  #star(): void {
    const before = this.#chars[this.#at - 2];
    if (this.#chars[this.#at] !== "*") {
      this.#steps.push(STAR);
      return;
    }
    this.#at += 1;
    const after = this.#chars[this.#at];
    const isInside = this.#open.length > 1;
    if (this.#steps.length === 0 && (after === undefined || after === "/")) {
      this.#at += 1;
      this.#steps.push(FIRST);
      return;
    }
    const startsName = before === "/" || (isInside && (before === "," || before === "{"));
    const isLast = after === undefined || (isInside && (after === "," || after === "}"));
    if (this.#steps.length === 0 || !startsName || !(isLast || after === "/")) {
      this.#steps.push(STAR);
      return;
    }
    if (after === "/") this.#at += 1;
    const last = this.#steps.pop() as Step;
    this.#steps.push(last === FIRST ? last : isLast ? LAST : BETWEEN);
  }

  /** An unclosed bracket is a literal bracket, not a class. */
  #class(): void {
    const start = this.#at;
    const isNegated = this.#chars[this.#at] === "!" || this.#chars[this.#at] === "^";
    if (isNegated) this.#at += 1;
    const ranges: [string, string][] = [];
    let isRange = false;
    for (let isFirst = true; ; isFirst = false) {
      const char = this.#take();
      if (char === undefined) {
        this.#at = start;
        this.#hasOpenClass = true;
        this.#text("[");
        return;
      }
      if (char === "]" && !isFirst) break;
      if (isRange) {
        const range = ranges.at(-1) as [string, string];
        range[1] = char;
        if ((char.codePointAt(0) as number) < (range[0].codePointAt(0) as number)) throw new NoGlob();
        isRange = false;
      } else if (char === "-" && !isFirst) isRange = true;
      else ranges.push([char, char]);
    }
    if (isRange) ranges.push(["-", "-"]);
    const fits = bytesIn(ranges);
    this.#steps.push({ fits: isNegated ? (byte) => !fits(byte) : fits });
  }
}

/** A multi-byte character means each of its bytes; a range goes from the last byte of one to the first of the other. */
function bytesIn(ranges: readonly (readonly [string, string])[]): (byte: number) => boolean {
  const bytes = new Set<number>();
  for (const [first, last] of ranges) {
    const [from, to] = [[...Buffer.from(first)], [...Buffer.from(last)]];
    if (first === last) for (const byte of from) bytes.add(byte);
    else {
      for (const byte of [...from.slice(0, -1), ...to.slice(1)]) bytes.add(byte);
      for (let byte = from.at(-1) as number; byte <= (to[0] as number); byte += 1) bytes.add(byte);
    }
  }
  return (byte) => bytes.has(byte);
}
