import { plainText, typographicBlanks } from "./typography.ts";

export type IndentMap = (indent: string) => string;
export type IndentPair = { copied: string; own: string };

const blanksBefore = new RegExp(`^[ \\t\\f\\v${typographicBlanks}]*`);
const blankAtEnd = new RegExp(`[ \\t\\f\\v${typographicBlanks}]$`);
const units = ["    ", "  ", "        ", "\t"];

export function indentOf(line: string): string {
  return blanksBefore.exec(line)![0];
}

export function withoutTail(line: string): string {
  // a loop, because a pattern for trailing blanks is quadratic on a line full of them
  let end = line.length;
  while (end > 0 && blankAtEnd.test(line[end - 1]!)) end--;
  return line.slice(0, end);
}

/** The white space of one indent level, judged by how much deeper lines are than the line before. */
export function indentUnit(lines: readonly string[]): string | undefined {
  const seen = new Map<string, number>();
  let previous: string | undefined;
  for (const line of lines) {
    const indent = indentOf(line);
    // the stars of a block comment are one blank deeper, which is not a level
    if (indent.length === line.length || line[indent.length] === "*") continue;
    // lines often close several levels at once, but seldom open more than one
    const step = previous !== undefined && indent.startsWith(previous) ? indent.slice(previous.length) : "";
    const unit = /^\t+$/.test(step) ? "\t" : step;
    if (units.includes(unit)) seen.set(unit, (seen.get(unit) ?? 0) + 1);
    previous = indent;
  }
  return [...seen].sort(([, one], [, other]) => other - one)[0]?.[0];
}

type Lines = readonly { text: string }[];

/**
 * Whether a new text uses the indents of the file's own lines rather than those of the copied ones: decided by the
 * indents that it uses, its shallowest line, or the unit of one level, whichever differs first.
 */
export function hasIndentsOf(
  wanted: Lines,
  { own, copied, ownUnit }: { own: Lines; copied: Lines; ownUnit: () => string | undefined },
): boolean {
  const used = indentsIn(wanted);
  if (used.size === 0) return false;
  const [ofOwn, ofCopied] = [indentsIn(own), indentsIn(copied)];
  const within = (all: ReadonlySet<string>) => [...used].every((indent) => all.has(indent));
  const [isOwn, isCopied] = [within(ofOwn), within(ofCopied)];
  if (isOwn !== isCopied) return isOwn;
  const shallowest = shortest(used);
  const [atOwn, atCopied] = [shortest(ofOwn), shortest(ofCopied)];
  if (atOwn !== atCopied) return shallowest === atOwn;
  const texts = (lines: Lines) => lines.map(({ text }) => text);
  const unit = indentUnit(texts(wanted));
  return unit !== undefined && unit === ownUnit() && unit !== indentUnit(texts(copied));
}

function indentsIn(lines: Lines): Set<string> {
  const full = lines.filter(({ text }) => withoutTail(text) !== "");
  return new Set(full.map(({ text }) => plainText(indentOf(text))));
}

const shortest = (indents: ReadonlySet<string>): string =>
  [...indents].reduce((least, each) => (each.length < least.length ? each : least));

/**
 * Maps indents of the copied text to those of the file, if one rule holds for every line: all shifted by the same
 * amount, or all levels written in another unit. Undefined if there is none.
 */
export function indentMap(
  pairs: readonly IndentPair[],
  copiedUnit: string | undefined,
  ownUnit: string | undefined,
): IndentMap | undefined {
  const plain = pairs.map(({ copied, own }) => ({ copied: plainText(copied), own: plainText(own) }));
  const rule = rescaledBetween(plain, copiedUnit, ownUnit) ?? shifted(plain) ?? rescaled(plain);
  if (rule === undefined) return undefined;
  const known = new Map(pairs.map(({ copied, own }) => [copied, own]));
  return (indent) => known.get(indent) ?? rule(plainText(indent));
}

function rescaledBetween(pairs: IndentPair[], copiedUnit: string | undefined, ownUnit: string | undefined) {
  if (copiedUnit === undefined || ownUnit === undefined || copiedUnit === ownUnit) return undefined;
  return rescaledFrom(pairs, copiedUnit, ownUnit, "any");
}

function rescaled(pairs: IndentPair[]): IndentMap | undefined {
  for (const depth of ["same", "any"] as const)
    for (const copiedUnit of units)
      for (const ownUnit of units) {
        const rule = copiedUnit === ownUnit ? undefined : rescaledFrom(pairs, copiedUnit, ownUnit, depth);
        if (rule !== undefined) return rule;
      }
  return undefined;
}

function shifted(pairs: IndentPair[]): IndentMap | undefined {
  const first = pairs[0];
  if (first === undefined) return undefined;
  if (first.own.endsWith(first.copied)) {
    const more = first.own.slice(0, first.own.length - first.copied.length);
    return pairs.every(({ copied, own }) => own === more + copied) ? (indent) => more + indent : undefined;
  }
  if (!first.copied.endsWith(first.own)) return undefined;
  const less = first.copied.slice(0, first.copied.length - first.own.length);
  if (!pairs.every(({ copied, own }) => copied === less + own)) return undefined;
  return (indent) => (indent.startsWith(less) ? indent.slice(less.length) : "");
}

function rescaledFrom(pairs: IndentPair[], copiedUnit: string, ownUnit: string, depth: "same" | "any") {
  let deeper: number | undefined;
  for (const { copied, own } of pairs) {
    const from = levelsOf(copied, copiedUnit);
    const to = levelsOf(own, ownUnit);
    if (from === undefined || to === undefined || from.rest !== to.rest) return undefined;
    deeper ??= to.levels - from.levels;
    if (to.levels - from.levels !== deeper) return undefined;
  }
  if (deeper === undefined || (depth === "same" && deeper !== 0)) return undefined;
  const levelsDeeper = deeper;
  return (indent: string): string => {
    const from = levelsOf(indent, copiedUnit);
    return from === undefined ? indent : ownUnit.repeat(Math.max(0, from.levels + levelsDeeper)) + from.rest;
  };
}

function levelsOf(indent: string, unit: string): { levels: number; rest: string } | undefined {
  if (unit === "\t") {
    const parts = /^(\t*)( {0,7})$/.exec(indent);
    return parts === null ? undefined : { levels: parts[1]!.length, rest: parts[2]! };
  }
  if (!/^ *$/.test(indent)) return undefined;
  const levels = Math.floor(indent.length / unit.length);
  return { levels, rest: indent.slice(levels * unit.length) };
}
