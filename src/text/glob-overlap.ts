import { choicesOf } from "./glob-braces.ts";

const ANY = Symbol("any character");
const STAR = Symbol("any characters of a name");
const TREE = Symbol("any number of names");

type Token = string | typeof ANY | typeof STAR;
type Segment = readonly Token[] | typeof TREE;

const WILDCARDS = /[\\*?[\]{}()]/;
const MOST_CHOICES = 64;
const LONGEST_GLOB = 4_096;
const ANYTHING: readonly (readonly Segment[])[] = [[TREE]];

/**
 * Whether some path could match both globs, which are absolute. A doubt counts as yes: case and Unicode form are
 * ignored, classes match any character, and groups such as `!(a)` any path from there on.
 */
export function globsOverlap(one: string, other: string): boolean {
  const others = readGlob(other);
  return readGlob(one).some((a) => others.some((b) => pathsMeet(a, b)));
}

/** A glob that matches exactly this path. */
export const globOfPath = (path: string): string => path.replace(/[\\*?[\]{}()!+@|]/g, "\\$&");

/** A glob that ends in a plain name or a slash covers everything below it. */
export const withBelow = (glob: string): string => {
  const last = glob.slice(glob.lastIndexOf("/") + 1);
  return WILDCARDS.test(last) ? glob : `${glob.replace(/(?<!\/)\/+$/, "")}/**`;
};

/** Splits a glob into the path before its first wildcard and the rest. */
export function splitGlob(glob: string): { base: string; rest: string } {
  const names = glob.split("/");
  const first = names.findIndex((name) => WILDCARDS.test(name));
  const at = first === -1 ? names.length : first;
  return { base: names.slice(0, at).join("/"), rest: names.slice(at).join("/") };
}

function readGlob(glob: string): readonly (readonly Segment[])[] {
  if (glob.length > LONGEST_GLOB) return ANYTHING;
  const choices = choicesOf(glob);
  if (!choices || choices.length > MOST_CHOICES) return [readChoice(`${glob.slice(0, glob.indexOf("{"))}(`)];
  return choices.map(readChoice);
}

function readChoice(glob: string): Segment[] {
  const segments: Segment[] = [];
  const names = glob.normalize("NFC").toLowerCase().split("/");
  for (const name of names) {
    if (name === "" || name === ".") continue;
    if (name === "..") return [TREE];
    const segment = name === "**" ? TREE : tokensOf(name);
    if (segment === undefined) return [...segments, TREE];
    segments.push(segment);
  }
  return segments;
}

/** Returns undefined if the meaning of the name is uncertain; it may then match several names. */
function tokensOf(name: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (const [part] of name.matchAll(/\\[\s\S]?|\[[!^]?[^[\]\\]+\]|\*+|[\s\S]/gu)) {
    if (part === "?" || (part.length > 1 && part.startsWith("["))) tokens.push(ANY);
    else if (part.startsWith("*")) tokens.push(STAR);
    else if (/^[[()]$/.test(part) || part === "\\") return undefined;
    else tokens.push(...part.replace(/^\\/, ""));
  }
  return tokens;
}

function pathsMeet(a: readonly Segment[], b: readonly Segment[]): boolean {
  return meet(a, b, TREE, (one, other) => meet(one as readonly Token[], other as readonly Token[], STAR, sameToken));
}

const sameToken = (one: Token, other: Token): boolean => one === ANY || other === ANY || one === other;

/** Whether two lists can be equal, where `many` stands for any number of items. */
function meet<T>(a: readonly T[], b: readonly T[], many: T, same: (one: T, other: T) => boolean): boolean {
  // from the end: reach[j] says whether the rest of a from i and the rest of b from j can be equal
  let reach: boolean[] = [];
  for (let i = a.length; i >= 0; i--) {
    const next = reach;
    reach = new Array<boolean>(b.length + 1).fill(false);
    for (let j = b.length; j >= 0; j--) {
      const [one, other] = [a[i], b[j]];
      if (i === a.length && j === b.length) reach[j] = true;
      else if (one === many || other === many) reach[j] = next[j] === true || reach[j + 1] === true;
      else reach[j] = next[j + 1] === true && same(one as T, other as T);
    }
  }
  return reach[0] === true;
}
