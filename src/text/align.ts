type Region = { aStart: number; aEnd: number; bStart: number; bEnd: number };
type Pair = (aIndex: number, bIndex: number) => void;

const deepestAnchoring = 8;
const longestSearch = 256;

/** Marks lines without a partner on the other side with 1. Lines with a partner (0) pair up in order and are equal. */
export function alignLines(
  before: readonly string[],
  after: readonly string[],
): { removed: Uint8Array; added: Uint8Array } {
  const removed = new Uint8Array(before.length).fill(1);
  const added = new Uint8Array(after.length).fill(1);
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  removed.fill(0, 0, head).fill(0, before.length - tail);
  added.fill(0, 0, head).fill(0, after.length - tail);

  const { a, b, distinct } = sharedLines(before, after, head, tail);
  const align = aligner(a.ids, b.ids, distinct, (aIndex, bIndex) => {
    removed[a.positions[aIndex]!] = 0;
    added[b.positions[bIndex]!] = 0;
  });
  align({ aStart: 0, aEnd: a.ids.length, bStart: 0, bEnd: b.ids.length }, 0);
  return { removed, added };
}

type Numbered = { ids: number[]; positions: number[] };

/** Lines that occur on one side only can have no partner, so they are dropped before the search. */
function sharedLines(before: readonly string[], after: readonly string[], head: number, tail: number) {
  const idOfAfter = new Map<string, number>();
  for (let index = head; index < after.length - tail; index++)
    if (!idOfAfter.has(after[index]!)) idOfAfter.set(after[index]!, idOfAfter.size);
  const isShared = new Uint8Array(idOfAfter.size);
  const a: Numbered = { ids: [], positions: [] };
  for (let index = head; index < before.length - tail; index++) {
    const id = idOfAfter.get(before[index]!);
    if (id === undefined) continue;
    isShared[id] = 1;
    a.ids.push(id);
    a.positions.push(index);
  }
  const b: Numbered = { ids: [], positions: [] };
  for (let index = head; index < after.length - tail; index++) {
    const id = idOfAfter.get(after[index]!)!;
    if (isShared[id] === 0) continue;
    b.ids.push(id);
    b.positions.push(index);
  }
  return { a, b, distinct: idOfAfter.size };
}

function aligner(a: number[], b: number[], distinct: number, pair: Pair) {
  const anchorsOf = anchorFinder(a, b, distinct);
  return function align(region: Region, depth: number): void {
    let { aStart, aEnd, bStart, bEnd } = region;
    while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) pair(aStart++, bStart++);
    while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) pair(--aEnd, --bEnd);
    if (aStart === aEnd || bStart === bEnd) return;
    const rest = { aStart, aEnd, bStart, bEnd };
    const anchors = depth < deepestAnchoring ? anchorsOf(rest) : [];
    if (anchors.length === 0) {
      searchShortest(a, b, rest, pair);
      return;
    }
    for (const [aAnchor, bAnchor] of anchors) {
      align({ aStart, aEnd: aAnchor, bStart, bEnd: bAnchor }, depth + 1);
      pair(aAnchor, bAnchor);
      aStart = aAnchor + 1;
      bStart = bAnchor + 1;
    }
    align({ aStart, aEnd, bStart, bEnd }, depth + 1);
  };
}

/** Finds lines that occur exactly once on each side of a region, and keeps as many as preserve their order. */
function anchorFinder(a: number[], b: number[], distinct: number) {
  const aCount = new Int32Array(distinct);
  const bCount = new Int32Array(distinct);
  const bWhere = new Int32Array(distinct);
  return ({ aStart, aEnd, bStart, bEnd }: Region): [number, number][] => {
    for (let index = aStart; index < aEnd; index++) aCount[a[index]!]!++;
    for (let index = bStart; index < bEnd; index++) {
      bCount[b[index]!]!++;
      bWhere[b[index]!] = index;
    }
    const pairs: [number, number][] = [];
    for (let index = aStart; index < aEnd; index++) {
      const id = a[index]!;
      if (aCount[id] === 1 && bCount[id] === 1) pairs.push([index, bWhere[id]!]);
    }
    for (let index = aStart; index < aEnd; index++) aCount[a[index]!] = 0;
    for (let index = bStart; index < bEnd; index++) bCount[b[index]!] = 0;
    return longestAscending(pairs);
  };
}

