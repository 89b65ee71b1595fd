const MOST_CANDIDATES = 10_000;
const LONGEST_COMPARED = 128;

/** The forms of a name that are compared; a path also has its base name. */
type Forms = { name: string; plain: string; base: string | undefined };

const plainOf = (name: string): string => name.toLowerCase().replace(/[-_\s]+/g, "");

const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean)
    .sort()
    .join(" ");

function formsOf(name: string): Forms {
  const end = name.length > LONGEST_COMPARED ? name.slice(-LONGEST_COMPARED) : name;
  const plain = plainOf(end);
  const base = plain.slice(Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\")) + 1);
  return { name: end, plain, base: base === plain ? undefined : base };
}

/** The number of typos between two texts (swapped neighbours count as one), or Infinity beyond the limit. */
export function slips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  const width = b.length + 1;
  const far = limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    // cells further than the limit from the diagonal cannot lead to a result within it
    const from = Math.max(1, row - limit);
    const to = Math.min(b.length, row + limit);
    const current = new Array<number>(width).fill(far);
    if (from === 1) current[0] = row;
    let least = far;
    for (let column = from; column <= to; column++) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Infinity;
    [beforeLast, last] = [last, current];
  }
  const total = last[b.length]!;
  return total <= limit ? total : Infinity;
}

/** About one typo per three letters; none for names of one or two letters, which resemble everything. */
function slipLimit(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  return longer < 3 ? 0 : Math.max(1, Math.floor(longer / 3));
}

/** How different two texts are; 0 is equal, Infinity is unrelated or more than `most`. */
function distance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  const bySlips = slips(a, b, Math.min(slipLimit(a, b), Math.floor(most)));
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  if (shorter.length < 3) return bySlips;
  const extra = (longer.length - shorter.length) / 20;
  if (longer.startsWith(shorter)) return Math.min(bySlips, 1.5 + extra);
  if (longer.includes(shorter)) return Math.min(bySlips, 2 + extra);
  return bySlips;
}

function score(word: Forms, candidate: Forms, most: number): number {
  let best = distance(word.plain, candidate.plain, most);
  if (best > 1 && word.plain.length === candidate.plain.length && wordsOf(word.name) === wordsOf(candidate.name))
    best = 1;
  if (word.base === undefined && candidate.base === undefined) return best;
  return Math.min(best, distance(word.base ?? word.plain, candidate.base ?? candidate.plain, most) + 0.5);
}

// a candidate this much further away than the best was hardly meant
const SPREAD = 2;

/** The candidates that may have been meant by an unknown word, best first. */
export function nearest(word: string, candidates: Iterable<string>, most = 3): string[] {
  const wanted = formsOf(word);
  const found = new Map<string, number>();
  let seen = 0;
  let best = Infinity;
  for (const candidate of candidates) {
    if (++seen > MOST_CANDIDATES) break;
    const far = candidate === word ? -1 : score(wanted, formsOf(candidate), best + SPREAD);
    if (far < Infinity) found.set(candidate, far);
    best = Math.min(best, far);
  }
  return [...found]
    .filter(([, far]) => far <= best + SPREAD)
    .sort(([, a], [, b]) => a - b)
    .slice(0, most)
    .map(([candidate]) => candidate);
}
