// A unified diff of two files of 10,000 lines, however much of them differs.
import { compare } from "./lib/measure.mjs";
import { built } from "./lib/place.mjs";

const LINES = 10_000;
const LIMIT_MS = 200;
/** More differences than these take the library seconds. */
const SHOWN_BESIDE = 100;

const line = (index) => `line ${index}: some words that a file may hold, ${(index * 7919) % 10_007}`;
const textOf = (lines) => `${lines.join("\n")}\n`;

/** The same lines, so many of them changed at even distances. */
const changed = (count) =>
  textOf(
    Array.from({ length: LINES }, (_, index) =>
      Math.floor((index * count) / LINES) === Math.floor(((index + 1) * count) / LINES)
        ? line(index)
        : `changed ${line(index)}`,
    ),
  );

const plain = textOf(Array.from({ length: LINES }, (_, index) => line(index)));
const shuffled = (seed) =>
  textOf(Array.from({ length: LINES }, (_, index) => `line ${((index + seed) * 48_271 * (index + 7)) % 2_003}`));
const few = (words, step) => textOf(Array.from({ length: LINES }, (_, index) => words[(index * step) % words.length]));

const PAIRS = [
  ...[1, 100, 1000, 5000, LINES].map((count) => ({
    name: `${count} lines changed`,
    before: plain,
    after: changed(count),
    beside: count <= SHOWN_BESIDE,
  })),
  { name: "nothing in common", before: plain, after: textOf(Array.from({ length: LINES }, (_, i) => `other ${i}`)) },
  { name: "the same lines backwards", before: plain, after: `${plain.trimEnd().split("\n").reverse().join("\n")}\n` },
  { name: "lines of one stock, in two orders", before: shuffled(1), after: shuffled(77) },
  { name: "few lines, repeated", before: few(["{", "}", "", "end"], 1), after: few(["{", "}", "", "end"], 3) },
  {
    name: "few lines, repeated in another rhythm",
    before: few(["a", "b", "c", "d", "e", "f", "g"], 3),
    after: few(["a", "b", "c", "d", "e", "f", "g", "b", "a", "d", "c"], 4),
  },
];

export async function tables({ quick }) {
  const { unifiedDiff } = await built("text/diff.js");
  const { createTwoFilesPatch } = await import("diff");
  const theirs = PAIRS.filter(({ beside }) => beside).map(({ name, before, after }) => ({
    name: `diff 9.0.0 from npm, ${name}`,
    run: () => void createTwoFilesPatch("a", "b", before, after),
  }));
  const ours = PAIRS.map(({ name, before, after }) => ({
    name,
    run: () => void unifiedDiff(before, after, { from: "a", to: "b" }),
  }));
  const table = await compare({
    title: "A unified diff of two files of 10,000 lines",
    unit: "ms",
    cases: [...theirs, ...ours],
    rounds: quick ? 5 : 15,
    warmups: 2,
    targets: ours.map(({ name }) => ({ name, most: LIMIT_MS, of: "median" })),
  });
  return [table];
}