function longestAscending(pairs: [number, number][]): [number, number][] {
  const lastOfLength: number[] = [];
  const previous = new Int32Array(pairs.length);
  for (let index = 0; index < pairs.length; index++) {
    let low = 0;
    let high = lastOfLength.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[lastOfLength[middle]!]![1] < pairs[index]![1]) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : lastOfLength[low - 1]!;
    lastOfLength[low] = index;
  }
  const chosen: [number, number][] = [];
  for (let index = lastOfLength.at(-1) ?? -1; index !== -1; index = previous[index]!) chosen.push(pairs[index]!);
  return chosen.reverse();
}

/** Myers' greedy search. After `longestSearch` edits it accepts the furthest point, so that the cost stays linear. */
function searchShortest(a: number[], b: number[], region: Region, pair: Pair): void {
  const { aEnd, bEnd } = region;
  let { aStart, bStart } = region;
  const deepest = Math.min(longestSearch, aEnd - aStart + bEnd - bStart);
  const trace = new Int32Array((deepest + 1) ** 2);
  while (aStart < aEnd && bStart < bEnd) {
    const reached = explore(a, b, { aStart, aEnd, bStart, bEnd }, deepest, trace);
    const [aFrom, bFrom] = [aStart, bStart];
    pairAlong(reached, trace, aEnd - aFrom, bEnd - bFrom, (x, y) => pair(aFrom + x, bFrom + y));
    aStart += reached.x;
    bStart += reached.y;
  }
}

type Point = { edits: number; diagonal: number; x: number; y: number };

// the row of `edits` starts at edits² in the trace and holds the diagonals -edits to +edits
function explore(a: number[], b: number[], region: Region, deepest: number, trace: Int32Array): Point {
  const { aStart, bStart } = region;
  const width = region.aEnd - aStart;
  const height = region.bEnd - bStart;
  let furthest: Point = { edits: 0, diagonal: 0, x: 0, y: 0 };
  for (let edits = 0; edits <= deepest; edits++) {
    const row = edits * edits + edits;
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = edits === 0 ? 0 : stepInto(trace, edits, diagonal, width, height).x;
      if (x !== -1) {
        while (x < width && x - diagonal < height && a[aStart + x] === b[bStart + x - diagonal]) x++;
        const y = x - diagonal;
        if (edits === 0 || x + y > furthest.x + furthest.y) furthest = { edits, diagonal, x, y };
        if (x === width && y === height) return furthest;
      }
      trace[row + diagonal] = x;
    }
  }
  return furthest;
}

/** Where a diagonal is entered with one more edit, before following equal lines; x is -1 if it cannot be. */
function stepInto(trace: Int32Array, edits: number, diagonal: number, width: number, height: number) {
  const row = (edits - 1) * (edits - 1) + edits - 1;
  const above = diagonal < edits - 1 ? trace[row + diagonal + 1]! : -1;
  const left = diagonal > 1 - edits ? trace[row + diagonal - 1]! : -1;
  const down = above !== -1 && above - diagonal <= height ? above : -1;
  const right = left !== -1 && left < width ? left + 1 : -1;
  return right > down ? { x: right, from: diagonal - 1 } : { x: down, from: diagonal + 1 };
}

function pairAlong(reached: Point, trace: Int32Array, width: number, height: number, pair: Pair): void {
  let { edits, diagonal, x } = reached;
  while (edits > 0) {
    const entered = stepInto(trace, edits, diagonal, width, height);
    while (x > entered.x) {
      x--;
      pair(x, x - diagonal);
    }
    edits--;
    diagonal = entered.from;
    x = trace[edits * edits + edits + diagonal]!;
  }
  while (x > 0) {
    x--;
    pair(x, x);
  }
}
