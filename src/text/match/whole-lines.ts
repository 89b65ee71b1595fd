import { type Line, splitLines } from "../lines.ts";
import { bodyOf, type Content, once } from "./file-content.ts";
import { type IndentMap, type IndentPair, indentMap, indentOf, indentUnit, withoutTail } from "./indentation.ts";
import type { Reading } from "./text-readings.ts";
import { type Place, tolerances } from "./tolerance.ts";
import { plainText } from "./typography.ts";

const mostComparisons = 200_000;

/** Thrown if a repetitive text has too many places to examine. */
export class TooRepetitive extends Error {}

/** Runs of whole lines that differ at most in what `tolerances` lists. */
export function wholeLinesLike(content: Content, reading: Reading): Place[] {
  const oldLines = splitLines(reading.old);
  const oldBodies = oldLines.map((line) => bodyOf(line.text));
  const above = oldBodies.findIndex((body) => body !== "");
  const below = oldBodies.length - 1 - oldBodies.findLastIndex((body) => body !== "");
  const core = oldBodies.slice(above, oldBodies.length - below);
  const starts = runsOf(core, content.bodies());
  if (starts.length * oldLines.length > mostComparisons) throw new TooRepetitive();
  const ruleBetween = indentRules(content, reading, oldLines);
  const places: Place[] = [];
  for (const start of starts) {
    const end = start + core.length;
    const blankAbove = countBlank(content.bodies(), start - 1, -1, above);
    const blankBelow = countBlank(content.bodies(), end, 1, below);
    const own = content.lines().slice(start - blankAbove, end + blankBelow);
    const skipped = { skippedAbove: above - blankAbove, skippedBelow: below - blankBelow };
    const copied = oldLines.slice(skipped.skippedAbove, oldLines.length - skipped.skippedBelow);
    const place = placeOf(own, copied, skipped);
    const isShifted = (place.forgiven & tolerances.indentation.bit) !== 0;
    const indent = isShifted ? ruleBetween(own, copied) : undefined;
    if (isShifted && indent === undefined) continue;
    places.push({ ...place, lines: { ...skipped, first: start - blankAbove, indent } });
  }
  return places;
}

function placeOf(own: Line[], copied: Line[], skipped: { skippedAbove: number; skippedBelow: number }): Place {
  const last = own.at(-1)!;
  const isClosed = skipped.skippedBelow > 0 || copied.at(-1)!.ending !== "";
  const skippedBit = skipped.skippedAbove + skipped.skippedBelow > 0 ? tolerances.blankEnds.bit : 0;
  const openBit = isClosed && skipped.skippedBelow === 0 && last.ending === "" ? tolerances.finalNewline.bit : 0;
  return {
    start: own[0]!.start,
    end: last.start + last.text.length + (isClosed ? last.ending.length : 0),
    forgiven: own.reduce((sum, line, index) => sum | forgivenIn(line, copied[index]!), skippedBit | openBit),
  };
}

function forgivenIn(own: Line, copied: Line): number {
  const haveEndings = own.ending !== "" && copied.ending !== "";
  const endings = haveEndings && own.ending !== copied.ending ? tolerances.endings.bit : 0;
  return own.text === copied.text ? endings : endings | forgivenInText(own.text, copied.text);
}

function forgivenInText(own: string, copied: string): number {
  if (bodyOf(own) === "") return tolerances.trailing.bit;
  const parts = (line: string) => {
    const indent = indentOf(line);
    const body = withoutTail(line).slice(indent.length);
    return { indent, body, tail: line.slice(indent.length + body.length) };
  };
  const [mine, theirs] = [parts(own), parts(copied)];
  const isShifted = plainText(mine.indent) !== plainText(theirs.indent);
  const marksDiffer = mine.body !== theirs.body || (!isShifted && mine.indent !== theirs.indent);
  return (
    (isShifted ? tolerances.indentation.bit : 0) |
    (marksDiffer ? tolerances.typography.bit : 0) |
    (mine.tail !== theirs.tail ? tolerances.trailing.bit : 0)
  );
}

/** Returns the rule between the indents of two runs of lines, if there is one. Cached. */
function indentRules(content: Content, reading: Reading, oldLines: Line[]) {
  const texts = (lines: Line[]) => lines.map((line) => line.text);
  const copiedUnit = once(() => indentUnit(texts(splitLines(reading.new))) ?? indentUnit(texts(oldLines)));
  const known = new Map<string, IndentMap | undefined>();
  return (own: Line[], copied: Line[]): IndentMap | undefined => {
    const pairs = new Map<string, IndentPair>();
    for (let index = 0; index < own.length; index++) {
      if (bodyOf(copied[index]!.text) === "") continue;
      const pair = { copied: indentOf(copied[index]!.text), own: indentOf(own[index]!.text) };
      const same = pairs.get(pair.copied);
      if (same !== undefined && plainText(same.own) !== plainText(pair.own)) return undefined;
      if (same === undefined) pairs.set(pair.copied, pair);
    }
    const key = JSON.stringify([...pairs.values()]);
    if (!known.has(key)) known.set(key, indentMap([...pairs.values()], copiedUnit(), content.unit()));
    return known.get(key);
  };
}

function countBlank(bodies: string[], from: number, step: 1 | -1, most: number): number {
  let count = 0;
  while (count < most && bodies[from + step * count] === "") count++;
  return count;
}

/** Where `wanted` occurs in `all`, overlaps included, in linear time (Knuth, Morris and Pratt). */
function runsOf(wanted: string[], all: string[]): number[] {
  const fallback = new Int32Array(wanted.length);
  for (let index = 1, length = 0; index < wanted.length; index++) {
    while (length > 0 && wanted[index] !== wanted[length]) length = fallback[length - 1]!;
    if (wanted[index] === wanted[length]) length++;
    fallback[index] = length;
  }
  const starts: number[] = [];
  for (let index = 0, length = 0; index < all.length; index++) {
    while (length > 0 && all[index] !== wanted[length]) length = fallback[length - 1]!;
    if (all[index] === wanted[length]) length++;
    if (length < wanted.length) continue;
    starts.push(index - wanted.length + 1);
    length = fallback[length - 1]!;
  }
  return starts;
}
