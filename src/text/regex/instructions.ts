import { type Edge, type Node, PatternProblem } from "./parse.ts";

/** One instruction of a program; all but characters and edges are followed immediately. */
export type Instruction =
  | { does: "take"; fits: (code: number) => boolean; to: number }
  | { does: "stand"; edge: Edge; to: number }
  | { does: "split"; to: number; or: number }
  | { does: "match" };

/** A bound that keeps matching even the longest text fast. */
const MOST_INSTRUCTIONS = 2_000;
const PLAIN = 128;

/** Compiles a pattern to a list of instructions; `start` is the first. */
export function programOf(node: Node, { ignoreCase, dotIsAll }: { ignoreCase: boolean; dotIsAll: boolean }) {
  const program: Instruction[] = [];
  const tests = new Map<string, (code: number) => boolean>();
  const flags = `${ignoreCase ? "i" : ""}${dotIsAll ? "s" : ""}`;

  const add = (instruction: Instruction): number => {
    if (program.length >= MOST_INSTRUCTIONS) throw new PatternProblem("it is too large");
    return program.push(instruction) - 1;
  };
  const testOf = (source: string): ((code: number) => boolean) => {
    const known = tests.get(source) ?? characterTest(new RegExp(`^(?:${source})$`, flags));
    tests.set(source, known);
    return known;
  };

  /** Compiles a node that continues at `to`, and returns where it starts. Built from the end. */
  const compile = (part: Node, to: number): number => {
    switch (part.is) {
      case "character":
        return add({ does: "take", fits: testOf(part.source), to });
      case "edge":
        return add({ does: "stand", edge: part.edge, to });
      case "sequence":
        return part.parts.reduceRight((next, each) => compile(each, next), to);
      case "choice":
        return part.parts
          .map((each) => compile(each, to))
          .reduceRight((or, each) => add({ does: "split", to: each, or }));
      case "repeated":
        return repeat(part, to);
    }
  };

  const repeat = ({ part, least, most }: Extract<Node, { is: "repeated" }>, to: number): number => {
    let start = to;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = { does: "split" as const, to: 0, or: to };
      start = add(loop);
      loop.to = compile(part, start);
    } else
      for (let more = most - least; more > 0; more--) start = add({ does: "split", to: compile(part, start), or: to });
    for (let times = 0; times < least; times++) start = compile(part, start);
    return start;
  };

  const start = compile(node, add({ does: "match" }));
  return { program, start };
}

/** For single characters the engine's own regex decides, which cannot backtrack. */
function characterTest(one: RegExp): (code: number) => boolean {
  const plain = Uint8Array.from({ length: PLAIN }, (_, code) => (one.test(String.fromCharCode(code)) ? 1 : 0));
  const others = new Map<number, boolean>();
  return (code) => {
    if (code < PLAIN) return plain[code] === 1;
    const known = others.get(code);
    if (known !== undefined) return known;
    const fits = one.test(String.fromCharCode(code));
    others.set(code, fits);
    return fits;
  };
}
