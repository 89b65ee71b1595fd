import { diffLines } from "../diff.ts";
import { type Line, splitLines } from "../lines.ts";
import { bodyOf, type Content } from "./file-content.ts";
import { plainText } from "./typography.ts";

/** `shown` has the file's lines with their numbers; `differs` has the old text's lines (-) and the file's (+). */
export type NearestPlace = { line: number; lines: number; shown: string; differs: string; score: number };

const mostOldLines = 400;
const mostWords = 12;
const mostHits = 200;
const mostCandidates = 8;
const leastScore = 0.5;
const mostShown = 30;
const longestShown = 400;
const reach = 3;

/** The run of lines most similar to `old`, if any is reasonably close. The work is bounded. */
export function nearestPlace(content: Content, old: string): NearestPlace | undefined {
  const oldLines = withoutBlankEnds(splitLines(old)).slice(0, mostOldLines);
  const lines = content.lines();
  const oldBodies = oldLines.map((line) => bodyOf(line.text));
  const votes = new Map<number, number>();
  voteByLines(content, oldBodies, votes);
  voteByWords(content, oldBodies, votes);
  const candidates = [...votes].sort(([, one], [, other]) => other - one).slice(0, mostCandidates);
  let best = { first: 0, score: 0 };
  for (const [first] of candidates) {
    const score = likeness(oldBodies, content.bodies(), first);
    if (score > best.score) best = { first, score };
  }
  if (best.score < leastScore) return undefined;
  const first = Math.max(0, lineNear(content.bodies(), best.first, oldBodies[0]!));
  const last = lineNear(content.bodies(), best.first + oldLines.length - 1, oldBodies.at(-1)!);
  const own = lines.slice(first, Math.max(first, last) + 1);
  return {
    line: first + 1,
    lines: own.length,
    shown: listed(own.map((line, index) => `${first + index + 1}: ${cut(line.text)}`)),
    differs: differences(oldLines, own),
    score: Math.round(best.score * 100) / 100,
  };
}

function withoutBlankEnds(lines: Line[]): Line[] {
  const isFull = (line: Line) => bodyOf(line.text) !== "";
  return lines.slice(Math.max(0, lines.findIndex(isFull)), lines.findLastIndex(isFull) + 1);
}

function voteByLines(content: Content, oldBodies: string[], votes: Map<number, number>): void {
  const indexOfBody = new Map<string, number>();
  for (const [index, body] of oldBodies.entries())
    if (body !== "" && !indexOfBody.has(body)) indexOfBody.set(body, index);
  for (const [line, body] of content.bodies().entries()) {
    const index = indexOfBody.get(body);
    if (index !== undefined) vote(votes, line - index, Math.min(body.length, 40));
  }
}

/** Words that occur too often in the file say nothing. */
function voteByWords(content: Content, oldBodies: string[], votes: Map<number, number>): void {
  const indexOfWord = new Map<string, number>();
  for (const [index, body] of oldBodies.entries())
    for (const word of body.match(/[\p{L}\p{N}_]{3,}/gu) ?? [])
      if (!indexOfWord.has(word)) indexOfWord.set(word, index);
  const words = [...indexOfWord].sort(([one], [other]) => other.length - one.length).slice(0, mostWords);
  for (const [word, index] of words) {
    const hits = hitsOf(content.text, word);
    if (hits.length > mostHits) continue;
    for (const hit of hits)
      vote(votes, lineHolding(content.lines(), hit) - index, word.length / Math.sqrt(hits.length));
  }
}

function vote<Key>(votes: Map<Key, number>, key: Key, weight: number): void {
  votes.set(key, (votes.get(key) ?? 0) + weight);
}

function hitsOf(text: string, word: string): number[] {
  const hits: number[] = [];
  for (let at = text.indexOf(word); at !== -1 && hits.length <= mostHits; at = text.indexOf(word, at + word.length))
    hits.push(at);
  return hits;
}

function lineHolding(lines: Line[], offset: number): number {
  let low = 0;
  let high = lines.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.start <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** The line with this body, at `line` or a few lines up or down; `line` itself if there is none. */
function lineNear(bodies: string[], line: number, body: string): number {
  for (let distance = 0; distance <= reach; distance++) {
    if (bodies[line - distance] === body) return line - distance;
    if (bodies[line + distance] === body) return line + distance;
  }
  return line;
}

/** From 0 to 1: how much of the old text is found from `first` on, allowing for a few lines up or down. */
function likeness(oldBodies: string[], bodies: string[], first: number): number {
  let found = 0;
  let all = 0;
  for (const [index, body] of oldBodies.entries()) {
    const weight = Math.min(body.length, 80);
    const near = bodies.slice(Math.max(0, first + index - reach), Math.max(0, first + index + reach + 1));
    all += weight;
    found += weight * Math.max(similarity(body, bodies[first + index] ?? ""), near.includes(body) ? 0.95 : 0);
  }
  return found / all;
}

/** The share of common letter pairs. */
function similarity(one: string, other: string): number {
  if (one === other) return 1;
  const pairs = new Map<string, number>();
  const [left, right] = [one.slice(0, longestShown), other.slice(0, longestShown)];
  for (let at = 0; at + 1 < left.length; at++) vote(pairs, left.slice(at, at + 2), 1);
  let common = 0;
  for (let at = 0; at + 1 < right.length; at++) {
    const pair = right.slice(at, at + 2);
    if ((pairs.get(pair) ?? 0) <= 0) continue;
    vote(pairs, pair, -1);
    common++;
  }
  return left.length + right.length <= 2 ? 0 : (2 * common) / (left.length + right.length - 2);
}

function differences(oldLines: Line[], own: Line[]): string {
  const [copied, file] = [oldLines.map((line) => line.text), own.map((line) => line.text)];
  const rows: string[] = [];
  let blanksDiffer = false;
  for (const change of diffLines(copied, file)) {
    const removed = copied.slice(change.beforeStart, change.beforeEnd);
    const added = file.slice(change.afterStart, change.afterEnd);
    const onlyBlanks = withoutBlanks(removed) === withoutBlanks(added);
    blanksDiffer ||= onlyBlanks;
    const show = onlyBlanks ? visible : (text: string) => text;
    rows.push(...removed.map((text) => `- ${cut(show(text))}`), ...added.map((text) => `+ ${cut(show(text))}`));
  }
  const note = blanksDiffer ? "\n(where only white space differs, · is a blank and → a tab)" : "";
  return listed(rows) + note;
}

function withoutBlanks(lines: string[]): string {
  return lines.map((text) => plainText(text).replace(/[ \t]+/g, "")).join("\n");
}

function visible(text: string): string {
  return text.replaceAll(" ", "·").replaceAll("\t", "→");
}

function cut(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)} [${text.length - longestShown} more]` : text;
}

function listed(rows: string[]): string {
  if (rows.length <= mostShown) return rows.join("\n");
  return `${rows.slice(0, mostShown).join("\n")}\n[${rows.length - mostShown} more lines]`;
}
