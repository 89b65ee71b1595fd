/** Vectors as they are stored: only the direction, with a signed byte per number. */
export type Packed = string;

const LARGEST = 127;

/** Returns undefined for a zero vector. The length is lost, which a comparison by angle does not need. */
export function packed(vector: readonly number[]): Packed | undefined {
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  if (!Number.isFinite(largest) || largest === 0) return undefined;
  return btoa(String.fromCharCode(...vector.map((each) => Math.round((each / largest) * LARGEST) & 0xff)));
}

/** Returns undefined if it was not made by `packed`. */
export function unpacked(kept: Packed): Int8Array | undefined {
  try {
    return Int8Array.from(atob(kept), (byte) => (byte.charCodeAt(0) << 24) >> 24);
  } catch {
    return undefined;
  }
}

/** From -1 to 1; undefined if there is nothing to compare. */
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

/** How evenly places count: the larger, the less the first places stand out. */
const EVENNESS = 60;

/** Reciprocal rank fusion: combines several rankings into one score each; higher is better. */
export function fused<T>(...rankings: readonly (readonly T[])[]): Map<T, number> {
  const scores = new Map<T, number>();
  for (const ranking of rankings)
    for (const [place, each] of ranking.entries())
      scores.set(each, (scores.get(each) ?? 0) + 1 / (EVENNESS + place + 1));
  return scores;
}

/** Anything below this is not similar, whatever the model. */
const LEAST = 0.2;
/** Results this close to the best are just as good. */
const NEAR = 0.05;

/**
 * The similar ones, best first. Models differ in how similar they find unrelated texts, so the average is the baseline:
 * a result counts if it is closer to the best than to the average.
 */
export function alike<T>(candidates: readonly { of: T; similarity: number }[]): { of: T; similarity: number }[] {
  if (candidates.length === 0) return [];
  const best = candidates.reduce((most, { similarity }) => Math.max(most, similarity), -1);
  const average = candidates.reduce((sum, { similarity }) => sum + similarity, 0) / candidates.length;
  const enough = Math.max(LEAST, Math.min((best + average) / 2, best - NEAR));
  return candidates.filter(({ similarity }) => similarity >= enough).sort((a, b) => b.similarity - a.similarity);
}
