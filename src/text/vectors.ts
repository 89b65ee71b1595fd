/** Vectors as they are kept: directions alone, a signed byte for each number. */
export type Packed = string;

const LARGEST = 127;

/** undefined: it points nowhere. A vector's length is lost, which no comparison by angle needs. */
export function packed(vector: readonly number[]): Packed | undefined {
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  if (!Number.isFinite(largest) || largest === 0) return undefined;
  return btoa(String.fromCharCode(...vector.map((each) => Math.round((each / largest) * LARGEST) & 0xff)));
}

/** undefined: it was not made by packing. */
export function unpacked(kept: Packed): Int8Array | undefined {
  try {
    return Int8Array.from(atob(kept), (byte) => (byte.charCodeAt(0) << 24) >> 24);
  } catch {
    return undefined;
  }
}

/** From -1 to 1; undefined where there is nothing to compare. */
export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number | undefined {
  if (a.length !== b.length) return undefined;
  let product = 0;
  let ofA = 0;
  let ofB = 0;
  for (let at = 0; at < a.length; at++) {
    const one = a[at] as number;
    const other = b[at] as number;
    product += one * other;
    ofA += one * one;
    ofB += other * other;
  }
  const angle = product / Math.sqrt(ofA * ofB);
  return Number.isFinite(angle) ? angle : undefined;
}

/** How much the first places of a list count more than those after them. */
const EVENNESS = 60;

/** Reciprocal rank fusion: several rankings of the same things as one score each, higher is better. */
export function fused<T>(...rankings: readonly (readonly T[])[]): Map<T, number> {
  const scores = new Map<T, number>();
  for (const ranking of rankings)
    for (const [place, each] of ranking.entries())
      scores.set(each, (scores.get(each) ?? 0) + 1 / (EVENNESS + place + 1));
  return scores;
}

/** Less than this is no likeness, whatever model says it. */
const LEAST = 0.2;
/** Those that are so near to the best are as good. */
const NEAR = 0.05;

/**
 * Those that are alike enough, the best first. Models differ in how alike they find what has nothing in common, so that
 * the average tells: what counts is nearer to the best than to it.
 */
export function alike<T>(candidates: readonly { of: T; similarity: number }[]): { of: T; similarity: number }[] {
  if (candidates.length === 0) return [];
  const best = candidates.reduce((most, { similarity }) => Math.max(most, similarity), -1);
  const average = candidates.reduce((sum, { similarity }) => sum + similarity, 0) / candidates.length;
  const enough = Math.max(LEAST, Math.min((best + average) / 2, best - NEAR));
  return candidates.filter(({ similarity }) => similarity >= enough).sort((a, b) => b.similarity - a.similarity);
}
