/** JSON with comments and trailing commas, as in people's settings. Every value knows its position. */
export type Node = { readonly start: number; readonly end: number } & (
  | { readonly kind: "object"; readonly members: readonly Member[] }
  | { readonly kind: "array"; readonly items: readonly Node[] }
  | { readonly kind: "plain"; readonly value: unknown }
);
export type Member = { readonly name: string; readonly start: number; readonly value: Node };

const DEEPEST = 200;
const PLAIN = /"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** Throws a SyntaxError that says where. */
export function parseJsonc(text: string): Node {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  const wrong = () => new SyntaxError(`it is not valid JSON at line ${text.slice(0, at).split("\n").length}`);
  const skip = (): string | undefined => {
    BLANK.lastIndex = at;
    at += BLANK.exec(text)?.[0].length ?? 0;
    return text[at];
  };
  const take = (sign: string): boolean => {
    if (skip() !== sign) return false;
    at++;
    return true;
  };
  const plain = (): Node => {
    PLAIN.lastIndex = at;
    const found = PLAIN.exec(text)?.[0];
    if (found === undefined) throw wrong();
    const start = at;
    at += found.length;
    return { kind: "plain", start, end: at, value: JSON.parse(found) as unknown };
  };
  /** Comma-separated entries up to `end`; a trailing comma is allowed. */
  const list = <T>(end: string, one: () => T): T[] => {
    const found: T[] = [];
    while (!take(end)) {
      found.push(one());
      if (!take(",") && skip() !== end) throw wrong();
    }
    return found;
  };
  const value = (depth: number): Node => {
    if (depth > DEEPEST) throw wrong();
    skip();
    const start = at;
    if (take("{")) return { kind: "object", start, members: list("}", () => member(depth)), end: at };
    if (take("[")) return { kind: "array", start, items: list("]", () => value(depth + 1)), end: at };
    return plain();
  };
  const member = (depth: number): Member => {
    skip();
    const name = plain();
    if (name.kind !== "plain" || typeof name.value !== "string" || !take(":")) throw wrong();
    return { name: name.value, start: name.start, value: value(depth + 1) };
  };
  const whole = value(0);
  if (skip() !== undefined) throw wrong();
  return whole;
}

/** The value as JSON.parse would return it. */
export function plainOf(node: Node): unknown {
  if (node.kind === "plain") return node.value;
  if (node.kind === "array") return node.items.map(plainOf);
  return Object.fromEntries(node.members.map(({ name, value }) => [name, plainOf(value)]));
}
