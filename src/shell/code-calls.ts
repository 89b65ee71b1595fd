import type { Token } from "./code-tokens.ts";
import {
  added,
  CALLS,
  character,
  formatted,
  isList,
  isText,
  itemsOf,
  joined,
  MOST_TEXT,
  onNumbers,
  portion,
  repeated,
  reversed,
  sliced,
  textsOf,
  type Value,
} from "./code-values.ts";

/** Languages that join texts with a dot, and in which a text comes behind what divides it: `split(/ /, $x)`. */
export const BY_DOT = /^(?:perl|php|n?vim|vi|ex)/;
/** Marks that join texts in some languages, and mean something else in others. */
const OWN_JOINS: Readonly<Record<string, RegExp>> = {
  "++": /^(?:erl|ghci|runghc|elixir)/,
  "<>": /^elixir/,
  "&": /^osascript/,
  "||": /^(?:psql|sqlite)/,
};
const JOINS_CLOSELY = /^(?:ruby|irb)/;

const SPACED = /^(?:python|pypy|node|deno|bun|lua|tsx|[gmn]?awk)/;

export type Join = (left: Value, right: Value) => Value;

const inPlaces: Join = (left, right) => formatted(left, isList(right) ? right : [right]);
const multiplied: Join = (left, right) => (isList(left) && isText(right) ? joined(right, left) : repeated(left, right));

const JOINS: ReadonlyMap<string, Join> = new Map<string, Join>([
  ["+", added],
  ["..", added],
  ["<<", added],
  ["-", onNumbers((left, right) => left - right)],
  ["^", onNumbers((left, right) => left ^ right)],
  ["%", inPlaces],
  ["*", multiplied],
]);

/** What an operator makes of the values beside it. */
export const joinOf = (language: string, { kind, text }: Token): Join | undefined => {
  if (text === "." && kind === "mark") return BY_DOT.test(language) ? added : undefined;
  if (kind === "name") return text === "x" && BY_DOT.test(language) ? repeated : undefined;
  if (kind !== "mark") return undefined;
  return OWN_JOINS[text]?.test(language) ? added : JOINS.get(text);
};

const everyOf = (value: Value, step: number): Value => {
  const items = itemsOf(value)?.filter((_, index) => index % step === 0);
  return isText(value) ? items?.join("") : items;
};

/** `[2]`, `[1:3]` and `[::-1]`. */
export const indexed = (value: Value, index: string): Value => {
  const step = Number(/^::(-?\d{1,4})$/.exec(index)?.[1]);
  if (step < 0) return everyOf(reversed([value]), -step);
  if (step > 0) return everyOf(value, step);
  const [, from = "", colon, to = ""] = /^(-?\d{0,6})(:?)(-?\d{0,6})$/.exec(index) ?? [];
  const at = (digits: string): Value => (digits === "" ? undefined : Number(digits));
  if (colon === ":") return sliced(value, at(from), at(to));
  return from === "" ? undefined : itemsOf(value)?.at(Number(from));
};

/** Several values that are printed together, as one text. */
export const printed = (language: string, name: string, args: readonly Value[]): Value => {
  const texts = textsOf(args);
  if (texts === undefined || texts.length < 2) return undefined;
  return name === "printf" ? formatted(texts[0], texts.slice(1)) : joined(SPACED.test(language) ? " " : "", texts);
};

const IN_BRACES = /[$#]\{([^{}]{1,400})\}|@\{\[([^[\]]{1,400})\]\}|(\$\w{1,40})|\{([^{}]{1,400})\}/g;
const MOST_ROUNDS = 3;

/** A quoted text with what stands in braces or behind a `$` filled in; what is not known stays as it is. */
export const filled = ({ text, quote, braces }: Token, known: (code: string) => Value): string => {
  if (quote === "'" || !/[$#{@]/.test(text)) return text;
  let after = text;
  for (let round = 0, before = ""; round < MOST_ROUNDS && after !== before; round++) {
    before = after;
    after = before.slice(0, 2 * MOST_TEXT).replace(IN_BRACES, (whole, ...groups: (string | undefined)[]) => {
      const [inBraces, inList, name, bare] = groups;
      if (bare !== undefined && !braces && !bare.startsWith("$")) return whole;
      const value = known(inBraces ?? inList ?? name ?? bare ?? "");
      return typeof value === "number" || isText(value) ? String(value) : whole;
    });
  }
  return after;
};

/** `map(chr, [114, 109])`: numbers are taken for the codes of characters. */
const mapped = (items: Value): Value =>
  itemsOf(items)?.map((item) => (typeof item === "number" ? character(item) : item));

/** Languages that count characters from one. */
const FROM_ONE = /awk$|^(?:lua|sqlite|psql|mysql)/;

/** What a function makes of its words, by the last part of its name. */
export const resultOf = (language: string, name: string, args: readonly Value[]): Value => {
  if (name === "join" || name === "implode") {
    const [separator, ...rest] = args;
    return joined(separator, rest.length === 1 && isList(rest[0]) ? rest[0] : (rest.flat(1) as Value[]));
  }
  if (name === "substr") return portion(FROM_ONE.test(language) ? 1 : 0, args);
  // `table.concat` of Lua
  if (name === "concat" && isList(args[0])) return joined(args[1] ?? "", args[0]);
  if (name === "split" && BY_DOT.test(language)) return CALLS.get(name)?.([args[1], args[0]]);
  if (name === "map" && args.length > 1) return mapped(args.at(-1));
  return CALLS.get(name)?.(args);
};

/** The same for a method of a value. */
export const methodOf = (language: string, name: string, value: Value, args: readonly Value[]): Value => {
  if (name === "join" && isText(value)) return joined(value, args[0]);
  if (name === "join") return joined(args[0] ?? (JOINS_CLOSELY.test(language) ? "" : ","), value);
  if (name === "map") return mapped(value);
  if (name === "substr") return portion(0, [value, ...args]);
  if (name === "pack") return CALLS.get(name)?.([args[0], ...(itemsOf(value) ?? [])]);
  return CALLS.get(name)?.([value, ...args]);
};
